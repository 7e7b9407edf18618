/// Which symbols are wanted, as options of `nm` say it. Debugging symbols never are.
package struct SymbolSelection: Hashable, Sendable {
  /// `-g`
  package var externalOnly: Bool
  /// `-U`
  package var definedOnly: Bool
  /// `-u`
  package var undefinedOnly: Bool

  package init(externalOnly: Bool = false, definedOnly: Bool = false, undefinedOnly: Bool = false) {
    self.externalOnly = externalOnly
    self.definedOnly = definedOnly
    self.undefinedOnly = undefinedOnly
  }

  @inline(__always)
  func takes(isExternal: Bool, isUndefined: Bool) -> Bool {
    !(externalOnly && !isExternal) && !(definedOnly && isUndefined) && !(undefinedOnly && !isUndefined)
  }

  package func takes(_ symbol: Symbol) -> Bool {
    takes(isExternal: symbol.flags.contains(.external), isUndefined: symbol.flags.contains(.undefined))
  }
}
