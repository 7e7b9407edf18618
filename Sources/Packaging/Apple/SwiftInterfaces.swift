import Artifacts
import BuildEngine
import Documents
import Findings
import ObjectFiles
import Store
import SystemPackage

/// The Swift module of a library: for each target an interface (`.swiftinterface`), with the files of its name beside
/// it. Compiled modules (`.swiftmodule`) fit one version of the compiler and are left out, as Xcode leaves them out.
struct SwiftInterfaces: Sendable {
  /// In the folder `MODULE.swiftmodule` of a slice: `arm64-apple-ios-simulator.swiftinterface`.
  private(set) var files: [(name: String, target: Target, input: ResolvedInput)] = []
  private(set) var leftOut = LeftOut()
  /// The modules that interfaces import, besides their own.
  private(set) var imports: Set<String> = []

  struct Target: Hashable, Sendable {
    let platform: Platform
    let architecture: String
    /// As the compiler looks for it: `arm64-apple-ios-simulator`.
    let name: String
  }

  /// The longest comes first.
  private static let interfaces = [".private.swiftinterface", ".package.swiftinterface", ".swiftinterface"]
  private static let companions = [".abi.json", ".swiftdoc"]
  private static let maxHead = 1 << 20

  init(_ groups: [(place: Place, inputs: [ResolvedInput])], module: String, _ context: ActionContext) throws {
    var targets: [String: Target] = [:]
    var others: [(stem: String, ending: String, input: ResolvedInput)] = []
    for (place, inputs) in groups {
      for input in inputs where input.kind == .regular {
        let path = input.path.string
        guard let ending = (Self.interfaces + Self.companions).first(where: path.hasSuffix) else {
          if !leftOut.takes(Array(path.utf8)) { leftOut.count(Self.ending(of: path)) }
          continue
        }
        let stem = String(path.dropLast(ending.count))
        others.append((stem, ending, input))
        if Self.interfaces.contains(ending) {
          let head = try FileSystem.read(context.absolute(input.path)).prefix(Self.maxHead)
          targets[stem] = try Self.target(of: input, head, module: module, at: place)
          imports.formUnion(Self.imports(head).subtracting([module]))
        }
      }
    }
    guard !targets.isEmpty else {
      throw Mistakes(
        "there is no interface (.swiftinterface) of '\(module)'", at: groups.first?.place ?? Place(""),
        hint: "compile with -enable-library-evolution and -emit-module-interface: a .swiftmodule fits one compiler only"
      )
    }
    var owners: [String: ResolvedInput] = [:]
    for (stem, ending, input) in others {
      guard let target = targets[stem] else {
        leftOut.count(ending)
        continue
      }
      let name = target.name + ending
      if let first = owners.updateValue(input, forKey: name) {
        throw Mistakes(
          "\(first.path) and \(input.path) are both for \(target.name)", at: groups.first?.place ?? Place(""),
          hint: "a module has one interface for each target: leave one out")
      }
      files.append((name, target, input))
    }
  }

  private static func ending(of path: String) -> String {
    path.lastPathPart.split(separator: ".", maxSplits: 1).dropFirst().first.map { ".\($0)" }
      ?? String(path.lastPathPart)
  }

  /// The interface says in its first lines how it was compiled:
  /// `// swift-module-flags: -target arm64-apple-ios13.0-simulator … -module-name Rally`.
  private static func target(
    of input: ResolvedInput, _ bytes: ArraySlice<UInt8>, module: String, at place: Place
  ) throws -> Target {
    let mark = Array("// swift-module-flags:".utf8)
    guard let line = bytes.split(separator: UInt8(ascii: "\n")).prefix(16).first(where: { $0.starts(with: mark) })
    else {
      throw Mistakes("\(input.path) does not say how it was compiled: it is no interface of a Swift module", at: place)
    }
    let words = line.split { $0 <= 0x20 }.map { String(decoding: $0, as: UTF8.self) }
    func value(_ option: String) -> String? {
      words.firstIndex(of: option).flatMap { $0 + 1 < words.count ? words[$0 + 1] : nil }
    }
    if let name = value("-module-name"), name != module {
      throw Mistakes(
        "\(input.path) is the interface of '\(name)', and the module is called '\(module)'", at: place,
        hint: "set 'module' to '\(name)', or leave the interface out")
    }
    guard let triple = value("-target"), let target = Target(triple: triple) else {
      throw Mistakes("\(input.path) is for no target of Apple's: '\(value("-target") ?? "")'", at: place)
    }
    return target
  }

  /// `UIKit` of `@_exported import UIKit.UIImage`, and `Rally` of `public import struct Rally.Session`. Imports stand
  /// before all declarations.
  private static func imports(_ bytes: ArraySlice<UInt8>) -> Set<String> {
    var names: Set<String> = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let words = line.split { $0 <= 0x20 }.prefix { !$0.starts(with: "//".utf8) }
      guard let first = words.first, first.first != UInt8(ascii: "#") else { continue }
      guard let index = words.firstIndex(where: { $0.elementsEqual("import".utf8) }),
        words[..<index].allSatisfy({ word in
          word.first == UInt8(ascii: "@") || accesses.contains { word.elementsEqual($0.utf8) }
        }),
        let path = words[(index + 1)...].first(where: { word in !kinds.contains { word.elementsEqual($0.utf8) } })
      else { break }
      names.insert(String(decoding: path.prefix { $0 != UInt8(ascii: ".") }, as: UTF8.self))
    }
    return names
  }

  private static let kinds = ["class", "enum", "func", "let", "protocol", "struct", "typealias", "var"]
  private static let accesses = ["public", "package", "internal", "fileprivate", "private"]

  /// The files of a slice. Every architecture has an interface, or there is none at all.
  func files(for code: SliceCode, at place: Place) throws(Mistakes) -> [(name: String, input: ResolvedInput)] {
    let own = files.filter { $0.target.platform == code.platform }
    for architecture in code.architectures {
      let isThere = own.contains {
        $0.target.architecture == architecture.name && $0.name == "\($0.target.name).swiftinterface"
      }
      if !isThere {
        let others = own.isEmpty ? files : own
        throw Mistakes(
          "there is no .swiftinterface for \(Slice(architecture, code.platform)), for which "
            + "\(code.sources.first?.path.string ?? "a library") has code", at: place,
          notes: ["there is one for \(enumerated(Array(Set(others.map(\.target.name))).sorted()))"],
          hint: "name the interface of each architecture: without it no app for it can import the module")
      }
    }
    return own.filter { file in code.architectures.contains { $0.name == file.target.architecture } }
      .map { ($0.name, $0.input) }
  }

  /// Refuses interfaces that no slice is for.
  func refuseUnused(_ slices: [SliceCode], at place: Place) throws(Mistakes) {
    let unused = files.first { file in
      !slices.contains { code in
        code.platform == file.target.platform
          && code.architectures.contains { $0.name == file.target.architecture }
      }
    }
    guard let unused else { return }
    throw Mistakes(
      "\(unused.input.path) is for \(unused.target.name), and no library is", at: place,
      notes: ["the libraries are for \(enumerated(slices.map(\.target)))"], hint: "add the library, or leave it out")
  }
}

extension SwiftInterfaces.Target {
  /// `arm64-apple-ios13.0-simulator`; nil if it is no target of Apple's.
  init?(triple: String) {
    let parts = triple.split(separator: "-").map(String.init)
    guard parts.count >= 3, parts[1] == "apple" else { return nil }
    let system = String(parts[2].prefix { "a"..."z" ~= $0 })
    let environment = parts.count > 3 ? parts[3] : nil
    let slice = Slice(
      platform: system == "macosx" ? "macos" : system == "visionos" ? "xros" : system, architecture: parts[0],
      variant: environment == "macabi" ? "maccatalyst" : environment)
    guard let platform = slice.codePlatform else { return nil }
    let name = [parts[0], "apple", slice.platform, environment].compactMap(\.self).joined(separator: "-")
    self.init(platform: platform, architecture: parts[0], name: name)
  }
}
