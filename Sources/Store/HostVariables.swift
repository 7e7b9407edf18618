/// Variables of this process's own environment.
package enum HostVariables {
  /// Nil if it is not set. Bytes, because a value need not be UTF-8.
  package static func value(_ name: String) -> [UInt8]? { SystemCalls.variable(name) }
}
