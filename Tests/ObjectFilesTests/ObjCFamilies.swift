import Foundation
import ObjectFiles
import TestSupport
import Testing

/// Families by chance in a few files, compiled for every architecture and linked in every way, once for all tests.
struct ObjCFamilies: Sendable {
  static let shared = Result { try ObjCFamilies() }
  /// Older systems want no class properties.
  static let targets: KeyValuePairs = [
    "armv7": "armv7-apple-ios9.0", "armv7s": "armv7s-apple-ios9.0", "arm64": "arm64-apple-ios13.0",
    "arm64e": "arm64e-apple-ios14.0", "arm64_32": "arm64_32-apple-watchos5.0",
    "i386": "i386-apple-ios9.0-simulator", "x86_64": "x86_64-apple-ios13.0-simulator",
  ]
  /// Small ones: `llvm-objdump` stops printing metaclasses at the hundredth class.
  static let files = 0..<16
  static let objects = targets.flatMap { target in files.map { "\(target.key)/\($0).o" } }

  struct Image: Sendable, CustomTestStringConvertible {
    var architecture: String
    var version: String
    var flag: String?

    var name: String { "\(architecture)-\(version)\(flag ?? "").dylib" }
    var testDescription: String { name }
    /// The linker refers to the selectors of relative lists, even if others do.
    var isRelative: Bool { flag == "-objc_relative_method_lists" }
    fileprivate var platform: String {
      architecture == "arm64_32" ? "watchos" : architecture == "x86_64" ? "ios-simulator" : "ios"
    }
  }

  /// For iOS 13 without chained fixups, for iOS 16 with them. (lld 19 crashes when it makes relative lists for x86_64.)
  static let images: [Image] = {
    let ways: [(version: String, flag: String?)] = [
      ("13.0", nil), ("13.0", "-objc_relative_method_lists"), ("13.0", "-fixup_chains"), ("16.0", nil),
      ("16.0", "-objc_relative_method_lists"), ("16.0", "-no_fixup_chains"),
    ]
    return ["arm64", "x86_64"].flatMap { name in
      ways.map { Image(architecture: name, version: $0.version, flag: $0.flag) }
        .filter { name == "arm64" || !$0.isRelative }
    } + [Image(architecture: "arm64_32", version: "5.0", flag: nil)]
  }()

  let folder: URL
  /// Of each file.
  let details: [[String]]

  private init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("objc-families-\(getpid())")
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    atexit {
      if case .success(let families) = ObjCFamilies.shared { try? FileManager.default.removeItem(at: families.folder) }
    }
    let seeds = Seeded.seeds(200)
    var details: [[String]] = []
    for file in Self.files {
      // What is only declared is in half of them: not every other reader knows what to make of it.
      let families = seeds.filter { $0 % Self.files.count == file }
        .map { ObjCFamily(seed: $0, withForward: file % 2 == 0) }
      details.append(families.flatMap(\.details).sorted())
      let source = families.map(\.source).joined()
      try Data(source.utf8).write(to: folder.appendingPathComponent("\(file).m"))
    }
    self.details = details
    for (name, target) in Self.targets {
      let own = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
      let sources = Self.files.map { "../\($0).m" }
      try Tool.run(["clang", "-target", target, "-ffreestanding", "-fno-objc-arc", "-w", "-c"] + sources, in: own)
    }
    for image in Self.images { try link(image, Self.files.map { "\(image.architecture)/\($0).o" }, image.name) }
    // For other readers.
    for name in ["arm64", "x86_64"] {
      let image = Image(architecture: name, version: "16.0", flag: "-no_fixup_chains")
      let plain = Self.files.filter { $0 % 2 == 1 }.map { "\(name)/\($0).o" }
      try link(image, plain, "\(name)-plain.dylib")
      try link(image, ["\(name)/1.o"], "\(name)-small.dylib")
    }
    let relative = Image(architecture: "arm64", version: "13.0", flag: "-objc_relative_method_lists")
    try link(relative, ["arm64/3.o"], "arm64-small-relative.dylib")
    for image in Self.images {
      try Tool.run(["llvm-strip-19", "-x", "-o", "x-\(image.name)", image.name], in: folder)
    }
    for target in Self.targets {
      try Tool.run(["llvm-strip-19", "-S", "-o", "\(target.key)/S-0.o", "\(target.key)/0.o"], in: folder)
    }
  }

  private func link(_ image: Image, _ objects: [String], _ output: String) throws {
    try Tool.run(
      ["ld64.lld-19", "-arch", image.architecture, "-platform_version", image.platform, image.version, image.version]
        + ["-undefined", "dynamic_lookup", "-dylib"] + [image.flag].compactMap { $0 } + ["-o", output] + objects,
      in: folder)
  }

  func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: folder.appendingPathComponent(name))) }
}

/// All that is known of each thing, in the words of `ObjCFamily`.
func details(of data: ObjCMetadata, _ bytes: [UInt8]) -> [String] {
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
  func text(_ name: ObjCClassName) -> String { text(name.range) + (name.isSwiftSymbol ? " (symbol)" : "") }
  func list(_ names: [Range<Int>]) -> String { ObjCFamily.list(names.map(text)) }
  func load(_ hasMethod: Bool, _ isInList: Bool) -> String {
    hasMethod == isInList ? hasMethod ? " load" : "" : hasMethod ? " load, not listed" : " listed, no load"
  }
  func members(_ properties: [ObjCProperty], _ methods: [ObjCMethod]) -> String {
    let properties = properties.map { "\($0.isClassProperty ? "+" : "")\(text($0.name))=\(text($0.attributes))" }
    let methods = methods.map { "\($0.isClassMethod ? "+" : "-")\(text($0.selector))\($0.isOptional ? "?" : "")" }
    return "properties \(properties) methods \(methods)"
  }
  let classes = data.classes.map { item in
    "class \(text(item.name)) : \(item.superclass.map(text) ?? "-")\(list(item.protocols)) "
      + "ivars \(item.ivars.map { "\(text($0.name))=\(text($0.type))" }) \(members(item.properties, item.methods))"
      + load(item.hasLoadMethod, item.isNonLazy)
  }
  let categories = data.categories.map { item in
    "category \(text(item.name)) on \(text(item.className))\(list(item.protocols)) "
      + members(item.properties, item.methods) + load(item.hasLoadMethod, item.isNonLazy)
  }
  let protocols = data.protocols.map { item in
    "protocol \(text(item.name))\(list(item.protocols)) \(members(item.properties, item.methods))"
  }
  let references = data.classReferences.map { item in
    "\(item.isSuper ? "super" : "class") reference \(text(item.className))\(item.isMetaclass ? " (metaclass)" : "")"
  }
  return classes + categories + protocols + references + data.selectors.map { "selector \(text($0.name))" }
}

extension ObjCMetadata {
  /// Every name.
  var ranges: [Range<Int>] {
    var all = selectors.map(\.name) + classReferences.map(\.className.range)
    for item in classes {
      all += [item.name] + item.protocols + item.methods.map(\.selector) + item.ivars.flatMap { [$0.name, $0.type] }
      all += item.properties.flatMap { [$0.name, $0.attributes] } + [item.superclass?.range].compactMap { $0 }
    }
    for item in categories {
      all += [item.name, item.className.range] + item.protocols + item.methods.map(\.selector)
      all += item.properties.flatMap { [$0.name, $0.attributes] }
    }
    for item in protocols {
      all += [item.name] + item.protocols + item.methods.map(\.selector)
      all += item.properties.flatMap { [$0.name, $0.attributes] }
    }
    return all
  }
}
