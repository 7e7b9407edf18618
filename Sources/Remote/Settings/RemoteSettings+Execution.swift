import Findings

// The settings of workers on other machines.
extension RemoteSettings {
  /// Whether there is an executor; it must be the server that is asked for results, too.
  static func executes(
    _ executor: RemoteLayer.Value?, _ home: RemoteLayer.Value, _ url: RemoteURL
  ) throws(Mistakes) -> Bool {
    guard let executor else { return false }
    guard url.isForGRPC else {
      throw executor.mistake(
        "'\(executor.text)' is no server that has workers", hint: "workers are asked over gRPC: grpcs://…")
    }
    guard executor.text == home.text else {
      throw executor.mistake(
        "it is another server than \(home.name)",
        hint: "one server is asked for results and for workers, because it keeps what they make")
    }
    return true
  }

  /// `NAME=VALUE`
  static func property(_ value: RemoteLayer.Value) throws(Mistakes) -> (name: String, value: String) {
    let parts = value.text.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw value.mistake("'\(value.text)' is not NAME=VALUE", hint: "for example OSFamily=Linux")
    }
    return (String(decoding: parts[0], as: UTF8.self), String(decoding: parts[1], as: UTF8.self))
  }
}
