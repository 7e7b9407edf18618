import Findings
import SystemPackage

/// How a description has its sources compiled, as far as it says so in plain words. A text of the tree becomes an option for
/// clang if it is one of a few kinds that read and write no other files; the rest is named, and somebody may add it.
struct CompileSettings: Sendable {
  /// Options for all of C's family, for C and Objective-C, for C++ and Objective-C++: not yet quoted.
  private(set) var shared: [String] = []
  private(set) var c: [String] = []
  private(set) var cxx: [String] = []
  /// Folders of the tree in which headers are looked for.
  private(set) var headerFolders: [String] = []
  /// As the user knows them: `OTHER_CFLAGS -include Prefix.h`.
  private(set) var unused: [String] = []

  enum Family { case all, c, cxx }

  /// More are no plugin's own.
  private static let most = 100
  /// Of a word, in bytes.
  private static let longest = 300

  var isEmpty: Bool { [shared, c, cxx, headerFolders, unused].allSatisfy(\.isEmpty) }

  func flags(of language: SourceLanguage) -> [String] {
    shared + ([.cxx, .objcxx].contains(language) ? cxx : c)
  }

  /// What another has besides: of what both say, this one's.
  mutating func add(_ other: CompileSettings, from path: String) {
    for (list, family) in [(other.shared, Family.all), (other.c, .c), (other.cxx, .cxx)] {
      for flag in list { add(flag: flag, for: family) }
    }
    for folder in other.headerFolders { add(headerFolder: folder) }
    for text in other.unused { leave("\(text) (\(path))") }
  }

  mutating func leave(_ text: String) {
    let text = printable(String(text.prefix(CompileSettings.longest)))
    guard !text.isEmpty, unused.count < CompileSettings.most, !unused.contains(text) else { return }
    unused.append(text)
  }

  mutating func add(headerFolder folder: String) {
    guard headerFolders.count < CompileSettings.most, !headerFolders.contains(folder) else { return }
    headerFolders.append(folder)
  }

  /// Options as a shell would take them apart. `key`: where they stand.
  mutating func add(words text: String, for family: Family = .all, of key: String) {
    add(options: ShellWords.split(text), for: family, of: key)
  }

  mutating func add(options: [String], for family: Family, of key: String) {
    var words = options.prefix(10 * CompileSettings.most)
    while var word = words.popFirst() {
      if word == "$(inherited)" || word == "${inherited}" { continue }
      if CompileSettings.withValue.contains(word), let value = words.popFirst() {
        word = word == "-D" ? "-D\(value)" : "\(word) \(value)"
      }
      if CompileSettings.isFit(word) { add(flag: word, for: family) } else { leave("\(key) \(word)") }
    }
  }

  /// `RALLY=1`
  mutating func add(definition: String, for family: Family = .all, of key: String) {
    if definition == "$(inherited)" || definition == "${inherited}" { return }
    let flag = "-D\(definition)"
    if CompileSettings.isFit(flag) { add(flag: flag, for: family) } else { leave("\(key) \(definition)") }
  }

  /// `gnu++20`, `c11`
  mutating func add(standard: String, of key: String) {
    if standard == "compiler-default" { return }
    let flag = "-std=\(standard)"
    if CompileSettings.isFit(flag) { add(flag: flag, for: .all) } else { leave("\(key) \(standard)") }
  }

  private mutating func add(flag: String, for family: Family) {
    // A standard of C++ is an error for C.
    let isStandard = flag.hasPrefix("-std=")
    let family = isStandard ? (flag.contains("++") ? .cxx : .c) : family
    let list = family == .all ? \CompileSettings.shared : family == .c ? \CompileSettings.c : \CompileSettings.cxx
    let name = flag.hasPrefix("-D") ? String(flag.prefix { $0 != "=" }) : flag
    guard self[keyPath: list].count < CompileSettings.most else { return }
    let isThere = self[keyPath: list].contains { other in
      if isStandard { return other.hasPrefix("-std=") }
      return name == flag || !flag.hasPrefix("-D") ? other == flag : other.prefix { $0 != "=" } == name
    }
    if isThere { return }
    self[keyPath: list].append(flag)
  }

  // MARK: - What clang may be told

  private static let withValue: Set<String> = [
    "-D", "-F", "-I", "-L", "-U", "-arch", "-framework", "-idirafter", "-imacros", "-include", "-iquote", "-isysroot",
    "-isystem", "-mllvm", "-o", "-target", "-weak_framework", "-x", "-Xassembler", "-Xclang", "-Xlinker",
    "-Xpreprocessor", "-MF", "-MT", "-MQ", "-T", "-u", "-z",
  ]
  /// With a value that is no path.
  private static let valued: Set<Substring> = [
    "-fvisibility", "-ftemplate-depth", "-fconstexpr-depth", "-fconstexpr-steps", "-fbracket-depth", "-ffp-contract",
    "-ffp-model", "-ftrivial-auto-var-init", "-ftls-model", "-fstack-protector",
  ]

  /// -D, -f…, -W…, -w, -std=, -O: none that loads a plugin, names a file, or goes to the linker.
  private static func isFit(_ word: String) -> Bool {
    guard word.utf8.count <= longest, printable(word) == word, !word.contains("$") else { return false }
    func isPlain(_ text: Substring) -> Bool {
      text.utf8.allSatisfy { byte in
        isLetter(byte) || isDigit(byte) || "_-+".utf8.contains(byte)
      }
    }
    if word.hasPrefix("-D") { return isMacro(word.dropFirst(2).prefix { $0 != "=" }) }
    if word.hasPrefix("-std=") { return isPlain(word.dropFirst(5)) && word.utf8.count < 20 }
    if word == "-w" || ["-O", "-O0", "-O1", "-O2", "-O3", "-Os", "-Oz", "-Ofast"].contains(word) { return true }
    guard let equals = word.firstIndex(of: "=") else {
      return word.utf8.count > 2 && ["-f", "-W"].contains(where: word.hasPrefix) && isPlain(word.dropFirst(2))
    }
    let isKnown = word.hasPrefix("-W") ? isPlain(word[..<equals]) : valued.contains(word[..<equals])
    return isKnown && isPlain(word[word.index(after: equals)...])
  }

  /// `RALLY`, `RALLY(x)` is none.
  private static func isMacro(_ name: Substring) -> Bool {
    guard let first = name.utf8.first, !isDigit(first) else { return false }
    return name.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }
  }

  private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension CompileSettings {
  /// A setting of Xcode, as a podspec's xcconfig has it. `folder`: the podspec's.
  mutating func add(setting key: String, _ value: String, in folder: String, _ tree: StarterTree) {
    switch key {
    case "GCC_PREPROCESSOR_DEFINITIONS":
      for word in ShellWords.split(value) { add(definition: word, of: key) }
    case "CLANG_CXX_LANGUAGE_STANDARD", "GCC_C_LANGUAGE_STANDARD": add(standard: value, of: key)
    // What clang takes for Apple's systems, anyhow.
    case "CLANG_CXX_LIBRARY" where value == "libc++": break
    case "OTHER_CFLAGS": add(words: value, of: key)
    case "OTHER_CPLUSPLUSFLAGS": add(words: value, for: .cxx, of: key)
    case "HEADER_SEARCH_PATHS", "USER_HEADER_SEARCH_PATHS":
      for word in ShellWords.split(value) where word != "$(inherited)" && word != "${inherited}" {
        add(headers: word, of: key, in: folder, tree)
      }
    // Of warnings, of packaging, or of linking.
    case _ where key.hasPrefix("CLANG_WARN") || key.hasPrefix("GCC_WARN"): break
    case "CLANG_ENABLE_MODULES", "CLANG_ENABLE_OBJC_ARC": if value != "YES" { leave("\(key) \(value)") }
    case _ where ["CLANG_", "GCC_"].contains(where: key.hasPrefix) || key.contains("HEADER_SEARCH_PATHS"):
      leave("\(key) \(value)")
    default: break
    }
  }

  /// One folder of the tree; `$(PODS_TARGET_SRCROOT)` is the podspec's.
  mutating func add(headers path: String, of key: String, in folder: String, _ tree: StarterTree) {
    var inner = path
    for root in ["$(PODS_TARGET_SRCROOT)", "${PODS_TARGET_SRCROOT}"] where path.hasPrefix(root) {
      inner = "." + path.dropFirst(root.utf8.count)
    }
    let isOwn = !inner.isEmpty && inner.split(separator: "/").allSatisfy { $0 == "." }
    let found = isOwn ? folder : NamedFiles.normalized(inner, in: folder)
    guard let found, FilePath(found).components.allSatisfy({ StarterTree.plainName($0) != nil }), tree.isFolder(found)
    else { return leave("\(key) \(path)") }
    add(headerFolder: found)
  }
}

/// The words of a command line, without a shell: blanks divide, quotes and backslashes hold together.
enum ShellWords {
  static func split(_ text: String) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Unicode.Scalar?
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        word = word ?? ""
        word?.unicodeScalars.append(scalar)
        isEscaped = false
      } else if scalar == "\\", quote != "'" {
        isEscaped = true
      } else if let open = quote {
        if scalar == open { quote = nil } else { word?.unicodeScalars.append(scalar) }
      } else if scalar == "\"" || scalar == "'" {
        quote = scalar
        word = word ?? ""
      } else if scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" {
        if let whole = word { words.append(whole) }
        word = nil
      } else {
        word = word ?? ""
        word?.unicodeScalars.append(scalar)
      }
    }
    return words + (word.map { [$0] } ?? [])
  }
}
