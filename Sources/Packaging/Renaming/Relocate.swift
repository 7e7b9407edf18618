import Archives
import Artifacts
package import Findings
package import Rewriting
import Store
package import SystemPackage

/// The command `relocate`: writes a jar, an AAR or a folder of classes with new names of packages.
package enum Relocate {
  /// The result tells the user about what was left out.
  package static func run(
    _ input: FilePath, to output: FilePath, _ relocation: JavaFileRelocation
  ) async throws(Mistakes) -> [String] {
    do {
      if try FileSystem.status(of: input, followingLinks: true)?.kind == .directory {
        let classes = try RelocatedClasses(input, name: input.string, relocation)
        try await PrefixSymbols.write(folder: output) { try await classes.write(to: $0) }
        return Self.notes(ofTexts: classes.keptTexts, input.string)
      }
      try Project.refuseOther(output)
      try Project.refuse(writing: output, over: [input])
      let archive = try await RelocatedArchive(
        input, VendorArchive.Kind(output), name: Place(input.string), at: Place(input.string), relocation,
        in: try OpenFolder(folderOf: output))
      try await archive.entries.write(to: output, ZipOptions(allowsCaseTwins: true, level: .fast))
      withExtendedLifetime(archive.scratch) {}
      return archive.notes(of: input.string)
    } catch {
      throw Mistakes(from: error, about: input)
    }
  }
}

extension Relocate {
  static func notes(ofTexts texts: Set<[UInt8]>, _ name: String) -> [String] {
    guard let first = texts.min(by: { $0.lexicographicallyPrecedes($1) }) else { return [] }
    let example = printable(String(decoding: first, as: UTF8.self))
    return [
      "\(name): the code has \(counted(texts.count, "text")) that may name what has another name now, such as "
        + "'\(example)', and keeps them (--strings, or strings: true, changes them)"
    ]
  }
}

extension VendorArchive.Kind {
  /// By the name of the file that is made.
  init(_ output: FilePath) { self = output.extension == "aar" ? .aar : .jar }
}

extension RelocatedArchive {
  func notes(of name: String) -> [String] {
    (changed == 0 ? ["\(name): nothing in it is of these packages"] : [])
      + leftOut.sorted().map { "\(name): its \($0) was left out, because it is of the old entries" }
      + Relocate.notes(ofTexts: keptTexts, name)
  }
}
