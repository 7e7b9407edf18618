import Findings
package import Store
package import SystemPackage

/// Takes what a step's outputs depend on, as labelled values. The same walk feeds the hash and the explanation.
///
/// Lists are values of the same label one after the other; the label tells where they end.
package protocol KeyEncoder {
  /// `label` is a lower-case word that never changes.
  mutating func add(_ label: String, _ value: KeyValue)
}

package enum KeyValue: Sendable {
  case text(String)
  /// A text that may be secret: it is hashed as it is, and shown as a digest.
  case secret(String)
  case bytes([UInt8])
  case number(Int64)
  case flag(Bool)
  case digest(Digest)
  case path(FilePath)
  case input(ResolvedInput)
}

extension KeyEncoder {
  package mutating func add(_ label: String, _ text: String) { add(label, .text(text)) }
  package mutating func add(_ label: String, _ number: Int) { add(label, .number(Int64(number))) }
  package mutating func add(_ label: String, _ flag: Bool) { add(label, .flag(flag)) }
  package mutating func add(_ label: String, _ digest: Digest) { add(label, .digest(digest)) }
  package mutating func add(_ label: String, _ path: FilePath) { add(label, .path(path)) }
}

/// SHA-256 over label and value, each behind its length (8 bytes, little-endian), with a byte for the value's type.
package struct HashEncoder: KeyEncoder {
  private var builder = DigestBuilder()

  package init() {}

  package mutating func add(_ label: String, _ value: KeyValue) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(256)
    append(label.utf8, to: &bytes)
    switch value {
    case .text(let text), .secret(let text): append(type: 1, text.utf8, to: &bytes)
    case .bytes(let raw): append(type: 2, raw, to: &bytes)
    case .number(let number):
      bytes.append(3)
      append(8, to: &bytes)
      append(UInt64(bitPattern: number), to: &bytes)
    case .flag(let flag): append(type: 4, CollectionOfOne(flag ? 1 : 0), to: &bytes)
    case .digest(let digest): append(type: 5, digest.bytes, to: &bytes)
    case .path(let path): append(type: 6, path.pathBytes, to: &bytes)
    case .input(let input): append(input, to: &bytes)
    }
    builder.update(bytes)
  }

  package func finish() -> Digest { builder.finish() }

  private func append(_ input: ResolvedInput, to bytes: inout [UInt8]) {
    bytes.append(7)
    let start = bytes.count
    append(0, to: &bytes)
    append(input.path.pathBytes, to: &bytes)
    append(input.match.pathBytes, to: &bytes)
    bytes.append(input.kind.recordByte)
    bytes.append(input.executable ? 1 : 0)
    append(input.digest?.bytes ?? [], to: &bytes)
    // A link's target is never empty, so an empty value means no link.
    append(input.linkTarget?.pathBytes ?? [], to: &bytes)
    // The length was left open above.
    let length = UInt64(bytes.count - start - 8)
    for index in 0..<8 { bytes[start + index] = UInt8(truncatingIfNeeded: length >> UInt64(8 * index)) }
  }

  private func append(type: UInt8, _ value: some Collection<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(type)
    append(value, to: &bytes)
  }

  private func append(_ value: some Collection<UInt8>, to bytes: inout [UInt8]) {
    append(UInt64(value.count), to: &bytes)
    bytes += value
  }

  private func append(_ number: UInt64, to bytes: inout [UInt8]) {
    for index in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(8 * index))) }
  }
}

/// A value of a key as the build log keeps it, for explanations. No text in it has a newline.
package struct KeyLine: Hashable, Sendable {
  package let label: String
  /// The path of an input; empty for anything else.
  package let name: String
  /// Bytes and secrets are shown as digests, an input as the start of its digest and its other properties.
  package let value: String
  /// The content of an input.
  package let content: Digest?

  package init(label: String, name: String = "", value: String, content: Digest? = nil) {
    self.label = label
    self.name = name.replacingBytes { $0 == 0x0A ? "\\n" : nil }
    self.value = value.replacingBytes { $0 == 0x0A ? "\\n" : nil }
    self.content = content
  }

  init(label: String, _ input: ResolvedInput) {
    let isFolder = input.kind == .directory
    let content = isFolder ? nil : input.digest
    let words = [
      isFolder ? "folder" : nil, content.map { String($0.hex.prefix(8)) },
      input.executable && !isFolder ? "executable" : nil,
    ]
    self.init(
      label: label, name: input.path.string + (input.linkTarget.map { " -> \($0.string)" } ?? ""),
      value: words.compactMap(\.self).joined(separator: " "), content: content)
  }

  var isDiscovered: Bool { label == "discovered" || label == "discovered-missing" }
}

/// A line for each value.
package struct TextEncoder: KeyEncoder {
  package private(set) var lines: [KeyLine] = []

  package init() {}

  package mutating func add(_ label: String, _ value: KeyValue) {
    let text: String
    switch value {
    case .text(let value): text = value
    case .secret(let value): text = SecretText.shown(value)
    case .bytes(let bytes): text = Digest(of: bytes).hex
    case .number(let number): text = String(number)
    case .flag(let flag): text = flag ? "yes" : "no"
    case .digest(let digest): text = digest.hex
    case .path(let path): text = path.string
    case .input(let input): return lines.append(KeyLine(label: label, input))
    }
    lines.append(KeyLine(label: label, value: text))
  }
}

/// Shows a text that may be a password or a token, so that it can be told from another one but not read.
package enum SecretText {
  package static func shown(_ text: String) -> String { String(Digest(of: Array(text.utf8)).hex.prefix(8)) }
}
