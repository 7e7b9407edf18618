import Foundation
import SystemPackage
import TestSupport

/// The material of the benchmark of plugins that do collide: ten vendors, each with code of its own and, compiled in, the
/// same library, of which half of them have a newer version; static libraries for five kinds of slices. `clang` compiles,
/// `llvm-libtool-darwin` binds.
struct CollidingCorpus {
  static let version = 2
  static let vendorCount = 10
  static let slices = [
    (target: "arm64-apple-ios13.0", line: ["-arch", "arm64", "-platform_version", "ios", "13.0", "13.0"]),
    (
      target: "arm64-apple-ios13.0-simulator",
      line: ["-arch", "arm64", "-platform_version", "ios-simulator", "13.0", "13.0"]
    ),
    (
      target: "x86_64-apple-ios13.0-simulator",
      line: ["-arch", "x86_64", "-platform_version", "ios-simulator", "13.0", "13.0"]
    ),
    (target: "arm64-apple-tvos13.0", line: ["-arch", "arm64", "-platform_version", "tvos", "13.0", "13.0"]),
    (target: "arm64_32-apple-watchos6.0", line: ["-arch", "arm64_32", "-platform_version", "watchos", "6.0", "6.0"]),
  ]

  let home: FilePath
  /// A folder with a library for each slice.
  var vendors: [FilePath] { (0..<Self.vendorCount).map { home.appending("Vendor\($0)") } }

  func library(_ vendor: Int, _ slice: Int) -> FilePath {
    vendors[vendor].appending(Self.slices[slice].target).appending("libVendor\(vendor).a")
  }

  static func make(in cache: FilePath) throws -> CollidingCorpus {
    let home = FilePath(FileManager.default.currentDirectoryPath).pushing(cache).appending("colliding-v\(version)")
    let corpus = CollidingCorpus(home: home)
    if FileManager.default.fileExists(atPath: home.appending("complete").string) { return corpus }
    print("making the corpus of plugins that collide (once, some minutes)")
    try? FileManager.default.removeItem(atPath: home.string)
    let shared = try [1, 2].map { try corpus.shared(version: $0) }
    let own = try (0..<vendorCount).map(corpus.own)
    var commands: [[String]] = []
    for (index, slice) in slices.enumerated() {
      for source in (shared + own).joined() {
        let options = ["clang", "-c", "-O1", "-w", "-ffreestanding", "-std=\(source.isCXX ? "c++17" : "gnu99")"]
        let runtime = source.isObjectiveC ? ["-fobjc-runtime=ios-13.0"] : []
        commands.append(
          options + runtime
            + ["-target", slice.target, source.path.string, "-o", source.object(index).string])
      }
    }
    try Corpus.run(commands)
    commands = []
    for vendor in 0..<vendorCount {
      for index in slices.indices {
        let library = corpus.library(vendor, index)
        try folder(library.removingLastComponent())
        commands.append(
          ["llvm-libtool-darwin-19", "-static", "-D", "-no_warning_for_no_symbols", "-o", library.string]
            + (own[vendor] + shared[vendor % 2]).map { $0.object(index).string })
      }
    }
    try Corpus.run(commands)
    try Data().write(to: URL(fileURLWithPath: home.appending("complete").string))
    return corpus
  }

  // MARK: sources

  private struct Source {
    let path: FilePath
    var isObjectiveC: Bool { path.extension == "m" }
    var isCXX: Bool { path.extension == "cc" }

    func object(_ slice: Int) -> FilePath {
      path.removingLastComponent().appending("\(slice)").appending("\(path.stem ?? "").o")
    }
  }

  private func own(_ vendor: Int) throws -> [Source] {
    try units(12, seed: 1000 * (vendor + 1), in: home.appending("own\(vendor)")) { $1 }
  }

  /// The newer version returns something else from each fifth function of each third file, and its header is another one.
  private func shared(version: Int) throws -> [Source] {
    let folder = home.appending("shared\(version)")
    var sources = try units(30, seed: 17, in: folder) { index, text in
      if version == 1 || index % 3 != 0 { return text }
      var number = 0
      let end = "  return total + count;\n"
      var parts = text.components(separatedBy: end)[...]
      var changed = parts.removeFirst()
      for part in parts {
        number += 1
        changed += (number % 5 == 0 ? "  return total - count;\n" : end) + part
      }
      return changed
    }
    for index in 0..<12 {
      sources.append(Source(path: folder.appending("inline\(index).cc")))
      try header(index, version).write(
        toFile: sources[sources.count - 1].path.string, atomically: true, encoding: .utf8)
    }
    return sources
  }

  private func units(
    _ count: Int, seed: Int, in folder: FilePath, _ changed: (Int, String) -> String
  ) throws -> [Source] {
    for slice in Self.slices.indices { try Self.folder(folder.appending("\(slice)")) }
    return try (0..<count).map { index in
      var generator = SourceGenerator(seed: UInt64(seed + index))
      let isObjectiveC = index % 3 == 1
      let text = generator.unit(functions: [6, 18, 40, 70][index % 4], objectiveC: isObjectiveC)
      let path = folder.appending("unit\(index).\(isObjectiveC ? "m" : "c")")
      try changed(index, text).write(toFile: path.string, atomically: true, encoding: .utf8)
      return Source(path: path)
    }
  }

  /// A file that uses inline functions of a header: all of them are in each file that does.
  private func header(_ index: Int, _ version: Int) -> String {
    var random = SourceGenerator(seed: 99)
    var lines = ["extern \"C\" int outside(int); extern \"C\" void escape(void *);", "namespace shared {"]
    var names: [String] = []
    for number in 0..<60 {
      let name = "\(random.word().capitalized)\(random.word().capitalized)\(number)"
      names.append(name)
      let result = number % 7 == 0 ? version : 1
      lines.append(
        "template <class T> struct \(name) { T first; virtual ~\(name)() {} "
          + "virtual __attribute__((noinline)) T sum(T other) { return (T)outside((int)(first + other)) * \(result); } };"
      )
    }
    lines.append("}")
    for (number, name) in names.enumerated() where number % 12 != index {
      lines.append(
        "int use\(index)_\(number)(int value) { shared::\(name)<int> it; it.first = value; escape(&it); "
          + "return it.sum(1); }")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func folder(_ path: FilePath) throws {
    try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
  }
}
