/// A class that the file defines. `protocols`, `ivars` and `properties` are empty unless `ObjCParts.members` is
/// requested.
package struct ObjCClass: Hashable, Sendable {
  /// Its offset in the file.
  package var place: Int
  package var name: Range<Int>
  /// Nil for a root class.
  package var superclass: ObjCClassName?
  package var protocols: [Range<Int>] = []
  package var ivars: [ObjCIvar] = []
  /// The instance's, then the class's own; those of protocols are among them.
  package var properties: [ObjCProperty] = []
  /// The instance's, then the class's own.
  package var methods: [ObjCMethod] = []
  package var isSwift: Bool
  /// `+load`: the runtime calls it before the program begins.
  package var hasLoadMethod = false
  /// It is in the list of classes with a `+load`.
  package var isNonLazy = false
}

/// Methods that are added to a class, which may be defined elsewhere.
package struct ObjCCategory: Hashable, Sendable {
  package var place: Int
  package var name: Range<Int>
  package var className: ObjCClassName
  package var protocols: [Range<Int>] = []
  /// The instance's, then the class's own, which compilers have written since 2016.
  package var properties: [ObjCProperty] = []
  package var methods: [ObjCMethod] = []
  /// Whether the class that it extends is Swift's.
  package var isSwift: Bool
  package var hasLoadMethod = false
  /// It is in the list of categories with a `+load`.
  package var isNonLazy = false
}

package struct ObjCProtocol: Hashable, Sendable {
  package var place: Int
  package var name: Range<Int>
  package var protocols: [Range<Int>] = []
  package var properties: [ObjCProperty] = []
  /// The required ones, then the optional ones; each time the instance's first.
  package var methods: [ObjCMethod] = []
  package var isSwift: Bool
  /// The protocol declares `+load`.
  package var hasLoadMethod = false
}

package struct ObjCMethod: Hashable, Sendable {
  /// The offset of its entry.
  package var place: Int
  package var selector: Range<Int>
  /// `+`, not `-`.
  package var isClassMethod: Bool
  /// Only methods of protocols may be optional.
  package var isOptional = false
}

package struct ObjCIvar: Hashable, Sendable {
  /// The offset of its entry.
  package var place: Int
  package var name: Range<Int>
  /// As `@encode` writes it; Swift leaves it empty.
  package var type: Range<Int>
}

package struct ObjCProperty: Hashable, Sendable {
  /// The offset of its entry.
  package var place: Int
  package var name: Range<Int>
  /// As `property_getAttributes` gives them: `Ti,N,V_count`.
  package var attributes: Range<Int>
  package var isClassProperty: Bool
}

/// A selector that the file's code sends.
package struct ObjCSelector: Hashable, Sendable {
  /// The offset of the reference.
  package var place: Int
  package var name: Range<Int>
}

/// A class that the file's code refers to, which may be defined elsewhere.
package struct ObjCClassReference: Hashable, Sendable {
  /// The offset of the reference.
  package var place: Int
  package var className: ObjCClassName
  /// The code uses `super` in a method of the class: its superclass is meant.
  package var isSuper = false
  /// The code uses `super` in a class method.
  package var isMetaclass = false
}

/// A pointer to a text that names a class or protocol.
package struct ObjCText: Hashable, Sendable {
  package enum Kind: Sendable {
    /// The name of a class that the file defines.
    case className
    case protocolName
    /// The type of an ivar, the attributes of a property or the types of a method: classes are in quotes.
    case type
  }
  /// The offset of the pointer.
  package var place: Int
  package var range: Range<Int>
  package var kind: Kind
}

package struct ObjCClassName: Hashable, Sendable {
  package var range: Range<Int>
  /// `range` is the symbol, less its first underscore, of a Swift class of another file: its runtime name is not in
  /// this file.
  package var isSwiftSymbol = false
}
