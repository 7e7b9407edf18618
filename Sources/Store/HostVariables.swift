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
}
