import SystemPackage
import TestSupport
import Testing

/// An archive as the Finder makes it: AppleDouble files below `__MACOSX`, `.DS_Store`, and a framework with links. What is
/// extracted from the clean one is the same tree without those.
@Suite struct FinderZipTests {
  private static let program = """
    import os, struct, zipfile
    def double(attributes):
      # AppleDouble: magic, version, 16 bytes, entries: Finder info (9) with attributes behind it, resource fork (2).
      head, fork = b"\\0" * 32 + attributes, b"fork"
      start = 26 + 2 * 12
      return struct.pack(">II16sH", 0x00051607, 0x00020000, b"Mac OS X        ", 2) + struct.pack(
        ">IIIIII", 9, start, len(head), 2, start + len(head), len(fork)) + head + fork
    files = {
      "Kit.framework/Versions/A/Kit": b"code" + os.urandom(3000),
      "Kit.framework/Versions/A/Resources/Info.plist": b"<plist><dict/></plist>",
      "Kit.framework/Versions/A/Headers/Kit.h": b"// Kit\\n" * 40,
      "Kit.framework/Versions/A/Resources/Bild é.png": os.urandom(900),
      "Kit.bundle/en.lproj/Texts.strings": b"a = b;",
      "libKit.a": b"!<arch>\\n",
    }
    links = {"Kit.framework/Versions/Current": "A", "Kit.framework/Kit": "Versions/Current/Kit",
      "Kit.framework/Headers": "Versions/Current/Headers", "Kit.framework/Resources": "Versions/Current/Resources"}
    def entry(name, mode, extra=b"UX\\x08\\0" + b"\\1" * 8):
      info = zipfile.ZipInfo(name, (2014, 5, 6, 7, 8, 10))
      info.create_system, info.external_attr, info.extra = 3, mode << 16, extra
      info.compress_type = zipfile.ZIP_DEFLATED if mode & 0o170000 == 0o100000 else zipfile.ZIP_STORED
      return info
    with zipfile.ZipFile("finder.zip", "w") as zip, zipfile.ZipFile("meant.zip", "w") as meant:
      folders = set()
      for name in sorted(list(files) + list(links)):
        parts = name.split("/")
        for count in range(1, len(parts)):
          folder = "/".join(parts[:count]) + "/"
          if folder in folders: continue
          folders.add(folder)
          zip.writestr(entry(folder, 0o040755), b"")
          zip.writestr(entry(folder + ".DS_Store", 0o100644), b"\\0\\0\\0\\1Bud1")
        if name in links:
          for one in (zip, meant): one.writestr(entry(name, 0o120755), links[name])
          continue
        mode = 0o100755 if name.endswith("/Kit") else 0o100644
        for one in (zip, meant): one.writestr(entry(name, mode), files[name])
        zip.writestr(entry("__MACOSX/" + "/".join(parts[:-1] + ["._" + parts[-1]]), 0o100644), double(b"com.apple.quarantine\\0"))
    """

  @Test func `what is extracted from it is equal, less the metadata`() async throws {
    let scratch = Scratch()
    try await Tool.check(["python3", "-c", Self.program], in: scratch.path)
    let said = try await Tool.check(
      [Scenario.binary.string, "strip", "finder.zip", "-o", "clean.zip"], in: scratch.path)
    #expect(said.split(separator: "\n").filter { $0.hasPrefix("removed ") }.count == 7 + 6 + 1, "\(said)")
    #expect(said.hasSuffix("\nremoved 13 things\n"), "\(said)")
    // Extracted by tools that know neither of us: names, contents, links and executable bits.
    for (name, words) in [("unzip", ["unzip", "-q"]), ("bsdtar", ["bsdtar", "-xf"])] {
      for archive in ["clean", "meant"] {
        try await Tool.check(["mkdir", "-p", "\(name)/\(archive)"], in: scratch.path)
        let path = scratch("\(archive).zip").string
        try await Tool.check(words + [path], in: scratch("\(name)/\(archive)"))
      }
      try await Tool.check(["diff", "-r", "--no-dereference", "\(name)/clean", "\(name)/meant"], in: scratch.path)
      let listing = "find . -type l -printf '%p -> %l\\n' -o -type f -printf '%p %m\\n' | sort"
      let clean = try await Tool.check(["sh", "-c", listing], in: scratch("\(name)/clean"))
      let meant = try await Tool.check(["sh", "-c", listing], in: scratch("\(name)/meant"))
      #expect(clean == meant)
    }
    let lint = try await Tool.check([Scenario.binary.string, "lint", "clean.zip"], in: scratch.path)
    #expect(lint.hasSuffix("\nno findings\n"))
  }
}
