import Archives
import BuildEngine
import Documents
import Findings
import ObjectFiles
import Store
import SystemPackage

/// `sign`: a command, such as `rcodesign` or `codesign`, that signs a framework, an XCFramework or an extension before it
/// is packed. It works on a copy on the disk. All that it may do is to change machine code and to write `_CodeSignature`.
struct Signing: Sendable {
  static let key = Key(
    "sign",
    .object([
      Key("run", .list(.text), required: true, "the command, word by word; {path} in it is the folder to sign"),
      Key("inputs", .oneOrMany(.path), "files that it reads, such as a certificate"),
      Key("env", .map(.text), "its environment; besides these only PATH and HOME reach it"),
      Key("secrets", .oneOrMany(.text), "names of variables that reach it too; their values are shown nowhere"),
    ]), "a command that signs what is to be packed")

  private static let folder = "{path}"
  private static let signature = "_CodeSignature"

  let inputs: [Node]
  private let place: Place
  private let words: [String]
  private let variables: [(name: String, value: String)]
  private let secrets: [(name: String, place: Place)]

  /// Nil if the deliverable has no such key.
  init?(_ declaration: Manifest.Declaration, _ notes: inout PackNotes) {
    guard let node = declaration.node["sign"] else { return nil }
    place = node.place
    words = (node["run"]?.texts ?? []).compactMap(\.text)
    inputs = node["inputs"]?.texts ?? []
    variables = (node["env"]?.members ?? []).map { ($0.key, $0.node.text ?? "") }
    secrets = (node["secrets"]?.texts ?? []).map { ($0.text ?? "", $0.place) }
    if !words.dropFirst().contains(where: { $0.contains(Self.folder) }) {
      notes.refuse(
        "the command of 'sign' does not name what it signs", at: node["run"]?.place ?? place,
        hint: "run: [rcodesign, sign, \"\(Self.folder)\"]: \(Self.folder) stands for the folder")
    }
    for word in words where word.utf8.contains(0) {
      notes.refuse("the command of 'sign' has a NUL in it", at: node["run"]?.place ?? place)
    }
    for secret in secrets where variables.contains(where: { $0.name == secret.name }) {
      notes.refuse("'\(secret.name)' is in 'env' and in 'secrets'", at: secret.place, hint: "keep one")
    }
  }

  var program: Program {
    Program(word: words.first ?? "", searchPath: variables.last { $0.name == "PATH" }?.value)
  }

  var secretNames: [String] { secrets.map(\.name) }

  /// The command for no folder in particular, and without secrets.
  var command: CommandAction { CommandAction(.words(words), environment: variables) }

  /// A secret is no part of the key: it opens what signs, and does not change the signature.
  func encode(into encoder: inout some KeyEncoder) {
    command.encode(into: &encoder)
    for secret in secrets { encoder.add("secret", secret.name) }
  }

  private func command(signing path: String, with values: [(name: String, value: String)]) -> CommandAction {
    CommandAction(
      .words(words.map { $0.replacingText(Self.folder, with: path) }), environment: variables + values,
      secrets: Set(secretNames))
  }

  /// Signs an archive's only folder, and takes what has changed from the copy.
  func sign(_ contents: inout FileContents, _ context: ActionContext) async throws {
    guard case .archive(let entries, let options) = contents.form else { return }
    let values = try secrets.map { secret in
      guard let value = HostProcess.variable(secret.name) else {
        throw Mistakes(
          "the variable '\(secret.name)', which the signer wants, is not set", at: secret.place,
          hint: "set it in the environment of npi-pack")
      }
      guard let text = String(validating: value, as: UTF8.self) else {
        throw Mistakes("the variable '\(secret.name)' is no text in UTF-8", at: secret.place)
      }
      return (secret.name, text)
    }
    let roots = Set(entries.compactMap { $0.name.pathParts.first }).filter { root in
      [".xcframework", ".framework", ".appex"].contains(where: root.hasSuffix)
    }
    guard let root = roots.first, roots.count == 1 else {
      throw Mistakes("there is not one thing that could be signed, but \(roots.count)", at: place)
    }
    let copy = try await SignedCopy(of: entries, context)
    let path = "\(copy.path)/\(root)"
    let report = try await command(signing: path, with: values).run(
      context.part(inputs: Array(context.inputs.suffix(inputs.count)), outputs: [copy.path]))
    let signed = try changed(entries, copy, in: String(root))
    contents = FileContents(
      form: .archive(signed, options), notes: contents.notes, app: contents.app, findings: contents.findings,
      scratch: contents.scratch + [copy], output: report.output)
  }

  private func changed(_ entries: [PackedEntry], _ copy: SignedCopy, in root: String) throws -> [PackedEntry] {
    var entries = entries
    var wrong: [String] = []
    var isSigned = false
    let indices = Dictionary(entries.indices.map { (entries[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
    var gone = Set(indices.keys)
    for (name, status) in try copy.files() {
      gone.remove(name)
      let isSignature = name.hasPrefix("\(root)/") && name.pathParts.dropLast().contains { $0 == Self.signature }
      if let index = indices[name] {
        guard copy.before[name] != status else { continue }
        let place = copy.absolute(name)
        let digest = status.kind == .regular ? try FileSystem.digest(of: place) : nil
        if let digest, [entries[index].digest, copy.digests[name]].contains(digest) { continue }
        guard let digest, isSignature || Self.isCode(place) else {
          wrong.append("it changed \(name)")
          continue
        }
        guard case .file(_, let executable) = entries[index].entry.kind else {
          wrong.append("it replaced the link \(name)")
          continue
        }
        entries[index].entry.kind = .file(.file(place, size: Int(status.size)), executable: executable)
        entries[index].digest = digest
        isSigned = true
      } else {
        guard isSignature, status.kind == .regular else {
          wrong.append("it added \(name)")
          continue
        }
        let place = copy.absolute(name)
        let content = Entry.Content.file(place, size: Int(status.size))
        entries.append(
          PackedEntry(
            try InfoPlist.path(name, at: self.place), content, digest: try FileSystem.digest(of: place), at: self.place)
        )
        isSigned = true
      }
    }
    // A new signature may have fewer files than an old one.
    wrong += gone.subtracting(copy.folders).sorted().compactMap { name in
      name.pathParts.contains { $0 == Self.signature } ? nil : "it removed \(name)"
    }
    entries.removeAll { gone.contains($0.name) && $0.name.pathParts.contains { $0 == Self.signature } }
    guard wrong.isEmpty else {
      throw Mistakes(
        "the command of 'sign' did more than to sign", at: place,
        notes: Array(wrong.prefix(Self.maxNotes)) + (wrong.count > Self.maxNotes ? ["and more"] : []),
        hint: "a signer changes machine code and writes \(Self.signature), and nothing else")
    }
    guard isSigned else {
      throw Mistakes(
        "the command of 'sign' ended well and signed nothing", at: place,
        hint: "see that \(Self.folder) stands where the signer wants its folder")
    }
    return entries.sorted { $0.entry.path < $1.entry.path }
  }

  private static let maxNotes = 8

  /// Only a Mach-O file has a signature in it.
  private static func isCode(_ place: FilePath) -> Bool {
    guard let mapped = try? MappedFile.open(place) else { return false }
    return mapped.withBytes { bytes in
      switch FileKind(ByteReader(bytes)) {
      case .machO, .fat, .fat64: true
      default: false
      }
    }
  }
}

extension PackedEntry {
  fileprivate var name: String { String(decoding: entry.path.bytes, as: UTF8.self) }
}

/// A folder beside the deliverable with the entries as files, which is removed with this object.
private final class SignedCopy: Sendable {
  private let folder: OutputFolder
  private let context: ActionContext
  /// The entries as they were written, by name.
  let before: [String: FileStamp]
  /// The digests of files that were made in memory, by name.
  let digests: [String: Digest]
  /// The entries that are folders.
  let folders: Set<String>

  init(of entries: [PackedEntry], _ context: ActionContext) async throws {
    let folder = try OutputFolder.create(context.outputs[0], below: try OpenFolder(context.root))
    var before: [String: FileStamp] = [:]
    var folders: Set<String> = []
    var digests: [String: Digest] = [:]
    for entry in entries {
      let place = folder.temporaryPath.appending(entry.name)
      switch entry.entry.kind {
      case .directory:
        try context.disk.makeFolders(place)
        folders.insert(entry.name)
      case .symbolicLink(let target):
        try context.disk.makeFolders(place.removingLastComponent())
        try context.disk.makeLink(place, to: FilePath(String(decoding: target, as: UTF8.self)))
      case .file(let content, let executable):
        let file = try folder.create(FilePath(entry.name), executable: executable)
        try await content.write(to: file)
        if case .bytes(let bytes) = content { digests[entry.name] = Digest(of: bytes) }
        try file.commitUnsynced()
      }
      before[entry.name] = try context.disk.status(place, followingLinks: false)
    }
    self.folder = folder
    (self.context, self.before, self.folders, self.digests) = (context, before, folders, digests)
  }

  /// Relative to the root of the tree.
  var path: FilePath {
    var path = folder.temporaryPath
    _ = path.removePrefix(context.root)
    return path
  }

  func absolute(_ name: String) -> FilePath { folder.temporaryPath.appending(name) }

  /// The files and links that are there now.
  func files() throws -> [(name: String, status: FileStamp)] {
    var found: [(name: String, status: FileStamp)] = []
    var open = [""]
    while let name = open.popLast() {
      for part in try context.disk.list(name.isEmpty ? folder.temporaryPath : absolute(name)) {
        let path = name.isEmpty ? part.string : "\(name)/\(part.string)"
        guard let status = try context.disk.status(absolute(path), followingLinks: false) else { continue }
        if status.kind == .directory { open.append(path) } else { found.append((path, status)) }
      }
    }
    return found.sorted { $0.name < $1.name }
  }
}

extension Entry.Content {
  fileprivate func write(to file: borrowing Store.OutputFile) async throws {
    switch self {
    case .bytes(let bytes): try file.write(bytes)
    case .file(let path, _): try await SourceFile(path).write(to: file, lasts: false)
    case .reader(let size, let read):
      var offset = 0
      while offset < size {
        let count = min(1 << 20, size - offset)
        try file.write(try [UInt8](capacity: count) { try read(offset, count, &$0) })
        offset += count
      }
    }
  }
}
