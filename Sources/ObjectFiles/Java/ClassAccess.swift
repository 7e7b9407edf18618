/// The access flags of a class, field or method. A bit means one thing to a class and another to a member.
package struct ClassAccess: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let `public` = ClassAccess(rawValue: 0x1)
  package static let `private` = ClassAccess(rawValue: 0x2)
  package static let protected = ClassAccess(rawValue: 0x4)
  package static let `static` = ClassAccess(rawValue: 0x8)
  package static let final = ClassAccess(rawValue: 0x10)
  package static let native = ClassAccess(rawValue: 0x100)
  package static let interface = ClassAccess(rawValue: 0x200)
  package static let abstract = ClassAccess(rawValue: 0x400)
  /// No source has it: the compiler made it.
  package static let synthetic = ClassAccess(rawValue: 0x1000)
  package static let annotation = ClassAccess(rawValue: 0x2000)
  package static let `enum` = ClassAccess(rawValue: 0x4000)
  package static let module = ClassAccess(rawValue: 0x8000)

  package enum Holder: Sendable { case type, field, method }

  /// The flags' names in the specification, in lower case and in its order; a bit that it does not know has none.
  package func names(of holder: Holder) -> [String] {
    let names =
      switch holder {
      case .type: ClassAccess.typeNames
      case .field: ClassAccess.fieldNames
      case .method: ClassAccess.methodNames
      }
    return names.filter { rawValue & $0.key != 0 }.map(\.value)
  }

  private static let typeNames: KeyValuePairs<UInt16, String> = [
    0x1: "public", 0x10: "final", 0x20: "super", 0x200: "interface", 0x400: "abstract", 0x1000: "synthetic",
    0x2000: "annotation", 0x4000: "enum", 0x8000: "module",
  ]
  private static let fieldNames: KeyValuePairs<UInt16, String> = [
    0x1: "public", 0x2: "private", 0x4: "protected", 0x8: "static", 0x10: "final", 0x40: "volatile",
    0x80: "transient", 0x1000: "synthetic", 0x4000: "enum",
  ]
  private static let methodNames: KeyValuePairs<UInt16, String> = [
    0x1: "public", 0x2: "private", 0x4: "protected", 0x8: "static", 0x10: "final", 0x20: "synchronized",
    0x40: "bridge", 0x80: "varargs", 0x100: "native", 0x400: "abstract", 0x800: "strict", 0x1000: "synthetic",
  ]
}
