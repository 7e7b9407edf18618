import TestSupport

/// An object file that sets drawn by chance are made of.
struct DrawnObject: Sendable {
  var name: String
  var content: [UInt8]
  /// What others see of it and could have elsewhere.
  var definitions: [String]
  /// What is its own, by names that others may see elsewhere.
  var locals: [String] = []
}

/// Objects that draw from the same names, assembled, and a dynamic library of some.
struct ObjectGroup: Sendable {
  var objects: [DrawnObject] = []
  let library: DrawnObject

  init(_ number: Int) async throws {
    var random = Seeded(seed: 1_000_003 &* (number + 1))
    let count = 12
    let drawn = (0..<count).map { RandomObject($0, of: count, &random) }
    // The library has functions and data by names of the group, some of them weak.
    library = try await RandomLibrary(in: 3, &random).made("libdy.dylib", "@rpath/libdy.dylib")
    for object in drawn { objects.append(try await Assembler.object(object)) }
  }
}

/// Text for `llvm-mc-19` or `llvm-as-19`, assembled.
enum Assembler {
  private static let bitcodeHeader = """
    target datalayout = "e-m:o-i64:64-i128:128-n32:64-S128"
    target triple = "arm64-apple-ios13.0.0"

    """

  /// As `clang -flto` leaves it, or `clang -flto=thin`.
  static func bitcode(_ text: String, isThin: Bool = false) async throws -> [UInt8] {
    let scratch = Scratch()
    try scratch.write("a.ll", bitcodeHeader + text)
    let words = isThin ? ["opt-19", "-thinlto-bc"] : ["llvm-as-19"]
    try await Tool.check(words + ["a.ll", "-o", "a.o"], in: scratch.path)
    return try scratch.read("a.o")
  }

  static func object(_ text: String, for triple: String = "arm64-apple-ios13.0") async throws -> [UInt8] {
    let scratch = Scratch()
    try scratch.write("a.s", text)
    // Labels that begin with L would be nobody's symbols.
    let keep = text.contains("L00") ? ["--save-temp-labels"] : []
    try await Tool.check(
      ["llvm-mc-19", "-filetype=obj", "-triple", triple, "a.s", "-o", "a.o"] + keep, in: scratch.path)
    return try scratch.read("a.o")
  }

  static func object(_ object: RandomObject) async throws -> DrawnObject {
    DrawnObject(
      name: object.name, content: try await self.object(object.text), definitions: object.definitions,
      locals: object.locals)
  }
}
