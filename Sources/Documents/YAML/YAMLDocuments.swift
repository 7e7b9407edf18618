import CYaml

/// Reads YAML 1.1 in UTF-8. The only code that calls libyaml's parser, which yields events and does not recurse.
package enum YAMLDocuments {
  /// The cost is linear in the bytes. A caller that follows aliases may need exponential time, and must limit it.
  package static func read(_ bytes: [UInt8], deepest: Int, maxNodes: Int) throws(YAMLProblem) -> [YAMLNode] {
    let start = YAMLMark(line: 1, column: 1)
    guard !bytes.isEmpty else { return [] }
    var parser = unsafe yaml_parser_t()
    guard unsafe yaml_parser_initialize(&parser) != 0 else {
      throw YAMLProblem(reason: .syntax("there is no memory to read it", within: nil, nil), mark: start)
    }
    defer { unsafe yaml_parser_delete(&parser) }
    unsafe yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
    var builder = YAMLTreeBuilder(deepest: deepest, maxNodes: maxNodes)
    // The parser keeps the address.
    return try unsafe bytes.withUnsafeBufferPointer { (input) throws(YAMLProblem) in
      unsafe yaml_parser_set_input_string(&parser, input.baseAddress, input.count)
      var isOver = false
      while !isOver {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(&parser, &event) != 0 else { throw unsafe problem(parser) }
        defer { unsafe yaml_event_delete(&event) }
        isOver = unsafe event.type == YAML_STREAM_END_EVENT
        try unsafe add(event, to: &builder)
      }
      return builder.documents
    }
  }

  private static func add(_ event: yaml_event_t, to builder: inout YAMLTreeBuilder) throws(YAMLProblem) {
    let mark = unsafe mark(event.start_mark)
    switch unsafe event.type {
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let style: YAMLNode.Style =
        switch unsafe scalar.style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE: .quoted
        case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
        default: .plain
        }
      let value = unsafe String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      try builder.add(YAMLNode(content: .text(value), style: style, mark: mark), anchor: unsafe text(scalar.anchor))
    case YAML_SEQUENCE_START_EVENT:
      try builder.open(isMap: false, anchor: unsafe text(event.data.sequence_start.anchor), at: mark)
    case YAML_MAPPING_START_EVENT:
      try builder.open(isMap: true, anchor: unsafe text(event.data.mapping_start.anchor), at: mark)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: try builder.close()
    case YAML_ALIAS_EVENT: try builder.addAlias(unsafe text(event.data.alias.anchor) ?? "", at: mark)
    case YAML_DOCUMENT_END_EVENT: builder.endDocument()
    default: break
    }
  }

  private static func text(_ pointer: UnsafePointer<UInt8>?) -> String? {
    guard let pointer = unsafe pointer else { return nil }
    return unsafe String(cString: pointer)
  }

  private static func mark(_ mark: yaml_mark_t) -> YAMLMark {
    YAMLMark(line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
  }

  private static func problem(_ parser: yaml_parser_t) -> YAMLProblem {
    func words(_ pointer: UnsafePointer<CChar>?) -> String? {
      guard let pointer = unsafe pointer else { return nil }
      return unsafe String(cString: pointer)
    }
    let problem = unsafe words(parser.problem) ?? "it cannot be read"
    // For bytes that are not UTF-8 the parser sets no mark of the problem, only that of its own position.
    let isRead = unsafe parser.error == YAML_READER_ERROR
    let place = unsafe isRead ? mark(parser.mark) : mark(parser.problem_mark)
    let context = unsafe words(parser.context)
    return YAMLProblem(
      reason: .syntax(problem, within: context, context == nil ? nil : unsafe mark(parser.context_mark)), mark: place)
  }
}

private struct YAMLTreeBuilder {
  /// A list or a map that has not ended. The items of a map are keys and values in turn.
  private struct Open {
    var isMap: Bool
    var anchor: String?
    var mark: YAMLMark
    var items: [YAMLNode] = []
    /// The places of the keys, by the bytes of the keys.
    var keys: [[UInt8]: YAMLMark] = [:]
    /// The depth to which the content is nested, with the aliases expanded.
    var height = 0
  }

  private let deepest: Int
  private let maxNodes: Int
  private var count = 0
  private var open: [Open] = []
  private var root: YAMLNode?
  private var anchors: [String: (node: YAMLNode, height: Int)] = [:]
  private(set) var documents: [YAMLNode] = []

  init(deepest: Int, maxNodes: Int) {
    self.deepest = deepest
    self.maxNodes = maxNodes
  }

  mutating func open(isMap: Bool, anchor: String?, at mark: YAMLMark) throws(YAMLProblem) {
    guard open.count < deepest else { throw YAMLProblem(reason: .tooDeep, mark: mark) }
    open.append(Open(isMap: isMap, anchor: anchor, mark: mark))
  }

  mutating func close() throws(YAMLProblem) {
    guard let last = open.popLast() else { return }
    let content: YAMLNode.Content =
      if last.isMap {
        .map(
          stride(from: 0, to: last.items.count - 1, by: 2).map {
            (key: last.items[$0], value: last.items[$0 + 1])
          })
      } else {
        .list(last.items)
      }
    try add(YAMLNode(content: content, mark: last.mark), anchor: last.anchor, height: last.height + 1)
  }

  mutating func addAlias(_ name: String, at mark: YAMLMark) throws(YAMLProblem) {
    // An alias within its own list is unknown, because the list has not ended yet.
    guard let (node, height) = anchors[name] else { throw YAMLProblem(reason: .unknownAlias(name), mark: mark) }
    guard open.count + height <= deepest else { throw YAMLProblem(reason: .tooDeep, mark: mark) }
    var copy = node
    copy.mark = mark
    try add(copy, anchor: nil, height: height)
  }

  mutating func add(_ node: YAMLNode, anchor: String?, height: Int = 0) throws(YAMLProblem) {
    count += 1
    guard count <= maxNodes else { throw YAMLProblem(reason: .tooMany(limit: maxNodes), mark: node.mark) }
    if let anchor { anchors[anchor] = (node, height) }
    guard let last = open.indices.last else {
      root = node
      return
    }
    if open[last].isMap, open[last].items.count.isMultiple(of: 2), let key = node.text {
      if let first = open[last].keys.updateValue(node.mark, forKey: Array(key.utf8)) {
        throw YAMLProblem(reason: .keyTwice(key, first: first), mark: node.mark)
      }
    }
    open[last].items.append(node)
    open[last].height = max(open[last].height, height)
  }

  mutating func endDocument() {
    if let root { documents.append(root) }
    root = nil
    // An anchor is valid in its own document only.
    anchors = [:]
  }
}
