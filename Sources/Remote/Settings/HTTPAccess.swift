/// The credentials and certificates of all requests to one server.
package struct HTTPAccess: Sendable {
  /// `Name: value`.
  package var headers: [Secret] = []
  /// A file of certificates in place of the system's.
  package var authority: String?
  package var certificate: String?
  package var key: String?
  package var netrc: String?

  package init() {}
}

/// Text that no message, log or report may show.
package struct Secret: Sendable, CustomStringConvertible, CustomReflectable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package var description: String { "(secret)" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
