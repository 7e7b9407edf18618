import BuildEngine
import Findings
import ObjectFiles
import Store
import SystemPackage

/// A `.dSYM`: the debug symbols of a dynamic library, which it names by its UUIDs.
struct DebugSymbols: Sendable {
  let path: FilePath
  let place: Place
  /// The folder and all in it.
  let inputs: [ResolvedInput]
  private let uuids: Set<[UInt8]>

  init(_ path: FilePath, _ inputs: [ResolvedInput], at place: Place, _ context: ActionContext) throws {
    (self.path, self.inputs, self.place) = (path, inputs, place)
    let folder = path.pushing("Contents/Resources/DWARF")
    let files = inputs.filter { $0.kind == .regular && $0.path.removingLastComponent() == folder }
    var found: Set<[UInt8]> = []
    for file in files {
      let read = try SourceFile(context.absolute(file.path)).read { reader throws(FormatError) in
        var uuids: [[UInt8]] = []
        for unit in ObjectUnits(reader).units where unit.kind.isNativeCode {
          let content = try reader.slice(unit.range, "debug symbols")
          if let uuid = try MachOLinkage(try MachOFile(content), content).uuid { uuids.append(uuid) }
        }
        return uuids
      }
      do throws(FormatError) { found.formUnion(try read.get()) } catch {
        throw Mistakes("\(file.path): \(error)", at: place)
      }
    }
    guard !found.isEmpty else {
      throw Mistakes("\(path) is no dSYM: there are no debug symbols with a UUID in it", at: place)
    }
    uuids = found
  }

  func belongs(to code: SliceCode) -> Bool { code.uuids.contains { uuids.contains($0) } }

  /// Refuses debug symbols of a library that is not there.
  static func refuseUnused(_ all: [DebugSymbols], _ slices: [SliceCode]) throws(Mistakes) {
    for symbols in all where !slices.contains(where: symbols.belongs) {
      throw Mistakes(
        "\(symbols.path) is of none of these libraries: its UUIDs are those of another build", at: symbols.place,
        notes: slices.map { "\($0.sources.first?.path.string ?? "")\($0.uuids.isEmpty ? " is a static library" : "")" },
        hint: "take the dSYM of the same build; static libraries have their debug information in them")
    }
  }
}
