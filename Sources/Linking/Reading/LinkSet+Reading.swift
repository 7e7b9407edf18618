import Findings
import ObjectFiles

extension LinkSet {
  /// Reads all files that a line may need, on all processors. The set is then for this line only: names that do not
  /// matter to it get no numbers.
  package func read(_ line: LinkLine, _ profile: LinkerProfile) async {
    let line = line.heeded(by: profile).withAliasLists(self)
    var finder = InputFinder(self, line)
    var found: [FileID] = []
    for input in line.inputs { found += finder.files(input) }
    var isNamed: Set<FileID> = []
    let namedAgain = Set(found.filter { !isNamed.insert($0).inserted })
    var (numbers, contents): ([FileID], [RawLinkFile]) = ([], [])
    var isKnown = Set(files.numbers.filter { files[$0].content != nil })
    var asked: Set<[String]> = []
    while !found.isEmpty {
      let new = found.filter { isKnown.insert($0).inserted }
      let read = await reading.read(new.map { (number: $0, path: files[$0].path, bytes: files[$0].bytes) })
      numbers += new
      contents += read
      // Libraries that object files ask for, loaded or not, and that dynamic libraries re-export, are read next.
      var words: Set<[String]> = []
      for file in read { file.forEachObject { words.formUnion($0.object.linkerOptions) } }
      found = []
      for case (let number, .library(let raw)) in zip(new, read) {
        found += finder.reexported(by: raw.library, at: files[number].path)
      }
      let fresh = words.subtracting(asked).sorted { $0.lexicographicallyPrecedes($1) }
      found += fresh.compactMap { finder.autoLinked($0) }
      asked.formUnion(words)
    }
    if SymbolFilter.applies(to: line) {
      // An object file that is named twice is linked twice, and is its own duplicate.
      var wanted = line.names.map(names.hash)
      for (file, content) in zip(numbers, contents) where namedAgain.contains(file) {
        if case .object(let object) = content { wanted += object.symbols.map(\.name.hash) }
      }
      contents = await reading.reduce(contents, wanted: wanted)
    }
    for (file, content) in zip(numbers, contents) { _ = add(content, as: file) }
  }

  func add(_ raw: RawLinkFile, as file: FileID) -> File.Content {
    let bytes = files[file].bytes
    let content: File.Content
    switch raw {
    case .object(let object): content = .object(bytes.withReader { append(named(object, $0)) })
    case .archive(let archive): content = .archive(bytes.withReader { add(archive, as: file, $0) })
    case .library(let raw):
      let reader = ByteReader(raw.text.span)
      var library = raw.library
      library.exports = raw.exports.map { LinkLibrary.Export(name: names.id($0.name, reader), isWeak: $0.isWeak) }
      content = .library(library)
    case .ignored(let why): content = .ignored(why)
    case .unreadable(let mistakes): content = .unreadable(mistakes)
    }
    files[file].content = content
    return content
  }

  private func add(_ raw: RawLinkArchive, as file: FileID, _ reader: borrowing ByteReader) -> LinkArchive {
    var archive = raw.archive
    archive.entries.reserveCapacity(raw.entries.count)
    for entry in raw.entries {
      archive.entries.append(LinkArchive.Entry(name: names.id(entry.name, reader), member: entry.member))
    }
    files[file].objects = Table(
      zip(raw.objects.elements, archive.members.elements).map { append(named($0, reader), $1.name) })
    return archive
  }

  func named(_ raw: RawLinkObject, _ reader: borrowing ByteReader) -> LinkObject {
    var object = raw.object
    object.symbols.reserveCapacity(raw.symbols.count)
    for (symbol, name) in raw.symbols {
      var symbol = symbol
      symbol.name = names.id(name, reader)
      if symbol.kind == .alias {
        symbol.value = UInt64(names.id(raw.targets[Int(symbol.value)], reader).rawValue)
      }
      object.symbols.append(symbol)
    }
    return object
  }
}

extension SymbolFilter {
  /// If the line has options for dead code or exports, every name may matter.
  fileprivate static func applies(to line: LinkLine) -> Bool {
    !line.has(.deadStrip) && !line.restrictsExports
  }
}

extension LinkLine {
  fileprivate var names: [String] { [entry ?? "_main"] + wanted + aliases.flatMap { [$0.name, $0.alias] } }
}
