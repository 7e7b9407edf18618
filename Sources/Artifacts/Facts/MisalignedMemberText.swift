package import Findings

/// Members of a static library that Apple's linker of today refuses for where they begin, in the words of `lint` and of
/// `check`. Not measured here: reported of Xcode 16 and later, whose message is
/// `64-bit mach-o member 'X' not 8-byte aligned in 'Y'`.
package enum MisalignedMemberText {
  package static let rule: RuleID = "misaligned-member"

  /// `named`: some of them, the first ones.
  package static func text(
    count: Int, named: [String], of file: String
  ) -> (message: String, notes: [String], hint: String) {
    return (
      "\(counted(count, "member of \(file) is", "members of \(file) are")) not at a multiple of 8",
      [listed(named, of: count), "reported: Xcode 16 and later refuse to link it"],
      "make the library again with Apple's libtool, or llvm-ar --format=darwin"
    )
  }

  /// As many are named.
  package static let maxNamed = 5
}
