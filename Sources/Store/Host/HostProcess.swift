import CLibrary
internal import CPlatform
package import SystemPackage

package enum HostProcess {
  /// The absolute path of the program that it runs; nil if the system does not say.
  package static var executable: FilePath? {
    #if canImport(Darwin)
      var size: UInt32 = 4096
      let bytes = unsafe [CChar](unsafeUninitializedCapacity: Int(size)) { buffer, count in
        count =
          unsafe _NSGetExecutablePath(buffer.baseAddress, &size) == 0 ? Int(strnlen(buffer.baseAddress ?? "", 4096)) : 0
      }
      return bytes.isEmpty ? nil : FilePath(pathBytes: bytes.map { UInt8(bitPattern: $0) })
    #else
      return (try? SystemCalls.linkTarget("/proc/self/exe")).flatMap { FilePath(pathBytes: $0) }
    #endif
  }

  package static var processors: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  /// Nanoseconds since 1970.
  package static var now: Int64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &time)
    return SystemCalls.nanoseconds(time)
  }

  package static func isTerminal(_ file: Int32) -> Bool { isatty(file) == 1 }

  /// Nil if it is no terminal, or one that does not tell.
  package static func columns(_ file: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// False if a shell has put this process in the background; nil if it is not the terminal of this session.
  package static func isInForeground(_ file: Int32) -> Bool? {
    let group = tcgetpgrp(file)
    return group < 0 ? nil : group == getpgrp()
  }

  /// Nil if it is not set. Bytes, because a value need not be UTF-8.
  package static func variable(_ name: String) -> [UInt8]? {
    let value = unsafe getenv(name).map { unsafe [UInt8](UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    Lookups.found(variable: value, name)
    return value
  }

  /// libarchive converts a date for each entry of a zip, and without TZ glibc asks the disk each time which zone that is: a
  /// fifth of the time of reading a large one. Call it before there are other threads.
  package static func nameTimeZone() {
    #if canImport(Glibc)
      _ = unsafe setenv("TZ", ":/etc/localtime", 0)
    #endif
  }

  /// From now on no core file is written of this process, and other processes of the user cannot read its memory and its
  /// environment. On macOS the system does so by itself unless somebody has asked for core files.
  package static func hideFromOthers() {
    #if !canImport(Darwin)
      platform_hide_process()
    #endif
  }

  /// Whether the file is standard output or error of this process.
  package static func isOutput(_ file: FileStamp) -> Bool {
    file.kind == .regular
      && [FileDescriptor.standardOutput, .standardError].contains { output in
        let own = (try? Stat(output)).map(FileStamp.init)
        return own?.inode == file.inode && own?.device == file.device
      }
  }

  /// Without links; nil if the folder is gone.
  package static var workingFolder: FilePath? { try? SystemCalls.realPath(".") }

  /// The folder for temporary files: `TMPDIR`, or else `/tmp`.
  package static var temporaryFolder: FilePath {
    guard let value = variable("TMPDIR"), !value.isEmpty, let path = FilePath(pathBytes: value) else {
      return "/tmp"
    }
    return path
  }
}
