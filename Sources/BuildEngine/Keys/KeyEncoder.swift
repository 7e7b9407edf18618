import Findings
package import Store
package import SystemPackage

/// Takes what a step's outputs depend on, as labelled values. One walk feeds all, so an explanation is the decision.
///
/// Lists are values of the same label one after the other; the label tells where they end.
package protocol KeyEncoder {
  /// `label` is a lower-case word that is the same for ever.
  mutating func add(_ label: String, _ value: KeyValue)
}

package enum KeyValue: Sendable {
  case text(String)
  /// A text that is nobody's business: it counts as it is, and is shown as a digest.
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
    // A link always has some text, so none is told from any.
    append(input.linkTarget?.pathBytes ?? [], to: &bytes)
    // The length of all that, which is known now.
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

/// A line for each value, as `word make` or `input ios/a.m 3f2a…`: what the build log keeps, for explanations.
package struct TextEncoder: KeyEncoder {
  package private(set) var lines: [String] = []

  package init() {}

  package mutating func add(_ label: String, _ value: KeyValue) {
    let text =
      switch value {
      case .text(let text): text
      case .secret(let text): SecretText.shown(text)
      case .bytes(let bytes): Digest(of: bytes).hex
      case .number(let number): String(number)
      case .flag(let flag): flag ? "yes" : "no"
      case .digest(let digest): digest.hex
      case .path(let path): path.string
      case .input(let input): describe(input)
      }
    let line = "\(label) \(text)"
    lines.append(line.replacingBytes { $0 == 0x0A ? "\\n" : nil })
  }

  private func describe(_ input: ResolvedInput) -> String {
    var words = [input.path.string]
    if let target = input.linkTarget { words.append("-> \(target.string)") }
    if input.kind == .directory {
      words.append("folder")
    } else {
      if let digest = input.digest { words.append(digest.hex) }
      if input.executable { words.append("executable") }
    }
    return words.joined(separator: " ")
  }
}

/// How a text that may be a password or a token is shown: so that one can tell it from another one, and no more.
package enum SecretText {
  package static func shown(_ text: String) -> String { String(Digest(of: Array(text.utf8)).hex.prefix(8)) }
}
