import Foundation
import ObjectFiles
import SystemPackage
import TestSupport

struct ToolFailure: Error, CustomStringConvertible {
  var description: String
}

/// Runs programs found on PATH; one that is missing is a failure of the test, never a skip.
enum Tool {
  struct Result {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs a program in `folder`, whatever its exit status.
  static func attempt(_ words: [String], in folder: URL) throws -> Result {
    let result = try TestSupport.Tool.runSync(words, in: FilePath(folder.path))
    return Result(status: result.status, output: result.out, errors: result.err)
  }

  /// Runs a program that must succeed, and gives its standard output.
  @discardableResult
  static func run(_ words: [String], in folder: URL) throws -> String {
    let result = try attempt(words, in: folder)
    guard result.status == 0 else {
      throw ToolFailure(description: "\(words.joined(separator: " ")): exit \(result.status)\n\(result.errors)")
    }
    return result.output
  }
}

/// A folder of its own for one test, gone with its last user.
final class Scratch {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("objectfiles-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: folder.appendingPathComponent(name))) }
  func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: folder.appendingPathComponent(name))
  }
  @discardableResult func run(_ words: String...) throws -> String { try Tool.run(words, in: folder) }
  @discardableResult func run(_ words: [String]) throws -> String { try Tool.run(words, in: folder) }
  func attempt(_ words: [String]) throws -> Tool.Result { try Tool.attempt(words, in: folder) }

  /// Links every fixture in, so that tools can be called with short names.
  func adopt(_ fixtures: Fixtures) throws {
    for name in fixtures.names {
      try FileManager.default.createSymbolicLink(
        at: folder.appendingPathComponent(name), withDestinationURL: fixtures.folder.appendingPathComponent(name))
    }
  }
}

/// What the toolchain's own clang, archivers and linker make, once for all tests: `arm64.o`, `arm64.a` (libtool),
/// `arm64-ar.a` (llvm-ar, two members), `arm64.dylib`, `arm64.exe`, `fat.o`, `fat.a`, `fat64.o` and the like.
struct Fixtures: Sendable {
  static let targets: KeyValuePairs = [
    "arm64": "arm64-apple-ios13.0", "arm64e": "arm64e-apple-ios14.0", "armv7": "armv7-apple-ios7.0",
    "armv7s": "armv7s-apple-ios7.0", "armv7k": "armv7k-apple-watchos3.0", "arm64_32": "arm64_32-apple-watchos5.0",
    "i386": "i386-apple-ios7.0-simulator", "x86_64": "x86_64-apple-ios13.0-simulator",
    "x86_64h": "x86_64h-apple-macos11.0", "armv6": "armv6-apple-ios3.0",
  ]
  static var architectures: [String] { targets.map(\.key) }
  static let shared = Result { try Fixtures() }

  let folder: URL
  var names: [String]

  /// Compiles for every target; throws at the first tool that is missing or fails.
  private init() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("objectfiles-fixtures-\(getpid())")
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    atexit {
      if case .success(let fixtures) = Fixtures.shared { try? FileManager.default.removeItem(at: fixtures.folder) }
    }
    func run(_ words: String...) throws { try Tool.run(words, in: folder) }
    let source = "static int counter;\nint NAME(int x) { return counter += x; }\nint table[4] = {1, 2, 3, 4};\n"
    for name in ["first", "second"] {
      let text = source.replacingOccurrences(of: "NAME", with: name)
        .replacingOccurrences(of: "table", with: "\(name)_table")
      try Data(text.utf8).write(to: folder.appendingPathComponent("\(name).c"))
    }
    try Data("int main(void) { return 0; }\n".utf8).write(to: folder.appendingPathComponent("main.c"))
    for (name, target) in Self.targets {
      try run("clang", "-target", target, "-ffreestanding", "-c", "first.c", "-o", "\(name).o")
      try run("clang", "-target", target, "-ffreestanding", "-c", "second.c", "-o", "\(name)-second.o")
      try run("llvm-libtool-darwin-19", "-static", "-D", "-o", "\(name).a", "\(name).o", "\(name)-second.o")
      try run("llvm-ar-19", "--format=darwin", "rcsD", "\(name)-ar.a", "\(name)-second.o", "\(name).o")
    }
    for (name, platform) in ["arm64": "ios", "x86_64": "ios-simulator"] {
      let link = ["ld64.lld-19", "-arch", name, "-platform_version", platform, "14.0", "14.0"]
      try Tool.run(link + ["-dylib", "-o", "\(name).dylib", "\(name).o"], in: folder)
      try Tool.run(link + ["-bundle", "-o", "\(name).bundle", "\(name).o"], in: folder)
      let target = Self.targets.first { $0.key == name }?.value ?? ""
      try run("clang", "-target", target, "-ffreestanding", "-c", "main.c", "-o", "\(name)-main.o")
      try Tool.run(
        link + ["-undefined", "dynamic_lookup", "-o", "\(name).exe", "\(name)-main.o"], in: folder)
    }
    try run("llvm-lipo-19", "-create", "armv7.o", "armv7s.o", "arm64.o", "-output", "fat.o")
    try run("llvm-lipo-19", "-create", "armv7.a", "armv7s.a", "arm64.a", "-output", "fat.a")
    try run("llvm-lipo-19", "-create", "i386.a", "x86_64.a", "-output", "fat-simulator.a")
    try run("llvm-lipo-19", "-create", "x86_64.dylib", "arm64.dylib", "-output", "fat.dylib")
    try run("llvm-lipo-19", "-create", "-fat64", "armv7.o", "arm64.o", "-output", "fat64.o")
    names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasSuffix(".c") }.sorted()
  }

  func bytes(_ name: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: folder.appendingPathComponent(name))) }
}

/// The fat file of a layout, put together as a caller would.
func assemble(_ library: UniversalLibrary, from inputs: [[UInt8]]) -> [UInt8] {
  var result = library.header
  for slice in library.slices {
    result += [UInt8](repeating: 0, count: slice.padding)
    result += inputs[slice.input][slice.source]
  }
  return result
}

/// What `lipo -create` with these files gives, by this module.
func universalLibrary(
  _ files: [(name: String, bytes: [UInt8])], isWide: Bool = false
) throws -> [UInt8] {
  let inputs = try files.map { try UniversalInput(name: $0.name, ByteReader($0.bytes.span)) }
  return assemble(try UniversalLibrary(inputs, isWide: isWide), from: files.map(\.bytes))
}

/// The words of a text.
func words(_ text: some StringProtocol) -> [String] {
  String(text).split { (character: Character) in character.isWhitespace }.map { String($0) }
}
