/// Descriptors of members and signatures with type parameters (Java Virtual Machine Specification, 4.3 and 4.7.9.1), with
/// new names of classes. A text that is neither is taken as far as it goes.
///
///     <T:Ljava/lang/Object;:LBound<TT;>;>(ILOuter<*>.Inner;[TT;)V^TE;
package enum JavaSignature {
  /// Nil if no name in it changes.
  package static func renamed(_ text: [UInt8], _ map: PackageMap) -> [UInt8]? {
    guard text.contains(UInt8(ascii: "/")) else { return nil }
    var (result, rest, isChanged): ([UInt8], ArraySlice<UInt8>, Bool) = ([], text[...], false)
    // Type parameters come first: names, each with bounds behind colons. `depth` counts the arguments of a bound.
    var (isInParameters, depth) = (false, 0)
    if rest.first == UInt8(ascii: "<") {
      result.append(rest.removeFirst())
      isInParameters = true
      takeName(&rest, &result)
    }
    while let byte = rest.popFirst() {
      result.append(byte)
      switch byte {
      case UInt8(ascii: "L"):
        let name = rest.prefix { !";<.".utf8.contains($0) }
        rest = rest[name.endIndex...]
        let new = map.path(name)
        isChanged = isChanged || new != nil
        result += new ?? Array(name)
      case UInt8(ascii: "T"): takeName(&rest, &result)
      case UInt8(ascii: "."):
        let name = rest.prefix { !";<.".utf8.contains($0) }
        rest = rest[name.endIndex...]
        result += name
      case UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: ">"):
        if isInParameters, depth == 0 { isInParameters = false } else { depth -= 1 }
      case UInt8(ascii: ";") where isInParameters && depth == 0:
        // Another bound, the end, or the next parameter's name.
        if let next = rest.first, next != UInt8(ascii: ":"), next != UInt8(ascii: ">") { takeName(&rest, &result) }
      default: break
      }
    }
    return isChanged ? result : nil
  }

  /// To the colon or semicolon behind a name of a type parameter or variable.
  private static func takeName(_ rest: inout ArraySlice<UInt8>, _ result: inout [UInt8]) {
    let name = rest.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") }
    rest = rest[name.endIndex...]
    result += name
  }
}
