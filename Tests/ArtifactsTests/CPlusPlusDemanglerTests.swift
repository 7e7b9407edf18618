import Artifacts
import SystemPackage
import Testing
import TestSupport

/// What is made of the answers of a process that dies now and then.
@Suite struct CPlusPlusDemanglerTests {
  /// Answers as npi-pack does, but with the name in brackets, and dies at bad names; at worse ones in the middle of a text.
  private static let program = """
    #!/usr/bin/env python3
    import os, sys
    names = sys.stdin.buffer.read().split(b"\\0")[:-1]
    texts = b""
    def write():
        sys.stdout.buffer.write(texts)
        sys.stdout.buffer.flush()
    for index, name in enumerate(names):
        if index < 64 or index % 64 == 0:
            write()
            texts = b""
        if name.startswith(b"worse"):
            texts += b"<wo"
            write()
        if name.startswith((b"bad", b"worse")):
            os.kill(os.getpid(), 9)
        texts += (b"" if name.startswith(b"plain") else b"<" + name + b">") + b"\\0"
    write()
    """

  /// The texts of such names, bad ones and plain ones without, and what was said.
  private func texts(
    _ names: [String], _ demangler: inout CPlusPlusDemangler
  ) async -> (texts: [String], notes: [String]) {
    var notes: [String] = []
    let texts = await demangler.texts(of: names.map { Array($0.utf8) }) { notes.append($0) }
    return (texts.map { String(decoding: $0, as: UTF8.self) }, notes)
  }

  private func names(_ count: Int, _ kind: (Int) -> String) -> [String] { (0..<count).map { "\(kind($0))\($0)" } }

  private func expected(_ names: [String]) -> [String] { names.map { $0.hasPrefix("name") ? "<\($0)>" : "" } }

  @Test(arguments: [[], [0], [0, 1, 2], [5, 63, 64, 65, 127, 128, 129, 700, 999]])
  func theOthersHaveTheirTexts(_ bad: [Int]) async throws {
    let scratch = Scratch()
    var demangler = CPlusPlusDemangler(try scratch.write("tool", Self.program, executable: true))
    let names = names(1000) { bad.contains($0) ? ($0 % 2 == 0 ? "bad" : "worse") : $0 % 10 == 7 ? "plain" : "name" }
    let found = await texts(names, &demangler)
    #expect(found.texts == expected(names))
    #expect(found.notes == [])
  }

  /// More than one process is asked, and the one that dies is not the first.
  @Test func manyNames() async throws {
    let scratch = Scratch()
    var demangler = CPlusPlusDemangler(try scratch.write("tool", Self.program, executable: true))
    let long = String(repeating: "x", count: 1000)
    let names = names(2500) { $0 == 2000 ? "bad" : "name\(long)" }
    let found = await texts(names, &demangler)
    #expect(found.texts == expected(names))
    #expect(found.notes == [])
  }

  @Test func tooManyBadNames() async throws {
    let scratch = Scratch()
    var demangler = CPlusPlusDemangler(try scratch.write("tool", Self.program, executable: true))
    let names = names(100) { $0 < 4 ? "name" : "bad" } + ["name"]
    let found = await texts(names, &demangler)
    #expect(found.texts == names.prefix(4).map { "<\($0)>" } + Array(repeating: "", count: 97))
    #expect(found.notes.count == 1)
    let more = await texts(["name"], &demangler)
    #expect(more.texts == [""] && more.notes == [])
  }

  @Test(arguments: ["missing", nil, "true", "not-a-program"])
  func noProgram(_ name: String?) async throws {
    let scratch = Scratch()
    try scratch.write("true", "#!/bin/sh\n", executable: true)
    try scratch.write("not-a-program", "nothing", executable: true)
    var demangler = CPlusPlusDemangler(name.map { scratch($0) })
    let names = names(100) { _ in "name" }
    let found = await texts(names, &demangler)
    #expect(found.texts == Array(repeating: "", count: 100))
    #expect(found.notes.count == 1)
    #expect(await texts(names, &demangler).notes == [])
  }
}
