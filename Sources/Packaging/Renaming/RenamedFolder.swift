import Documents
import Findings
import ObjectFiles
import Rewriting
import Store
import SystemPackage

/// A framework, XCFramework or other folder with libraries whose symbols get new names, and with the headers that
/// declare them.
struct RenamedFolder {
  enum Content {
    case copy
    /// A library, by its index in `files`.
    case renamed(Int)
    case text([UInt8])
    case link(FilePath)
  }

  let root: FilePath
  private(set) var contents: [(path: FilePath, content: Content, isExecutable: Bool)] = []
  /// The libraries.
  private(set) var files: [RenamedFile] = []
  /// One-liners for the user.
  private(set) var notes: [String] = []

  /// - Parameter name: the folder's name in errors.
  init(_ root: FilePath, name: String, _ rewrite: SymbolRewrite, keepsDebug: Bool) async throws {
    self.root = root
    var headers: [Int] = []
    var interfaces: [FilePath] = []
    var hasSignature = false
    for (path, status) in try Self.files(of: root) {
      if path.components.contains("_CodeSignature") {
        hasSignature = true
        continue
      }
      guard !status.kind.isSpecial else {
        throw Mistakes("\(name)/\(path) is a pipe, a socket or a device, and no file")
      }
      let place = root.pushing(path)
      if status.kind == .symbolicLink {
        contents.append((path, .link(try FileSystem.linkTarget(place)), false))
        continue
      }
      var content = Content.copy
      if try Self.isLibrary(place) {
        content = .renamed(files.count)
        files.append(
          try RenamedFile(definitionsOf: place, name: "\(name)/\(path)", rewrite, keepsDebug: keepsDebug))
      } else if path.extension == "h" || path.extension == "hpp" {
        headers.append(contents.count)
      } else if Self.namesClasses(path) {
        interfaces.append(path)
      }
      contents.append((path, content, status.executable))
    }
    guard !files.isEmpty else {
      throw Mistakes(
        "\(name) has no static library or object file in it", hint: "name a library, a framework or an XCFramework")
    }
    try RenamedFile.join(&files)
    for index in files.indices { try await files[index].findChanges() }
    try addNames(toHeaders: headers, name)
    if rewrite.classes { for path in interfaces { try refuse(path, name) } }
    let mangled = files.flatMap(\.names).map(\.mangledCount).max() ?? 0
    if !headers.isEmpty, mangled > 0 {
      notes.append(
        "\(name): \(counted(mangled, "name")) of C++ have the prefix too, which headers cannot give to their users: if "
          + "these call C++, keep '__Z*' ('_Z*' for Android)")
    }
    if hasSignature { notes.append("\(name): its signature was left out, because it would not hold") }
  }

  /// Whether the runtime finds classes by names in the file.
  private static func namesClasses(_ path: FilePath) -> Bool {
    ["nib", "plist", "mom", "omo", "cdm", "storyboardc"].contains { ending in
      path.components.contains { $0.string.hasSuffix(".\(ending)") }
    }
  }

  /// The files and links below a folder.
  static func files(of root: FilePath) throws(FileError) -> [(path: FilePath, status: FileStamp)] {
    var found: [(path: FilePath, status: FileStamp)] = []
    var open: [FilePath] = [""]
    while let folder = open.popLast() {
      for name in try FileSystem.list(root.pushing(folder)) {
        let path = folder.appending(name)
        guard let status = try FileSystem.status(of: root.pushing(path)) else { continue }
        if status.kind == .directory { open.append(path) } else { found.append((path, status)) }
      }
    }
    return found.sorted { $0.path.string < $1.path.string }
  }

  private static func isLibrary(_ path: FilePath) throws(FileError) -> Bool {
    let head = try FileSystem.ends(of: path, FileKind.prefixLength).head
    return FileKind(ByteReader(head.span)).isNativeCode
  }

  private mutating func addNames(toHeaders indices: [Int], _ name: String) throws {
    var headers: [HeaderNames] = []
    var texts: [[UInt8]] = []
    for index in indices {
      texts.append(try FileSystem.read(root.pushing(contents[index].path)))
      headers.append(HeaderNames(texts[texts.count - 1]))
    }
    let words = Set(headers.flatMap(\.words))
    var renamed: [(old: [UInt8], new: [UInt8], isSymbol: Bool)] = []
    for word in words.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
      if let new = first({ $0.newName(ofSymbol: word) }) {
        renamed.append((word, new, true))
      } else if let new = first({ $0.newName(ofClass: word) ?? $0.newName(ofProtocol: word) }) {
        renamed.append((word, new, false))
      }
    }
    // The macro for a function would change the selector that is sent, and the class does not have that one.
    let members = Set(headers.flatMap(\.members))
    let macros = Set(headers.flatMap(\.macros))
    for (old, _, isSymbol) in renamed {
      let text = String(decoding: old, as: UTF8.self)
      if isSymbol, members.contains(old) {
        throw Mistakes(
          "the headers of \(name) have '\(text)' in a class or protocol beside the function or variable of that name: no "
            + "macro can rename one of the two", hint: "keep it: _\(text)")
      }
      if macros.contains(old) {
        throw Mistakes(
          "the headers of \(name) define '\(text)' as a macro already, so that none can lead to its new name",
          hint: "keep it: _\(text)")
      }
    }
    guard !renamed.isEmpty else { return }
    // The same in each, because a header may use what another one declares.
    var lines: [UInt8] = []
    for (old, new, _) in renamed {
      lines += "#define ".utf8
      lines += old + [UInt8(ascii: " ")] + new + [UInt8(ascii: "\n")]
    }
    for (index, text) in zip(indices, texts) { contents[index].content = .text(lines + text) }
    if contents.contains(where: { $0.path.extension == "modulemap" }) {
      notes.append("\(name): code in Swift has to write the new names, because it sees no macros")
    }
  }

  private func first(_ newName: (RenamedNames) -> [UInt8]?) -> [UInt8]? {
    files.lazy.flatMap(\.names).compactMap(newName).first
  }

  /// Throws if a file of Interface Builder, a property list or a data model names a class that changes.
  private func refuse(_ path: FilePath, _ name: String) throws {
    let bytes = try FileSystem.read(root.pushing(path))
    guard let found = first({ $0.renamedClass(in: bytes) }) else { return }
    let text = String(decoding: found, as: UTF8.self)
    throw Mistakes(
      "\(name)/\(path) names the class '\(text)', which would have another name",
      hint: "keep it: _OBJC_CLASS_$_\(text)")
  }

  func write(to folder: borrowing OutputFolder) async throws {
    for (path, content, isExecutable) in contents {
      if case .link(let target) = content {
        try folder.makeLink(path, to: target)
        continue
      }
      let file = try folder.create(path, executable: isExecutable)
      switch content {
      case .copy: try await SourceFile(root.pushing(path)).write(to: file)
      case .text(let bytes): try file.write(bytes)
      case .renamed(let index):
        try await files[index].content.write(to: file)
        try await files[index].check(file.temporaryPath, name: path.string)
      case .link: break
      }
      try file.sync()
      try file.commitUnsynced()
    }
  }
}
