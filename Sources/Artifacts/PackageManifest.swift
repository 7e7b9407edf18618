import Documents
package import Findings
import Store
package import SystemPackage

/// The binary targets of a `Package.swift`. It is a program that is not run: of its text only calls
/// `.binaryTarget(name: "X", path: "X.xcframework")` with plain strings count, as every vendor writes them.
package struct PackageManifest: Sendable {
  package static let fileName = "Package.swift"

  package struct Target: Hashable, Sendable {
    package let name: String
    /// In the package's folder; nil if it is fetched from `url` or the text does not tell.
    package let path: String?
    package let url: String?
  }

  /// In the file's order.
  package private(set) var targets: [Target] = []

  /// Reads a file of at most a few megabytes.
  package init(_ path: FilePath) throws(Mistakes) {
    self.init(try explained { try FileSystem.read(path, limit: YAMLText.maxBytes) })
  }

  package init(_ bytes: [UInt8]) {
    var words = Words(bytes[...])
    while let word = words.next() {
      guard word == .name("binaryTarget"), words.next() == .mark("(") else { continue }
      let values = words.arguments()
      guard let name = values["name"] else { continue }
      targets.append(Target(name: name, path: values["path"], url: values["url"]))
    }
  }

  private enum Word: Equatable {
    case name(String)
    /// A string without interpolation.
    case text(String)
    case mark(Unicode.Scalar)
    /// Any other string.
    case other
  }

  /// The words of Swift's text, without comments.
  private struct Words {
    private var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) { rest = text }

    /// The labelled strings up to the parenthesis that ends the call.
    mutating func arguments() -> [String: String] {
      var (values, depth, label) = ([String: String](), 1, "")
      while depth > 0, let word = next() {
        switch word {
        case .mark("("), .mark("["): depth += 1
        case .mark(")"), .mark("]"): depth -= 1
        case .name(let name): label = name
        case .text(let text): if depth == 1, values[label] == nil { values[label] = text }
        case .mark, .other: break
        }
      }
      return values
    }

    mutating func next() -> Word? {
      while let byte = rest.first {
        if starts(with: "//") {
          rest = rest.drop { $0 != UInt8(ascii: "\n") }
        } else if starts(with: "/*") {
          skipComment()
        } else if byte == UInt8(ascii: "\"") {
          return string()
        } else if Words.isOfName(byte) {
          let name = rest.prefix(while: Words.isOfName)
          rest = rest.dropFirst(name.count)
          return .name(String(decoding: name, as: UTF8.self))
        } else {
          rest = rest.dropFirst()
          if byte > 0x20, byte < 0x80 { return .mark(Unicode.Scalar(byte)) }
        }
      }
      return nil
    }

    private func starts(with text: StaticString) -> Bool { rest.starts(with: "\(text)".utf8) }

    private static func isOfName(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: byte >= 0x80
      }
    }

    /// Comments of this kind nest.
    private mutating func skipComment() {
      var depth = 0
      repeat {
        let step = starts(with: "/*") ? 1 : starts(with: "*/") ? -1 : 0
        depth += step
        rest = rest.dropFirst(step == 0 ? 1 : 2)
      } while depth > 0 && !rest.isEmpty
    }

    private mutating func string() -> Word {
      let isLong = starts(with: "\"\"\"")
      rest = rest.dropFirst(isLong ? 3 : 1)
      var (text, isPlain) = ([UInt8](), !isLong)
      while let byte = rest.first {
        if isLong ? starts(with: "\"\"\"") : byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n") { break }
        let isEscape = byte == UInt8(ascii: "\\")
        if isEscape { isPlain = false }
        text += rest.prefix(isEscape ? 2 : 1)
        rest = rest.dropFirst(isEscape ? 2 : 1)
      }
      rest = rest.dropFirst(isLong ? 3 : 1)
      return isPlain ? .text(String(decoding: text, as: UTF8.self)) : .other
    }
  }
}
