/// Whether a deliverable of a release has code in it. Nothing is read for it: the build that made the deliverable
/// recorded it.
package struct CarriedCode: Facts {
  package let isThere: Bool

  package init(isThere: Bool) { self.isThere = isThere }

  package static func interest(in header: EntryHeader, of kind: ArtifactKind) -> Interest { .none }
  package static func read(_ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes) -> CarriedCode? { nil }
}
