import Foundation
import SystemPackage
import TestSupport

/// The symbol benchmark's material: 200 MB of static libraries as vendors ship them, without debug information: C++ with
/// its long names, C, for arm64 and x86_64. `clang` compiles a base of some 50 objects; libraries draw their members from
/// it, each more than once, and `llvm-libtool-darwin` binds them, with tables of contents.
struct SymbolCorpus {
  static let version = 3

  let libraries: [FilePath]
  /// Libraries of as many members as ordinary ones have.
  var ordinary: [FilePath] {
    SymbolCorpus.memberCounts.compactMap { libraries.first?.removingLastComponent().appending("libOrdinary\($0).a") }
  }

  private static let memberCounts = [1, 4, 8]

  static func make(in cache: FilePath) throws -> SymbolCorpus {
    let home = FilePath(FileManager.default.currentDirectoryPath).pushing(cache).appending("symbols-v\(version)")
    let libraries = (0..<25).map { home.appending("libVendor\($0).a") }
    if FileManager.default.fileExists(atPath: home.appending("complete").string) {
      return SymbolCorpus(libraries: libraries)
    }
    print("making the symbol corpus (once, about a minute)")
    try? FileManager.default.removeItem(atPath: home.string)
    try FileManager.default.createDirectory(atPath: home.string, withIntermediateDirectories: true)
    let sources = 12
    let targets = ["arm64-apple-ios13.0", "x86_64-apple-ios13.0-simulator"]
    var commands: [[String]] = []
    for index in 0..<sources {
      let isC = index % 4 == 3
      let source = home.appending("s\(index).\(isC ? "c" : "cc")")
      try text(index, isC: isC).write(toFile: source.string, atomically: false, encoding: .utf8)
      for (number, target) in targets.enumerated() {
        commands.append(
          ["clang", "-c", "-O1", "-w", "-ffreestanding", "-target", target, source.string, "-o"]
            + [home.appending("s\(index)-\(number).o").string])
      }
    }
    try Corpus.run(commands)
    var random = Seeded(seed: 11)
    commands = []
    for (index, library) in libraries.enumerated() {
      // Members of one library have names of their own: links to the same objects.
      let folder = home.appending("members\(index)")
      try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
      var members: [String] = []
      var size = 0
      while size < 5_200_000 {
        let object = home.appending("s\(Int.random(in: 0..<sources, using: &random))-\(index % 2).o")
        let member = folder.appending("Member\(members.count).o")
        try FileManager.default.linkItem(atPath: object.string, toPath: member.string)
        members.append(member.string)
        size += try fileSize(object)
      }
      commands.append(
        ["llvm-libtool-darwin-19", "-static", "-D", "-no_warning_for_no_symbols", "-o", library.string] + members)
    }
    for count in memberCounts {
      let members = (0..<count).map { home.appending("members0").appending("Member\($0).o").string }
      commands.append(
        ["llvm-libtool-darwin-19", "-static", "-D", "-no_warning_for_no_symbols", "-o"]
          + [home.appending("libOrdinary\(count).a").string] + members)
    }
    try Corpus.run(commands)
    try Data().write(to: URL(fileURLWithPath: home.appending("complete").string))
    return SymbolCorpus(libraries: libraries)
  }

  /// Small functions, as headers and generated code make them.
  private static func text(_ index: Int, isC: Bool) -> String {
    var random = SourceGenerator(seed: UInt64(index) &+ 300)
    var lines = ["extern \(isC ? "" : "\"C\" ")int outside(int);"]
    for number in 0..<1200 {
      // No keyword begins with a capital.
      let (first, second, third) = (random.word().capitalized, random.word().capitalized, random.word().capitalized)
      if isC {
        lines.append(
          "\(number % 3 == 0 ? "static __attribute__((used)) " : "")int vendor_\(first)_\(second)_\(third)_\(number)(int a) "
            + "{ return outside(a) + \(number); }")
      } else {
        lines.append(
          "namespace vendor { namespace \(first) { struct \(second)_\(number) { int \(third)(int a, const char *b, "
            + "\(second)_\(number) *c) const; static int count; virtual ~\(second)_\(number)(); };\n"
            + "int \(second)_\(number)::count = \(number);\n\(second)_\(number)::~\(second)_\(number)() {}\n"
            + "int \(second)_\(number)::\(third)(int a, const char *b, \(second)_\(number) *c) const { return outside(a) + count; } } }"
        )
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
