package import SystemPackage

/// Variables of this process's own environment.
package enum HostVariables {
  /// Nil if it is not set. Bytes, because a value need not be UTF-8.
  package static func value(_ name: String) -> [UInt8]? { SystemCalls.variable(name) }
}

/// This process, as the system sees it.
package enum HostProcess {
  /// The absolute path of the program that it runs; nil if the system does not say.
  package static var executable: FilePath? { SystemCalls.executable }

  /// How many processors are there to use.
  package static var processors: Int { SystemCalls.processors }

  /// Nanoseconds since 1970.
  package static var now: Int64 { SystemCalls.now }

  /// What the system says of the terminal behind a descriptor: whether it is one; how many characters fit in a line;
  /// whether the user looks at what this process writes, which a shell may have put in the background. Nil: it does not say.
  package static func isTerminal(_ file: Int32) -> Bool { SystemCalls.isTerminal(file) }
  package static func columns(_ file: Int32) -> Int? { SystemCalls.terminalColumns(file) }
  package static func isInForeground(_ file: Int32) -> Bool? { SystemCalls.isInForeground(file) }

  /// Whether this process itself prints into a file.
  package static func isOutput(_ file: FileStamp) -> Bool {
    file.kind == .regular
      && [FileDescriptor.standardOutput, .standardError].contains { output in
        let own = (try? Stat(output)).map(FileStamp.init)
        return own?.inode == file.inode && own?.device == file.device
      }
  }

  /// Where it was started, without links; nil if that folder is gone.
  package static var workingFolder: FilePath? { try? SystemCalls.realPath(".") }

  /// Where files go that nobody is to find again: `TMPDIR`, or else `/tmp`.
  package static var temporaryFolder: FilePath {
    guard let value = HostVariables.value("TMPDIR"), !value.isEmpty, let path = FilePath(pathBytes: value) else {
      return "/tmp"
    }
    return path
  }
}
