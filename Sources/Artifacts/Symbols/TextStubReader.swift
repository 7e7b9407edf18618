import Documents
import Findings
import ObjectFiles

/// One library of a text stub, from what the YAML reader has made of it.
struct TextStubReader {
  let node: YAMLNode
  let place: Place

  func version4() throws(Mistakes) -> TextStub {
    var stub = TextStub()
    stub.targets = try targets(node["targets"], "targets")
    stub.installName = try text(node["install-name"], "install-name") ?? ""
    for item in try items(node["reexported-libraries"], "reexported-libraries") {
      let names = try texts(item["libraries"], "libraries")
      stub.reexportedLibraries.append(
        TextStub.Libraries(names: names, targets: try targets(item["targets"], "targets")))
    }
    stub.exports = try symbols4("exports")
    stub.reexports = try symbols4("reexports")
    stub.undefined = try symbols4("undefineds")
    return try named(stub)
  }

  private func symbols4(_ key: String) throws(Mistakes) -> [TextStub.Symbol] {
    var symbols: [TextStub.Symbol] = []
    for item in try items(node[key], key) {
      let targets = try targets(item["targets"], "targets")
      for (key, kind) in TextStubReader.kinds4 {
        for name in try texts(item[key], key) { symbols += kind.symbols(name, .unknown, targets) }
      }
    }
    return symbols
  }

  func version5() throws(Mistakes) -> TextStub {
    var stub = TextStub()
    for item in try items(node["target_info"], "target_info") {
      if let target = try text(item["target"], "target") { stub.targets.append(TextStub.Target(text: target)) }
    }
    try refuseTooMany(stub.targets.count, node)
    stub.installName = try first("install_names", "name") ?? ""
    for item in try items(node["reexported_libraries"], "reexported_libraries") {
      let targets =
        try item["targets"].map { node throws(Mistakes) in try self.targets(node, "targets") } ?? stub.targets
      stub.reexportedLibraries.append(TextStub.Libraries(names: try texts(item["names"], "names"), targets: targets))
    }
    stub.exports = try symbols5("exported_symbols", stub.targets)
    stub.reexports = try symbols5("reexported_symbols", stub.targets)
    stub.undefined = try symbols5("undefined_symbols", stub.targets)
    return try named(stub)
  }

  private func symbols5(_ key: String, _ all: [TextStub.Target]) throws(Mistakes) -> [TextStub.Symbol] {
    var symbols: [TextStub.Symbol] = []
    for item in try items(node[key], key) {
      let targets = try item["targets"].map { node throws(Mistakes) in try self.targets(node, "targets") } ?? all
      for (part, content) in [("data", TextStub.Symbol.Content.data), ("text", .text)] {
        guard let part = item[part] else { continue }
        for (key, kind) in TextStubReader.kinds5 {
          for name in try texts(part[key], key) { symbols += kind.symbols(name, content, targets) }
        }
      }
    }
    return symbols
  }

  /// The first value that is for no targets in particular, or else the first.
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

  /// Each of the symbols that follow is listed for each of them.
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
