internal import CPlatform
import CLibrary
import Dispatch
internal import Synchronization
package import SystemPackage

/// Tells that something has changed in one of some folders: a name came, went or was replaced, a file in it was written. Not
/// what: whoever is told looks for himself, so that nothing depends on what a system says of it.
///
/// On Linux inotify. Elsewhere kqueue, by Dispatch: there a folder does not tell of what is written into its files, so each
/// file is watched, too, and beyond some number of files everybody is told once a second.
package final class FolderWatch: Sendable {
  /// One for each time that somebody waits, whatever has happened meanwhile.
  package let changes: AsyncStream<Void>
  private let tell: AsyncStream<Void>.Continuation
  private let queue = DispatchQueue(label: "npi-pack.watch")
  private let told = Mutex(0)

  /// How often something was told.
  package var count: Int { told.withLock { $0 } }

  private func changed() {
    told.withLock { $0 += 1 }
    tell.yield()
  }

  #if os(Linux)
    private let file: FileDescriptor

    package init() throws(FileError) {
      (changes, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
      let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard number >= 0 else {
        throw FileError("/", doing: "watch", code: Errno(rawValue: errno))
      }
      file = FileDescriptor(rawValue: number)
      let source = DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
      source.setEventHandler { [weak self, file] in
        withExtendedLifetime(source) {
          // The events' contents are not needed.
          var room = [UInt8](repeating: 0, count: 64 << 10)
          while let count = unsafe try? room.withUnsafeMutableBytes({ try unsafe file.read(into: $0) }), count > 0 {}
          self?.changed()
        }
      }
      source.resume()
    }

    private static let events =
      IN_CLOSE_WRITE | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF
      | IN_MOVE_SELF

    /// These as well as those before; a folder that is not there any more is passed over.
    package func watch(_ folders: some Sequence<FilePath>, files: some Sequence<FilePath>) throws(FileError) {
      for folder in folders {
        let number = unsafe folder.withPlatformString { path in
          unsafe inotify_add_watch(file.rawValue, path, UInt32(FolderWatch.events) | UInt32(IN_ONLYDIR))
        }
        if number >= 0 || [ENOENT, ENOTDIR, EACCES].contains(errno) { continue }
        let code = Errno(rawValue: errno)
        guard code == .noSpace else { throw FileError(folder, doing: "watch", code: code) }
        throw FileError(
          folder, doing: "watch", reason: "the system watches no more folders for this user",
          hint: "raise the limit: sysctl fs.inotify.max_user_watches")
      }
    }
  #else
    private let sources = Mutex<[FilePath: FileDescriptor]>([:])
    /// So many files are open for this at once.
    private static let limit = 128

    package init() throws(FileError) {
      (changes, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func watch(_ folders: some Sequence<FilePath>, files: some Sequence<FilePath>) throws(FileError) {
      for path in Array(folders) + Array(files) {
        let isKnown = sources.withLock { $0[path] != nil }
        if isKnown { continue }
        guard sources.withLock({ $0.count }) < FolderWatch.limit else { return everySecond() }
        guard let file = try? FileDescriptor.open(path, .readOnly, options: [.closeOnExec, .nonBlocking]) else {
          continue
        }
        sources.withLock { $0[path] = file }
        let source = DispatchSource.makeFileSystemObjectSource(
          fileDescriptor: file.rawValue, eventMask: [.write, .extend, .attrib, .delete, .rename], queue: queue)
        source.setEventHandler { [weak self] in
          // A file that was replaced is watched anew the next time.
          if !source.data.isDisjoint(with: [.delete, .rename]) { source.cancel() }
          self?.changed()
        }
        source.setCancelHandler { [weak self] in
          self?.sources.withLock { _ = $0.removeValue(forKey: path) }
          try? file.close()
        }
        source.resume()
      }
    }

    private func everySecond() {
      queue.asyncAfter(deadline: .now() + .seconds(1)) { [weak self] in self?.changed() }
    }
  #endif
}
