import Recipes
package import Findings
import Linking

package enum DuplicateSymbol: CollisionRule {
  package static let id: RuleID = "duplicate-symbol"
  package static let noun = (one: "symbol of the same name", many: "symbols of the same names")

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let isAlias = collision.sites.contains { $0.reason == aliasReason }
    return (
      "\(subject(collision)): \(outcome(collision))",
      (isAlias ? ["-alias gives the name to one of them"] : []) + sameness(collision),
      collision.isOfOneFile ? "name the file once" : hint(collision.name.text)
    )
  }

  /// Renames a few functions in the last library. The runtime would know a class by its old name; a library of others
  /// has too many names.
  package static func edit(_ all: [Collision]) -> Edit? {
    guard let names = all.names(most: maxRenamed),
      names.allSatisfy({
        $0.hasPrefix("_") && !$0.hasPrefix(ofMergeableLibraries) && ThirdParties.all.index(of: $0) == nil
      })
    else { return nil }
    let libraries = Set(all.compactMap { $0.sites.count == 2 ? $0.sites[1].artifact : nil }).sorted {
      "\($0)" < "\($1)"
    }
    guard let last = all.first?.sites.last, last.member != nil, last.kind != .alias,
      (1...maxRenamed).contains(libraries.count)
    else { return nil }
    let flags = names.map { "--redefine-sym \($0)=_\(last.ownName)\($0)" as Edit.Line }
    let commands = libraries.map { "llvm-objcopy \(flags) \($0.parts.last ?? "")" as Edit.Line }
    return Edit(.shell, "\(commands, separator: " && ")")
  }

  private static let maxRenamed = 4

  /// The reason of a definition that the link line makes.
  static let aliasReason = LinkVerdict.Reason.flag("-alias")

  static func sameness(_ collision: Collision) -> [String] {
    if collision.isOfOneFile { return ["the line names the file twice, and object files are read as often as named"] }
    return switch collision.identical {
    case true: ["the definitions are the same"]
    case false: ["the definitions differ"]
    case nil where collision.sites.contains { $0.kind == .alias }: []
    // No linker compares classes whose symbols are local.
    case nil where collision.sites.contains { $0.kind == .objcClass }:
      ["hidden from the linker: when the app starts, the log says that it is implemented in both"]
    case nil: ["whether the definitions are the same is not known"]
    }
  }

  static func subject(_ collision: Collision) -> String {
    let name = collision.name.text
    let what = objcSymbols.first { name.hasPrefix($0.prefix) }.map { "\($0.what) \(name.dropFirst($0.prefix.count))" }
    return "\(what ?? name) is defined \(collision.times)"
  }

  private static let objcSymbols: [(prefix: String, what: String)] = [
    ("_OBJC_CLASS_$_", "the class"), ("_OBJC_METACLASS_$_", "the metaclass of"), ("_OBJC_IVAR_$_", "the ivar"),
    ("_OBJC_EHTYPE_$_", "the exception type"),
  ]

  static func outcome(_ collision: Collision) -> String {
    let winner = collision.shownWinner.map { "that of \($0) is taken" }
    return switch collision.verdict {
    case .error: "the link fails"
    case .warning: "the linker warns" + (winner.map { ", and \($0)" } ?? "")
    case .possible: "the link fails if the app uses \(collision.shownTriggers)"
    case .silent: winner.map { "\($0), silently" } ?? "an app that uses it gets one of them, silently"
    }
  }

  /// `_relinkableLibraryClasses` and `_relinkableLibraryClassesCount`, by which Xcode 26 merges libraries.
  private static let ofMergeableLibraries = "_relinkableLibraryClasses"

  private static func hint(_ name: String) -> String {
    if name.hasPrefix(ofMergeableLibraries) {
      return "it is Xcode's own, of a library built to be merged: ask a vendor to build with MERGEABLE_LIBRARY = NO"
    }
    let vendor =
      name.hasPrefix("_OBJC_")
      ? hasPrefix(name) ? "leave its copy of the class out" : "give the class a prefix of its own"
      : name.hasPrefix("_$s") || name.hasPrefix("_$S")
        ? "give the Swift module a name of its own" : "hide its own (ld -r with a list of exports)"
    return "share one copy, leave one of the plugins out, or ask a vendor to \(vendor)"
  }

  /// Whether a class has a vendor's prefix, such as `FIRApp`: then both are copies of that vendor's.
  private static func hasPrefix(_ symbol: String) -> Bool {
    let name = symbol.utf8.drop { $0 != UInt8(ascii: "$") }.dropFirst(2)
    let capitals = name.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    return capitals.count > 2 && capitals.count < name.count
  }
}
