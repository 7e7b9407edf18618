import Store
import SystemPackage

/// What the engine remembers, as bytes: numbers in 4 bytes, little-endian; texts and paths with their length before them;
/// digests as they are.
struct RecordWriter {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ number: Int) {
    for index in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
  }

  mutating func add(_ digest: Digest) { bytes += digest.bytes }

  mutating func add(bytes added: some Collection<UInt8>) {
    add(added.count)
    bytes += added
  }

  mutating func add(_ text: String) { add(bytes: text.utf8) }

  mutating func add(_ path: FilePath) { add(bytes: path.pathBytes) }

  mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  /// The count, then each element.
  mutating func add<Element>(_ elements: [Element], _ body: (inout RecordWriter, Element) -> Void) {
    add(elements.count)
    for element in elements { body(&self, element) }
  }

  mutating func add<Element>(optional element: Element?, _ body: (inout RecordWriter, Element) -> Void) {
    add(element.map { [$0] } ?? [], body)
  }
}

/// Reads what a `RecordWriter` wrote; every length is checked against what is there. Nil is the end of it: the bytes are
/// something else.
struct RecordReader {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func number() -> Int? { take(4).map { $0.reversed().reduce(0) { $0 << 8 | Int($1) } } }

  mutating func bytes() -> ArraySlice<UInt8>? { number().flatMap { take($0) } }

  mutating func text() -> String? { bytes().flatMap { String(validating: $0, as: UTF8.self) } }

  mutating func path() -> FilePath? { bytes().flatMap { FilePath(pathBytes: $0) } }

  mutating func digest() -> Digest? { take(Digest.byteCount).flatMap { Digest(bytes: $0) } }

  mutating func flag() -> Bool? { take(1)?.first.flatMap { $0 > 1 ? nil : $0 == 1 } }

  mutating func list<Element>(_ body: (inout RecordReader) -> Element?) -> [Element]? {
    guard let count = number() else { return nil }
    var elements: [Element] = []
    for _ in 0..<count {
      guard let element = body(&self) else { return nil }
      elements.append(element)
    }
    return elements
  }

  /// The outer nil is an error.
  mutating func optional<Element>(_ body: (inout RecordReader) -> Element?) -> Element?? {
    guard let elements = list(body), elements.count < 2 else { return nil }
    return .some(elements.first)
  }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }
}
