import Foundation
import SystemPackage
import TestSupport

/// The material of the check's benchmark: a link of 100 static libraries with 200,000 symbols, and 1,000 plugins with ten
/// million. `llvm-libtool-darwin` binds the libraries.
struct CheckCorpus {
  static let version = 3

  let home: FilePath
  /// An object file that wants something of every library.
  var main: FilePath { home.appending("main.o") }
  var libraries: [FilePath] { (0..<100).map { home.appending("libVendor\($0).a") } }
  /// Every hundredth has a small member that the one before has too: a hundred functions of a library that both carry.
  var plugins: [FilePath] { (0..<CheckCorpus.pluginCount).map { home.appending("Plugin\($0).a") } }
  /// What one of them becomes.
  var changed: FilePath { home.appending("changed.a") }

  static let pluginCount = 1000
  static let symbolCount = 10_000_000

  static func make(in cache: FilePath) throws -> CheckCorpus {
    let home = FilePath(FileManager.default.currentDirectoryPath).pushing(cache).appending("check-v\(version)")
    let corpus = CheckCorpus(home: home)
    if FileManager.default.fileExists(atPath: home.appending("complete").string) { return corpus }
    print("making the corpus of the check (once, some minutes, 2 GB)")
    try? FileManager.default.removeItem(atPath: home.string)
    try FileManager.default.createDirectory(atPath: home.string, withIntermediateDirectories: true)
    try corpus.makeLink()
    try corpus.makePlugins()
    try Data().write(to: URL(fileURLWithPath: home.appending("complete").string))
    return corpus
  }

  private func makeLink() throws {
    var commands: [[String]] = []
    for (number, library) in libraries.enumerated() {
      let members = try (0..<10).map { member in
        // Each wants something of two other libraries, whose members want more.
        let wants = (1...2).map {
          "_vendor\((number * 7 + member * 13 + $0 * 31) % 100)_module\((member + $0) % 10)_function_1"
        }
        return try write(
          "\(number)-\(member).o", prefix: "_vendor\(number)_module\(member)_function", count: 200, wants: wants)
      }
      commands.append(Self.library(library, members))
    }
    let wants = (0..<100).map { "_vendor\($0)_module\($0 % 10)_function_0" }
    _ = try write("main.o", prefix: "_main", count: 1, wants: wants)
    try Corpus.run(commands)
  }

  private func makePlugins() throws {
    for (number, plugin) in (plugins + [changed]).enumerated() {
      let carries = number % 100 >= 98
      var members = try (0..<10).map { member in
        try write(
          "member\(member)-\(number % 2).o", prefix: "_plugin\(number)_module\(member)_someFunctionOfTheVendor",
          count: carries && member == 9 ? 900 : 1000,
          wants: ["_objc_msgSend", "_malloc", "_plugin\(number)_module\((member + 1) % 10)_someFunctionOfTheVendor_1"])
      }
      if carries {
        members.append(
          try write(
            "helpers-\(number % 2).o", prefix: "_helpers\(number / 100)_someFunctionOfTheLibrary", count: 100,
            wants: ["_malloc", "_plugin\(number)_module0_someFunctionOfTheVendor_1"]))
      }
      try Corpus.run([Self.library(plugin, members)])
    }
  }

  private static func library(_ path: FilePath, _ members: [String]) -> [String] {
    ["llvm-libtool-darwin-19", "-static", "-D", "-o", path.string] + members
  }

  private func write(_ name: String, prefix: String, count: Int, wants: [String]) throws -> String {
    let object = ObjectWriter.object(defines: (0..<count).map { "\(prefix)_\($0)" }, wants: wants)
    let path = home.appending(name).string
    try Data(object).write(to: URL(fileURLWithPath: path))
    return path
  }
}
