package import Linking
import ObjectFiles

/// Tells whether definitions of one name in several object files are the same once they are linked. Their raw bytes do
/// not tell: those depend on the rest of the file. Names that a definition refers to have to be the same names; what
/// only its own file sees (texts, constants, static functions and data) has to be the same by content.
///
/// Object files do not mark padding between definitions: zeros at the end of data that an alignment explains do not
/// count.
package struct DefinitionComparison: Sendable {
  package enum Result: Hashable, Sendable {
    case same, different
    /// Bitcode, ELF files, damaged files and relocations of unknown types cannot be compared, unless the whole files
    /// are the same bytes.
    case unknown
  }

  package struct Source: Hashable, Sendable {
    fileprivate var number: Int
  }

  /// The definition of a name in an object file.
  package enum Definition: Hashable, Sendable {
    /// The section is counted from 1.
    case place(section: Int, address: UInt64)
    /// The size in bytes.
    case common(UInt64)
    case absolute(UInt64)
    /// A number that stands for another name.
    case alias(UInt64)

    /// Nil for a symbol that the file does not define.
    init?(_ symbol: LinkSymbol) {
      switch symbol.kind {
      case .undefined: return nil
      case .common: self = .common(symbol.value)
      case .absolute: self = .absolute(symbol.value)
      case .alias: self = .alias(symbol.value)
      case .regular: self = .place(section: Int(symbol.section), address: symbol.value)
      }
    }
  }

  private struct Pair: Hashable {
    var first: Int
    var second: Int
  }

  private struct SourceFile {
    let bytes: any LinkBytes
    let range: Range<Int>
    /// Unset until it is asked for; then nil if the file cannot be compared.
    var object: DefinitionObject??
  }

  private var sources: [SourceFile] = []
  /// Indices of `sources` by a hash of their bytes: object files that are the same from end to end are one source.
  private var contents: [UInt64: [Int]] = [:]
  private var walks: [Pair: DefinitionWalk] = [:]
  /// The pair that was compared last, whose walk is not in `walks`: names of the same two files mostly follow one
  /// another.
  private var last: (pair: Pair, walk: DefinitionWalk?)?

  package init() {}

  /// `range` is the object file's part of the bytes.
  package mutating func add(_ bytes: any LinkBytes, _ range: Range<Int>) -> Source {
    let hash = bytes.withReader { $0.hash(of: range, seed: UInt64(range.count)) }
    return add(bytes, range, hash)
  }

  mutating func add(_ bytes: any LinkBytes, _ range: Range<Int>, _ hash: UInt64) -> Source {
    for number in contents[hash] ?? [] {
      let other = sources[number]
      let isCopy = bytes.withReader { reader in
        other.bytes.withReader { reader.equals(range, $0, other.range) }
      }
      if isCopy { return Source(number: number) }
    }
    contents[hash, default: []].append(sources.count)
    sources.append(SourceFile(bytes: bytes, range: range))
    return Source(number: sources.count - 1)
  }

  private mutating func object(_ number: Int) -> DefinitionObject? {
    if let known = sources[number].object { return known }
    let (bytes, range) = (sources[number].bytes, sources[number].range)
    let object = bytes.withReader { (reader) -> DefinitionObject? in
      do throws(FormatError) { return try DefinitionObject(try reader.slice(range, "object file")) } catch {
        return nil
      }
    }
    sources[number].object = .some(object)
    return object
  }

  package mutating func compare(
    _ a: (source: Source, definition: Definition), _ b: (source: Source, definition: Definition)
  ) -> Result {
    guard a.source != b.source else { return .same }
    if a.source.number > b.source.number { return compare(b, a) }
    let pair = Pair(first: a.source.number, second: b.source.number)
    if last?.pair != pair {
      if let last { walks[last.pair] = last.walk }
      last = (pair, walks.removeValue(forKey: pair))
    }
    guard let objectA = object(pair.first), let objectB = object(pair.second),
      objectA.file.architecture == objectB.file.architecture
    else { return .unknown }
    let (first, second) = (sources[pair.first], sources[pair.second])
    switch (a.definition, b.definition) {
    case (.place(let sectionA, let addressA), .place(let sectionB, let addressB)):
      let placeA = DefinitionObject.Place(section: sectionA, address: addressA)
      let placeB = DefinitionObject.Place(section: sectionB, address: addressB)
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
    case (.common(let size), .place(let section, let address)):
      return objectB.compare(common: size, with: DefinitionObject.Place(section: section, address: address))
    case (.place(let section, let address), .common(let size)):
      return objectA.compare(common: size, with: DefinitionObject.Place(section: section, address: address))
    case (.common(let a), .common(let b)), (.absolute(let a), .absolute(let b)): return a == b ? .same : .different
    case (.alias(let a), .alias(let b)): return a == b ? .same : .different
    default: return .different
    }
  }
}

extension DefinitionObject {
  /// A common symbol is a run of zeros of its size.
  fileprivate func compare(common size: UInt64, with place: Place) -> DefinitionComparison.Result {
    guard let span = span(at: place), sections[span.section - 1].isZeroFill, span.start == place.address else {
      return .different
    }
    return sizes(of: span).contains(size) ? .same : .different
  }
}
