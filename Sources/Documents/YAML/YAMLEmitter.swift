import CYaml
import Findings

/// Writes YAML 1.1 in UTF-8, by libyaml's emitter.
///
/// Maps stand in blocks; a list of texts stands on one line, and any other list in a block. A text that another reader
/// might take for a number, a truth value or nothing is quoted.
package enum YAMLEmitter {
  /// There is no memory left, or a text is not UTF-8.
  package struct Failure: Error {
    package let reason: String
  }

  /// A key of the outermost map with the comment above it. A block with no member is a comment by itself.
  package struct Block: Sendable {
    package var comment: [String]
    package var member: YAMLValue.Member?

    package init(_ comment: [String], _ member: YAMLValue.Member? = nil) {
      self.comment = comment
      self.member = member
    }
  }

  /// The blocks with an empty line between them.
  package static func text(_ blocks: [Block]) throws(Failure) -> String {
    var texts: [String] = []
    for block in blocks {
      let body = if let member = block.member { try text(.map([member])) } else { "" }
      texts.append(block.comment.map(comment).joined() + body)
    }
    return texts.joined(separator: "\n")
  }

  /// A text as lines of a comment: every line end of YAML begins a new line, and unprintable characters are escaped.
  package static func comment(_ text: String) -> String {
    var lines: [String.UnicodeScalarView] = [.init()]
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": lines.append(.init())
      default: lines[lines.count - 1].append(scalar)
      }
    }
    return lines.map { $0.isEmpty ? "#\n" : "# \(printable(String($0)))\n" }.joined()
  }

  package static func text(_ value: YAMLValue) throws(Failure) -> String {
    var emitter = unsafe yaml_emitter_t()
    guard unsafe yaml_emitter_initialize(&emitter) != 0 else { throw Failure(reason: "there is no memory to write it") }
    defer { unsafe yaml_emitter_delete(&emitter) }
    let output = Output()
    return try withExtendedLifetime(output) { () throws(Failure) in
      unsafe yaml_emitter_set_output(
        &emitter,
        { target, bytes, count in
          guard let target = unsafe target, let bytes = unsafe bytes else { return 0 }
          let output = unsafe Unmanaged<Output>.fromOpaque(target).takeUnretainedValue()
          unsafe output.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
          return 1
        }, Unmanaged.passUnretained(output).toOpaque())
      unsafe yaml_emitter_set_encoding(&emitter, YAML_UTF8_ENCODING)
      // A line is never broken within a text.
      unsafe yaml_emitter_set_width(&emitter, -1)
      unsafe yaml_emitter_set_unicode(&emitter, value.isPrintable ? 1 : 0)
      var event = unsafe yaml_event_t()
      unsafe yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING)
      try unsafe emit(&event, &emitter)
      unsafe yaml_document_start_event_initialize(&event, nil, nil, nil, 1)
      try unsafe emit(&event, &emitter)
      try unsafe emit(value, &emitter)
      unsafe yaml_document_end_event_initialize(&event, 1)
      try unsafe emit(&event, &emitter)
      unsafe yaml_stream_end_event_initialize(&event)
      try unsafe emit(&event, &emitter)
      return String(decoding: output.bytes, as: UTF8.self)
    }
  }

  private final class Output {
    var bytes: [UInt8] = []
  }

  private static func emit(_ event: inout yaml_event_t, _ emitter: inout yaml_emitter_t) throws(Failure) {
    guard unsafe yaml_emitter_emit(&emitter, &event) != 0 else {
      let problem = unsafe emitter.problem
      throw Failure(reason: unsafe problem.map { unsafe String(cString: $0) } ?? "it cannot be written")
    }
  }

  private static func emit(_ value: YAMLValue, _ emitter: inout yaml_emitter_t) throws(Failure) {
    var event = unsafe yaml_event_t()
    switch value {
    case .text(let text): try unsafe emit(scalar: text, isPlain: isPlain(Array(text.utf8)), &emitter)
    case .flag(let flag): try unsafe emit(scalar: "\(flag)", isPlain: true, &emitter)
    case .list(let values):
      let isShort = values.allSatisfy { if case .text = $0 { true } else { false } }
      let style = isShort ? YAML_FLOW_SEQUENCE_STYLE : YAML_BLOCK_SEQUENCE_STYLE
      unsafe yaml_sequence_start_event_initialize(&event, nil, nil, 1, style)
      try unsafe emit(&event, &emitter)
      for value in values { try unsafe emit(value, &emitter) }
      unsafe yaml_sequence_end_event_initialize(&event)
      try unsafe emit(&event, &emitter)
    case .map(let members):
      unsafe yaml_mapping_start_event_initialize(&event, nil, nil, 1, YAML_BLOCK_MAPPING_STYLE)
      try unsafe emit(&event, &emitter)
      for member in members {
        try unsafe emit(.text(member.key), &emitter)
        try unsafe emit(member.value, &emitter)
      }
      unsafe yaml_mapping_end_event_initialize(&event)
      try unsafe emit(&event, &emitter)
    }
  }

  private static func emit(
    scalar text: String, isPlain: Bool, _ emitter: inout yaml_emitter_t
  ) throws(Failure) {
    var event = unsafe yaml_event_t()
    let style = isPlain ? YAML_PLAIN_SCALAR_STYLE : YAML_DOUBLE_QUOTED_SCALAR_STYLE
    let bytes = Array(text.utf8)
    let isMade = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe yaml_scalar_event_initialize(&event, nil, nil, buffer.baseAddress, Int32(buffer.count), 1, 1, style)
    }
    guard isMade != 0 else { throw Failure(reason: "a text is no UTF-8") }
    try unsafe emit(&event, &emitter)
  }

  /// Whether every reader of YAML takes the bytes for this text without quotes: a word of letters, digits, `.`, `_`,
  /// `/` and `-` that is neither a number nor one of YAML's own words (yaml.org, types bool, null, int, float).
  static func isPlain(_ bytes: [UInt8]) -> Bool {
    func isAlphanumeric(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte.isDigit }
    guard let first = bytes.first, isAlphanumeric(first) || first == UInt8(ascii: "."),
      bytes.allSatisfy({ isAlphanumeric($0) || "._/-".utf8.contains($0) })
    else { return false }
    let points = bytes.count { $0 == UInt8(ascii: ".") }
    if !bytes.contains(where: \.isASCIILetter) { return points > 1 }
    // 1e5 and 0x10 are numbers; 1.4.0-rc1 is none.
    if first.isDigit, points < 2, !bytes.contains(UInt8(ascii: "/")) { return false }
    return !words.contains(String(decoding: bytes, as: UTF8.self).lowercased())
  }

  private static let words: Set<String> = [
    "null", "true", "false", "yes", "no", "on", "off", "y", "n", ".inf", ".nan",
  ]
}

extension YAMLValue {
  /// Whether every text in it can be shown as it is.
  fileprivate var isPrintable: Bool {
    switch self {
    case .text(let text): !text.unicodeScalars.contains(where: isUnprintable)
    case .flag: true
    case .list(let values): values.allSatisfy(\.isPrintable)
    case .map(let members):
      members.allSatisfy { !$0.key.unicodeScalars.contains(where: isUnprintable) && $0.value.isPrintable }
    }
  }
}
