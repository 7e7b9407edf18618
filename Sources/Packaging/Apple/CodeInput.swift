import Artifacts
import BuildEngine
import Findings
import ObjectFiles
import Store
import SystemPackage

/// A file of code that goes into a framework or XCFramework, with the platform of each of its slices.
struct CodeInput: Sendable {
  struct Slice: Sendable {
    let platform: Platform
    let minimumOS: OSVersion
    let part: FatFile.Slice
    /// 16 bytes; nil for a static library.
    let uuid: [UInt8]?
    /// Whether a linker may merge the dynamic library into another (`LC_ATOM_INFO`).
    let isMergeable: Bool
  }

  enum Form: Sendable { case staticLibrary, object, dynamicLibrary }

  let input: ResolvedInput
  /// The place in the manifest that names it.
  let place: Place
  /// The number of the input that has its headers; nil if it has none of its own.
  let headers: Int?
  let file: SourceFile
  let form: Form
  private(set) var slices: [Slice] = []

  var path: FilePath { input.path }

  init(_ input: ResolvedInput, headers: Int? = nil, at place: Place, _ context: ActionContext) throws {
    (self.input, self.headers, self.place) = (input, headers, place)
    file = try SourceFile(context.absolute(input.path))
    let facts = try file.read { CodeFacts($0) }.get()
    let name = input.path
    if let error = facts.errors.first { throw Mistakes("\(name): \(error)", at: place) }
    guard let first = facts.slices.first else {
      let what =
        facts.bitcodeOnly.isEmpty
        ? "is \(facts.kind.named), and no library for Apple's systems" : "has bitcode only, and no machine code"
      throw Mistakes("\(name) \(what)", at: place)
    }
    form = try CodeInput.form(first, of: name, at: place)
    let read = try file.read { reader throws(LibraryError) in try UniversalInput(name: name.string, reader) }
    let whole = try LibraryInputs.explained(at: place) { () throws(LibraryError) in try read.get() }
    for part in whole.slices {
      guard let slice = facts.slices.first(where: { $0.architecture == part.architecture }) else { continue }
      if try CodeInput.form(slice, of: name, at: place) != form {
        throw Mistakes("\(name) mixes kinds of files: not all of its slices are \(form.noun)s", at: place)
      }
      let build = try CodeInput.build(slice, of: name, at: place)
      let own = form == .dynamicLibrary ? try loadCommands(part) : (nil, false)
      slices.append(
        Slice(platform: build.platform, minimumOS: build.minimumOS, part: part, uuid: own.0, isMergeable: own.1))
    }
  }

  private static func form(_ slice: SliceFacts, of name: FilePath, at place: Place) throws(Mistakes) -> Form {
    switch slice.form {
    case .archive(let objects):
      if objects > 0 { return .staticLibrary }
      throw Mistakes("\(name) has no object files for \(slice.architecture)", at: place)
    case .machO(.object): return .object
    case .machO(.dylib): return .dynamicLibrary
    case .machO(let type): throw Mistakes("\(name) is no library: it is a Mach-O \(type)", at: place)
    case .other(let kind): throw Mistakes("\(name) has \(kind.named) for \(slice.architecture)", at: place)
    }
  }

  /// The one platform of a slice.
  private static func build(
    _ slice: SliceFacts, of name: FilePath, at place: Place
  ) throws(Mistakes) -> BuildVersion {
    let platforms = slice.builds.map(\.platform.description)
    guard let build = slice.builds.first else {
      throw Mistakes(
        "\(name) does not say which platform its \(slice.architecture) code is for", at: place,
        hint: "compile it with a target such as -target arm64-apple-ios13.0, and link with a minimum version")
    }
    guard platforms.count == 1 else {
      throw Mistakes(
        "the \(slice.architecture) code of \(name) is for \(enumerated(platforms))", at: place,
        hint: "an XCFramework has a library for each platform: build one for each")
    }
    guard Artifacts.Slice(slice.architecture, build.platform).codePlatform == build.platform else {
      throw Mistakes("\(name) is for \(build.platform), which no XCFramework is made for", at: place)
    }
    return build
  }

  private func loadCommands(_ part: FatFile.Slice) throws -> (uuid: [UInt8]?, isMergeable: Bool) {
    let read = try file.read { reader throws(FormatError) in
      let content = try reader.slice(part.range, "slice \(part.architecture)")
      let object = try MachOFile(content)
      return (uuid: try MachOLinkage(object, content).uuid, isMergeable: try object.hasAtomInfo(content))
    }
    do throws(FormatError) { return try read.get() } catch { throw Mistakes("\(path): \(error)", at: place) }
  }
}

extension CodeInput.Form {
  var noun: String {
    switch self {
    case .staticLibrary: "static library"
    case .object: "object file"
    case .dynamicLibrary: "dynamic library"
    }
  }
}

/// The code of one slice of an XCFramework: that of a platform, in one file.
struct SliceCode: Sendable {
  enum Content: Sendable {
    /// A file as it is.
    case whole(ResolvedInput)
    case assembled(AssembledFile)
  }

  let platform: Platform
  let architectures: [Architecture]
  /// The lowest of its architectures, because compilers raise those of newer ones: watchOS runs on arm64 since 9.0.
  let minimumOS: OSVersion
  let content: Content
  let isMergeable: Bool
  let uuids: [[UInt8]]
  /// The files that it is made of.
  let sources: [CodeInput]

  /// Its entry in the list of an XCFramework.
  func library(named path: String, binaryPath: String) -> XCFramework.Library {
    let slice = Slice(architectures.first ?? .arm64, platform)
    var library = XCFramework.Library(
      platform: slice.platform ?? "", variant: slice.variant, architectures: architectures.map(\.name), path: path,
      binaryPath: binaryPath)
    library.hasMergeableMetadata = isMergeable
    return library
  }

  /// The name of its platform in an XCFramework: `ios-simulator`.
  var target: String { library(named: "", binaryPath: "").target }
}

extension SliceCode {
  /// One for each platform, in the order in which the files come to it. A file with code for several is split.
  static func all(of inputs: [CodeInput]) throws -> [SliceCode] {
    var order: [Platform] = []
    for slice in inputs.flatMap(\.slices) where !order.contains(slice.platform) { order.append(slice.platform) }
    return try order.map { try SliceCode(for: $0, of: inputs) }
  }

  private init(for platform: Platform, of inputs: [CodeInput]) throws {
    let sources = inputs.filter { $0.slices.contains { $0.platform == platform } }
    let isOfObjects = sources.allSatisfy { $0.form == .object }
    var known: [FilePath: CodeInput] = [:]
    var owners: [Architecture: CodeInput] = [:]
    for source in sources {
      if let first = known.updateValue(source, forKey: source.path) {
        throw Mistakes(
          "\(source.path) is named twice", at: source.place, notes: ["also: \(first.place)"], hint: "name it once")
      }
      for slice in source.slices where slice.platform == platform && !isOfObjects {
        guard let first = owners.updateValue(source, forKey: slice.part.architecture) else { continue }
        throw Mistakes(
          "\(first.path) and \(source.path) are both for \(Slice(slice.part.architecture, platform))",
          at: source.place, notes: ["also: \(first.place)"],
          hint: "an XCFramework has one library for each platform and architecture: join them with a step of kind "
            + "static-library, or leave one out")
      }
    }
    if !isOfObjects, let object = sources.first(where: { $0.form == .object }),
      let other = sources.first(where: { $0.form != .object })
    {
      throw Mistakes(
        "\(object.path) and \(other.path) are both for \(platform), and one is no \(other.form.noun)",
        at: object.place, notes: ["also: \(other.place)"],
        hint: "join objects and libraries with a step of kind static-library")
    }
    let slices = sources.flatMap(\.slices).filter { $0.platform == platform }
    let architectures = Set(slices.map(\.part.architecture)).sorted { $0.name < $1.name }
    let mergeable = slices.filter(\.isMergeable)
    if let one = mergeable.first, mergeable.count < slices.count, let source = sources.first {
      throw Mistakes(
        "\(source.path) can be merged for \(one.part.architecture) and not for all of its architectures",
        at: source.place, hint: "link all of them with -make_mergeable, or none")
    }
    self.init(
      platform: platform, architectures: architectures, minimumOS: slices.map(\.minimumOS).min() ?? OSVersion(0),
      content: try SliceCode.content(for: platform, of: sources, isOfObjects: isOfObjects),
      isMergeable: !mergeable.isEmpty, uuids: slices.compactMap(\.uuid), sources: sources)
  }

  private static func content(for platform: Platform, of sources: [CodeInput], isOfObjects: Bool) throws -> Content {
    let place = sources.first?.place ?? Place("")
    let files = sources.map(\.file)
    func parts(_ source: CodeInput) -> [FatFile.Slice] {
      source.slices.filter { $0.platform == platform }.map(\.part)
    }
    if isOfObjects {
      let objects = try sources.map { source in
        let read = try source.file.read { reader throws(LibraryError) in
          try StaticLibraryInput(
            name: source.path.string, member: source.path.lastComponent?.nameBytes ?? [], reader)
        }
        var input = try LibraryInputs.explained(at: source.place) { () throws(LibraryError) in try read.get() }
        let wanted = Set(parts(source).map(\.architecture))
        input.objects.removeAll { !wanted.contains($0.architecture) }
        return input
      }
      return try LibraryInputs.explained(at: place) { () throws(LibraryError) in
        .assembled(try AssembledFile(try StaticLibrary.all(of: objects), of: files))
      }
    }
    if let only = sources.first, sources.count == 1, parts(only).count == only.slices.count {
      return .whole(only.input)
    }
    let all = sources.enumerated().flatMap { index, source in parts(source).map { (index, $0) } }
    if let (index, slice) = all.first, all.count == 1 {
      var thin = AssembledFile()
      thin.add(files[index], slice.range)
      return .assembled(thin)
    }
    return try LibraryInputs.explained(at: place) { () throws(LibraryError) in
      let inputs = sources.map { UniversalInput(name: $0.path.string, slices: parts($0)) }
      return .assembled(AssembledFile(try UniversalLibrary(inputs), of: files))
    }
  }
}
