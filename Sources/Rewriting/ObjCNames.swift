import ObjectFiles

/// The names of Objective-C that change, in the texts that the runtime reads.
struct ObjCNames {
  let names: RenamedNames

  /// The new name of a class; nil if it stays.
  func className(_ name: some Collection<UInt8>) -> [UInt8]? { changed(name, marker: "_OBJC_CLASS_$_") }

  func protocolName(_ name: some Collection<UInt8>) -> [UInt8]? {
    changed(name, marker: "__OBJC_PROTOCOL_$_") ?? changed(name, marker: "l_OBJC_PROTOCOL_$_")
  }

  /// By the symbol that a class or protocol has.
  private func changed(_ name: some Collection<UInt8>, marker: String) -> [UInt8]? {
    let symbol = Array(marker.utf8) + name
    guard let change = names.change(of: symbol) else { return nil }
    return Array(names.rewrite.applied(change, to: symbol).dropFirst(marker.utf8.count))
  }

  func text(_ text: [UInt8], _ kind: ObjCText.Kind) -> [UInt8]? {
    switch kind {
    case .className: className(text)
    case .protocolName: protocolName(text)
    case .type: type(text)
    }
  }

  /// A type as `@encode` writes it, in which an object has its class or protocols in quotes: `@"View"`, `@"View<P>"`,
  /// `@"<P><Q>"`. Nil if no name in it changes.
  func type(_ text: [UInt8]) -> [UInt8]? {
    var (result, isChanged): ([UInt8], Bool) = ([], false)
    var rest = text[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "@")) {
      result += rest[...start]
      rest = rest[(start + 1)...]
      guard rest.first == UInt8(ascii: "\""), let end = rest.dropFirst().firstIndex(of: UInt8(ascii: "\"")) else {
        continue
      }
      result.append(UInt8(ascii: "\""))
      var object = rest[(rest.startIndex + 1)..<end]
      var isProtocol = false
      while !object.isEmpty {
        let name = object.prefix { $0 != UInt8(ascii: "<") && $0 != UInt8(ascii: ">") }
        let new = isProtocol ? protocolName(name) : className(name)
        isChanged = isChanged || new != nil
        result += new ?? Array(name)
        object = object[name.endIndex...]
        guard let bracket = object.popFirst() else { break }
        isProtocol = bracket == UInt8(ascii: "<")
        result.append(bracket)
      }
      rest = rest[end...]
    }
    return isChanged ? result + rest : nil
  }
}
