/// The shortest change that ends a finding: one line, ready to be pasted where it belongs.
package struct Edit: Hashable, Sendable {
  package enum Home: String, Sendable {
    case shell
    case manifest = "npi.yml"
    case policy = "policy.yml"
    case gradle = "build.gradle.kts"
    case gradleProperties = "gradle.properties"
    case cmake = "CMakeLists.txt"
    case xcconfig = "the target's .xcconfig"
    case infoPlist = "Info.plist"
    case entitlements = "the .entitlements file"
    case androidManifest = "AndroidManifest.xml"
  }

  package let home: Home
  package let text: String

  /// Nil if the text has a name that is not plain, which might mean something else there.
  package init?(_ home: Home, _ line: Line) {
    guard line.isPlain else { return nil }
    self.home = home
    text = line.text
  }

  /// A line that was kept; nil if it is none.
  package init?(_ home: Home, stored text: String) {
    guard text.unicodeScalars.allSatisfy({ !isUnprintable($0) }) else { return nil }
    self.home = home
    self.text = text
  }

  /// `run` or `paste into npi.yml`.
  package var instruction: String { home == .shell ? "run" : "paste into \(home.rawValue)" }

  /// `run: rm -r Scanner/OpenSSL.framework`
  var line: String { "\(instruction): \(text)" }

  package var json: JSONValue { ["file": home == .shell ? .null : .string(home.rawValue), "text": .string(text)] }

  /// What is interpolated are names of others, so each has to be plain. A part that is a line itself has been looked at.
  package struct Line: ExpressibleByStringInterpolation, Sendable {
    fileprivate var text: String
    fileprivate var isPlain = true

    package init(stringLiteral text: String) { self.text = text }

    package init(stringInterpolation: Interpolation) {
      (text, isPlain) = (stringInterpolation.text, stringInterpolation.isPlain)
    }

    package struct Interpolation: StringInterpolationProtocol {
      fileprivate var text = ""
      fileprivate var isPlain = true

      package init(literalCapacity: Int, interpolationCount: Int) {}

      package mutating func appendLiteral(_ literal: String) { text += literal }
      package mutating func appendInterpolation(_ number: Int) { text += String(number) }

      package mutating func appendInterpolation(_ name: String) {
        text += name
        isPlain = isPlain && Edit.isPlain(name)
      }

      package mutating func appendInterpolation(_ line: Line) { appendInterpolation([line]) }

      package mutating func appendInterpolation(_ lines: [Line], separator: String = " ") {
        text += lines.map(\.text).joined(separator: separator)
        isPlain = isPlain && lines.allSatisfy(\.isPlain)
      }
    }
  }

  private static let maxLength = 300

  /// A name or a path of letters, digits and `._+-/` is the same text in every format. One that begins with a hyphen
  /// could be an option.
  private static func isPlain(_ name: String) -> Bool {
    name.utf8.count <= maxLength && name.utf8.first.map { $0 != UInt8(ascii: "-") } ?? false
      && name.utf8.allSatisfy { byte in
        let isLetter = (0x61...0x7A).contains(byte | 0x20)
        return isLetter || (0x30...0x39).contains(byte) || "._+-/".utf8.contains(byte)
      }
  }
}
