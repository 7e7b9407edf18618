import ObjectFiles

/// Whether definitions of one name in several object files are the same: not their bytes as they stand, which depend on
/// what else is in the file, but what they are once they are linked. Names that a definition refers to have to be the same
/// names; what only its own file sees (texts, constants, static functions and data) has to be the same by content.
///
/// What is padding between definitions and what belongs to them is not written down anywhere: zeros at the end of data, as
/// many as the next one's alignment explains, do not count.
package struct DefinitionComparison: Sendable {
  package enum Result: Hashable, Sendable {
    case same, different
    /// Bitcode, ELF files, damaged files, relocations of a kind that is not read: unless the whole files are the same bytes.
    case unknown

    /// Nil if it is not known.
    package var isSame: Bool? { self == .unknown ? nil : self == .same }
  }

  /// An object file.
  package struct Source: Hashable, Sendable {
    fileprivate var number: Int
  }

  private struct Pair: Hashable {
    var first: Int
    var second: Int
  }

  private final class SourceFile: Sendable {
    let bytes: any LinkBytes
    let range: Range<Int>
    /// Nil of what cannot be compared.
    let object: DefinitionObject?

    init(_ bytes: any LinkBytes, _ range: Range<Int>, _ object: DefinitionObject?) {
      self.bytes = bytes
      self.range = range
      self.object = object
    }
  }

  private var names = NameTable()
  private var sources: [SourceFile] = []
  private var walks: [Pair: DefinitionWalk] = [:]
  /// Whether two object files, of any kind, are the same bytes from end to end.
  private var copies: [Pair: Bool] = [:]
  /// What was compared last, as the names of two files mostly follow one another. Its walk is not in `walks`.
  private var last: (pair: Pair, isCopy: Bool, walk: DefinitionWalk?)?
  /// By number of the object file in a link set.
  private var numbers: [Int: Source] = [:]

  package init() {}

  /// `range`: that of the object file in the bytes.
  package mutating func add(_ bytes: any LinkBytes, _ range: Range<Int>) -> Source {
    let object = bytes.withReader { (reader) -> DefinitionObject? in
      do throws(FormatError) { return try DefinitionObject(try reader.slice(range, "object file"), &names) } catch {
        return nil
      }
    }
    sources.append(SourceFile(bytes, range, object))
    return Source(number: sources.count - 1)
  }

  package mutating func compare(_ name: String, _ a: Source, _ b: Source) -> Result {
    guard a != b else { return .same }
    let pair = a.number < b.number ? Pair(first: a.number, second: b.number) : Pair(first: b.number, second: a.number)
    if last?.pair != pair {
      if let last { walks[last.pair] = last.walk }
      last = (pair, areCopies(pair), walks.removeValue(forKey: pair))
    }
    if last?.isCopy == true { return .same }
    let (first, second) = (sources[pair.first], sources[pair.second])
    guard let objectA = first.object, let objectB = second.object,
      objectA.file.architecture == objectB.file.architecture
    else { return .unknown }
    let id = names.id(name)
    guard let definitionA = objectA.definitions[id], let definitionB = objectB.definitions[id] else { return .unknown }
    switch (definitionA, definitionB) {
    case (.place(let placeA), .place(let placeB)):
      return first.bytes.withReader { readerA in
        second.bytes.withReader { readerB in
          do throws(FormatError) {
            let (partA, partB) = (
              try readerA.slice(first.range, "object file"), try readerB.slice(second.range, "object file")
            )
            if last?.walk == nil { last?.walk = DefinitionWalk(partA, partB) }
            let result = try last?.walk?.areSame(objectA, placeA, partA, objectB, placeB, partB)
            return result.map { $0 ? Result.same : .different } ?? .unknown
          } catch {
            return .unknown
          }
        }
      }
    case (.common(let size), .place(let place)): return objectB.compare(common: size, with: place)
    case (.place(let place), .common(let size)): return objectA.compare(common: size, with: place)
    case (.common(let a), .common(let b)), (.absolute(let a), .absolute(let b)): return a == b ? .same : .different
    case (.alias(let a), .alias(let b)): return a == b ? .same : .different
    default: return .different
    }
  }

  private mutating func areCopies(_ pair: Pair) -> Bool {
    if let known = copies[pair] { return known }
    let (first, second) = (sources[pair.first], sources[pair.second])
    let isCopy = first.bytes.withReader { readerA in
      second.bytes.withReader { readerB in readerA.equals(first.range, readerB, second.range) }
    }
    copies[pair] = isCopy
    return isCopy
  }

  /// The same if all are; different if any is.
  package mutating func compare(_ name: String, _ all: [Source]) -> Result {
    guard let first = all.first else { return .unknown }
    var result = Result.same
    for other in all.dropFirst() {
      switch compare(name, first, other) {
      case .different: return .different
      case .unknown: result = .unknown
      case .same: break
      }
    }
    return result
  }

  /// Of a collision in a link set, always the same one.
  package mutating func compare(_ collision: Collision, in set: LinkSet) -> Result {
    var all: [Source] = []
    for definition in collision.definitions {
      guard set.objects.indices.contains(definition.object) else { return .unknown }
      if let known = numbers[definition.object] {
        all.append(known)
        continue
      }
      let (file, range) = (set.objects[definition.object].file, set.objects[definition.object].range)
      let source = add(set.files[file].bytes, range)
      numbers[definition.object] = source
      all.append(source)
    }
    return compare(collision.name, all)
  }
}

extension DefinitionObject {
  /// A common symbol is as many zeros as it says.
  fileprivate func compare(common size: UInt64, with place: Place) -> DefinitionComparison.Result {
    guard let span = span(at: place), sections[span.section - 1].isZeroFill, span.start == place.address else {
      return .different
    }
    return sizes(of: span).contains(size) ? .same : .different
  }
}
