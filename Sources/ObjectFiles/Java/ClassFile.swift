// A class file (Java Virtual Machine Specification, chapter 4), all big endian:
//
//   magic CAFEBABE  4      minor, major version  2 + 2      number of constants, plus one  2
//   constants (see `ClassConstants`), numbered from 1
//   access flags 2; this class, superclass: 2 each, numbers of constants; number of interfaces (2), each 2
//   number of fields (2), each: flags, name, descriptor, 2 each, attributes
//   methods, like fields
//   attributes: their number (2), each: name (2), length (4), that many bytes (see `ClassAnnotations`)
//
// A class is named with slashes; in a descriptor as `Lcom/example/Text;`.

/// A class as its file describes it. Names are ranges of the file, which `javaText` decodes.
///
/// Attributes are read only by `annotations`, and the members that code refers to only by `memberReferences`.
package struct ClassFile: Sendable {
  package let version: ClassVersion
  package let access: ClassAccess
  /// `com/example/Text$Inner`; that of a module's description is `module-info`.
  package let name: Range<Int>
  /// Nil for `java/lang/Object` and for a module's description.
  package let superclass: Range<Int>?
  package let interfaces: [Range<Int>]
  package let fields: [ClassMember]
  package let methods: [ClassMember]
  /// The classes that its code and its members' types name, itself included, but no annotations. A class may be in it
  /// more than once.
  package let references: [Range<Int>]

  let constants: ClassConstants
  /// The range includes the number of attributes.
  let attributes: Range<Int>
}

/// A field or a method.
package struct ClassMember: Hashable, Sendable {
  package let access: ClassAccess
  /// `<init>` for a constructor, `<clinit>` for the static initializer.
  package let name: Range<Int>
  /// `[Ljava/lang/String;`, `(IJ)V`
  package let descriptor: Range<Int>
  let attributes: Range<Int>
}

/// A field or method that a class's code refers to, perhaps its own.
package struct ClassMemberReference: Hashable, Sendable {
  package enum Kind: UInt8, Sendable { case field = 9, method, interfaceMethod }

  package let kind: Kind
  /// The descriptor, if the class is an array.
  package let className: Range<Int>
  package let name: Range<Int>
  package let descriptor: Range<Int>
}

/// The Java release that a class was compiled for.
package struct ClassVersion: Hashable, Sendable, CustomStringConvertible {
  package let major: UInt16
  package let minor: UInt16

  /// `17`, `1.4`
  package var release: String { major > 48 ? "\(major - 44)" : "1.\(major - 44)" }
  /// The class uses preview features of that release.
  package var isPreview: Bool { major >= 56 && minor == .max }
  /// `61.0`
  package var description: String { "\(major).\(minor)" }
}

extension ClassFile {
  /// Each of `references` once, in modified UTF-8.
  package func referenceNames(_ reader: borrowing ByteReader) throws(FormatError) -> Set<[UInt8]> {
    var names: Set<[UInt8]> = []
    for range in references { names.insert(try reader.copy(range, "name of a class")) }
    return names
  }
}
