import Documents
import Findings
import ObjectFiles

/// Reads one library of a text stub from its YAML or JSON.
struct TextStubReader {
  let node: YAMLNode
  let place: Place

  func version4() throws(Mistakes) -> TextStub {
    var stub = TextStub()
    stub.targets = try targets(node["targets"], "targets")
    stub.installName = try text(node["install-name"], "install-name") ?? ""
    stub.reexportedLibraries = try libraries("reexported-libraries", "libraries", for: [])
    stub.exports = try symbols("exports", in: [(nil, .unknown)], TextStubReader.kinds4, for: [])
    stub.reexports = try symbols("reexports", in: [(nil, .unknown)], TextStubReader.kinds4, for: [])
    stub.undefined = try symbols("undefineds", in: [(nil, .unknown)], TextStubReader.kinds4, for: [])
    return try named(stub)
  }

  func version5() throws(Mistakes) -> TextStub {
    var stub = TextStub()
    for item in try items(node["target_info"], "target_info") {
      if let target = try text(item["target"], "target") { stub.targets.append(TextStub.Target(text: target)) }
    }
    try refuseTooMany(stub.targets.count, node)
    stub.installName = try first("install_names", "name") ?? ""
    stub.reexportedLibraries = try libraries("reexported_libraries", "names", for: stub.targets)
    let parts: [(String?, TextStub.Symbol.Content)] = [("data", .data), ("text", .text)]
    stub.exports = try symbols("exported_symbols", in: parts, TextStubReader.kinds5, for: stub.targets)
    stub.reexports = try symbols("reexported_symbols", in: parts, TextStubReader.kinds5, for: stub.targets)
    stub.undefined = try symbols("undefined_symbols", in: parts, TextStubReader.kinds5, for: stub.targets)
    return try named(stub)
  }

  /// `all`: the targets of an entry that names none.
  private func libraries(
    _ key: String, _ names: String, for all: [TextStub.Target]
  ) throws(Mistakes) -> [TextStub.Libraries] {
    try items(node[key], key).map { item throws(Mistakes) in
      let targets = try item["targets"].map { node throws(Mistakes) in try self.targets(node, "targets") } ?? all
      return TextStub.Libraries(names: try texts(item[names], names), targets: targets)
    }
  }

  /// `parts`: the maps of an entry that hold the lists (nil: the entry itself), and the content of each.
  private func symbols(
    _ key: String, in parts: [(key: String?, content: TextStub.Symbol.Content)], _ kinds: KeyValuePairs<String, Kind>,
    for all: [TextStub.Target]
  ) throws(Mistakes) -> [TextStub.Symbol] {
    var symbols: [TextStub.Symbol] = []
    for item in try items(node[key], key) {
      let targets = try item["targets"].map { node throws(Mistakes) in try self.targets(node, "targets") } ?? all
      for (part, content) in parts {
        guard let lists = part.map({ item[$0] }) ?? item else { continue }
        for (key, kind) in kinds {
          for name in try texts(lists[key], key) { symbols += kind.symbols(name, content, targets) }
        }
      }
    }
    return symbols
  }

  /// The first value that names no targets, or else the first.
  private func first(_ list: String, _ key: String) throws(Mistakes) -> String? {
    let items = try items(node[list], list)
    return try text((items.first { $0["targets"] == nil } ?? items.first)?[key], key)
  }

  private func named(_ stub: TextStub) throws(Mistakes) -> TextStub {
    guard !stub.installName.isEmpty else { throw mistake("the text stub names no library", node) }
    return stub
  }

  // MARK: Kinds of symbols

  private enum Kind {
    case plain, weak, threadLocal, objcClass, objcExceptionType, objcVariable

    func symbols(
      _ name: String, _ content: TextStub.Symbol.Content, _ targets: [TextStub.Target]
    ) -> [TextStub.Symbol] {
      var symbol = TextStub.Symbol(name: name, content: content, targets: targets)
      switch self {
      case .plain: break
      case .weak: symbol.isWeak = true
      case .threadLocal: symbol.isThreadLocal = true
      case .objcExceptionType: symbol.name = "_OBJC_EHTYPE_$_\(name)"
      case .objcVariable: symbol.name = "_OBJC_IVAR_$_\(name)"
      case .objcClass:
        var metaclass = symbol
        symbol.name = "_OBJC_CLASS_$_\(name)"
        metaclass.name = "_OBJC_METACLASS_$_\(name)"
        return [symbol, metaclass]
      }
      return [symbol]
    }
  }

  private static let kinds4: KeyValuePairs = [
    "symbols": Kind.plain, "objc-classes": .objcClass, "objc-eh-types": .objcExceptionType, "objc-ivars": .objcVariable,
    "weak-symbols": .weak, "thread-local-symbols": .threadLocal,
  ]
  private static let kinds5: KeyValuePairs = [
    "global": Kind.plain, "objc_class": .objcClass, "objc_eh_type": .objcExceptionType, "objc_ivar": .objcVariable,
    "weak": .weak, "thread_local": .threadLocal,
  ]

  // MARK: Values

  private func items(_ node: YAMLNode?, _ key: String) throws(Mistakes) -> [YAMLNode] {
    guard let node else { return [] }
    guard let list = node.list else { throw mistake("'\(key)' must be a list", node) }
    return list
  }

  private func texts(_ node: YAMLNode?, _ key: String) throws(Mistakes) -> [String] {
    try items(node, key).map { node throws(Mistakes) in try text(node, key) ?? "" }
  }

  /// The number of targets is limited, because every symbol is listed for each of them.
  private func targets(_ node: YAMLNode?, _ key: String) throws(Mistakes) -> [TextStub.Target] {
    let names = try texts(node, key)
    if let node { try refuseTooMany(names.count, node) }
    return names.map { TextStub.Target(text: $0) }
  }

  private func refuseTooMany(_ targets: Int, _ node: YAMLNode) throws(Mistakes) {
    guard targets > 64 else { return }
    throw mistake("\(targets) targets are more than there are", node)
  }

  private func text(_ node: YAMLNode?, _ key: String) throws(Mistakes) -> String? {
    guard let node else { return nil }
    guard let text = node.text else { throw mistake("'\(key)' must be text", node) }
    return text
  }

  private func mistake(_ message: String, _ node: YAMLNode) -> Mistakes {
    var place = place
    place.position = TextPosition(line: node.mark.line, column: node.mark.column, text: "")
    return Mistakes(message, at: place)
  }
}
