package import ObjectFiles

/// The names that the code for Apple's systems in one file defines and uses, slice by slice.
package struct CodeNames: Sendable {
  package var slices: [Slice] = []

  /// The objects of one architecture.
  package struct Slice: Sendable {
    /// Nil for bitcode that names none.
    package var architecture: Architecture?
    /// The platform of the first object that names one; old objects do not.
    package var platform: Platform?
    /// Whether it is a dynamic library or an executable, for which a linker has already resolved the undefined names.
    package var isImage = false
    /// Names of the static library's members that anything below comes from.
    package var members: [String] = []
    /// Functions and variables of C, as `nm` prints them, without the mangled names of C++ and Swift.
    package var defined: [Name] = []
    /// Names that the file uses and does not define itself, each once.
    package var undefined: [Name] = []
    package var classes: [Class] = []
    package var categories: [Category] = []
    /// Linker options in the code, each once: `-framework UIKit`, `-lz`.
    package var libraries: [Name] = []
    /// The first object that was compiled from Swift, named by its architecture.
    package var swift: Name?
    /// Members that hold only categories, so that a linker has no reason to load them.
    package var categoryOnly: [Name] = []

    package init(architecture: Architecture?) { self.architecture = architecture }

    /// The member that a name comes from; nil outside of a static library.
    package func member(_ name: Name) -> String? { name.member.map { members[$0] } }
  }

  package struct Name: Sendable {
    package var text: String
    /// The index in `members` of the first member that has it.
    package var member: Int?

    package init(_ text: String, member: Int? = nil) {
      self.text = text
      self.member = member
    }
  }

  /// A class that the Objective-C runtime knows, written in Objective-C or Swift.
  package struct Class: Sendable {
    package var name: Name
    /// Nil for a root class, and for a class whose superclass only Swift's metadata names.
    package var superclass: String?
    package var isSwift = false
    /// False if only its symbol is known, as in bitcode.
    package var isRead = true
    /// `-initWithJSON:`, `+load`
    package var methods: [String] = []

    package init(_ name: Name, superclass: String?, methods: [String] = []) {
      self.name = name
      self.superclass = superclass
      self.methods = methods
    }
  }

  package struct Category: Sendable {
    package var name: Name
    package var className: String
    package var methods: [String] = []

    package init(_ name: Name, on className: String, methods: [String] = []) {
      self.name = name
      self.className = className
      self.methods = methods
    }
  }

  package init(slices: [Slice] = []) { self.slices = slices }
}
