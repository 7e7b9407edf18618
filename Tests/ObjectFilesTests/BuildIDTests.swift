import Lanes
import Foundation
import ObjectFiles
import Testing

@Suite(.tools) struct BuildIDTests {
  @Test(arguments: ["aarch64-linux-android", "armv7a-linux-androideabi", "x86_64-linux-gnu"])
  func elf(_ target: String) throws {
    let scratch = try Scratch()
    try "int f(void) { return 1; }".write(
      to: scratch.folder.appendingPathComponent("a.c"), atomically: true, encoding: .utf8)
    let link = ["clang", "-target", target, "-fuse-ld=lld", "-nostdlib", "-shared", "a.c", "-o"]
    try scratch.run(link + ["with.so", "-Wl,--build-id=sha1"])
    try scratch.run(link + ["without.so", "-Wl,--build-id=none"])
    let notes = try scratch.run("llvm-readelf-19", "-n", "with.so")
    let bytes = try scratch.bytes("with.so")
    let found = try BuildID.of(ByteReader(bytes.span))
    let id = try #require(found).map { String(format: "%02x", $0) }.joined()
    #expect(id.count == 40 && notes.contains("Build ID: \(id)"))
    let other = try scratch.bytes("without.so")
    let none = try BuildID.of(ByteReader(other.span))
    #expect(none == nil)
  }
}
