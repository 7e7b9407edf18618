import Findings

extension ProjectDescription {
  /// Package.swift, of what stands there in so many words:
  /// https://docs.swift.org/package-manager/PackageDescription/PackageDescription.html
  static func swiftPackage(_ path: String, _ files: NamedFiles) throws(UnreadDescription) -> ProjectDescription? {
    let tokens = ScriptTokens.read(try files.tree.contents(path), .swift)
    let script = SwiftPackageScript(tokens.filter { $0 != .newLine })
    var package = ProjectDescription(.swiftPackage, path)
    guard let arguments = script.package else {
      throw UnreadDescription(path: path, reason: "there is no Package(…) in it")
    }
    package.setName(script.text(arguments["name"]))
    package.setMinimumIOS(script.minimumIOS)
    package.settings.add(standard: script.standard(arguments["cxxLanguageStandard"]), of: "cxxLanguageStandard")
    package.settings.add(standard: script.standard(arguments["cLanguageStandard"]), of: "cLanguageStandard")
    let name = script.text(arguments["name"])
    for target in script.targets { package.take(target, of: name, script, files) }
    return package
  }

  /// `name`: the package's.
  private mutating func take(
    _ target: SwiftPackageScript.Target, of name: String?, _ script: SwiftPackageScript, _ files: NamedFiles
  ) {
    let path = script.text(target.arguments["path"])
    if target.kind == "binaryTarget" {
      if let name = script.text(target.arguments["name"]), let url = script.text(target.arguments["url"]) {
        addRemote(name, url)
      }
      libraries += files.paths([path].compactMap(\.self), in: folder).filter(NamedFiles.isLibrary)
      return
    }
    guard let top = path ?? defaultFolder(script.text(target.arguments["name"]), files.tree) else { return }
    func named(_ key: String) -> [String] { script.texts(target.arguments[key]).map { StarterTree.join(top, $0) } }
    let chosen = target.arguments["sources"] == nil ? [top] : named("sources")
    let excluded = Set(files.paths(named("exclude"), in: folder, .wholly))
    let all = files.paths(chosen, in: folder, .wholly).filter { !excluded.contains($0) }
    sources += all.filter { NamedFiles.isSource($0) && $0 != self.path }
    let publicFolder = script.text(target.arguments["publicHeadersPath"]) ?? "include"
    headers += files.paths([StarterTree.join(top, publicFolder)], in: folder, .wholly).filter(NamedFiles.isHeader)
    for resource in script.resources(target) {
      let root = StarterTree.join(top, resource.path)
      let found = files.paths([root], in: folder, .wholly).filter { !excluded.contains($0) }
      resources += found
      guard let name, let own = script.text(target.arguments["name"]), usable([name, own]) else { continue }
      let copied = resource.isCopied ? NamedFiles.normalized(root, in: folder) : nil
      for path in found where bundles[path] == nil {
        bundles[path] = "\(name)_\(own).bundle" + ProjectDescription.place(of: path, copiedWith: copied)
      }
    }
    for (name, isLibrary) in script.linked(target) { addFramework(name, isLibrary: isLibrary) }
    for (key, family) in [("cSettings", CompileSettings.Family.c), ("cxxSettings", .cxx)] {
      for setting in script.settings(target.arguments[key]) { add(setting, for: family, in: top, files.tree) }
    }
  }

  private func usable(_ names: [String]) -> Bool { names.allSatisfy { ProjectDescription.usableName($0) == $0 } }

  /// In the bundle that SwiftPM makes for a target's resources, and in which `Bundle.module` looks: what is copied keeps its
  /// folders, from the named one on; of the rest only a language does.
  private static func place(of path: String, copiedWith root: String?) -> String {
    let parts = StarterTree.folder(of: path).split(separator: "/")
    let kept =
      if let root { parts.dropFirst(root.split(separator: "/").count - 1) } else {
        parts.suffix(1).filter { $0.hasSuffix(".lproj") }[...]
      }
    return kept.map { "/" + $0 }.joined()
  }

  private mutating func add(
    _ setting: SwiftPackageScript.Setting, for family: CompileSettings.Family, in top: String, _ tree: StarterTree
  ) {
    guard setting.isForIOS else { return }
    guard let first = setting.texts.first else { return settings.leave(".\(setting.name), which is computed") }
    switch setting.name {
    case "define":
      settings.add(definition: first + (setting.value.map { "=" + $0 } ?? ""), for: family, of: ".define")
    case "unsafeFlags": settings.add(options: setting.texts, for: family, of: ".unsafeFlags")
    default: settings.add(headers: first, of: ".headerSearchPath", in: StarterTree.join(folder, top), tree)
    }
  }

  private func defaultFolder(_ name: String?, _ tree: StarterTree) -> String? {
    guard let name, ProjectDescription.usableName(name) == name else { return nil }
    let folders = ["Sources", "Source", "src", "srcs"].map { StarterTree.join($0, name) }
    // A package with one target may have its files in Sources itself.
    return (folders + ["Sources"]).first { tree.isFolder(StarterTree.join(folder, $0)) }
  }
}

/// What is looked for in the tokens of a Package.swift.
private struct SwiftPackageScript {
  struct Target {
    let kind: String
    let arguments: [String: Range<Int>]
    let range: Range<Int>
  }

  private let tokens: [ScriptTokens.Token]
  private let closings: [Int: Int]

  init(_ tokens: [ScriptTokens.Token]) {
    self.tokens = tokens
    closings = tokens.closings
  }

  /// The arguments of `Package(…)`.
  var package: [String: Range<Int>]? {
    let start = tokens.indices.first { tokens[$0] == .word("Package") && tokens[at: $0 + 1] == .sign("(") }
    return start.flatMap { arguments($0 + 1) }
  }

  /// `.iOS(.v13)`, `.iOS("12.4")`
  var minimumIOS: String? {
    for index in tokens.indices where tokens[index] == .word("iOS") && tokens[at: index + 1] == .sign("(") {
      if let text = tokens[at: index + 2]?.text { return text }
      if tokens[at: index + 2] == .sign("."), let word = tokens[at: index + 3]?.word, word.hasPrefix("v") {
        let version = String(word.dropFirst().map { $0 == "_" ? "." : $0 })
        return version.contains(".") ? version : version + ".0"
      }
    }
    return nil
  }

  /// More are no plugin's own.
  private static let mostTargets = 500

  /// A target within another's arguments is what that depends on.
  var targets: [Target] {
    var found: [Target] = []
    var index = 0
    while index < tokens.count, found.count < SwiftPackageScript.mostTargets {
      defer { index += 1 }
      guard tokens[index] == .sign("."), let kind = tokens[at: index + 1]?.word,
        ["target", "binaryTarget", "systemLibrary", "testTarget", "executableTarget", "macro", "plugin"].contains(kind),
        tokens[at: index + 2] == .sign("("), let end = closings[index + 2]
      else { continue }
      if kind == "target" || kind == "binaryTarget" {
        found.append(Target(kind: kind, arguments: arguments(index + 2), range: index + 3..<end))
      }
      index = end
    }
    return found
  }

  /// `.linkedFramework("UIKit")`, `.linkedLibrary("z")`
  func linked(_ target: Target) -> [(name: String, isLibrary: Bool)] {
    target.range.compactMap { index in
      guard tokens[index] == .word("linkedFramework") || tokens[index] == .word("linkedLibrary"),
        tokens[at: index + 1] == .sign("("), let name = tokens[at: index + 2]?.text
      else { return nil }
      return (name, tokens[index] == .word("linkedLibrary"))
    }
  }

  /// `.process("Resources")`, `.copy("assets")`
  func resources(_ target: Target) -> [(path: String, isCopied: Bool)] {
    (target.arguments["resources"] ?? 0..<0).compactMap { index in
      guard tokens[at: index - 1] == .sign("("), let path = tokens[index].text,
        let rule = tokens[at: index - 2]?.word, ["copy", "process"].contains(rule)
      else { return nil }
      return (path, rule == "copy")
    }
  }

  struct Setting {
    /// `define`, `headerSearchPath`, `unsafeFlags`.
    let name: String
    let texts: [String]
    /// Behind `to:`.
    let value: String?
    let isForIOS: Bool
  }

  /// Of a list of them; what another system or a debugger gets is marked.
  func settings(_ range: Range<Int>?) -> [Setting] {
    (range ?? 0..<0).compactMap { index in
      guard let name = tokens[index].word, ["define", "headerSearchPath", "unsafeFlags"].contains(name),
        tokens[at: index + 1] == .sign("("), let end = closings[index + 1], end <= tokens.count
      else { return nil }
      let inner = index + 2..<max(end, index + 2)
      let condition = inner.first { tokens[$0] == .word("when") }.map { $0..<inner.upperBound } ?? 0..<0
      func has(_ word: String) -> Bool { condition.contains { tokens[$0] == .word(word) } }
      let isOther = condition.contains { tokens[$0].label == "platforms" } && !has("iOS") || has("debug")
      let value = inner.first { tokens[$0].label == "to" }.flatMap { tokens[at: $0 + 1]?.text }
      return Setting(name: name, texts: inner.compactMap { tokens[$0].text }, value: value, isForIOS: !isOther)
    }
  }

  /// `.gnucxx17` as clang has it: `gnu++17`.
  func standard(_ range: Range<Int>?) -> String {
    let word = range.flatMap { $0.last }.flatMap { tokens[$0].word }
    return word?.replacing("cxx", with: "++").replacing(#/^\+\+/#, with: "c++") ?? "compiler-default"
  }

  /// Of the bracket there: the values by their labels.
  private func arguments(_ open: Int) -> [String: Range<Int>] {
    let end = closings[open] ?? tokens.count
    var arguments: [String: Range<Int>] = [:]
    var label: (name: String, start: Int)?
    var index = open + 1
    func close(_ end: Int) {
      if let label, arguments[label.name] == nil { arguments[label.name] = label.start..<end }
    }
    while index < end {
      if tokens[index] == .sign(",") {
        close(index)
        label = nil
      } else if label == nil, let name = tokens[index].label {
        label = (name, index + 1)
      } else if tokens[index].opens {
        index = closings[index] ?? end
      }
      index += 1
    }
    close(end)
    return arguments
  }

  /// One text and nothing else.
  func text(_ range: Range<Int>?) -> String? { range.flatMap { $0.count == 1 ? tokens[$0.lowerBound].text : nil } }

  /// Those in a list, `["Core"]`; a condition's are none.
  func texts(_ range: Range<Int>?) -> [String] {
    (range ?? 0..<0).compactMap { index in
      guard let text = tokens[index].text else { return nil }
      return tokens[at: index - 1] == .sign("[") || tokens[at: index - 1] == .sign(",") ? text : nil
    }
  }
}
