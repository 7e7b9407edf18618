import Artifacts
import ObjectFiles
import Store

/// The classes of Objective-C and the functions of C that a finished library defines: sources of them beside it are what it was
/// made of.
struct BinaryNames: Sendable {
  private(set) var classes: Set<String> = []
  /// As they are written in C.
  private(set) var functions: Set<String> = []

  init(_ file: StarterFile, _ tree: StarterTree) {
    for path in BinaryNames.code(file, tree) {
      guard let mapped = try? MappedFile.open(tree.absolute(path)) else { continue }
      for slice in mapped.withBytes({ CodeNames(ByteReader($0)) }).slices {
        classes.formUnion(slice.classes.map(\.name.text))
        functions.formUnion(slice.defined.map { String($0.text.dropFirst()) })
      }
    }
  }

  /// Whether at least half of what a source defines is in it: the rest may have been renamed since.
  func has(_ source: SourceDefinitions) -> Bool {
    let count = source.classes.count + source.functions.count
    let made = source.classes.intersection(classes).count + source.functions.intersection(functions).count
    return made > 0 && made * 2 >= count
  }

  /// The files with code for devices.
  private static func code(_ file: StarterFile, _ tree: StarterTree) -> [String] {
    let stem = String(file.name.dropLast(file.ending.count))
    switch file.kind {
    case .framework: return ["\(file.path)/\(stem)"]
    case .xcframework:
      let slices = tree.names(file.path).filter { $0.hasPrefix("ios-") && !$0.contains("-simulator") }
      return slices.prefix(1).flatMap { slice in
        let folder = "\(file.path)/\(slice)"
        return tree.names(folder).map { name in
          name.hasSuffix(".framework")
            ? "\(folder)/\(name)/\(name.dropLast(".framework".utf8.count))" : "\(folder)/\(name)"
        }.filter(tree.isFile)
      }
    default: return [file.path]
    }
  }
}
