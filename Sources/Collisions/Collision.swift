package import Linking

/// A name that more than one file of a link defines, and what becomes of it.
package struct Collision: Sendable {
  package enum Verdict: Hashable, Sendable {
    case error
    case warning
    /// An error once the app refers to all of these names.
    case possible(triggers: [String])
    case silent
  }

  package struct Definition: Hashable, Sendable {
    package enum Kind: String, Sendable { case strong, weak, common, absolute, alias }

    package var place: LinkPlace
    package var kind: Kind
    /// Why its member is loaded; nil if it is not, or lies in no static library.
    package var reason: LinkVerdict.Reason?
    /// Number and symbol of its object file in the link set.
    package var object: Int
    package var symbol: Int
  }

  package var name: String
  package var verdict: Verdict
  /// In the order of the line; those that take part in the error, if there is one.
  package var definitions: [Definition]
  /// What the output has, or would have if the name were wanted. Nil after an error, and if that is not known.
  package var winner: LinkPlace?
}

extension Collision.Definition.Kind {
  init(_ symbol: LinkSymbol) {
    self =
      switch symbol.kind {
      case .common: .common
      case .absolute: .absolute
      case .alias: .alias
      case .regular, .undefined: symbol.isWeak ? .weak : .strong
      }
  }
}
