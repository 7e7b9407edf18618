import Findings

// R.txt, as the tools write it (aapt's `writeTextLayoutClasses`, aapt2's `TextPrinter`, Gradle's `SymbolIo`):
//
//   int layout row 0x7f0a0000                       a name of a type
//   int[] styleable View { 0x7f010000, 0x7f010001 } a styleable, an id a child; `{ }` or `{  }` where it has none
//   int styleable View_android_text 1               a child of it, and its index in that array
//
// Words are apart by white space, lines end with LF or CRLF. A child's line has no sign where the styleable's name ends
// and the child's begins, and both may have underscores: it belongs to the array above it, as all of these tools write
// them, and only if it cannot, to the array of the longest name that fits.

/// The problem of a text that should be an `R.txt`, and its line, counted from 1.
package struct RTextProblem: Error, Sendable, CustomStringConvertible {
  package let line: Int
  let reason: String

  package var description: String { "line \(line): \(printable(reason)): make the R.txt anew" }
}

extension SymbolTable {
  /// Reads an `R.txt` of any tool. Ids are not kept. Names of types that are not in `ResourceType`, such as `macro` and
  /// `overlayable`, are left out. Problems of single lines are thrown before those of children.
  package init(rText: [UInt8]) throws(RTextProblem) {
    self.init()
    var arrays: [StyleableArray] = []
    /// Whether the line above is the last array's or one of its children's.
    var isOpen = false
    var loose: [StyleableChild] = []
    for (index, raw) in rText.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let line = try RTextLine(raw, number: index + 1)
      guard let line else { continue }
      guard let type = ResourceType(rawValue: line.type) else {
        isOpen = false
        continue
      }
      switch (line.value, type) {
      case (.array(let ids), .styleable):
        arrays.append(StyleableArray(name: line.name, line: line.number, ids: ids))
        isOpen = true
      case (.array, _):
        throw RTextProblem(
          line: line.number, reason: "only a styleable is an array, and this is of the type \(line.type)")
      case (.number(let value), .styleable):
        let child = StyleableChild(name: line.name, line: line.number, index: value)
        if isOpen, let last = arrays.indices.last, arrays[last].take(child) { continue }
        isOpen = false
        loose.append(child)
      case (.number, _):
        isOpen = false
        insert(type, ResourceName(String(decoding: line.name, as: UTF8.self)))
      }
    }
    try StyleableArray.distribute(loose, to: &arrays)
    // A styleable of two libraries or configurations has the children of both, as in an app.
    for array in arrays {
      insert(styleable: ResourceName(String(decoding: array.name, as: UTF8.self)), children: try array.all())
    }
  }
}

/// One line that is not blank, split into its parts.
private struct RTextLine {
  enum Value {
    case number(Int)
    case array(ids: Int)
  }

  let number: Int
  let type: String
  let name: [UInt8]
  let value: Value

  /// Nil for a blank line.
  init?(_ line: ArraySlice<UInt8>, number lineNumber: Int) throws(RTextProblem) {
    let words = line.split { $0 == 0x20 || (0x09...0x0D).contains($0) }
    guard let kind = words.first else { return nil }
    func problem(_ reason: String) -> RTextProblem { RTextProblem(line: lineNumber, reason: reason) }
    guard String(validating: line, as: UTF8.self) != nil else { throw problem("the text is not UTF-8") }
    func text(_ word: ArraySlice<UInt8>) -> String { String(decoding: word, as: UTF8.self) }
    let isArray = kind.elementsEqual("int[]".utf8)
    guard isArray || kind.elementsEqual("int".utf8) else {
      throw problem("'\(text(kind))' begins no line of R.txt, int and int[] do")
    }
    guard words.count >= 4, isArray || words.count == 4 else {
      throw problem("a line of R.txt is 'int TYPE NAME VALUE', and this one is not")
    }
    self.number = lineNumber
    type = text(words[1])
    name = Array(words[2])
    // aapt2 puts a `$` in front of the names of resources that are inside of others.
    guard text(words[2]).isIdentifier(with: "$.-:") else {
      throw problem("'\(text(words[2]))' cannot be a resource's name in Java")
    }
    /// A resource's id has 32 bits.
    func number(_ word: String) throws(RTextProblem) -> Int {
      let value = word.hasPrefix("0x") ? UInt32(word.dropFirst(2), radix: 16) : UInt32(word)
      guard let value else { throw problem("'\(word)' is no number") }
      return Int(value)
    }
    guard isArray else {
      value = .number(try number(text(words[3])))
      return
    }
    // The braces may touch the ids, so the text between them is split again.
    let rest = Array(words[3...].joined(separator: [0x20]))
    guard rest.first == UInt8(ascii: "{"), rest.last == UInt8(ascii: "}") else {
      throw problem("the ids of '\(text(words[2]))' are not in the form { 0x1, 0x2 }")
    }
    let ids = rest.dropFirst().dropLast().split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { text(ArraySlice($0.filter { $0 != 0x20 })) }
    let isEmpty = ids == [""]
    if !isEmpty { for id in ids { _ = try number(id) } }
    value = .array(ids: isEmpty ? 0 : ids.count)
  }

}

private struct StyleableChild {
  /// The child's name with the styleable's name in front.
  let name: [UInt8]
  let line: Int
  let index: Int
}

private struct StyleableArray {
  let name: [UInt8]
  let line: Int
  /// One for each id in the line.
  private var children: [ResourceName?]

  init(name: [UInt8], line: Int, ids: Int) {
    self.name = name
    self.line = line
    children = Array(repeating: nil, count: ids)
  }

  /// False if the child cannot be one of this array's.
  mutating func take(_ child: StyleableChild) -> Bool { child.name.starts(with: name) && takePrefixed(child) }

  /// Like `take`, for a child whose name is known to begin with this array's.
  private mutating func takePrefixed(_ child: StyleableChild) -> Bool {
    guard child.name.count > name.count + 1, child.name[name.count] == UInt8(ascii: "_"),
      children.indices.contains(child.index), children[child.index] == nil
    else { return false }
    children[child.index] = ResourceName(String(decoding: child.name.dropFirst(name.count + 1), as: UTF8.self))
    return true
  }

  func all() throws(RTextProblem) -> [ResourceName] {
    if let index = children.firstIndex(of: nil) {
      let (text, count) = (String(decoding: name, as: UTF8.self), children.count)
      throw RTextProblem(
        line: line,
        reason: "the styleable '\(text)' has \(counted(count, "id")) and no child with the index \(index)"
      )
    }
    return children.compactMap(\.self)
  }

  /// Gives children that do not stand below their array to the array of the longest name that has room for them.
  static func distribute(_ loose: [StyleableChild], to arrays: inout [StyleableArray]) throws(RTextProblem) {
    guard !loose.isEmpty else { return }
    // Sorted by bytes, all names that begin with an array's name follow it, so the arrays that fit are on a stack.
    let sorted = arrays.indices.sorted { arrays[$0].name.lexicographicallyPrecedes(arrays[$1].name) }
    var next = sorted[...]
    var stack: [Int] = []
    var orphan: StyleableChild?
    for child in loose.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
      while let index = next.first, arrays[index].name.lexicographicallyPrecedes(child.name) {
        next.removeFirst()
        while let top = stack.last, !arrays[index].name.starts(with: arrays[top].name) { stack.removeLast() }
        stack.append(index)
      }
      while let top = stack.last, !child.name.starts(with: arrays[top].name) { stack.removeLast() }
      let isTaken = stack.reversed().contains { arrays[$0].takePrefixed(child) }
      if !isTaken, child.line < orphan?.line ?? .max { orphan = child }
    }
    if let orphan {
      throw RTextProblem(
        line: orphan.line,
        reason:
          "no styleable has room for '\(String(decoding: orphan.name, as: UTF8.self))' at this index: there is no "
          + "array for it, or too few ids in it, or the index is taken")
    }
  }
}
