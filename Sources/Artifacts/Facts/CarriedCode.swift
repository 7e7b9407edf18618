/// Of a deliverable that is an item of its release: whether there is code in it. Nothing is read for it: whoever made the
/// deliverable has looked.
package struct CarriedCode: Facts {
  package let isThere: Bool

  package init(isThere: Bool) { self.isThere = isThere }

  package static func interest(in header: EntryHeader, of kind: ArtifactKind) -> Interest { .none }
  package static func read(_ header: EntryHeader, of kind: ArtifactKind, _ bytes: EntryBytes) -> CarriedCode? { nil }
}
