package import ObjectFiles

/// What the code for Apple's systems in one file is called and calls, slice by slice.
package struct CodeNames: Sendable {
  package var slices: [Slice] = []

  /// The objects of one architecture.
  package struct Slice: Sendable {
    /// Nil of bitcode that says none.
    package var architecture: Architecture?
    /// That of the first object that names one; old objects do not.
    package var platform: Platform?
    /// A dynamic library or an executable: a linker has found what it asks for.
    package var isImage = false
    /// Names of the members of a static library that anything below comes from.
    package var members: [String] = []
    /// Without what C++ and Swift make up: functions and variables of C, as `nm` prints them.
    package var defined: [Name] = []
    /// What it asks of others, each once; what the file defines itself is not in it.
    package var undefined: [Name] = []
    package var classes: [Class] = []
    package var categories: [Category] = []
    /// What it asks its linker for, each once: `-framework UIKit`, `-lz`.
    package var libraries: [Name] = []
    /// One that was compiled from Swift.
    package var swift: Name?
    /// Members that hold categories and nothing that a linker would load them for.
    package var categoryOnly: [Name] = []

    package init(architecture: Architecture?) { self.architecture = architecture }

    /// The member that a name comes from; nil outside of a static library.
    package func member(_ name: Name) -> String? { name.member.map { members[$0] } }
  }

  package struct Name: Sendable {
    package var text: String
    /// Of `members`: the first that has it.
    package var member: Int?

    package init(_ text: String, member: Int? = nil) {
      self.text = text
      self.member = member
    }
  }

  /// A class of Objective-C, or one of Swift that its runtime knows.
  package struct Class: Sendable {
    package var name: Name
    /// Nil of a root class, and of one whose superclass only Swift names.
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
