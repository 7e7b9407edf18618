/// Why some files cannot become one universal library. Every name is the one that the input was given.
package enum UniversalLibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  case noInputs
  /// Two inputs hold the same architecture.
  case sameArchitecture(Architecture, first: String, second: String)
  /// A static library whose members are not all for one architecture.
  case mixedArchitectures(
    input: String, member: String, Architecture, firstMember: String, firstArchitecture: Architecture)
  /// A static library with a member that is no Mach-O file.
  case foreignMember(input: String, member: String, FileKind)
  /// A static library with no members.
  case noArchitecture(input: String)
  /// A file that is not code for Apple's systems.
  case unsupported(input: String, FileKind)
  case damaged(input: String, FormatError)

  package var description: String {
    switch self {
    case .noInputs: "a universal library needs at least one input"
    case .sameArchitecture(let architecture, let first, let second) where first == second:
      "\(first) is given twice (\(architecture)); a universal library holds each architecture once: name it once"
    case .sameArchitecture(let architecture, let first, let second):
      """
      \(first) and \(second) are both for \(architecture), and a universal library holds each architecture once: \
      leave one of them out (code for a device and for a simulator of one architecture needs an XCFramework)
      """
    case .mixedArchitectures(let input, let member, let architecture, let firstMember, let firstArchitecture):
      """
      \(input) mixes architectures: \(member) is for \(architecture), \(firstMember) for \(firstArchitecture); make \
      one static library for each architecture
      """
    case .foreignMember(let input, let member, let kind):
      "\(input): its member \(member) is no object file but \(kind.named); a universal library takes object files only"
    case .noArchitecture(let input): "\(input) has no object files in it, so it is for no architecture"
    case .unsupported(let input, let kind):
      "\(input) is \(kind.named); a universal library is made of Mach-O files, static libraries and universal files"
    case .damaged(let input, let error): "\(input): \(error)"
    }
  }
}

extension FileKind {
  /// The kind with its article.
  package var named: String {
    switch self {
    case .other: "data of no known kind"
    case .elf, .machO(.object), .machO(.executable): "an \(description)"
    case .machO(.debugSymbols): description
    default: "a \(description)"
    }
  }
}
