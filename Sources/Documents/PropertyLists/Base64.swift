#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// RFC 4648, section 4.
enum Base64 {
  static func encoded(_ bytes: ArraySlice<UInt8>) -> String { Data(bytes).base64EncodedString() }

  /// Nil if the text ends within a group. Characters outside of the alphabet are ignored, as Python and Apple do.
  static func decoded(_ text: String) -> [UInt8]? {
    Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(Array.init)
  }
}
