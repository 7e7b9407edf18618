import CArchive
import CLibrary
package import SystemPackage

/// Tells by an extended attribute's name whether it is to be removed.
package enum AttributeVerdict: Sendable, Hashable {
  /// It tells something about the machine or the person, and is removed.
  case unwanted
  /// The system's own: labels, capabilities, access lists. It is never in an archive; removing it would change rights.
  case system
  /// macOS sets it and refuses to remove it; it never gets into an archive.
  case unremovable
}

package struct AttributeError: Error, Hashable, Sendable, CustomStringConvertible {
  package let path: FilePath
  /// The attribute's name; nil if listing failed.
  package let name: String?
  package let errno: Errno

  package var description: String {
    if let name { return "the extended attribute '\(name)' of \(path) cannot be removed (\(errno))" }
    return "the extended attributes of \(path) cannot be listed (\(errno))"
  }
}

/// Extended attributes of files, folders and symbolic links themselves: no call here follows a link.
package enum ExtendedAttributes {
  package enum Platform: Sendable {
    case linux, macOS

    #if canImport(Darwin)
      package static let current = Platform.macOS
    #else
      package static let current = Platform.linux
    #endif
  }

  /// On macOS all go but `com.apple.provenance`, which cannot be removed, and `com.apple.system.*`: access lists.
  ///
  /// On Linux the attributes of users and servers are in `user.*` (netatalk's and Samba's copies of Apple's too) and
  /// go. The kernel's stay: `system.*`, `trusted.*`, and `security.*` but for Apple's (`security.com.apple.…`).
  package static func verdict(on name: String, platform: Platform = .current) -> AttributeVerdict {
    switch platform {
    case .macOS:
      if name == "com.apple.provenance" { return .unremovable }
      return name.hasPrefix("com.apple.system.") ? .system : .unwanted
    case .linux:
      return name.hasPrefix("user.") || name.hasPrefix("security.com.apple.") ? .unwanted : .system
    }
  }

  /// The names, sorted by their bytes. A file system without attributes has none.
  package static func list(_ path: FilePath) throws(AttributeError) -> [String] {
    // The list can grow between asking for its length and for itself.
    for _ in 0..<8 {
      let claimed = unsafe path.withPlatformString { unsafe listNames($0, nil, 0) }
      var buffer = [CChar](repeating: 0, count: max(0, claimed))
      let length = unsafe path.withPlatformString { unsafe listNames($0, &buffer, buffer.count) }
      if (0...buffer.count).contains(length) {
        return buffer.prefix(length).map { UInt8(bitPattern: $0) }.split(separator: 0)
          .map { String(decoding: $0, as: UTF8.self) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      }
      let error = length < 0 ? Errno(rawValue: errno) : .outOfRange
      if error == .notSupported { return [] }
      if error != .outOfRange { throw AttributeError(path: path, name: nil, errno: error) }
    }
    throw AttributeError(path: path, name: nil, errno: .outOfRange)
  }

  /// Removes one attribute; one that is gone already is no error.
  package static func remove(_ name: String, from path: FilePath) throws(AttributeError) {
    if unsafe path.withPlatformString({ unsafe removeName($0, name) }) == 0 { return }
    let error = Errno(rawValue: errno)
    #if canImport(Darwin)
      let isGone = error == .attributeNotFound
    #else
      let isGone = error == .noData
    #endif
    if !isGone { throw AttributeError(path: path, name: name, errno: error) }
  }

  // The platforms differ in how links are not followed: by a flag, or by a function of its own.
  private static func listNames(_ path: UnsafePointer<CChar>, _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int)
    -> Int
  {
    #if canImport(Darwin)
      unsafe listxattr(path, buffer, size, XATTR_NOFOLLOW)
    #else
      unsafe llistxattr(path, buffer, size)
    #endif
  }

  private static func removeName(_ path: UnsafePointer<CChar>, _ name: String) -> CInt {
    #if canImport(Darwin)
      unsafe removexattr(path, name, XATTR_NOFOLLOW)
    #else
      unsafe lremovexattr(path, name)
    #endif
  }
}
