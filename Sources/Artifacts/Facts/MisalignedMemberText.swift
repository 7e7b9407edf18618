package import Findings

/// The message of `lint` and `check` about members of a static library that Apple's current linker refuses because of
/// their alignment. This was not measured here: it is reported of Xcode 16 and later, whose message is
/// `64-bit mach-o member 'X' not 8-byte aligned in 'Y'`.
package enum MisalignedMemberText {
  package static let rule: RuleID = "misaligned-member"

  /// `named`: the first ones of the members.
  package static func text(
    count: Int, named: [String], of file: String
  ) -> (message: String, notes: [String], hint: String) {
    return (
      "\(counted(count, "member of \(file) is", "members of \(file) are")) not at a multiple of 8",
      [listed(named, of: count), "reported: Xcode 16 and later refuse to link it"],
      "make the library again with Apple's libtool, or llvm-ar --format=darwin"
    )
  }

  package static func edit(_ file: String) -> Edit? {
    Edit(.shell, "llvm-libtool-darwin -static -D -o \(file) \(file)")
  }

  package static let maxNamed = 5
}
