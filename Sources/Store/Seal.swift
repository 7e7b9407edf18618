package import SystemPackage

/// A mark on data in a folder that only this user can make, and only for this very folder.
///
/// The user has a key: 32 random bytes in a file of their own (`UserFolders.key`). With the folder's device, inode and
/// time of birth it gives the folder's key; a seal is the first 16 bytes of an HMAC-SHA-256 (RFC 2104) under that. Data
/// that came with a repository, or from another folder or machine, does not have this folder's seal.
package struct Seal: Sendable {
  private let key: [UInt8]

  /// In bytes.
  package static let size = 16

  /// - Parameters:
  ///   - user: the user's key; nil if there is none, and then seals made now are not valid later.
  ///   - folder: the folder of the sealed data.
  package init(_ user: UserKey?, _ folder: OpenFolder) throws(FileError) {
    let status = try FileError.wrap(folder.path, doing: "look at", FileStamp(try Stat(folder.file)))
    let numbers = [status.device, status.inode, UInt64(bitPattern: SystemCalls.birth(folder.file))]
    let place = numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) } }
    let user = user?.bytes ?? SystemCalls.random(UserKey.size)
    key = DigestBuilder.code(of: Array("npi-pack state\0".utf8) + place, key: user)
  }

  /// A seal with a given key, for tests.
  package init(key: [UInt8]) { self.key = key }

  package func callAsFunction(_ bytes: [UInt8]) -> [UInt8] {
    Array(DigestBuilder.code(of: bytes, key: key).prefix(Seal.size))
  }
}

package struct UserKey: Sendable {
  fileprivate let bytes: [UInt8]

  fileprivate static let size = 32

  /// Nil if there is none yet. One that others may read or write is an error.
  package init?(_ path: FilePath) throws(FileError) {
    guard let access = try FileSystem.access(of: path) else { return nil }
    guard access.isPrivate else {
      throw FileError(
        path, doing: "use the key", reason: "it is not this user's alone",
        hint: "remove it, so that a new one is made, or set HOME to this user's own folder")
    }
    let bytes = try FileSystem.read(path, limit: 1024)
    guard bytes.count == UserKey.size else {
      throw FileError(path, doing: "use the key", reason: "it is damaged", hint: "remove it: then a new one is made")
    }
    self.bytes = bytes
  }

  /// The key is made if there is none yet.
  package static func obtain(_ path: FilePath) throws(FileError) -> UserKey {
    if let key = try UserKey(path) { return key }
    let folder = path.removingLastComponent()
    try FileSystem.makeFolders(folder, mode: 0o700)
    do {
      let file = try OutputFile.create(path, in: try OpenFolder(folder), mode: 0o600)
      try file.write(SystemCalls.random(size))
      try file.sync()
      // It gets its name only if no other process was faster.
      try FileError.wrap(
        path, doing: "make the key", unless: [.fileExists], try SystemCalls.addName(file.temporaryPath, path))
    }
    guard let key = try UserKey(path) else {
      throw FileError(path, doing: "make the key", code: .noSuchFileOrDirectory)
    }
    return key
  }
}
