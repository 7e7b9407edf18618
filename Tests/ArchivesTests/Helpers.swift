import Foundation
import SystemPackage
import TestSupport

@testable import Archives

extension Seeded {
  mutating func noise(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 32) }
  }

  /// Compressible to about a half, by many short matches and literals.
  mutating func text(_ count: Int) -> [UInt8] {
    let words = (0..<200).map { _ in noise(2 + Int(next() % 7)).map { $0 & 0x1F | 0x60 } + [0x20] }
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += words[Int(next() % 200)] }
    return Array(bytes.prefix(count))
  }
}

extension Entry {
  static func file(_ path: String, _ bytes: [UInt8], executable: Bool = false) throws -> Entry {
    Entry(path: try EntryPath(path), kind: .file(.bytes(bytes), executable: executable))
  }

  static func file(_ path: String, _ text: String) throws -> Entry { try file(path, Array(text.utf8)) }

  static func link(_ path: String, to target: String) throws -> Entry {
    Entry(path: try EntryPath(path), kind: .symbolicLink(target: Array(target.utf8)))
  }

  static func folder(_ path: String) throws -> Entry { Entry(path: try EntryPath(path), kind: .directory) }
}

/// Of everything that a zip can hold, in canonical order.
func sampleEntries() throws -> [Entry] {
  var random = Seeded(seed: 11)
  let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  return Entry.canonicalOrder([
    try .file("empty.txt", ""),
    try .file("lib/libDemo.a", random.text(70_000)),
    try .file("bin/run.sh", Array("#!/bin/sh\necho hello hello hello hello hello hello\n".utf8), executable: true),
    try .file("Demo.bundle/noise.bin", random.noise(5000)),
    try .file("Demo.bundle/photo.png", png + [UInt8](repeating: 0, count: 900)),
    try .file("Demo.bundle/caf\u{E9}/menu \u{65E5}\u{672C}.json", "{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}{}"),
    try .file("Demo.bundle/nfd-e\u{301}.txt", "decomposed"),
    try .link("Demo.framework/Demo", to: "Versions/Current/Demo"),
    try .file("Demo.framework/Versions/A/Demo", random.text(3000)),
    try .link("Demo.framework/Versions/Current", to: "A"),
    try .folder("nothing here"),
    try .file("one", "1"),
  ])
}

extension Entry {
  var bytes: [UInt8] {
    switch kind {
    case .file(.bytes(let bytes), _): bytes
    case .symbolicLink(let target): target
    default: []
    }
  }
}

/// Writes and gives the file's bytes.
@discardableResult
func zip(
  _ entries: [Entry], at path: FilePath, _ options: ZipOptions = ZipOptions()
) async throws -> (summary: ZipSummary, bytes: [UInt8]) {
  let summary = try await ZipWriter.write(entries, to: path, options: options)
  return (summary, Array(try Data(contentsOf: URL(fileURLWithPath: path.string))))
}

extension ZipOptions {
  static func small(block: Int, zip64Limit: Int = 0xFFFF_FFFF, workers: Int? = nil) -> ZipOptions {
    var options = ZipOptions(workers: workers)
    options.blockSize = block
    options.zip64Limit = zip64Limit
    return options
  }
}

/// A sink that keeps what it is given.
extension ArchiveReader {
  mutating func contents() throws -> [UInt8] {
    var content = Keep()
    try forEachChunk { content.update($0) }
    return content.bytes
  }
}

struct Keep: ContentSink {
  var bytes: [UInt8] = []
  mutating func update(_ part: RawSpan) {
    unsafe part.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }
  mutating func finish() -> [UInt8] { bytes }
}

/// What other programs see in a zip, as lines `mode|size|crc|name|link target`, sorted.
enum Oracle {
  static func expected(_ summary: ZipSummary, modes: Bool) -> [String] {
    summary.entries.map { item in
      let mode = modes ? String(item.mode, radix: 8) : ""
      let crc = String(item.crc32, radix: 16)
      return "\(mode)|\(item.uncompressedSize)|\(crc)|" + String(decoding: item.storedName, as: UTF8.self)
    }
  }

  /// By Python's zipfile, contents read and checked.
  static func python(_ path: FilePath) async throws -> [String] {
    let program = """
      import sys, zipfile, zlib
      with zipfile.ZipFile(sys.argv[1]) as z:
          assert z.testzip() is None
          for i in z.infolist():
              d = z.read(i)
              assert len(d) == i.file_size
              sys.stdout.buffer.write(b'%o|%d|%x|%s\\n' % (i.external_attr >> 16, len(d), zlib.crc32(d), i.filename.encode()))
      """
    return try await Tool.check(["python3", "-c", program, path.string]).split(separator: "\n").map(String.init)
  }

  /// By the JDK's two readers, which must agree: ZipInputStream reads local headers, ZipFile the directory.
  static func java(_ path: FilePath, _ scratch: Scratch) async throws -> [String] {
    try scratch.write(
      "Zips.java",
      """
      import java.io.*;
      import java.util.*;
      import java.util.zip.*;
      public class Zips {
        static String line(ZipEntry e, InputStream in) throws IOException {
          byte[] d = in.readAllBytes();
          CRC32 crc = new CRC32();
          crc.update(d);
          return "|" + d.length + "|" + Long.toHexString(crc.getValue()) + "|" + e.getName();
        }
        public static void main(String[] a) throws Exception {
          List<String> stream = new ArrayList<>(), file = new ArrayList<>();
          try (ZipInputStream in = new ZipInputStream(new BufferedInputStream(new FileInputStream(a[0])))) {
            for (ZipEntry e; (e = in.getNextEntry()) != null; ) stream.add(line(e, in));
          }
          try (ZipFile z = new ZipFile(a[0])) {
            for (ZipEntry e : Collections.list(z.entries())) file.add(line(e, z.getInputStream(e)));
          }
          if (!stream.equals(file)) throw new Exception("they differ: " + stream + file);
          PrintStream out = new PrintStream(System.out, true, "UTF-8");
          for (String s : stream) out.println(s);
        }
      }
      """)
    try await Tool.check(["javac", "-d", scratch.path.string, scratch("Zips.java").string])
    return try await Tool.check(["java", "-cp", scratch.path.string, "Zips", path.string])
      .split(separator: "\n").map(String.init)
  }
}
