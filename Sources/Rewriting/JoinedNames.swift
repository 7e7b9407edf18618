package import ObjectFiles

/// Lets several libraries of one link change alike: a reference of one to a name that another one defines gets the new
/// name with it. Slices meet if they are for one architecture, and for one platform where both tell theirs.
package enum JoinedNames {
  private struct Target: Hashable {
    var architecture: String
    /// Nil if no object file tells it.
    var platform: Platform?

    func goes(with other: Target) -> Bool {
      architecture == other.architecture && (platform == nil || other.platform == nil || platform == other.platform)
    }
  }

  /// - Parameter read: gives the bytes of the file with this index.
  package static func join(
    _ files: inout [SymbolRenaming],
    _ read: (Int, (borrowing ByteReader) throws(FormatError) -> Void) throws -> Void
  ) throws {
    guard files.count > 1 else { return }
    var slices: [(file: Int, slice: Int, target: Target)] = []
    for file in files.indices {
      try read(file) { reader throws(FormatError) in
        for slice in files[file].names.indices {
          slices.append((file, slice, try target(of: files[file].units.filter { $0.slice == slice }, reader)))
        }
      }
    }
    var joined: [Target: RenamedNames] = [:]
    let old = files.map(\.names)
    for (file, slice, target) in slices {
      if joined[target] == nil {
        var all = old[file][slice]
        for other in slices where other.target.goes(with: target) && (other.file, other.slice) != (file, slice) {
          all.add(old[other.file][other.slice])
        }
        joined[target] = all
      }
      if let names = joined[target] { files[file].use(names, inSlice: slice) }
    }
  }

  private static func target(
    of units: [SymbolRenaming.Unit], _ reader: borrowing ByteReader
  ) throws(FormatError) -> Target {
    var target = Target(architecture: "", platform: nil)
    for unit in units where target.platform == nil {
      let content = try reader.slice(unit.range, "object file")
      if unit.isApples {
        let file = try MachOFile(content)
        target.architecture = "\(file.architecture)"
        target.platform = try file.buildVersions(content).first?.platform
      } else {
        target.architecture = try ELFFile(content).machine.description
        break
      }
    }
    return target
  }
}
