import Foundation
import SystemPackage
import Testing
import TestSupport

/// The zip of the example plugin, as everybody else's tools see it.
@Suite struct AcceptedByTests {
  private func zip() async throws -> (Scratch, FilePath) {
    let scratch = try await ExamplePlugin.packed.value
    return (scratch, scratch("plugin").pushing(FilePath(ExamplePlugin.zip)))
  }

  private let names = [
    "RallyConnector.bundle/Info.plist", "RallyConnector.bundle/RCLoginView.xib", "RallyConnector.bundle/RCLogo.png",
    "RallyConnector.bundle/en.lproj/RCLocalizable.strings", "libRallyConnector.a",
  ]

  @Test func infoZip() async throws {
    let (_, zip) = try await zip()
    try await Tool.check(["unzip", "-tqq", zip.string])
    let listing = try await Tool.check(["unzip", "-Z", "-1", zip.string])
    #expect(listing.split(separator: "\n").map(String.init) == names)
  }

  /// zipinfo has a line for each extra field and each data descriptor.
  @Test func noExtraFieldAndNoDataDescriptor() async throws {
    let (_, zip) = try await zip()
    let details = try await Tool.check(["zipinfo", "-v", zip.string])
    func count(_ text: String) -> Int { details.components(separatedBy: text).count - 1 }
    #expect(count("length of extra field:                          0 bytes") == names.count)
    #expect(count("extended local header:                          no") == names.count)
    #expect(count("1980 Jan 1 00:00:00") == names.count)
    #expect(count("file system or operating system of origin:      Unix") == names.count)
    #expect(count("Unix file attributes (100644 octal):") == names.count)
  }

  @Test func sevenZip() async throws {
    let (_, zip) = try await zip()
    let result = try await Tool.run(["7z", "t", zip.string])
    #expect(result.status == 0 && !result.all.contains("WARNING"), "\(result.all)")
  }

  @Test func bsdtar() async throws {
    let (_, zip) = try await zip()
    let listing = try await Tool.check(["bsdtar", "-tf", zip.string])
    #expect(listing.split(separator: "\n").map(String.init) == names)
  }

  @Test func python() async throws {
    let (_, zip) = try await zip()
    let program = """
      import sys, zipfile
      z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
      print([i.filename for i in z.infolist() if i.extra or i.flag_bits or i.date_time != (1980, 1, 1, 0, 0, 0)])
      """
    #expect(try await Tool.check(["python3", "-c", program, zip.string]) == "[]\n")
  }

  @Test func java() async throws {
    let (_, zip) = try await zip()
    let scratch = Scratch()
    try scratch.write(
      "Read.java",
      """
      import java.util.*; import java.util.zip.*; import java.io.*;
      class Read {
        public static void main(String[] a) throws Exception {
          List<String> streamed = new ArrayList<>(), listed = new ArrayList<>();
          try (ZipInputStream in = new ZipInputStream(new FileInputStream(a[0]))) {
            for (ZipEntry e; (e = in.getNextEntry()) != null; ) streamed.add(e.getName() + " " + in.readAllBytes().length);
          }
          try (ZipFile file = new ZipFile(a[0])) {
            for (ZipEntry e : Collections.list(file.entries()))
              listed.add(e.getName() + " " + file.getInputStream(e).readAllBytes().length);
          }
          System.out.println(streamed.equals(listed) + " " + streamed.size());
        }
      }
      """)
    let out = try await Tool.check(["java", scratch("Read.java").string, zip.string])
    #expect(out == "true \(names.count)\n")
  }

  /// All tools give the same bytes, and they are those of the source.
  @Test func contentsAreTheSources() async throws {
    let (scratch, zip) = try await zip()
    let target = Scratch()
    try await Tool.check(["unzip", "-qq", zip.string, "-d", target.path.string])
    try await Tool.check([
      "diff", "-r", target("RallyConnector.bundle").string, scratch("plugin/ios/RallyConnector.bundle").string,
    ])
    try await Tool.check([
      "cmp", target("libRallyConnector.a").string, scratch("plugin/build/libRallyConnector.a").string,
    ])
  }

  @Test func linkerTakesTheLibraryAndLipoNamesItsArchitectures() async throws {
    let (_, zip) = try await zip()
    let target = Scratch()
    try await Tool.check(["unzip", "-qq", zip.string, "libRallyConnector.a", "-d", target.path.string])
    let info = try await Tool.check(["llvm-lipo-19", "-info", target("libRallyConnector.a").string])
    #expect(
      ["arm64", "armv7", "armv7s"].allSatisfy { info.split(whereSeparator: \.isWhitespace).contains($0[...]) },
      "\(info)")
    try await Tool.check([
      "ld64.lld-19", "-arch", "arm64", "-platform_version", "ios", "13.0", "13.0", "-dylib", "-undefined",
      "dynamic_lookup", "-ObjC", "-o", target("out.dylib").string, target("libRallyConnector.a").string,
    ])
    let symbols = try await Tool.check(["llvm-nm-19", "--defined-only", target("out.dylib").string])
    #expect(symbols.contains("_OBJC_CLASS_$_RCLoginViewController"))
    #expect(symbols.contains("initWithJSON:"))
  }

  /// The record says what is there: sizes and digests by Python.
  @Test func releaseRecord() async throws {
    let scratch = try await ExamplePlugin.packed.value
    let program = """
      import json, hashlib, zipfile
      r = json.load(open("dist/RallyConnector-1.4.0.release.json"))
      assert [d["name"] for d in r["deliverables"]] == ["ios", "android", "config"], r
      for d in r["deliverables"]:
          b = open("dist/" + d["path"], "rb").read()
          assert (len(b), hashlib.sha256(b).hexdigest()) == (d["size"], d["sha256"]), d
      for d in r["deliverables"][:2]:
        z = zipfile.ZipFile("dist/" + d["path"])
        for e, i in zip(d["entries"], z.infolist(), strict=True):
          b = z.read(i)
          assert e == {"path": i.filename, "size": len(b), "mode": "0%o" % (i.external_attr >> 16 & 0o777),
                       "sha256": hashlib.sha256(b).hexdigest()}, e
      print(r["tool"]["name"], len(r["compressor"]))
      """
    #expect(try await Tool.check(["python3", "-c", program], in: scratch("plugin")) == "npi-pack 64\n")
  }
}
