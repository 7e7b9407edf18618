package import Findings
package import ObjectFiles

/// A link line: the files in their order, and what the linker is told about them.
package struct LinkLine: Sendable {
  package struct Input: Sendable {
    package enum Source: Sendable, Hashable {
      case path(String)
      /// `-lNAME`, looked for in the search paths.
      case library(String)
      case framework(String)
      /// A file with a path in each line; those are in the folder, if one is named.
      case list(String, folder: String?)
    }

    package enum Load: Sendable {
      /// Members of a static library are loaded if they are wanted.
      case lazy
      /// `-force_load`: all of them.
      case forced
      /// `-load_hidden`: what they define is private to the image.
      case hidden
    }

    package var source: Source
    package var load = Load.lazy

    /// A file, loaded as far as it is wanted.
    package init(path: String) { source = .path(path) }

    init(source: Source, load: Load = .lazy) {
      self.source = source
      self.load = load
    }
  }

  package enum Output: Sendable { case executable, dylib, bundle, object }

  /// What becomes of a common symbol that a dynamic library defines (`-commons`).
  package enum Commons: String, Sendable {
    case ignoreLibraries = "ignore_dylibs"
    case useLibraries = "use_dylibs"
    case error
  }

  package var inputs: [Input] = []
  package var output = Output.executable
  package var architecture: Architecture?
  /// What the output is built for; nil: files of any platform are taken.
  package var target: LinkTarget?
  package var entry: String?
  /// `-u`, `-init`: names that are wanted whoever refers to them.
  package var wanted: [String] = []
  /// Patterns; nil: everything that is visible is exported.
  package var exported: [String]?
  package var unexported: [String] = []
  package var exportLists: [String] = []
  package var unexportLists: [String] = []
  package var aliases: [(name: String, alias: String)] = []
  package var commons = Commons.ignoreLibraries
  package var libraryPaths: [String] = []
  package var frameworkPaths: [String] = []
  package var root: String?
  /// Where the linker runs, as it is found from here: what paths in lists of files are relative to.
  var folder = ""
  package var flags: Set<Flag> = []
  /// The words that only one linker knows, as they stand.
  package var dialect: [Flag] { flags.filter { $0.only != nil }.sorted { $0.rawValue < $1.rawValue } }

  /// A word without an argument that changes what is loaded, kept or reported.
  package enum Flag: String, Sendable, CaseIterable {
    case objC = "-ObjC"
    case allLoad = "-all_load"
    case deadStrip = "-dead_strip"
    case allowDeadDuplicates = "-allow_dead_duplicates"
    case deadStripDuplicates = "--dead-strip-duplicates"
    case checkCategoryConflicts = "--check-category-conflicts"
    case noObjCCategoryMerging = "-no_objc_category_merging"
    case ignoreAutoLink = "-ignore_auto_link"
    case exportDynamic = "-export_dynamic"
    case searchDylibsFirst = "-search_dylibs_first"
    case warnCommons = "-warn_commons"

    /// Nil: all linkers know it.
    var only: LinkerProfile.Family? {
      // Apple's linker has no word for --check-category-conflicts: it always does that.
      self == .deadStripDuplicates ? .lld : nil
    }
  }

  package func has(_ flag: Flag) -> Bool { flags.contains(flag) }
}

extension LinkLine {
  /// The words of a linker's command line, without its own name.
  package init(_ words: [String]) throws(Mistakes) {
    var rest = words[...]
    while let word = rest.popFirst() { try take(word, &rest) }
  }

  private mutating func take(_ word: String, _ rest: inout ArraySlice<String>) throws(Mistakes) {
    if let flag = Flag(rawValue: word) {
      flags.insert(flag)
    } else if !word.hasPrefix("-") {
      inputs.append(Input(source: .path(word)))
    } else if try takeOption(word, &rest) || takePrefix(word) {
      return
    } else if let count = LinkLine.passedOver(word) {
      for _ in 0..<count { _ = try argument(of: word, &rest) }
    } else {
      let known = Flag.allCases.map(\.rawValue) + LinkLine.options
      throw Mistakes(
        "the linker's flag \(word) is not known", hint: didYouMean(word, among: known))
    }
  }

  /// Flags with arguments, each of which changes the link.
  private mutating func takeOption(_ word: String, _ rest: inout ArraySlice<String>) throws(Mistakes) -> Bool {
    guard LinkLine.options.contains(word) else { return false }
    switch word {
    case "-dylib": output = .dylib
    case "-bundle": output = .bundle
    case "-execute": output = .executable
    case "-r": output = .object
    default:
      let value = try argument(of: word, &rest)
      switch word {
      case "-force_load": inputs.append(Input(source: .path(value), load: .forced))
      case "-load_hidden": inputs.append(Input(source: .path(value), load: .hidden))
      case "-needed_library", "-weak_library", "-reexport_library", "-upward_library", "-lazy_library":
        inputs.append(Input(source: .path(value)))
      case "-framework", "-needed_framework", "-weak_framework", "-reexport_framework", "-upward_framework",
        "-lazy_framework":
        inputs.append(Input(source: .framework(String(value.prefix { $0 != "," }))))
      case "-filelist":
        let parts = value.split(separator: ",", maxSplits: 1).map(String.init)
        inputs.append(Input(source: .list(parts.first ?? value, folder: parts.count > 1 ? parts[1] : nil)))
      case "-arch":
        guard let architecture = Architecture(name: value) else { throw Mistakes("no architecture is called \(value)") }
        self.architecture = architecture
      case "-platform_version":
        target = try LinkTarget(value, try argument(of: word, &rest))
        _ = try argument(of: word, &rest)
      case let word where LinkTarget.flags[word] != nil: target = try LinkTarget(flag: word, value)
      case "-e": entry = value
      case "-u", "-init": wanted.append(value)
      case "-exported_symbol": exported = (exported ?? []) + [value]
      case "-exported_symbols_list": exportLists.append(value)
      case "-unexported_symbol": unexported.append(value)
      case "-unexported_symbols_list": unexportLists.append(value)
      case "-alias": aliases.append((value, try argument(of: word, &rest)))
      case "-commons":
        guard let commons = Commons(rawValue: value) else {
          throw Mistakes("-commons takes ignore_dylibs, use_dylibs or error, not \(value)")
        }
        self.commons = commons
      case "-syslibroot": root = value
      default: return false
      }
    }
    return true
  }

  /// Flags that their argument is a part of.
  private mutating func takePrefix(_ word: String) -> Bool {
    func value(_ prefix: String) -> String? {
      word.hasPrefix(prefix) && word.count > prefix.count ? String(word.dropFirst(prefix.count)) : nil
    }
    if let name = value("-hidden-l") {
      inputs.append(Input(source: .library(name), load: .hidden))
    } else if let name = LinkLine.libraryPrefixes.lazy.compactMap(value).first {
      inputs.append(Input(source: .library(name)))
    } else if LinkLine.passedOver(word) != nil {
      return false
    } else if let path = value("-L") {
      libraryPaths.append(path)
    } else if let path = value("-F") {
      frameworkPaths.append(path)
    } else if let name = value("-l") {
      inputs.append(Input(source: .library(name)))
    } else {
      return false
    }
    return true
  }

  private func argument(of word: String, _ rest: inout ArraySlice<String>) throws(Mistakes) -> String {
    guard let value = rest.popFirst() else { throw Mistakes("the linker's flag \(word) needs an argument") }
    return value
  }

  private static let libraryPrefixes = ["-needed-l", "-weak-l", "-reexport-l", "-upward-l", "-lazy-l", "-merge-l"]

  private static let options =
    [
      "-dylib", "-bundle", "-execute", "-r", "-force_load", "-load_hidden", "-needed_library", "-weak_library",
      "-reexport_library", "-upward_library", "-lazy_library", "-framework", "-needed_framework", "-weak_framework",
      "-reexport_framework", "-upward_framework", "-lazy_framework", "-filelist", "-arch", "-e", "-u", "-init",
      "-exported_symbol", "-exported_symbols_list", "-unexported_symbol", "-unexported_symbols_list", "-alias",
      "-commons", "-syslibroot", "-platform_version",
    ] + LinkTarget.flags.keys
}
