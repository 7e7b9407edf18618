package import Store

/// A program for a worker on another machine, with every file that it sees there.
package struct RemoteWork: Sendable {
  package enum Entry: Sendable {
    case file(ActionResult.Blob, isExecutable: Bool, open: @Sendable () -> LeavingBlob?)
    /// A symbolic link, and its text.
    case link(String)
    /// A folder that is there even if nothing is in it.
    case folder
  }

  /// The first is the program: a path with a slash, relative to `folder`.
  package var words: [String]
  package var variables: [(name: String, value: String)] = []
  /// The folder that the program runs in. Paths are relative to the root of what it sees, and have no `.` or `..`.
  package var folder: String
  package var entries: [String: Entry] = [:]
  /// The folder of files that come back, relative to `folder`; nil if only what the program prints does.
  package var outputs: String?

  package init(words: [String], folder: String) { (self.words, self.folder) = (words, folder) }

  package mutating func add(_ path: String, _ bytes: [UInt8]) {
    let blob = ActionResult.Blob(digest: Digest(of: bytes), size: Int64(bytes.count))
    entries[path] = .file(blob, isExecutable: false) { LeavingBlob(bytes) }
  }
}

/// How a program ended on a worker.
package struct RemoteOutcome: Sendable {
  package let status: Int
  /// The bytes of an `ActionResult`.
  package let result: [UInt8]
  /// The start of what it said of a failure, if the server sends that along.
  package let errors: String

  package init(status: Int, result: [UInt8], errors: String) {
    (self.status, self.result, self.errors) = (status, result, errors)
  }
}

/// Workers on other machines, by the server that hands them their work. The files of an outcome are in the server's cache.
package protocol RemoteExecutor: Sendable {
  /// Sends what the server lacks, and waits for the end.
  func run(_ work: RemoteWork) async throws(RemoteFailure) -> RemoteOutcome

  /// Asks which of the blobs the server's cache lacks.
  func missing(_ blobs: [ActionResult.Blob]) async throws(RemoteFailure) -> Set<Digest>
}
