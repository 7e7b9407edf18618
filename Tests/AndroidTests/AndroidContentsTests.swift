import Lanes
import Android
import Archives
import Artifacts
import Findings
import Foundation
import SystemPackage
import Testing
import TestSupport

/// What Python's zipfile finds, by the rule of `checkDuplicateClasses` and the default patterns of
/// `packaging.resources`: a line `jar<TAB>class` for each class, a line `kind<TAB>path<TAB>size<TAB>CRC-32` for each
/// other file, a line `manifest<TAB>package` for each manifest.
private let oracle = """
  import io, os, re, sys, zipfile, zlib
  import xml.etree.ElementTree as tree
  out = re.compile(r'''
      (META-INF/)?(LICENSE|NOTICE)(\\.txt)?|META-INF/MANIFEST\\.MF|META-INF/[^/]*\\.(DSA|EC|SF|RSA)|META-INF/maven/.*
      |META-INF/proguard/[^/]*|META-INF/com\\.android\\.tools/.*|(.*/)?(\\.svn|CVS|SCCS)/.*|(.*/)?[._][^/]*(/.*)?|(.*/)?[^/]*~
      |(.*/)?(thumbs\\.db|picasa\\.ini|(about|package|overview)\\.html|protobuf\\.meta|[^/]*\\.kotlin_metadata)
      |META-INF/services/.*|jacoco-agent\\.properties
  ''', re.X | re.S)
  def line(kind, path, i): print('%s\\t%s\\t%d\\t%d' % (kind, path, i.file_size, i.CRC))
  def jar(data, place):
      z = zipfile.ZipFile(data)
      for i in z.infolist():
          n = i.filename
          if n.endswith('.class') and n != 'module-info.class' and not n.startswith('META-INF/'):
              print(place + '\\t' + n)
          p = n.split('/')
          if len(p) == 3 and p[0] == 'lib' and n.endswith('.so'): line('library', n, i)
          elif not n.endswith(('.class', '/')) and not out.fullmatch(n): line('resource', n, i)
  def aar(data, place):
      z = zipfile.ZipFile(data)
      for i in z.infolist():
          n = i.filename
          p = n.split('/')
          if n == 'classes.jar' or len(p) == 2 and p[0] == 'libs' and n.endswith('.jar'):
              jar(io.BytesIO(z.read(i)), place + ' › ' + n)
          if len(p) == 3 and p[0] == 'jni' and n.endswith('.so'): line('library', 'lib/' + '/'.join(p[1:]), i)
          if n.startswith('assets/') and not n.endswith('/'): line('asset', n, i)
          if n == 'AndroidManifest.xml': print('manifest\\t' + (tree.fromstring(z.read(i)).get('package') or ''))
  def either(data, place):
      if place.endswith('.jar'): jar(data, place)
      elif place.endswith('.aar'): aar(data, place)
      elif place.endswith('.zip'):
          z = zipfile.ZipFile(data)
          for i in z.infolist(): either(io.BytesIO(z.read(i)), place + ' › ' + i.filename)
  for root in sys.argv[1:]:
      if os.path.isfile(root): either(root, root)
      for folder, _, files in os.walk(root):
          for name in files: either(os.path.join(folder, name), os.path.join(folder, name))
  """

@Suite("classes and native libraries of plugins for Android")
struct AndroidContentsTests {
  /// The lines that the oracle prints, of ours.
  private func lines(_ contents: AndroidContents) -> [String] {
    var lines: [String] = []
    for jar in contents.jars {
      for index in jar.classes {
        lines.append("\(jar.place)\t\(String(decoding: contents.classes.name(of: index), as: UTF8.self)).class")
        #expect(contents.placeOfClass(index).parts.dropLast() == jar.place.parts[...])
      }
      for index in jar.resources {
        let path = String(decoding: contents.javaResources.name(of: index), as: UTF8.self)
        let content = contents.javaResources.content(of: index)
        lines.append("resource\t\(path)\t\(content.size)\t\(content.crc32)")
        #expect(contents.placeOfJavaResource(index) == jar.place.inside(path))
      }
    }
    for file in contents.files {
      lines.append("\(file.kind)\t\(file.path)\t\(file.content?.size ?? 0)\t\(file.content?.crc32 ?? 0)")
    }
    lines += contents.manifests.map { "manifest\t\($0.namespace ?? "")" }
    return lines.sorted()
  }

  private func agree(_ path: FilePath, _ scratch: Scratch) async throws -> [String] {
    try scratch.write("oracle.py", oracle)
    let theirs = try await Tool.check(["python3", scratch("oracle.py").string, path.string])
    let contents = AndroidContents(path, temporary: scratch.path)
    #expect(contents.mistakes.isEmpty, "\(contents.mistakes)")
    let ours = lines(contents)
    #expect(ours == theirs.split(separator: "\n").map(String.init).sorted())
    return ours
  }

  /// Compiled classes of several packages, inner ones too, and a module of its own.
  private func classes(_ scratch: Scratch) async throws {
    for name in ["com/x/A", "com/x/B", "org/y/C"] {
      let parts = name.split(separator: "/").map(String.init)
      let type = parts[2]
      try scratch.write(
        "src/\(name).java",
        "package \(parts[0]).\(parts[1]); public class \(type) { class Inner {} Runnable r() { return new Runnable() { public void run() {} }; } }"
      )
    }
    try scratch.write("src/module-info.java", "module m { exports com.x; }")
    try await Tool.check(
      ["sh", "-c", "javac -d out $(find src -name '*.java')"], in: scratch.path)
  }

  @Test(.tools) func jarsAsToolsMakeThem() async throws {
    let scratch = Scratch()
    try await classes(scratch)
    try scratch.write("newer/com/x/A.class", try scratch.read("out/com/x/A.class"))
    try scratch.write("out/lib/arm64-v8a/libn.so", "code")
    try scratch.write("out/lib/arm64-v8a/notes.txt", "text")
    try scratch.write("out/META-INF/odd/D.class", "no class")
    try scratch.write("out/com/x/note.class.txt", "no class")
    for (name, words) in [
      ("plain.jar", ["jar", "cf", "plain.jar", "-C", "out", "."]),
      ("stored.jar", ["jar", "c0f", "stored.jar", "-C", "out", "."]),
      ("release.jar", ["jar", "cf", "release.jar", "-C", "out", ".", "--release", "11", "-C", "newer", "."]),
    ] {
      try await Tool.check(words, in: scratch.path)
      let found = try await agree(scratch(name), scratch)
      #expect(found.count == 12, "\(found)")
    }
    // A module of its own is not for Android, a versioned class neither.
    #expect(
      try await Tool.check(["unzip", "-l", scratch("release.jar").string]).contains(
        "META-INF/versions/11/com/x/A.class"))
  }

  @Test(.tools) func libraries() async throws {
    let scratch = Scratch()
    try await classes(scratch)
    for (name, option) in [("deflated", "-9"), ("stored", "-0")] {
      try await Tool.check(
        ["jar", "cf", "\(name)/classes.jar".replacingOccurrences(of: "/", with: "-"), "-C", "out", "."],
        in: scratch.path)
      try scratch.write("\(name)/classes.jar", try scratch.read("\(name)-classes.jar"))
      try scratch.write("\(name)/libs/more.jar", try scratch.read("\(name)-classes.jar"))
      try scratch.write("\(name)/libs/deeper/none.jar", try scratch.read("\(name)-classes.jar"))
      try scratch.write("\(name)/lint.jar", try scratch.read("\(name)-classes.jar"))
      try scratch.write("\(name)/assets/data.jar", try scratch.read("\(name)-classes.jar"))
      try scratch.write("\(name)/AndroidManifest.xml", "<manifest package='com.x.\(name)'/>")
      try scratch.write("\(name)/jni/arm64-v8a/libc++_shared.so", name)
      try scratch.write("\(name)/jni/x86/libc++_shared.so", "another")
      try scratch.write("\(name)/jni/x86/readme.txt", "text")
      try await Tool.check(["zip", option, "-qr", "../\(name).aar", "."], in: scratch(name))
      let found = try await agree(scratch("\(name).aar"), scratch)
      #expect(found.count == 2 * 9 + 4, "\(found)")
    }
    // What a plugin's author sends around: several in a zip, or in a folder, and one laid open.
    try await Tool.check(
      ["zip", "-q", "both.zip", "deflated.aar", "stored.aar", "stored-classes.jar"], in: scratch.path)
    #expect(try await agree(scratch("both.zip"), scratch).count == 2 * 22 + 9)
    try scratch.write("folder/both.zip", try scratch.read("both.zip"))
    try scratch.write("folder/deep/one.jar", try scratch.read("stored-classes.jar"))
    #expect(try await agree(scratch("folder"), scratch).count == 2 * 22 + 9 + 9)
    let open = AndroidContents(scratch("deflated"), temporary: scratch.path)
    #expect(open.classes.count == 18 && open.jars.count == 2 && open.abis.count == 2)
    #expect(open.manifests.map(\.namespace) == ["com.x.deflated"])
    let zipped = AndroidContents(scratch("deflated.aar"), temporary: scratch.path)
    func contents(_ of: AndroidContents) -> Set<ContentChecksum?> {
      Set(of.files.filter { $0.kind == .library }.map(\.content))
    }
    #expect(contents(open) == contents(zipped))
  }

  @Test func loose() throws {
    let scratch = Scratch()
    try scratch.write("p/jniLibs/arm64-v8a/liba.so", "a")
    try scratch.write("p/lib/x86/liba.so", "b")
    try scratch.write("p/lib/other/liba.so", "c")
    try scratch.write("p/x86/liba.so", "d")
    let contents = AndroidContents(scratch("p"), temporary: scratch.path)
    #expect(contents.files.map(\.abi) == ["arm64-v8a", "x86"])
    #expect(
      contents.files.map(\.place.description) == [
        scratch("p/jniLibs/arm64-v8a/liba.so").string, scratch("p/lib/x86/liba.so").string,
      ])
  }

  /// Too large for memory; not a zip; a zip by its bytes alone; a zip that holds itself.
  @Test(.tools) func odd() async throws {
    let scratch = Scratch()
    try await Tool.check(
      [
        "python3", "-c",
        """
        import zipfile
        with zipfile.ZipFile('classes.jar', 'w') as z:
            z.writestr('a/A.class', 'x'); z.writestr('large', bytes(70 << 20))
        with zipfile.ZipFile('large.aar', 'w', zipfile.ZIP_DEFLATED) as z:
            z.write('classes.jar'); z.writestr('AndroidManifest.xml', '<manifest/>')
        with zipfile.ZipFile('some.data', 'w') as z: z.writestr('META-INF/MANIFEST.MF', ''); z.writestr('a/B.class', 'x')
        with zipfile.ZipFile('e.zip', 'w') as z:
            for i in range(300): z.writestr('%03d.zip' % i, b'')
        d = open('e.zip', 'rb').read()
        # Every entry is the whole file from its own header on.
        n, o = bytearray(d), d.index(b'PK' + bytes([1, 2]))
        at, end = o, len(d)
        while d[at:at+4] == b'PK' + bytes([1, 2]):
            h = int.from_bytes(d[at+42:at+46], 'little')
            for f in (20, 24): n[at+f:at+f+4] = (end - h - 30 - 7).to_bytes(4, 'little')
            at += 46 + 7
        open('e.zip', 'wb').write(n)
        """,
      ], in: scratch.path)
    let large = AndroidContents(scratch("large.aar"), temporary: scratch.path)
    #expect(large.classes.count == 1 && large.mistakes.isEmpty, "\(large.mistakes)")
    #expect(AndroidContents(scratch("some.data"), temporary: scratch.path).classes.count == 1)
    try scratch.write("libA.a", "!<arch>\n")
    #expect(AndroidContents(scratch("libA.a"), temporary: scratch.path).mistakes.isEmpty)
    #expect(!AndroidContents(scratch("e.zip"), temporary: scratch.path).mistakes.isEmpty)
  }

  /// Nothing that is damaged hides the rest, and nothing takes for ever.
  @Test(.tools) func damage() async throws {
    let scratch = Scratch()
    try await classes(scratch)
    try await Tool.check(["jar", "cf", "a.jar", "-C", "out", "."], in: scratch.path)
    let whole = try scratch.read("a.jar")
    try scratch.write("p/a.jar", Array(whole.prefix(whole.count / 2)))
    try scratch.write("p/b.jar", whole)
    try scratch.write("p/c.aar", "nothing")
    let contents = AndroidContents(scratch("p"), temporary: scratch.path)
    #expect(contents.mistakes.count == 2 && contents.classes.count == 9)
    try await Tool.check(["zip", "-0q", "c.aar", "a.jar"], in: scratch.path)
    let archive = try scratch.read("c.aar")
    for position in stride(from: 0, to: archive.count, by: 31) {
      var bytes = archive
      bytes[position] ^= 0xFF
      try scratch.write("d.aar", bytes)
      _ = AndroidContents(scratch("d.aar"), temporary: scratch.path)
      await Task.yield()
    }
    #expect(AndroidContents(scratch("nothing"), temporary: scratch.path).mistakes.count == 1)
  }
  /// Of a class that says nonsense about what it calls nothing counts; the other classes of its jar do.
  @Test(.tools) func aDamagedClass() async throws {
    let scratch = Scratch()
    try await classes(scratch)
    var bytes = try scratch.read("out/com/x/A.class")
    // A method reference: its tag, a class, a name and type (JVMS 4.4.2). Javac's first constant is one.
    #expect(bytes[10] == 10)
    (bytes[13], bytes[14]) = (0xFF, 0xFF)
    try scratch.write("out/com/x/A.class", bytes)
    try await Tool.check(["sh", "-c", "cd out && zip -q ../a.jar com/x/*.class"], in: scratch.path)
    let classes = try JarClasses(ArchiveBytes(scratch.read("a.jar")))
    #expect(classes.unreadable.map(\.path) == ["com/x/A.class"])
    #expect(
      Set(classes.classes.map(\.name)) == ["com.x.A$1", "com.x.A$Inner", "com.x.B", "com.x.B$1", "com.x.B$Inner"])
  }
}
