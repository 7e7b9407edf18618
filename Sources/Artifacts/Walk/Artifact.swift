import Archives
package import Findings
package import ObjectFiles
import Store
package import SystemPackage

/// A finished plugin binary as an app receives it: a file, a folder or an archive, nested to any depth.
package struct Artifact: Sendable {
  /// A file with code, and the slices for which an app would link it.
  package struct Code: Sendable {
    package var file: CodeFile
    /// In the file's order. Empty for code that is not linked, such as debug symbols in an XCFramework.
    package var slices: [Slice]
  }

  package let place: Place
  /// In the artifact's own order.
  package let code: [Code]
  package let stubs: [(place: Place, stub: TextStub)]
  /// Whether it is one file with native code, no folder and no container.
  package let isFile: Bool
  /// The parts that could not be read; the rest was.
  package let mistakes: [Mistake]

  /// - Parameter temporary: a folder for content that is too large for memory.
  package init(_ path: FilePath, temporary: FilePath) { self.init(CodeFiles(path, temporary: temporary)) }

  package init(_ found: CodeFiles) {
    place = found.place
    stubs = found.stubs
    let files = found.files.map { file in (file: file, facts: file.facts) }
    var mistakes = found.mistakes + files.flatMap(\.facts.mistakes)
    isFile = found.files.count == 1 && found.files[0].place == place
    let linked = Artifact.linked(found)
    let places = Set(found.files.map(\.place))
    var known: Set<Slice> = []
    var isCut = false
    code = files.map { file, facts in
      let isCopy = file.place.originalInFramework.map(places.contains) ?? false
      let slices = Artifact.slices(facts.slices, of: file, linked, isCopy: isCopy).filter { slice in
        if known.count < Artifact.maxSlices { known.insert(slice) }
        isCut = isCut || !known.contains(slice)
        return known.contains(slice)
      }
      return Code(file: file, slices: slices)
    }
    // A damaged archive loses entries, which the vendor did not leave out.
    if found.mistakes.isEmpty { mistakes += Artifact.missing(found) }
    if isCut { mistakes.append(Mistake("it has code for more than \(Artifact.maxSlices) systems", at: place)) }
    self.mistakes = mistakes
  }

  /// Each slice needs a link over all files. Code for all systems of Apple and Android has about thirty slices.
  private static let maxSlices = 64

  /// Each once, in the order of the files.
  package var slices: [Slice] {
    var seen: Set<Slice> = []
    return code.flatMap(\.slices).filter { seen.insert($0).inserted }
  }

  /// The libraries of each XCFramework, by the paths of their linked files.
  private static func linked(_ found: CodeFiles) -> [Place: [String: XCFramework.Library]] {
    var paths: [Place: Set<String>] = [:]
    for file in found.files {
      if let (root, path) = XCFramework.split(file.place) { paths[root, default: []].insert(path) }
    }
    var linked: [Place: [String: XCFramework.Library]] = [:]
    for (root, framework) in found.xcframeworks { linked[root] = framework.linked(paths[root] ?? []) }
    return linked
  }

  /// The libraries that an XCFramework's `Info.plist` names and that are not there.
  private static func missing(_ found: CodeFiles) -> [Mistake] {
    let files = Set(found.files.map(\.place) + found.stubs.map(\.place))
    return found.xcframeworks.sorted { $0.key.description < $1.key.description }.flatMap { root, framework in
      framework.libraries.filter { library in !library.binaries.contains { files.contains(root.file($0)) } }.map {
        Mistake(
          "its Info.plist names \($0.identifier)/\($0.path), which has no code or is not there", at: root,
          hint: "ask the plugin's vendor for another build: Xcode cannot use this one")
      }
    }
  }

  private static func slices(
    _ slices: [Slice], of file: CodeFile, _ linked: [Place: [String: XCFramework.Library]], isCopy: Bool
  ) -> [Slice] {
    guard let (root, path) = XCFramework.split(file.place), let libraries = linked[root] else {
      return isCopy ? [] : slices
    }
    guard let library = libraries[path] else { return [] }
    return slices.filter { library.architectures.contains($0.architecture) }.map {
      Slice(platform: library.platform, architecture: $0.architecture, variant: library.variant)
    }
  }
}

extension Place {
  /// A file in a folder.
  fileprivate func file(_ path: String) -> Place { Place(parts: parts.dropLast() + ["\(parts.last ?? "")/\(path)"]) }

  fileprivate var originalInFramework: Place? {
    parts.last?.originalInFramework.map { Place(parts: parts.dropLast() + [$0]) }
  }
}

extension String {
  /// `X.framework/X` for `X.framework/Versions/A/X`: a link to it, or a copy where links were lost, which is linked.
  var originalInFramework: String? {
    var names = split(separator: "/", omittingEmptySubsequences: false)
    guard names.count >= 4, let name = names.last, names[names.count - 3] == "Versions",
      names[names.count - 4] == name + ".framework"
    else { return nil }
    names.removeSubrange((names.count - 3)..<(names.count - 1))
    return names.joined(separator: "/")
  }
}

extension CodeFile {
  /// In the file's order. A fat file and a static library that mixes architectures have several.
  package var slices: [Slice] { withReader { slices($0) } }

  fileprivate var facts: (slices: [Slice], mistakes: [Mistake]) {
    withReader { reader in (slices(reader), mistakes + units.units.flatMap { mistakes(of: $0, reader) }) }
  }

  private func slices(_ reader: borrowing ByteReader) -> [Slice] {
    let facts = CodeFacts(reader)
    if let elf = facts.elf { return [Slice(elf, in: folders)] }
    let slices = facts.slices.map { Slice($0.architecture, $0.builds.first?.platform) }
    if !slices.isEmpty { return slices }
    // Static libraries for Android, and files that have only bitcode.
    var seen: Set<Slice> = []
    return units.units.compactMap { slice(of: $0) }.filter { seen.insert($0).inserted }
  }

  /// The slice of a unit; nil if the unit does not name it or is damaged.
  package func slice(of unit: ObjectUnit) -> Slice? {
    withReader { reader in
      guard let content = try? reader.slice(unit.range, "object file") else { return nil }
      switch unit.kind {
      case .machO:
        guard let file = try? MachOFile(content) else { return nil }
        return Slice(file.architecture, (try? file.buildVersions(content))?.first?.platform)
      case .elf:
        guard let file = try? ELFFile(content) else { return nil }
        return Slice(file, in: folders)
      default: return (try? BitcodeSymbols(content)).map { Slice($0) }
      }
    }
  }

  /// The names of the folders that it is in, from the inside out.
  private var folders: [String] {
    (place.parts.last ?? "").pathParts.dropLast().reversed().map(String.init)
  }
}
