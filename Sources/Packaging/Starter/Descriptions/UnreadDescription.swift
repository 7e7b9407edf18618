import Archives
import Documents
import Findings
import SystemPackage

/// A description that is there and cannot be read. What it says of the plugin nobody knows, so the user is told.
struct UnreadDescription: Error, Sendable {
  let path: String
  let reason: String

  var text: String { "did not read \(path): \(printable(reason))" }
}

extension StarterTree {
  /// More than a megabyte describes nothing.
  private static let largestDescription = 1 << 20

  func contents(_ path: String) throws(UnreadDescription) -> [UInt8] {
    let bytes: [UInt8]
    do {
      bytes = try PositionalFile(absolute(path)).bytes(at: 0, count: StarterTree.largestDescription + 1)
    } catch {
      throw UnreadDescription(path: path, reason: error.description.lowercased())
    }
    guard bytes.count <= StarterTree.largestDescription else {
      throw UnreadDescription(path: path, reason: "it has more than 1 MB")
    }
    return bytes
  }

  /// Without a byte order mark, and with U+FFFD for what is not UTF-8: what else is there counts.
  private func utf8(_ path: String) throws(UnreadDescription) -> [UInt8] {
    let bytes = try contents(path)
    return Array(
      String(decoding: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...], as: UTF8.self).utf8)
  }

  func xml(_ path: String) throws(UnreadDescription) -> XMLTag {
    let bytes = try contents(path)
    do {
      return try XMLEvents.readLeniently(bytes)
    } catch {
      throw UnreadDescription(path: path, reason: error.description)
    }
  }

  func json(_ path: String) throws(UnreadDescription) -> Node {
    let bytes = try utf8(path)
    do {
      return try JSONText.parse(bytes, name: path)
    } catch {
      let mistake = error.all.first
      let line = mistake?.place?.position.map { " (line \($0.line))" } ?? ""
      throw UnreadDescription(path: path, reason: (mistake?.message ?? "not JSON") + line)
    }
  }

  func yaml(_ path: String) throws(UnreadDescription) -> YAMLNode? {
    let bytes = try utf8(path)
    do {
      return try YAMLDocuments.read(bytes, deepest: 64, mostNodes: 20_000).first
    } catch {
      throw UnreadDescription(path: path, reason: error.description)
    }
  }
}
