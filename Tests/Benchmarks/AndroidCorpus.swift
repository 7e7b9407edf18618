import Foundation
package import SystemPackage
import TestSupport

/// The benchmark's Android library of 200 MB, made here: shared libraries for four ABIs, classes, resources, assets.
///
/// The libraries are linked from generated C, with and without debug information; the classes are compiled from generated
/// Java. Assets are texts and bytes that do not compress, half and half, as models and sounds are.
package struct AndroidCorpus {
  /// Raise this when the generator changes: it names the cache's folder.
  static let version = 1

  /// Holds `AndroidManifest.xml`, `jni`, `classes`, `res` and `assets`.
  package let tree: FilePath

  /// Makes the corpus under `cache`, or finds it there.
  package static func make(in cache: FilePath) throws -> AndroidCorpus {
    let home = cache.appending("android-v\(version)")
    let tree = home.appending("tree")
    if FileManager.default.fileExists(atPath: home.appending("complete").string) { return AndroidCorpus(tree: tree) }
    print("making the Android corpus in \(home) (once, about four minutes)")
    try? FileManager.default.removeItem(atPath: home.string)
    let sources = home.appending("sources")
    try classes(into: tree, sources)
    try libraries(into: tree, sources)
    try resources(into: tree)
    try FileManager.default.removeItem(atPath: sources.string)
    try write("", home.appending("complete"))
    return AndroidCorpus(tree: tree)
  }

  private static func write(_ text: String, _ path: FilePath) throws { try write(Data(text.utf8), path) }

  private static func write(_ data: Data, _ path: FilePath) throws {
    try FileManager.default.createDirectory(
      atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
    try data.write(to: URL(fileURLWithPath: path.string))
  }

  // MARK: native libraries

  private static let abis = [
    ("arm64-v8a", "aarch64"), ("armeabi-v7a", "armv7a"), ("x86", "i686"), ("x86_64", "x86_64"),
  ]

  private static func libraries(into tree: FilePath, _ folder: FilePath) throws {
    var objects: [[String]] = abis.map { _ in [] }
    var commands: [[String]] = []
    for index in 0..<60 {
      var source = SourceGenerator(seed: UInt64(index) &+ 977)
      let file = folder.appending("s\(index).c")
      try write(source.unit(functions: [18, 40, 70, 130, 260][index % 5], objectiveC: false), file)
      for (number, (_, architecture)) in abis.enumerated() {
        let object = folder.appending("s\(index)-\(architecture).o").string
        objects[number].append(object)
        commands.append(
          ["clang", "-c", "-target", "\(architecture)-linux-android21", "-fPIC", "-ffreestanding", "-w"]
            + (index % 2 == 0 ? ["-O2", "-g"] : ["-Os"]) + [file.string, "-o", object])
      }
    }
    try Corpus.run(commands)
    // One library of everything and five of parts, for each ABI.
    commands = []
    for (number, (abi, architecture)) in abis.enumerated() {
      let target = tree.appending("jni").appending(abi)
      try FileManager.default.createDirectory(atPath: target.string, withIntermediateDirectories: true)
      for (name, range) in [
        ("engine", 0..<60), ("codec", 0..<20), ("sync", 20..<45), ("ui", 40..<60), ("maps", 5..<35), ("chat", 30..<58),
      ] {
        commands.append(
          [
            "clang", "-target", "\(architecture)-linux-android21", "-shared", "-nostdlib", "-fuse-ld=lld",
            "-Wl,-z,max-page-size=16384", "-Wl,--unresolved-symbols=ignore-all", "-Wl,-z,muldefs",
          ] + objects[number][range] + ["-o", target.appending("lib\(name).so").string])
      }
    }
    try Corpus.run(commands)
  }

  // MARK: classes

  private static func classes(into tree: FilePath, _ folder: FilePath) throws {
    var random = Seeded(seed: 11)
    var words = SourceGenerator(seed: 5)
    var files: [String] = []
    for index in 0..<1500 {
      let package = "com/vendor/\(words.word())s"
      let name = "\(words.word().capitalized)\(words.word().capitalized)\(index)"
      var text = "package \(package.replacingOccurrences(of: "/", with: "."));\npublic class \(name) {\n"
      for field in 0..<8 {
        text +=
          "  private int \(words.word())\(field);\n  String field_\(field) = \"\(words.word()) \(words.word())\";\n"
      }
      for method in 0..<Int.random(in: 8...40, using: &random) {
        text +=
          "  public int \(words.word())\(method)(int a, int b) {\n    int total = \(Int.random(in: 1...9999, using: &random));\n"
        for _ in 0..<Int.random(in: 3...14, using: &random) {
          let operation = ["+", "-", "*", "^", "|", "&"].randomElement(using: &random) ?? "+"
          text += "    total \(operation)= (a \(operation) \(Int.random(in: 1...70000, using: &random))) + b;\n"
          if Int.random(in: 0..<3, using: &random) == 0 {
            text +=
              "    if (total > a) throw new IllegalStateException(\"\(words.word()) of \(words.word()): \" + total);\n"
          }
        }
        text += "    return total;\n  }\n"
      }
      let file = folder.appending("java").pushing(FilePath("\(package)/\(name).java"))
      try write(text + "}\n", file)
      files.append(file.string)
    }
    let list = folder.appending("java.txt")
    try write(files.joined(separator: "\n"), list)
    try Corpus.run([
      ["javac", "-nowarn", "--release", "8", "-Xlint:-options", "-d", tree.appending("classes").string, "@\(list)"]
    ])
  }

  // MARK: resources and assets

  private static func resources(into tree: FilePath) throws {
    try write("<manifest package=\"com.vendor.bench\"/>\n", tree.appending("AndroidManifest.xml"))
    var words = SourceGenerator(seed: 23)
    for language in ["", "-de", "-es", "-fr", "-ja", "-pt-rBR"] {
      var text = "<resources>\n"
      for index in 0..<600 {
        text += "  <string name=\"text_\(index)\">\(words.word()) the \(words.word()) \(words.word())</string>\n"
      }
      try write(text + "</resources>\n", tree.pushing(FilePath("res/values\(language)/strings.xml")))
    }
    for index in 0..<300 {
      var text = "<LinearLayout xmlns:android=\"http://schemas.android.com/apk/res/android\">\n"
      for child in 0..<12 {
        text +=
          "  <TextView android:id=\"@+id/\(words.word())_\(child)\" android:text=\"@string/text_\(index + child)\"/>\n"
      }
      try write(text + "</LinearLayout>\n", tree.pushing(FilePath("res/layout/screen_\(index).xml")))
    }
    var random = Seeded(seed: 3)
    for index in 0..<8 {
      let noise = (0..<2_000_000).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      try write(Data(noise), tree.pushing(FilePath("assets/models/model_\(index).bin")))
      var text = "["
      while text.utf8.count < 2_000_000 {
        text +=
          "{\"\(words.word())\": \(Int.random(in: 0..<100_000, using: &random)), \"\(words.word())\": \"\(words.word())\"},\n"
      }
      try write(text + "0]\n", tree.pushing(FilePath("assets/data/table_\(index).json")))
    }
  }
}
