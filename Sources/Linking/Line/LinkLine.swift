package import Findings
package import ObjectFiles

/// A link line: the files in their order, and the options that matter to them.
package struct LinkLine: Sendable {
  package struct Input: Sendable {
    package enum Source: Sendable, Hashable {
      case path(String)
      /// `-lNAME`, searched for in the search paths.
      case library(String)
      case framework(String)
      /// A file with a path in each line, relative to the folder if there is one.
      case list(String, folder: String?)
    }

    package struct Load: OptionSet, Sendable {
      package let rawValue: UInt8
      package init(rawValue: UInt8) { self.rawValue = rawValue }

      /// Members of a static library are loaded if a reference needs them.
      package static let lazy: Load = []
      /// `-force_load`: all members are loaded.
      package static let forced = Load(rawValue: 1)
      /// `-load_hidden`: the definitions are private to the image.
      package static let hidden = Load(rawValue: 1 << 1)
    }

    package var source: Source
    package var load = Load.lazy
    /// The option that names the file: `-weak-l`, `-force_load`. Empty for a path by itself.
    package var option = ""
  }

  package enum Output: Sendable { case executable, dylib, bundle, object }

  /// The treatment of a common symbol that a dynamic library defines (`-commons`).
  package enum Commons: String, Sendable {
    case ignoreLibraries = "ignore_dylibs"
    case useLibraries = "use_dylibs"
    case error
  }

  package var inputs: [Input] = []
  package var output = Output.executable
  package var architecture: Architecture?
  /// The platform of the output; nil: files of any platform are taken.
  package var target: LinkTarget?
  package var entry: String?
  /// `-u`: names that are wanted even without a reference.
  package var wanted: [String] = []
  /// `-init`, whose name is wanted as well.
  package var initializer: String?
  /// Patterns; nil: everything that is visible is exported.
  package var exported: [String]?
  package var unexported: [String] = []
  package var exportLists: [String] = []
  package var unexportLists: [String] = []
  package var aliases: [(name: String, alias: String)] = []
  /// Files with a name and its alias in each line.
  package var aliasLists: [String] = []
  package var commons = Commons.ignoreLibraries
  package var libraryPaths: [String] = []
  package var frameworkPaths: [String] = []
  package var root: String?
  /// The linker's working folder, relative to that of this process. Paths in lists of files are relative to it.
  var folder = ""
  package var flags: Set<Flag> = []
  /// `-noall_load` comes after the last `-all_load`.
  var takesAllLoadBack = false

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
    case forceLoadSwiftLibs = "-force_load_swift_libs"
    case noExportedSymbols = "-no_exported_symbols"
    case archErrorsFatal = "-arch_errors_fatal"
    case noWarnDuplicateLibraries = "-no_warn_duplicate_libraries"
    case exportDynamic = "-export_dynamic"
    case searchDylibsFirst = "-search_dylibs_first"
  }

  package func has(_ flag: Flag) -> Bool { flags.contains(flag) }
}

extension LinkLine.Input {
  /// A file that is loaded lazily.
  package init(path: String) { self.init(source: .path(path)) }
}

extension LinkLine {
  /// The words of a linker's command line, without the linker's name.
  package init(_ words: [String]) throws(Mistakes) {
    var rest = words[...]
    while let word = rest.popFirst() { try take(word, &rest) }
  }

  private mutating func take(_ word: String, _ rest: inout ArraySlice<String>) throws(Mistakes) {
    if let flag = Flag(rawValue: word) {
      flags.insert(flag)
      if flag == .allLoad { takesAllLoadBack = false }
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

  /// Words that change the link, most of them with an argument.
  private mutating func takeOption(_ word: String, _ rest: inout ArraySlice<String>) throws(Mistakes) -> Bool {
    func value() throws(Mistakes) -> String { try argument(of: word, &rest) }
    if let platform = LinkTarget.flags[word] {
      target = LinkTarget(platform, minimumOS: try LinkTarget.version(try value()))
      return true
    }
    switch word {
    case "-dylib": output = .dylib
    case "-bundle": output = .bundle
    case "-execute": output = .executable
    case "-r": output = .object
    case let word where Input.options.contains(word): inputs.append(Input(word, try value()))
    case "-filelist":
      let list = try value()
      let parts = list.split(separator: ",", maxSplits: 1).map(String.init)
      inputs.append(Input(source: .list(parts.first ?? list, folder: parts.count > 1 ? parts[1] : nil)))
    case "-arch":
      let name = try value()
      guard let architecture = Architecture(name: name) else { throw Mistakes("no architecture is called \(name)") }
      self.architecture = architecture
    case "-platform_version":
      target = try LinkTarget(try value(), try value())
      _ = try value()
    case "-e": entry = try value()
    case "-u": wanted.append(try value())
    case "-init": initializer = try value()
    case "-noall_load": takesAllLoadBack = true
    case "-L": libraryPaths.append(try value())
    case "-F": frameworkPaths.append(try value())
    case "-exported_symbol": exported = (exported ?? []) + [try value()]
    case "-exported_symbols_list": exportLists.append(try value())
    case "-unexported_symbol": unexported.append(try value())
    case "-unexported_symbols_list": unexportLists.append(try value())
    case "-alias": aliases.append((try value(), try value()))
    case "-alias_list": aliasLists.append(try value())
    case "-warn_duplicate_libraries": flags.remove(.noWarnDuplicateLibraries)
    case "-commons":
      let mode = try value()
      guard let commons = Commons(rawValue: mode) else {
        throw Mistakes("-commons takes ignore_dylibs, use_dylibs or error, not \(mode)")
      }
      self.commons = commons
    case "-syslibroot": root = try value()
    default: return false
    }
    return true
  }

  /// Flags and their arguments in one word.
  private mutating func takePrefix(_ word: String) -> Bool {
    func value(_ prefix: String) -> String? {
      word.hasPrefix(prefix) && word.count > prefix.count ? String(word.dropFirst(prefix.count)) : nil
    }
    if let (prefix, name) = Input.prefixes.lazy.compactMap({ prefix in value(prefix).map { (prefix, $0) } }).first {
      inputs.append(Input(prefix, name))
    } else if LinkLine.passedOver(word) != nil {
      return false
    } else if let path = value("-L") {
      libraryPaths.append(path)
    } else if let path = value("-F") {
      frameworkPaths.append(path)
    } else if let name = value("-l") {
      inputs.append(Input("-l", name))
    } else {
      return false
    }
    return true
  }

  private func argument(of word: String, _ rest: inout ArraySlice<String>) throws(Mistakes) -> String {
    guard let value = rest.popFirst() else { throw Mistakes("the linker's flag \(word) needs an argument") }
    return value
  }

  /// Suggestions for misspelt options.
  private static let options =
    Input.options + LinkTarget.flags.keys + [
      "-dylib", "-bundle", "-execute", "-r", "-filelist", "-arch", "-e", "-u", "-init", "-exported_symbol",
      "-exported_symbols_list", "-unexported_symbol", "-unexported_symbols_list", "-alias", "-alias_list", "-commons",
      "-syslibroot", "-platform_version",
    ]
}
