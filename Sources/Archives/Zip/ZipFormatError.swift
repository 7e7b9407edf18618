package import SystemPackage

/// The reason why a zip's records cannot be read.
package struct ZipFormatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The record's offset from the file's start.
  package let offset: Int
  package let field: Field
  package let reason: Reason

  package enum Field: String, Hashable, Sendable {
    case endOfDirectory = "end of central directory"
    case zip64EndOfDirectory = "zip64 end of central directory"
    case directory = "central directory"
    case centralHeader = "central header"
    case localHeader = "local header"
    case content = "content"
    case size = "size"
    case checksum = "checksum"
  }

  package enum Reason: Hashable, Sendable {
    case missing
    case outsideFile
    case badSignature
    /// Over the caller's limit, or more than a file of that length can hold.
    case tooLarge
    case unsupportedMethod(UInt16)
    case encrypted
    case damaged
    case unreadable(Errno)
  }

  package var description: String {
    let why =
      switch reason {
      case .missing: "it is not there: this is not a zip, or its end is cut off"
      case .outsideFile: "it is said to be where the file has no bytes"
      case .badSignature: "something else is in its place"
      case .tooLarge: "it is too large"
      case .unsupportedMethod(let method): "it is packed by method \(method), which is not supported"
      case .encrypted: "it is encrypted"
      case .damaged where field == .size || field == .checksum: "the content has another"
      case .damaged: "it is damaged"
      case .unreadable(let error): "it cannot be read (\(error))"
      }
    return "\(field.rawValue) at offset \(offset): \(why)"
  }
}
