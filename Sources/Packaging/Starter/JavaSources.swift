import Android
import Archives
import Artifacts
import Findings

/// How javac makes the classes of a plugin's Java sources: a step, indented as it stands.
struct JavaSources: Sendable {
  let files: [StarterFile]
  /// Jars of the tree that the sources may need.
  let jars: [String]
  /// What R is made of, if a source names it.
  let resources: (manifest: String, folders: [String])?
  private let survey: TreeSurvey
  private let missing: [String]
  private let folders: [String]
  private let root: String?

  init(_ files: [StarterFile], jars: [String], manifest: String, res: [String], _ survey: TreeSurvey) {
    self.files = files
    self.jars = jars
    self.survey = survey
    let usesR = files.contains { survey.sources[$0.path]?.usesR == true }
    resources = usesR && !res.isEmpty ? (manifest, res) : nil
    missing = JavaSources.missing(files, jars, survey)
    folders = JavaSources.folders(files)
    root = JavaSources.root(files, folders, survey)
  }

  /// Whether all that they import is in the tree, in Java itself or in Android.
  var isComplete: Bool { missing.allSatisfy { $0.hasPrefix("android.") } }

  var classes: String { "\(made)/classes" }
  private var made: String { survey.tree.made }

  /// Of Java since version 1.8, as compilers of today still write them, unless the host reads none so new.
  private var release: String {
    guard let version = survey.host?.classVersion, version < 52 else { return "8" }
    return "\(version - 44)"
  }

  var step: [String] {
    var lines = ["  # Java"]
    if !missing.isEmpty {
      let some = missing.prefix(8).joined(separator: ", ")
      lines += [
        "  # Not in the tree: \(some)\(missing.count > 8 ? " and \(missing.count - 8) more" : "").",
        "  # Name the jars that have it, with ':' between them: env: { JARS: /path/to/android.jar:/path/to/other.jar }.",
        "  # Without JARS the newest android.jar of an SDK in its usual place is taken.",
      ]
    }
    let classPath = (missing.isEmpty ? [] : ["\"$jars\""]) + jars.map { ShellText.quoted(path: $0) }
    let option = classPath.isEmpty ? "" : " -cp \(classPath.joined(separator: ":"))"
    lines += [
      "  java:", "    shell: |",
      "      set -e; rm -rf \(made)/classes \(made)/java; mkdir -p \(made)/classes \(made)/java",
    ]
    if !missing.isEmpty { lines += JavaSources.sdk }
    lines.append("      \(listing) | grep '^[^-@]' > \(made)/java/sources")
    lines += madeR
    lines += [
      "      sed 's/[\\\\\"]/\\\\&/g; s/.*/\"&\"/' \(made)/java/sources > \(made)/java/arguments",
      "      javac --release \(release) -Xlint:-options -encoding UTF-8\(option) -d \(made)/classes @\(made)/java/arguments",
      "      # javac writes no depfile: this one names the sources and the jars.",
      "      (cat \(made)/java/sources\(listedJars)) | sed 's/[ #]/\\\\&/g; s/\\$/$$/g; s/^/ /' | tr -d '\\n' |",
      "        sed 's,^,\(made)/classes:,' > \(made)/java/depfile",
      "    inputs: [\(inputs.map(\.inYAML).joined(separator: ", "))]",
      "    outputs: [\(made)/classes, \(made)/java]",
      "    depfile: \(made)/java/depfile",
      "    env: { LC_ALL: C.UTF-8 }",
    ]
    return lines
  }

  private static let sdk = [
    "      sdk=$(ls \"$HOME\"/Android/Sdk/platforms/android-*/android.jar \\",
    "        \"$HOME\"/Library/Android/sdk/platforms/android-*/android.jar \\",
    "        /usr/lib/android-sdk/platforms/android-*/android.jar 2> /dev/null | sort -V | tail -n 1)",
    "      jars=${JARS:-$sdk}",
    "      [ -n \"$jars\" ] || { echo 'no android.jar is found: name one in the env of this step, JARS' >&2; exit 1; }",
  ]

  private var listedJars: String { missing.isEmpty ? "" : "; echo \"$jars\" | tr : '\\n'" }

  /// Classes of R are for the compiler alone: the app makes its own, and an AAR has none.
  private var madeR: [String] {
    guard let (manifest, folders) = resources else { return [] }
    let compile = folders.enumerated().map { index, folder in
      "      aapt2 compile --dir \(ShellText.quoted(path: folder)) -o \(made)/java/\(index).zip"
    }
    let zips = folders.indices.map { "\(made)/java/\($0).zip" }.joined(separator: " ")
    let jar = missing.isEmpty ? "" : " -I \"${jars%%:*}\""
    return compile + [
      "      aapt2 link --static-lib --non-final-ids --manifest \(ShellText.quoted(path: manifest))\(jar) \\",
      "        --java \(made)/java -o \(made)/java/r.apk \(zips)",
      "      find \(made)/java -name R.java >> \(made)/java/sources",
    ]
  }

  // MARK: - Where they are

  /// Of the sources: everything below a folder, if nothing else is there; else what is meant in each folder.
  private var listing: String {
    if let root { return "find \(ShellText.quoted(path: root)) -name '[!.]*.java'" }
    let words = patterns.map { pattern in
      guard pattern.hasSuffix("/*.java") || pattern == "*.java" else { return ShellText.quoted(path: pattern) }
      let folder = String(pattern.dropLast("/*.java".utf8.count))
      return pattern == "*.java" ? "./" + pattern : "\(ShellText.quoted(path: folder))/*.java"
    }
    return "printf '%s\\n' \(words.joined(separator: " "))"
  }

  /// A folder's files by a pattern, where all of them are meant; else one by one.
  private var patterns: [String] {
    let byFolder = Dictionary(grouping: files, by: \.folder)
    return folders.flatMap { folder -> [String] in
      let own = (byFolder[folder] ?? []).map(\.path)
      let all = survey.tree.names(folder).filter { $0.hasSuffix(".java") }
      return all.count == own.count ? [StarterTree.join(folder, "*.java")] : own
    }
  }

  private static func folders(_ files: [StarterFile]) -> [String] { Array(Set(files.map(\.folder))).sorted() }

  /// Where packages begin, so that a new one is found, too.
  private static func root(_ files: [StarterFile], _ folders: [String], _ survey: TreeSurvey) -> String? {
    guard var parts = folders.first?.split(separator: "/").map(String.init) else { return nil }
    for folder in folders {
      parts = zip(parts, folder.split(separator: "/")).prefix { $0 == $1 }.map(\.0)
    }
    var package = files.first.flatMap { survey.sources[$0.path]?.package }?.split(separator: ".").map(String.init) ?? []
    while !package.isEmpty, parts.count <= package.count || Array(parts.suffix(package.count)) != package {
      package.removeLast()
    }
    for root in [Array(parts.dropLast(package.count)), parts] where !root.isEmpty {
      let path = root.joined(separator: "/")
      let known = Set(files.map(\.path))
      let isWhole = survey.tree.below(path).allSatisfy { file in
        !file.hasSuffix(".java") || known.contains(StarterTree.join(path, file.name))
      }
      if isWhole { return path }
    }
    return nil
  }

  private var inputs: [String] {
    let sources = root.map { ["\($0)/**/*.java"] } ?? patterns
    let made = resources.map { resources in [resources.manifest] + resources.folders } ?? []
    return sources + jars + made
  }

  // MARK: - What they import

  private static func missing(_ files: [StarterFile], _ jars: [String], _ survey: TreeSurvey) -> [String] {
    let facts = files.compactMap { survey.sources[$0.path] }
    let own = Set(facts.compactMap(\.package))
    let theirs = Set(jars.flatMap { survey.tree.packages(ofJar: $0) })
    var missing: Set<String> = []
    for name in facts.flatMap(\.imports) {
      let package = JavaSources.package(of: name)
      let isThere =
        own.contains(package) || theirs.contains(package)
        || ["java.", "javax.crypto.", "javax.net.", "javax.security.", "javax.xml.", "org.w3c.dom", "org.xml.sax"]
          .contains(where: name.hasPrefix)
      if !isThere { missing.insert(package) }
    }
    // Names in full, without an import.
    if !missing.contains(where: { $0.hasPrefix("android.") }),
      files.contains(where: { survey.tree.text($0.path, limit: 1 << 17).contains(" android.") })
    {
      missing.insert("android.app")
    }
    return missing.sorted()
  }

  /// `com.example` of `com.example.Text.Inner` and `com.example.*`.
  private static func package(of name: String) -> String {
    let parts = name.split(separator: ".")
    return parts.prefix { $0.first.map { $0.isLowercase || $0 == "_" } ?? false }.joined(separator: ".")
  }
}

extension StarterTree {
  /// The packages of a jar's classes, with dots, one a class.
  func packages(ofJar jar: String) -> [String] {
    classes(ofJar: jar).map { $0.split(separator: ".").dropLast().joined(separator: ".") }
  }

  /// `com.example.Scan`, `com.example.Scan$1`
  func classes(ofJar jar: String) -> [String] {
    guard let file = try? PositionalFile(absolute(jar)),
      let directory = try? ZipDirectory(ZipSource(file), limit: 1 << 24)
    else { return [] }
    return directory.records.filter { JarEntry($0.name) == .classFile }.map { record in
      String(decoding: record.name.dropLast(".class".utf8.count), as: UTF8.self).replacing("/", with: ".")
    }
  }
}
