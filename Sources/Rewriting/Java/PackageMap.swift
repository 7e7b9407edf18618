import ObjectFiles

/// New names for packages of Java, each with all packages below it. Of two that a name is in, the longer one counts.
package struct PackageMap: Sendable {
  private struct Row: Sendable {
    /// With slashes: `com/squareup/okhttp`.
    let old: [UInt8]
    let new: [UInt8]
    let oldDotted: [UInt8]
    let newDotted: [UInt8]
  }

  private let rows: [Row]

  /// - Parameter packages: with dots, without wildcards.
  package init(_ packages: [(old: String, new: String)]) {
    func slashed(_ name: String) -> [UInt8] { name.utf8.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: "/") : $0 } }
    rows = packages.map {
      Row(old: slashed($0.old), new: slashed($0.new), oldDotted: Array($0.old.utf8), newDotted: Array($0.new.utf8))
    }.sorted { $0.old.count > $1.old.count }
  }

  /// Why a text is no name of a package; nil if it is one.
  package static func fault(in name: String) -> String? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isName = parts.allSatisfy { part in
      guard let first = part.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
      return part.unicodeScalars.allSatisfy {
        $0 == "_" || $0 == "$" || $0.properties.isAlphabetic || ("0"..."9").contains($0)
      }
    }
    return isName ? nil : "'\(name)' is no package: names of letters and digits with dots between them"
  }

  /// The new form of a class's internal name or of a path, which the package's name and a slash begin; nil if it stays.
  package func path(_ name: some RandomAccessCollection<UInt8>) -> [UInt8]? {
    for row in rows where name.count > row.old.count && name.starts(with: row.old) {
      let rest = name.dropFirst(row.old.count)
      if rest.first == UInt8(ascii: "/") { return row.new + rest }
    }
    return nil
  }

  /// The same for the package itself too.
  package func package(_ name: [UInt8]) -> [UInt8]? { rows.first { $0.old == name }?.new ?? path(name) }

  /// Whether a text has the name of a package, with slashes or dots. False for most texts that name none.
  func mayName(_ range: Range<Int>, _ reader: borrowing ByteReader) -> Bool {
    rows.contains { reader.contains($0.old, or: $0.oldDotted, in: range) }
  }

  /// The new form of a name with dots, of a class or package.
  package func dotted(_ name: [UInt8]) -> [UInt8]? {
    for row in rows where name.starts(with: row.oldDotted) {
      let rest = name.dropFirst(row.old.count)
      if rest.isEmpty || rest.first == UInt8(ascii: ".") { return row.newDotted + rest }
    }
    return nil
  }

  /// The new form of a text of a program that is a class's name in one of the usual spellings, or a path of a resource.
  func string(_ text: [UInt8]) -> [UInt8]? {
    if text.first == UInt8(ascii: "/"), let path = path(text[1...]) { return [UInt8(ascii: "/")] + path }
    if let name = dotted(text) ?? path(text) { return name }
    // A descriptor, perhaps behind the name of a method, as Kotlin's references to functions have it.
    let start = text.firstIndex(of: UInt8(ascii: "(")) ?? 0
    guard start < text.count, "([L".utf8.contains(text[start]) else { return nil }
    return JavaSignature.renamed(Array(text[start...]), self).map { text[..<start] + $0 }
  }

  /// A text with new names in the place of every name with dots that is in one of the packages; nil if there is none. A
  /// name begins where nothing of a name stands in front of it.
  ///
  /// - Parameter isMeant: whether a name is one of those that are meant, the whole of it.
  package func text(_ text: [UInt8], where isMeant: (ArraySlice<UInt8>) -> Bool = { _ in true }) -> [UInt8]? {
    var (result, rest, isChanged): ([UInt8], ArraySlice<UInt8>, Bool) = ([], text[...], false)
    while let start = rest.firstIndex(where: Self.isNameByte) {
      result += rest[..<start]
      let name = rest[start...].prefix { Self.isNameByte($0) || $0 == UInt8(ascii: ".") }
      rest = rest[name.endIndex...]
      if let row = rows.first(where: { Self.begins(name, $0.oldDotted) }), isMeant(name) {
        result += row.newDotted + name.dropFirst(row.oldDotted.count)
        isChanged = true
      } else {
        result += name
      }
    }
    return isChanged ? result + rest : nil
  }

  /// A text of machine code by which it finds a class of one of the packages, or is found by one: a function of the Java
  /// Native Interface (its specification, chapter 2: `Java_`, the class's name with `_` for slashes and `_1` for `_`, `_`,
  /// the method's name), or a class's name with slashes (`FindClass`).
  func nativeName(in reader: borrowing ByteReader) -> (place: Int, text: String)? {
    let functions = rows.map { row in
      Array("Java_".utf8)
        + row.old.flatMap { byte -> [UInt8] in
          byte == UInt8(ascii: "/") ? Array("_".utf8) : byte == UInt8(ascii: "_") ? Array("_1".utf8) : [byte]
        } + [UInt8(ascii: "_")]
    }
    let beginnings = functions + rows.map { $0.old + [UInt8(ascii: "/")] }
    var before: UInt8 = 0
    for place in reader.range {
      guard let byte: UInt8 = try? reader.integer(at: place, "text") else { break }
      defer { before = byte }
      guard Self.isNameByte(byte), !Self.isNameByte(before) || before == UInt8(ascii: "L") else { continue }
      for own in beginnings where own[0] == byte && own.count <= reader.range.upperBound - place {
        guard reader.equals(place..<place + own.count, ByteReader(own.span), 0..<own.count),
          let range = reader.terminatedRange(at: place, in: place..<min(place + 256, reader.range.upperBound)),
          let name = try? reader.copy(range, "text")
        else { continue }
        return (place, String(decoding: name, as: UTF8.self))
      }
    }
    return nil
  }

  private static func begins(_ name: ArraySlice<UInt8>, _ old: [UInt8]) -> Bool {
    guard name.starts(with: old) else { return false }
    let next = name.dropFirst(old.count).first
    return next == nil || next == UInt8(ascii: ".")
  }

  private static func isNameByte(_ byte: UInt8) -> Bool { byte.isInName || byte == UInt8(ascii: "$") || byte >= 0x80 }
}
