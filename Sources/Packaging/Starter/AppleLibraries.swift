import Artifacts
import ObjectFiles
import Store

/// A static library, framework or XCFramework of the tree, by what its code says.
struct AppleBinary: Sendable {
  enum Form: Int, Sendable { case library, framework, xcframework }

  let file: StarterFile
  let form: Form
  /// Of the library that it is a copy of: without architectures, systems and configurations.
  let library: String
  let architectures: [Architecture]
  /// It has code for devices: simulators' code is in no app.
  let isForDevices: Bool
  let isDebug: Bool

  struct Unfit: Error { let reason: String }

  init(_ file: StarterFile, _ tree: StarterTree) throws(Unfit) {
    self.file = file
    (library, isDebug) = AppleBinary.library(file.name)
    switch file.kind {
    case .xcframework:
      form = .xcframework
      let slices = tree.names(file.path).filter { $0.hasPrefix("ios-") && !$0.hasSuffix("-maccatalyst") }
      guard !slices.isEmpty else { throw Unfit(reason: "it has no code for iOS") }
      let binaries = slices.flatMap { AppleBinary.binaries(StarterTree.join(file.path, $0), tree) }
      if let pointer = binaries.first(where: { AppleBinary.isPointer($0, tree) }) {
        throw Unfit(reason: "\(pointer.dropFirst(file.path.utf8.count + 1)): \(AppleBinary.pointer)")
      }
      guard !binaries.isEmpty else { throw Unfit(reason: "there is no code in it") }
      // One that is for simulators only says so itself; of another the code for devices is missing.
      let forDevices = slices.filter { !$0.hasSuffix("-simulator") }.map { StarterTree.join(file.path, $0) + "/" }
      isForDevices = binaries.contains { binary in forDevices.contains(where: binary.hasPrefix) }
      guard forDevices.isEmpty || isForDevices else { throw Unfit(reason: "there is no code for devices in it") }
      architectures = []
      return
    case .framework: form = .framework
    default: form = .library
    }
    let slices = try AppleBinary.slices(file, tree)
    let platforms = slices.map(AppleBinary.platform)
    guard platforms.contains(.iOS) || platforms.contains(.iOSSimulator) else {
      let names = Set(platforms.map(\.description)).sorted().joined(separator: ", ")
      throw Unfit(reason: "for \(names), and not for iOS")
    }
    isForDevices = platforms.contains(.iOS)
    architectures = zip(slices, platforms).filter { $1 == (platforms.contains(.iOS) ? .iOS : .iOSSimulator) }
      .map { $0.0.architecture }
  }

  /// Where the code of a library or framework is, if it is there.
  private static func binary(_ path: String, _ tree: StarterTree) -> String? {
    let name = StarterTree.name(of: path)
    let stem = name.dropLast(".framework".count)
    let paths =
      name.hasSuffix(".framework")
      ? ["\(path)/\(stem)", "\(path)/Versions/A/\(stem)", "\(path)/Versions/Current/\(stem)"] : [path]
    return paths.first { path in
      (try? FileSystem.status(of: tree.absolute(path), followingLinks: true))?.kind == .file
    }
  }

  /// What there is of an XCFramework's slice.
  private static func binaries(_ slice: String, _ tree: StarterTree) -> [String] {
    let names = tree.names(slice).filter { name in [".framework", ".a", ".dylib"].contains(where: name.hasSuffix) }
    return names.compactMap { binary(StarterTree.join(slice, $0), tree) }
  }

  private static let pointer = "git has only a pointer to it here: git lfs pull fetches it"

  private static func isPointer(_ path: String, _ tree: StarterTree) -> Bool {
    tree.text(path, limit: 64).hasPrefix("version https://git-lfs")
  }

  private static func slices(_ file: StarterFile, _ tree: StarterTree) throws(Unfit) -> [SliceFacts] {
    guard let path = binary(file.path, tree), let mapped = try? MappedFile.open(tree.absolute(path))
    else { throw Unfit(reason: "there is no code in it") }
    let facts = mapped.withBytes { CodeFacts(ByteReader($0)) }
    if !facts.slices.isEmpty { return facts.slices }
    if isPointer(path, tree) { throw Unfit(reason: pointer) }
    switch facts.kind {
    case .archive: throw Unfit(reason: "it holds no code for iOS: one of Android's goes into a .so, made by a step")
    case .fat, .fat64, .machO: throw Unfit(reason: "it cannot be read")
    default: throw Unfit(reason: "it is \(facts.kind), and no code for iOS")
    }
  }

  /// Of a slice; old code that does not say is for devices if it is for their processors.
  private static func platform(_ slice: SliceFacts) -> Platform {
    if let platform = slice.builds.first?.platform {
      // The simulator's code was for iOS by name before it had a platform of its own.
      let isIntel = slice.architecture.cpu == .x86_64 || slice.architecture.cpu == .i386
      return platform == .iOS && isIntel ? .iOSSimulator : platform
    }
    return slice.architecture.cpu == .x86_64 || slice.architecture.cpu == .i386 ? .iOSSimulator : .iOS
  }

  private static let variants: Set<String> = [
    "ios", "iphoneos", "iphonesimulator", "iphone", "simulator", "sim", "device", "arm64", "arm64e", "armv6", "armv7",
    "armv7s", "i386", "x8664", "x86", "universal", "fat", "release", "debug", "static",
  ]

  /// `libFoo-armv7.a`, `libFoo.debug.a` and `Foo.framework` are `foo`.
  static func library(_ name: String) -> (name: String, isDebug: Bool) {
    var stem = name.lowercased().replacing("x86_64", with: "x8664").replacing("x86-64", with: "x8664")
    for ending in [".a", ".framework", ".xcframework"] where stem.hasSuffix(ending) {
      stem = String(stem.dropLast(ending.count))
    }
    if stem.hasPrefix("lib") { stem = String(stem.dropFirst(3)) }
    let words = stem.split { "-_.".contains($0) }.map(String.init)
    let kept = words.filter { !variants.contains($0) && !$0.allSatisfy(\.isNumber) }
    return (kept.isEmpty ? stem : kept.joined(separator: "-"), words.contains("debug"))
  }
}

/// Which of several copies of one library are packed: for devices and for all of their architectures.
struct AppleLibraries: Sendable {
  /// What is packed as it stands.
  private(set) var items: [StarterFile] = []
  /// Thin libraries of one: the name of the file that is made of them.
  private(set) var joined: [(output: String, inputs: [StarterFile])] = []
  private(set) var leftOut: [(path: String, reason: String)] = []

  /// `wantsLibrary`: the host links static libraries at the root of the zip, and so one is preferred to an XCFramework.
  init(_ files: [StarterFile], _ tree: StarterTree, wantsLibrary: Bool) {
    var order: [String] = []
    var groups: [String: [AppleBinary]] = [:]
    for file in files {
      do throws(AppleBinary.Unfit) {
        let binary = try AppleBinary(file, tree)
        if groups[binary.library] == nil { order.append(binary.library) }
        groups[binary.library, default: []].append(binary)
      } catch {
        leftOut.append((file.path, error.reason))
      }
    }
    for library in order { choose(groups[library] ?? [], wantsLibrary: wantsLibrary) }
  }

  private mutating func choose(_ copies: [AppleBinary], wantsLibrary: Bool) {
    var fit = copies
    func drop(_ isMeant: (AppleBinary) -> Bool, _ reason: String, _ leftOut: inout [(path: String, reason: String)]) {
      guard fit.contains(where: isMeant), fit.contains(where: { !isMeant($0) }) else { return }
      leftOut += fit.filter(isMeant).map { ($0.file.path, reason) }
      fit.removeAll(where: isMeant)
    }
    drop({ !$0.isForDevices }, "for simulators: the copy for devices was taken", &leftOut)
    drop({ $0.isDebug }, "for debugging: the copy for release was taken", &leftOut)
    let forms: [AppleBinary.Form] =
      wantsLibrary ? [.library, .framework, .xcframework] : [.xcframework, .library, .framework]
    guard let form = forms.first(where: { form in fit.contains { $0.form == form } }) else { return }
    // The fullest first, and then what has other architectures.
    let sorted = fit.filter { $0.form == form }.enumerated()
      .sorted { ($1.element.architectures.count, $0.offset) < ($0.element.architectures.count, $1.offset) }
      .map(\.element)
    var taken: [AppleBinary] = []
    for copy in sorted {
      let known = Set(taken.flatMap(\.architectures))
      if taken.isEmpty || form == .library && known.isDisjoint(with: copy.architectures) { taken.append(copy) }
    }
    guard let first = taken.first else { return }
    if taken.count == 1 {
      items.append(first.file)
    } else {
      let inputs = taken.map(\.file).sorted { $0.path < $1.path }
      joined.append((AppleLibraries.name(inputs), inputs))
    }
    for copy in fit where !taken.contains(where: { $0.file.path == copy.file.path }) {
      leftOut.append((copy.file.path, "another copy of the library that is packed"))
    }
  }

  /// The name that all have, or what is the same at the beginning of their names.
  private static func name(_ files: [StarterFile]) -> String {
    let names = files.map { String($0.name.dropLast($0.ending.count)) }
    guard var common = names.first else { return "" }
    for name in names { common = String(zip(common, name).prefix { $0 == $1 }.map(\.0)) }
    while let last = common.last, "-_.".contains(last) { common.removeLast() }
    // `libX-armv7` and `libX-armv7s`, `libX-arm64` and `libX-armv7`.
    for ending in ["-armv7", "_armv7", "-arm", "_arm", ".arm", "-x86", "_x86"] where common.hasSuffix(ending) {
      common = String(common.dropLast(ending.count))
    }
    return (common.count > 3 ? common : names[0]) + ".a"
  }
}
