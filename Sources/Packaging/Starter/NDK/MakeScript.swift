import Findings

/// What an Android.mk and the scripts that it includes say in so many words: the variables that they set, and the modules that
/// are made with them. Nothing is run: of an `ifeq` both ways are read, and of a function all that it is given.
struct MakeScript: Sendable {
  struct Module: Sendable {
    enum Kind: Sendable { case shared, prebuilt, program, other }

    let kind: Kind
    /// `libscan.so`; nil if it is computed.
    let file: String?
    /// As it stands: `$(NAME)`.
    let name: String
    /// The first file that it is made of, where that is or would be in the tree: `jni/$(TARGET_ARCH_ABI)/liblua.so`.
    let source: String?
  }

  private(set) var modules: [Module] = []
  /// Those that were read.
  private(set) var scripts: Set<String> = []
  /// Files and folders that they name, relative to the tree; what is not there, too, and of a file for each ABI the folder.
  private(set) var named: Set<String> = []
  /// Of headers, relative to where make runs.
  private(set) var headerFolders: Set<String> = []
  /// Variables in paths and names that no script sets: the environment's.
  private(set) var unset: Set<String> = []
  /// In bytes, what reading it took.
  var cost: Int { MakeScript.mostBytes - bytesLeft }
  /// It asks for modules by names that are looked up elsewhere.
  private(set) var imports = false

  private let tree: StarterTree
  /// Where ndk-build runs: paths of headers are relative to that.
  private let directory: String
  private var variables: [String: String] = [:]
  /// `LOCAL_…`, which each module sets anew.
  private var own: [String: String] = [:]

  /// More scripts, modules, variables and words are no one library's.
  private static let mostScripts = 64
  private static let most = 1000
  private var wordsLeft = 10 * MakeScript.most
  /// Of values, in bytes: some are made of themselves.
  private var bytesLeft = MakeScript.mostBytes
  static let mostBytes = 1 << 22
  private static let deepest = 16

  /// The beginning of a path that is relative to the tree, and to no script.
  private static let root = "\u{1}/"
  static let abi = "$(TARGET_ARCH_ABI)"

  init(_ path: String, directory: String = "", _ tree: StarterTree) {
    (self.tree, self.directory) = (tree, directory)
    read(path, depth: 0)
  }

  private subscript(name: String) -> String? { own[name] ?? variables[name] }

  /// What a variable is set to at the end, if it is plain.
  func plainValue(of name: String) -> String? { self[name].flatMap { $0.contains("$") ? nil : $0 } }

  // MARK: - Lines

  private mutating func read(_ path: String, depth: Int) {
    guard scripts.count < MakeScript.mostScripts, depth < MakeScript.deepest, scripts.insert(path).inserted else {
      return
    }
    let folder = StarterTree.folder(of: path)
    var conditions = 0
    let bytes = tree.bytes(path)
    bytesLeft -= bytes.count
    guard bytesLeft > 0 else { return }
    for line in MakeScript.lines(bytes) {
      let word = line.prefix { !" \t(".contains($0) }
      switch word {
      case "ifeq", "ifneq", "ifdef", "ifndef": conditions += 1
      case "endif": conditions -= 1
      case "include", "-include", "sinclude": include(line.dropFirst(word.utf8.count).trimmed, in: folder, depth)
      default: if !assign(line, in: folder, isConditional: conditions > 0) { call(line, in: folder) }
      }
    }
  }

  /// Without comments; what a backslash continues is one.
  private static func lines(_ bytes: [UInt8]) -> [Substring] {
    var lines: [Substring] = []
    var line: [UInt8] = []
    for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let part = part.last == UInt8(ascii: "\r") ? part.dropLast() : part
      if part.last == UInt8(ascii: "\\") {
        line += part.dropLast() + [UInt8(ascii: " ")]
        continue
      }
      let text = (line + part).prefix { $0 != UInt8(ascii: "#") }.drop { $0 == 0x20 || $0 == 0x09 }
      if !text.isEmpty { lines.append(String(decoding: text, as: UTF8.self).trimmed) }
      line = []
    }
    return lines
  }

  /// `NAME := value`, also with `=`, `+=` and `?=`.
  private mutating func assign(_ line: Substring, in folder: String, isConditional: Bool) -> Bool {
    guard let equals = line.firstIndex(of: "=") else { return false }
    let sign = line[..<equals].last
    var name = line[..<equals].prefix { !":+?".contains($0) }.trimmed
    for word in ["export ", "override "] where name.hasPrefix(word) { name = name.dropFirst(word.utf8.count).trimmed }
    guard !name.isEmpty, !name.contains(where: " \t$()".contains) else { return false }
    let key = String(name)
    let text = line[line.index(after: equals)...].trimmed
    // What a function makes of a name only make knows.
    let isMade = MakeScript.names.contains(key) && text.contains("$(") && text.contains(" ")
    let value = isMade ? String(text) : expand(text, in: folder, depth: 0)
    take(value, of: key, in: folder)
    guard sign != "?" || self[key] == nil, variables.count < MakeScript.most else { return true }
    let before = sign == "+" || isConditional ? self[key].map { $0 + " " } ?? "" : ""
    bytesLeft -= before.utf8.count + value.utf8.count
    guard bytesLeft > 0 else { return true }
    if key.hasPrefix("LOCAL_"), key != "LOCAL_PATH" {
      own[key] = before + value
    } else {
      variables[key] = before + value
    }
    return true
  }

  private static let names: Set<String> = ["LOCAL_MODULE", "LOCAL_MODULE_FILENAME"]

  /// Paths of sources are relative to LOCAL_PATH; those of headers to where make runs.
  private mutating func take(_ value: String, of key: String, in folder: String) {
    guard !["LOCAL_CFLAGS", "LOCAL_LDLIBS"].contains(key), wordsLeft > 0 else { return }
    let isPath = key == "LOCAL_SRC_FILES" || key.contains("INCLUDE")
    for word in value.split(whereSeparator: " \t,".contains) where wordsLeft > 0 {
      wordsLeft -= 1
      if isPath || MakeScript.names.contains(key) { note(unsetIn: word) }
      if key.contains("INCLUDE"), !word.contains(where: "$\u{1}".contains), !word.hasPrefix("/") {
        headerFolders.insert(String(word))
      }
      for base in key.contains("INCLUDE") ? [directory, folder] : [localPath ?? folder] {
        guard let path = MakeScript.path(word, in: base) else { continue }
        named.insert(path.split(separator: "/").prefix { $0 != MakeScript.abi }.joined(separator: "/"))
      }
    }
  }

  private mutating func note(unsetIn word: Substring) {
    for part in word.split(separator: "$(").dropFirst(word.hasPrefix("$(") ? 0 : 1) {
      guard let end = part.firstIndex(of: ")") else { continue }
      let name = part[..<end]
      let ndk = ["APP_", "BUILD_", "HOST_", "LOCAL_", "NDK_", "SYSROOT", "TARGET_", "TOOLCHAIN_"]
      let isName = name.utf8.count < 100 && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
      if isName, !name.isEmpty, !ndk.contains(where: name.hasPrefix), self[String(name)] == nil {
        unset.insert(String(name))
      }
    }
  }

  /// A line of its own: `$(call import-add-path,$(LOCAL_PATH)/../sdk)`.
  private mutating func call(_ line: Substring, in folder: String) {
    if line.contains("import-module") { imports = true }
    if line.contains("import-add-path") { take(expand(line, in: folder, depth: 0), of: "", in: folder) }
  }

  // MARK: - Modules

  private mutating func include(_ text: Substring, in folder: String, _ depth: Int) {
    switch text {
    case "$(CLEAR_VARS)": own = [:]
    case "$(BUILD_SHARED_LIBRARY)": add(.shared)
    case "$(PREBUILT_SHARED_LIBRARY)": add(.prebuilt)
    case "$(BUILD_EXECUTABLE)": add(.program)
    case _ where text.hasPrefix("$(BUILD_") || text.hasPrefix("$(PREBUILT_"): add(.other)
    case _ where text.contains("all-subdir-makefiles") || text.contains("all-makefiles-under"):
      for name in tree.names(folder) where scripts.count < MakeScript.mostScripts {
        let script = StarterTree.join(StarterTree.join(folder, name), "Android.mk")
        if tree.isFile(script) { read(script, depth: depth + 1) }
      }
    default:
      for word in expand(text, in: folder, depth: 0).split(whereSeparator: " \t".contains) where wordsLeft > 0 {
        wordsLeft -= 1
        guard let path = MakeScript.path(word, in: directory), tree.isFile(path) else { continue }
        read(path, depth: depth + 1)
      }
    }
  }

  private mutating func add(_ kind: Module.Kind) {
    guard modules.count < MakeScript.most else { return }
    let name = own["LOCAL_MODULE"] ?? ""
    let first = own["LOCAL_SRC_FILES"]?.split(maxSplits: 1, whereSeparator: " \t".contains).first
    let source = first.flatMap { MakeScript.path($0, in: localPath ?? "") }
    let stem = own["LOCAL_MODULE_FILENAME"] ?? (name.hasPrefix("lib") ? name : "lib" + name)
    // What is there already keeps its name.
    let file = kind == .prebuilt ? source.map(StarterTree.name(of:)) : stem + ".so"
    let isPlain =
      !name.isEmpty && file.map { StarterTree.isPlain($0) && !$0.contains(where: "$/ \t".contains) } ?? false
    modules.append(Module(kind: kind, file: isPlain ? file : nil, name: name, source: source))
  }

  private var localPath: String? { variables["LOCAL_PATH"].flatMap { MakeScript.path(Substring($0), in: "") } }

  // MARK: - Values

  /// In the tree, up to the first name that is a pattern or computed; empty: the root.
  private static func path(_ word: Substring, in folder: String) -> String? {
    let isRooted = word.hasPrefix(root)
    let text = isRooted ? word.dropFirst(root.utf8.count) : word
    guard !text.hasPrefix("/"), text.utf8.count < 1000 else { return nil }
    var parts = isRooted ? [] : folder.split(separator: "/")
    for part in text.split(separator: "/") where part != "." {
      if part == ".." {
        if parts.popLast() == nil { return nil }
      } else if part != abi, part.contains(where: "*%$".contains) {
        break
      } else {
        parts.append(part)
      }
    }
    return parts.joined(separator: "/")
  }

  /// With what is known in the place of `$(NAME)`, and a function's arguments as words; what is not known stays as it is.
  private mutating func expand(_ text: Substring, in folder: String, depth: Int) -> String {
    var result = ""
    var rest = text
    while let dollar = rest.firstIndex(of: "$"), bytesLeft > 0, let end = MakeScript.end(of: rest[dollar...]) {
      result += rest[..<dollar]
      let value = value(of: rest[dollar...end], in: folder, depth: depth + 1)
      bytesLeft -= value.utf8.count
      result += value
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  /// Where the bracket behind the sign ends.
  private static func end(of text: Substring) -> Substring.Index? {
    guard let open = text.dropFirst().first, "({".contains(open) else { return nil }
    var depth = 0
    for index in text.dropFirst().indices {
      if "({".contains(text[index]) { depth += 1 } else if ")}".contains(text[index]) { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  /// Of `$(…)`.
  private mutating func value(of whole: Substring, in folder: String, depth: Int) -> String {
    let inner = whole.dropFirst(2).dropLast()
    if inner == "call my-dir" { return MakeScript.root + (folder.isEmpty ? "." : folder) }
    if let space = inner.firstIndex(of: " ") {
      if depth > MakeScript.deepest || ["info", "warning", "error"].contains(inner[..<space]) { return "" }
      return expand(inner[space...], in: folder, depth: depth).replacing(",", with: " ").trimmed.description
    }
    // Also of `$(SOURCES:$(LOCAL_PATH)/%=%)`.
    return self[String(inner.prefix { $0 != ":" })] ?? String(whole)
  }
}
