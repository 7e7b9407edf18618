import Archives
import Artifacts
import BuildEngine
import Documents
import Findings
import ObjectFiles
import SystemPackage

/// Files on their way into an archive, each path once.
struct EntryList {
  private(set) var entries: [PackedEntry] = []
  private var known: [String: Place] = [:]

  /// - Parameter place: the place in the manifest, for errors.
  mutating func add(_ path: String, _ entry: PackedEntry, at place: Place) throws(Mistakes) {
    var entry = entry
    entry.entry.path = try InfoPlist.path(path, at: place)
    if let first = known.updateValue(entry.place, forKey: entry.entry.path.collisionKey) {
      throw Mistakes(
        "two things are called '\(path)'", at: place, notes: ["\(first)", "\(entry.place)"],
        hint: "give one of them another name, or leave it out")
    }
    entries.append(entry)
  }

  mutating func add(_ path: String, bytes: [UInt8], at place: Place) throws(Mistakes) {
    try add(path, PackedEntry(try InfoPlist.path(path, at: place), .bytes(bytes), digest: nil, at: place), at: place)
  }

  mutating func add(link path: String, to target: String, at place: Place) throws(Mistakes) {
    var entry = PackedEntry(try InfoPlist.path(path, at: place), .bytes([]), digest: nil, at: place)
    entry.entry.kind = .symbolicLink(target: Array(target.utf8))
    try add(path, entry, at: place)
  }

  mutating func add(_ path: String, _ code: SliceCode, _ context: ActionContext, at place: Place) throws(Mistakes) {
    let entryPath = try InfoPlist.path(path, at: place)
    switch code.content {
    case .whole(let input):
      let isExecutable = input.executable && code.sources.first?.form == .dynamicLibrary
      try add(path, PackedEntry(entryPath, input, context, executable: isExecutable), at: place)
    case .assembled(let file):
      var entry = PackedEntry(entryPath, .bytes([]), digest: nil, at: code.sources.first?.place ?? place)
      entry.entry.kind = .file(file.content, executable: code.sources.contains { $0.input.executable })
      try add(path, entry, at: place)
    }
  }
}

/// A framework that is made of a static library. On a Mac its content lies in `Versions/A`, with links to it.
struct FrameworkFolder {
  let module: String
  let code: SliceCode
  let headers: HeaderFolder?
  let interfaces: [(name: String, input: ResolvedInput)]
  let resources: [PackedFile]
  let privacy: ResolvedInput?
  let info: PropertyList

  private var isVersioned: Bool { code.platform == .macOS || code.platform == .macCatalyst }
  var name: String { "\(module).framework" }
  var binaryPath: String { isVersioned ? "\(name)/Versions/A/\(module)" : "\(name)/\(module)" }

  /// - Parameter folder: the folder that the framework lies in, with a slash; empty at the root.
  func add(to list: inout EntryList, in folder: String, _ context: ActionContext, at place: Place) throws {
    let root = "\(folder)\(name)"
    let content = isVersioned ? "\(root)/Versions/A" : root
    let others = isVersioned ? "\(content)/Resources" : content
    func entry(_ input: ResolvedInput) throws -> PackedEntry {
      PackedEntry(try InfoPlist.path(module, at: place), input, context)
    }
    try list.add("\(content)/\(module)", code, context, at: place)
    try list.add("\(others)/Info.plist", bytes: try InfoPlist.xml(info, at: place), at: place)
    if let headers {
      for (path, file) in headers.files {
        try list.add("\(content)/Headers/\(path)", file.entry(context), at: file.place)
      }
      for (path, bytes) in headers.made { try list.add("\(content)/Headers/\(path)", bytes: bytes, at: place) }
      for (path, bytes) in headers.maps { try list.add("\(content)/Modules/\(path)", bytes: bytes, at: place) }
    }
    for (name, input) in interfaces {
      try list.add("\(content)/Modules/\(module).swiftmodule/\(name)", try entry(input), at: place)
    }
    for file in resources { try list.add("\(others)/\(file.path)", file.entry(context), at: file.place) }
    if let privacy { try list.add("\(others)/PrivacyInfo.xcprivacy", try entry(privacy), at: place) }
    guard isVersioned else { return }
    try list.add(link: "\(root)/Versions/Current", to: "A", at: place)
    let hasModules = headers.map { !$0.maps.isEmpty } ?? false || !interfaces.isEmpty
    let parts = [(module, true), ("Headers", headers != nil), ("Modules", hasModules), ("Resources", true)]
    for (part, isThere) in parts where isThere {
      try list.add(link: "\(root)/\(part)", to: "Versions/Current/\(part)", at: place)
    }
  }
}

/// A framework that somebody else's build has finished. It is packed as it is.
struct FinishedFramework: Sendable {
  /// Without `.framework`.
  let name: String
  let path: FilePath
  /// The place in the manifest.
  let place: Place
  let code: CodeInput
  private let node: Node
  private let inputs: [ResolvedInput]

  init(_ path: FilePath, _ inputs: [ResolvedInput], _ node: Node, _ context: ActionContext) throws {
    (self.path, self.inputs, self.node, place) = (path, inputs, node, node.place)
    let name = path.stem ?? ""
    self.name = name
    let candidates = [name, "Versions/A/\(name)", "Versions/B/\(name)"].map { path.pushing(FilePath($0)) }
    let files = inputs.filter { $0.kind == .regular && !$0.isLink }
    guard let binary = candidates.lazy.compactMap({ path in files.first { $0.path == path } }).first else {
      throw Mistakes(
        "\(path) has no binary '\(name)'", at: node.place, hint: "build the framework again, or leave it out")
    }
    code = try CodeInput(binary, at: node.place, context)
    for input in inputs where FinishedFramework.isInfo(input) {
      _ = try InfoPlist.read(input, at: node.place, context)
    }
  }

  /// `X.framework/X`, or where a link leads: `X.framework/Versions/A/X`.
  var binaryPath: String { "\(name).framework/\(String(decoding: code.input.inside, as: UTF8.self))" }

  /// Adds it with the code of one platform. A framework that is split loses the signature, which was of the whole.
  func add(
    to list: inout EntryList, in folder: String, _ slice: SliceCode, _ leftOut: inout LeftOut, _ context: ActionContext
  ) throws {
    let isSplit = if case .whole = slice.content { false } else { true }
    let modules = path.appending("Modules")
    var hasInterface = false
    var compiled: ResolvedInput?
    let kept = inputs.filter { input in
      let name = input.path.string
      if isSplit, input.path.components.contains("_CodeSignature") {
        if input.kind == .regular { leftOut.count("file of the signature") }
        return false
      }
      guard input.path.starts(with: modules), input.kind == .regular else { return true }
      if name.hasSuffix(".swiftinterface") { hasInterface = true }
      guard name.hasSuffix(".swiftmodule") else { return true }
      compiled = input
      leftOut.count(".swiftmodule")
      return false
    }
    if let compiled, !hasInterface {
      throw Mistakes(
        "\(compiled.path) fits one version of the Swift compiler, and there is no .swiftinterface beside it", at: place,
        hint: "build with BUILD_LIBRARY_FOR_DISTRIBUTION=YES, or -enable-library-evolution -emit-module-interface")
    }
    let packed = try PackedItems([PackItem(node)].compactMap(\.self), [kept])
    leftOut.add(packed.leftOut(context))
    for file in packed.files {
      let path = "\(folder)\(file.path)"
      if isSplit, file.input.path == code.path {
        try list.add(path, slice, context, at: place)
      } else if isSplit, let info = try Self.info(file, for: slice.platform, context) {
        try list.add(path, bytes: info, at: place)
      } else {
        try list.add(path, file.entry(context), at: place)
      }
    }
  }

  /// The `Info.plist` of a framework that is split, for one of its platforms; nil for any other file.
  private static func info(_ file: PackedFile, for platform: Platform, _ context: ActionContext) throws -> [UInt8]? {
    guard isInfo(file.input) else { return nil }
    let list = try InfoPlist.read(file.input, at: file.place, context)
    return list.overlaid(with: .map(["CFBundleSupportedPlatforms": .list([.text(platform.bundleName)])])).binary
  }

  private static func isInfo(_ input: ResolvedInput) -> Bool {
    let places = ["Info.plist", "Resources/Info.plist", "Versions/A/Resources/Info.plist"]
    return input.kind == .regular && !input.isLink && places.contains { input.inside.elementsEqual($0.utf8) }
  }
}
