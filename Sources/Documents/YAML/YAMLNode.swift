/// A value of a YAML document and its place. An alias is a copy of the value that it names.
package struct YAMLNode: Sendable {
  package enum Content: Sendable {
    case text(String)
    case list([YAMLNode])
    /// In the order of the document; no two keys are the same text.
    case map([(key: YAMLNode, value: YAMLNode)])
  }

  package enum Style: Sendable { case plain, quoted, block }

  package var content: Content
  /// The style of a text.
  package var style = Style.plain
  package var mark: YAMLMark

  package var text: String? {
    if case .text(let text) = content { text } else { nil }
  }

  package var list: [YAMLNode]? {
    if case .list(let list) = content { list } else { nil }
  }

  package subscript(key: String) -> YAMLNode? {
    guard case .map(let members) = content else { return nil }
    return members.first { $0.key.text == key }?.value
  }
}

/// A place in YAML text, counted from 1; the column in Unicode scalars.
package struct YAMLMark: Hashable, Sendable {
  package var line: Int
  package var column: Int
}

package struct YAMLProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// The text is not YAML. `within` names the construct with the problem, and the mark is its beginning.
    case syntax(String, within: String?, YAMLMark?)
    case tooDeep
    case tooMany(limit: Int)
    case keyTwice(String, first: YAMLMark)
    case unknownAlias(String)
  }

  package var reason: Reason
  package var mark: YAMLMark

  package var description: String {
    let what =
      switch reason {
      case .syntax(let problem, _, _): problem
      case .tooDeep: "nested too deeply"
      case .tooMany(let limit): "more than \(limit) values"
      case .keyTwice(let key, let first): "the key '\(key)' is there twice, first on line \(first.line)"
      case .unknownAlias(let name): "the alias '\(name)' stands for nothing that is there"
      }
    return "\(what) (line \(mark.line), column \(mark.column))"
  }
}
