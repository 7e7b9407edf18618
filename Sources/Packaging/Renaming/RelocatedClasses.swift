import Findings
import ObjectFiles
import Rewriting
import Store
import SystemPackage

/// A folder of classes whose packages get new names.
struct RelocatedClasses {
  private let root: FilePath
  /// Texts of the program that begin with a package's name and stay.
  private(set) var keptTexts: Set<[UInt8]> = []
  private var files: [(path: FilePath, target: FilePath, content: [UInt8]?)] = []

  /// - Parameter name: the folder's name in errors.
  init(_ root: FilePath, name: String, _ relocation: JavaFileRelocation) throws {
    self.root = root
    var targets: [FilePath: FilePath] = [:]
    var kept: Set<[UInt8]> = []
    for (path, status) in try RenamedFolder.files(of: root) {
      guard status.kind == .regular else {
        throw Mistakes("\(name)/\(path) is no file, and a folder of classes has nothing else")
      }
      let bytes = Array(path.string.utf8)
      let content = try SourceFile(root.pushing(path)).read { reader throws(FormatError) in
        try relocation.content(bytes, reader, kept: &kept)
      }
      let target = FilePath(String(decoding: relocation.path(bytes), as: UTF8.self))
      if let first = targets.updateValue(path, forKey: target) {
        throw Mistakes(
          "\(name)/\(first) and \(name)/\(path) would both be '\(target)'",
          hint: "choose a package that the folder does not have")
      }
      do throws(FormatError) { files.append((path, target, try content.get())) } catch {
        throw Mistakes("\(name)/\(path): \(error)")
      }
    }
    keptTexts = kept
  }

  func write(to folder: borrowing OutputFolder) async throws {
    for (path, target, content) in files {
      let file = try folder.create(target)
      if let content {
        try file.write(content)
      } else {
        try await SourceFile(root.pushing(path)).write(to: file)
      }
      try file.sync()
      try file.commitUnsynced()
    }
  }
}
