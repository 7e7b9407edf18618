import Documents
import Findings
import ObjectFiles
import Rewriting
import Store
import SystemPackage

/// A framework, XCFramework or other folder with libraries whose symbols get new names, and with the headers that
/// declare them.
struct RenamedFolder {
  private enum Content {
    case copy
    case renamed(RenamedFile)
    case text([UInt8])
    case link(FilePath)
  }

  private let root: FilePath
  private var contents: [(path: FilePath, content: Content, isExecutable: Bool)] = []
  /// The libraries.
  private(set) var files: [RenamedFile] = []
  /// One-liners for the user.
  private(set) var notes: [String] = []

  /// - Parameter name: the folder's name in errors.
  init(_ root: FilePath, name: String, _ prefix: SymbolPrefix, keepsDebug: Bool) async throws {
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
        let file = try await RenamedFile(place, name: "\(name)/\(path)", prefix, keepsDebug: keepsDebug)
        files.append(file)
        content = .renamed(file)
      } else if path.extension == "h" || path.extension == "hpp" {
        headers.append(contents.count)
      } else if ["nib", "storyboardc"].contains(where: {
        path.string.hasSuffix(".\($0)") || path.string.contains(".\($0)/")
      }) {
        interfaces.append(path)
      }
      contents.append((path, content, status.executable))
    }
    guard !files.isEmpty else {
      throw Mistakes(
        "\(name) has no static library or object file in it", hint: "name a library, a framework or an XCFramework")
    }
    try addNames(toHeaders: headers, name)
    for path in interfaces { try refuse(path, name) }
    let mangled = files.flatMap(\.names).map(\.mangledCount).max() ?? 0
    if !headers.isEmpty, mangled > 0 {
      notes.append(
        "\(name): \(counted(mangled, "name")) of C++ have the prefix too, which headers cannot give to their users: if "
          + "these call C++, keep '__Z*' ('_Z*' for Android)")
    }
    if hasSignature { notes.append("\(name): its signature was left out, because it would not hold") }
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
    var (symbols, members): (Set<[UInt8]>, Set<[UInt8]>) = ([], [])
    for index in indices {
      let text = try FileSystem.read(root.pushing(contents[index].path))
      let header = HeaderNames(text) { newName(of: $0, $1) }
      symbols.formUnion(header.symbols)
      members.formUnion(header.members)
      if !header.names.isEmpty { contents[index].content = .text(header.lines + text) }
    }
    // The macro for a function would change the selector that is sent, and the class does not have it.
    let both = symbols.intersection(members).map { String(decoding: $0, as: UTF8.self) }.sorted()
    if let first = both.first {
      throw Mistakes(
        "the headers of \(name) have a method or property '\(first)' beside the function or variable of that name: no "
          + "macro can rename one of the two", hint: "keep it: _\(first)")
    }
  }

  private func newName(of name: [UInt8], _ kind: HeaderNames.Declared) -> [UInt8]? {
    for slice in files.lazy.flatMap(\.names) {
      let new =
        switch kind {
        case .symbol: slice.newName(ofSymbol: name)
        case .objcClass: slice.newName(ofClass: name)
        case .objcProtocol: slice.newName(ofProtocol: name)
        }
      if let new { return new }
    }
    return nil
  }

  /// Throws if an interface of Interface Builder names a class that changes. It has the class's name as text.
  private func refuse(_ path: FilePath, _ name: String) throws {
    let bytes = try FileSystem.read(root.pushing(path))
    let names = files.flatMap(\.names)
    for word in bytes.split(whereSeparator: { !isWordByte($0) }) where word.count > 2 {
      guard names.contains(where: { $0.newName(ofClass: Array(word)) != nil }) else { continue }
      throw Mistakes(
        "\(name)/\(path) names the class '\(String(decoding: word, as: UTF8.self))', which would have another name",
        hint: "keep it: _OBJC_CLASS_$_\(String(decoding: word, as: UTF8.self))")
    }
  }

  func write(to folder: borrowing OutputFolder) async throws {
    for (path, content, isExecutable) in contents {
      if case .link(let target) = content {
        try folder.makeLink(path, to: target)
        continue
      }
      var file = try folder.create(path, executable: isExecutable)
      switch content {
      case .copy: try SourceFile(root.pushing(path)).write(to: &file)
      case .text(let bytes): try file.write(bytes)
      case .renamed(let renamed):
        try renamed.write(to: &file)
        try await renamed.check(file.temporaryPath, name: path.string)
      case .link: break
      }
      try file.sync()
      try file.commitUnsynced()
    }
  }
}

private func isWordByte(_ byte: UInt8) -> Bool {
  (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}
