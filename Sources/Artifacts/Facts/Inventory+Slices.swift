import Findings
import ObjectFiles

extension Inventory {
  /// The targets of all code, each once with the highest minimum version that a file has for it; sorted by name.
  package var slices: [DeliverableRecord.Slice] {
    var minimums: [String: OSVersion?] = [:]
    for (item, code) in facts(CodeFacts.self) where item.metadata == nil {
      for slice in code.slices {
        for build in slice.builds {
          let name = Slice(slice.architecture, build.platform).description
          minimums[name] = max(minimums[name].flatMap(\.self) ?? build.minimumOS, build.minimumOS)
        }
      }
      if let elf = code.elf {
        minimums.updateValue(nil, forKey: Slice(elf, in: item.parts.dropLast().reversed()).description)
      }
    }
    return minimums.sorted { $0.key < $1.key }.map { .init(name: $0.key, minimumOS: $0.value?.description) }
  }
}
