internal import CPlatform
import CLibrary
import Dispatch
internal import Synchronization
package import SystemPackage

/// Reports that something has changed in one of the folders: a name was added, removed or replaced, or a file was
/// written. It does not tell what, so that nothing depends on the details of a system's events.
///
/// Linux has inotify. Elsewhere Dispatch uses kqueue, where a folder does not report writes to its files. So each file
/// is watched, too, and beyond a limit a change is reported every second.
package final class FolderWatch: Sendable {
  /// One element for all changes since the last one was taken.
  package let changes: AsyncStream<Void>
  private let tell: AsyncStream<Void>.Continuation
  private let queue = DispatchQueue(label: "npi-pack.watch")
  private let told = Mutex(0)

  /// The number of reports so far.
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

    /// Watches these as well as those before; a missing folder is skipped.
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
    /// The most files that are open for this at once.
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
