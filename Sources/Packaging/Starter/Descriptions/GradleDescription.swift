import Findings

extension ProjectDescription {
  /// An Android library's build.gradle or build.gradle.kts, with the settings and properties beside and above it.
  static func gradle(_ path: String, _ files: NamedFiles) throws(UnreadDescription) -> ProjectDescription? {
    let tree = files.tree
    let folder = StarterTree.folder(of: path)
    let own = ScriptTokens.read(try tree.contents(path), .gradle)
    let module = GradleModule(own, folder: folder)
    guard module.kind == .library else { return nil }
    var library = ProjectDescription(.gradle, path)
    // The module first, then what surrounds it.
    let above = StarterTree.folder(of: folder)
    let folders = folder.isEmpty ? [""] : above.isEmpty ? [folder, ""] : [folder, above, ""]
    let properties = folders.map {
      GradleProperties(tree.text(StarterTree.join($0, "gradle.properties"), limit: 1 << 16))
    }
    for list in properties { library.setName(list["POM_ARTIFACT_ID"]) }
    library.setName(own.value(of: ["archivesBaseName"]))
    for folder in folders {
      for name in ["settings.gradle", "settings.gradle.kts"] {
        let settings = files.script(StarterTree.join(folder, name))
        library.setName(settings.value(of: ["rootProject", "name"]))
      }
    }
    let scripts = [own] + scripts(around: own, path, folders, files)
    library.setVersion(module.version)
    library.setVersion(own.variable(after: ["versionName"], in: scripts, properties))
    library.setVersion(own.value(of: ["version"]))
    for list in properties { for key in ["VERSION_NAME", "VERSION", "version"] { library.setVersion(list[key]) } }
    library.setMinimumAndroidSDK(module.minSDK)
    library.setMinimumAndroidSDK(own.variable(after: ["minSdkVersion", "minSdk"], in: scripts, properties))
    return library
  }

  /// The scripts of the folders above, and those that they and the module's own name: `apply from: 'version.gradle'`.
  private static func scripts(
    around own: [ScriptTokens.Token], _ path: String, _ folders: [String], _ files: NamedFiles
  ) -> [[ScriptTokens.Token]] {
    var scripts: [[ScriptTokens.Token]] = []
    var applied = own.applied.map { (folder: folders[0], name: $0) }
    for folder in folders {
      for name in ["build.gradle", "build.gradle.kts"] where StarterTree.join(folder, name) != path {
        let script = files.script(StarterTree.join(folder, name))
        scripts.append(script)
        applied += script.applied.map { (folder, $0) }
      }
    }
    for (folder, name) in applied.prefix(8) {
      if let path = NamedFiles.normalized(name, in: folder) { scripts.append(files.script(path)) }
    }
    return scripts
  }
}

/// `gradle.properties`: lines of `key=value`.
private struct GradleProperties {
  private var values: [String: String] = [:]

  init(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimmed
      guard !line.hasPrefix("#"), !line.hasPrefix("!"), let sign = line.firstIndex(where: { $0 == "=" || $0 == ":" })
      else { continue }
      values[String(line[..<sign].trimmed)] = String(line[line.index(after: sign)...].trimmed)
    }
  }

  subscript(key: String) -> String? { values[key] }

  /// `minSdkVersion`, or `Scan_minSdkVersion` of the module that looks for its own one first.
  func value(endingWith key: String) -> String? {
    values[key] ?? values.filter { $0.key.hasSuffix("_" + key) }.min { $0.key < $1.key }?.value
  }
}

extension [ScriptTokens.Token] {
  /// Of a statement that begins a line outside of all blocks: `version = '1.2'`, `version '1.2'`,
  /// `rootProject.name = "scan"`. In one it is of something else: `cmake { version = "3.22.1" }`.
  func value(of name: [String]) -> String? {
    var depth = 0
    for index in indices {
      if self[index] == .sign("{") { depth += 1 } else if self[index] == .sign("}") { depth = Swift.max(0, depth - 1) }
      guard depth == 0, self[index] == .word(name[0]), index == 0 || self[index - 1] == .newLine else { continue }
      var next = index + 1
      for part in name.dropFirst() {
        next = self[at: next] == .sign(".") && self[at: next + 1] == .word(part) ? next + 2 : count
      }
      if self[at: next] == .sign("=") { next += 1 }
      if let text = self[at: next]?.text { return text }
    }
    return nil
  }

  /// `apply from: '../config.gradle'`
  fileprivate var applied: [String] {
    indices.compactMap { self[$0] == .label("from") ? self[at: $0 + 1]?.text : nil }
  }

  /// What stands behind a word, if that is no plain number or text: a variable of this or another script, or the last
  /// number of a call, which is what to take where nothing else is said: `minSdkVersion safeExtGet('minSdkVersion', 21)`.
  fileprivate func variable(
    after words: [String], in scripts: [[ScriptTokens.Token]], _ properties: [GradleProperties]
  ) -> String? {
    let places = indices.lazy.filter { index in self[index].word.map(words.contains) ?? false }
    for index in places.prefix(4) {
      let line = self[(index + 1)...].prefix { $0 != .newLine && $0 != .sign("}") }
      guard !line.isEmpty, line.first != .sign(",") else { continue }
      if let number = line.compactMap(\.number).last { return number }
      let names = line.suffix(8).compactMap(\.name)
      for name in names.reversed() {
        if let value = properties.lazy.compactMap({ $0.value(endingWith: name) }).first { return value }
        if let value = scripts.lazy.compactMap({ $0.literal(of: name) }).first { return value }
      }
    }
    return nil
  }

  /// What a variable, or an item of a map, is set to: `minSdk = 21`, `minSdk : 21`, `val id = "com.acme"`.
  func literal(of name: String) -> String? {
    for index in indices {
      let value: ScriptTokens.Token?
      if self[index] == .label(name) {
        value = self[at: index + 1]
      } else if self[index] == .word(name), self[at: index + 1]?.isSign("=:") ?? false {
        value = self[at: index + 2]
      } else {
        continue
      }
      if let text = value?.number ?? value?.text { return text }
    }
    return nil
  }
}

extension ScriptTokens.Token {
  /// `min` of `min`, `'min'` and `"${min}"`.
  fileprivate var name: String? {
    if case .computed(let text) = self { return text.filter { !"${}".contains($0) } }
    return word ?? text
  }
}
