package import Findings
import ObjectFiles
import Store
package import SystemPackage

/// The options of `symbols`, and its work.
package struct SymbolReport: Sendable {
  package enum Format: String, CaseIterable, Sendable { case nm, json }

  package var format = Format.nm
  package var counts = false
  package var externalOnly = false
  package var definedOnly = false
  package var undefinedOnly = false
  package var namesFiles = false
  package var printsMaps = false
  /// Objective-C metadata follows each object's symbols.
  package var objc = false
  /// Java classes are listed too.
  package var java = false
  package var demangles = false
  /// Names of architectures, or `all`.
  package var architectures: [String] = []

  package init() {}

  /// Writes the text piece by piece. The result is what could not be read; the rest was written.
  package func write(
    _ paths: [FilePath], to output: ([UInt8]) -> Void, note: (String) -> Void
  ) async throws(Mistakes) -> [Mistake] {
    var run = SymbolRun(self, architectures: try wantedArchitectures(), of: paths)
    for (index, path) in paths.enumerated() {
      var found = CodeFiles(of: path)
      var classes = JavaClasses()
      var walk = ArtifactWalk(path, temporary: HostProcess.temporaryFolder)
      while let entry = java ? walk.next(JavaSelection()) : walk.next(CodeSelection()) {
        if !java || !classes.take(entry, of: walk) { found.add(entry, at: walk.place(of: entry.header)) }
        run.take(&found.files, &classes.classes)
        if run.isFull { await run.listAll(to: output, note) }
      }
      classes.finish()
      run.take(&found.files, &classes.classes)
      run.mistakes += walk.mistakes + found.mistakes
      // Files of the disk are listed together, so that no processor waits at the end of each.
      guard !found.stubs.isEmpty || index == paths.count - 1 else { continue }
      await run.listAll(to: output, note)
      for (place, stub) in found.stubs { run.list(stub, at: place, to: output) }
    }
    if counts, run.total.files > 1 { output(Array("\(run.total.symbols) total\n".utf8)) }
    return run.mistakes
  }

  /// Nil: all.
  private func wantedArchitectures() throws(Mistakes) -> [Architecture]? {
    if architectures.isEmpty || architectures.contains("all") { return nil }
    var wanted: [Architecture] = []
    for name in architectures {
      guard let architecture = Architecture(name: name) else {
        throw Mistakes(
          "--arch \(name): there is no such architecture", hint: "for example arm64, armv7, x86_64; or all")
      }
      wanted.append(architecture)
    }
    return wanted
  }
}

private struct SymbolRun {
  private let report: SymbolReport
  private let selection: SymbolSelection
  private let architectures: [Architecture]?
  /// The one file or folder that was named; nil if there are several.
  private let only: Place?
  private var names = DemangledNames()
  private var cPlusPlus = CPlusPlusDemangler()
  private var swift = SwiftDemangler()
  /// The container that the last classes were listed under, which need not be named again.
  private var heading: Place?
  /// The files and classes that were found and are not listed yet.
  private var files: [CodeFile] = []
  private var classes: [JavaClass] = []
  var mistakes: [Mistake] = []
  private(set) var total = (symbols: 0, files: 0)

  init(_ report: SymbolReport, architectures: [Architecture]?, of paths: [FilePath]) {
    self.report = report
    self.architectures = architectures
    selection = SymbolSelection(
      externalOnly: report.externalOnly, definedOnly: report.definedOnly, undefinedOnly: report.undefinedOnly)
    only = paths.count == 1 ? Place(paths[0].string) : nil
    heading = only
  }

  mutating func take(_ files: inout [CodeFile], _ classes: inout [JavaClass]) {
    self.files += files
    self.classes += classes
    (files, classes) = ([], [])
  }

  /// Each file is open, and unpacked bytes use up their container's allowance of memory until they are listed.
  var isFull: Bool {
    files.count + classes.count >= 200
      || files.reduce(0) { $0 + $1.unpackedSize } + classes.reduce(0) { $0 + $1.unpackedSize } > Allowance.memory / 2
  }

  mutating func listAll(to output: ([UInt8]) -> Void, _ note: (String) -> Void) async {
    if !files.isEmpty { await listFiles(to: output, note) }
    await listClasses(to: output)
    (files, classes) = ([], [])
  }

  private mutating func listFiles(to output: ([UInt8]) -> Void, _ note: (String) -> Void) async {
    heading = nil
    let format = NMFormat(selection, namesFiles: report.namesFiles, hasSeveralFiles: files[0].place != only)
    var listing = SymbolListing(
      report.counts ? .count : report.format == .json ? .json : .nm(format, maps: report.printsMaps), selection,
      architectures: architectures)
    listing.objc = report.objc
    if report.demangles, !report.counts {
      for file in files { names.add(file, selection) }
      names.answerCPlusPlus(await cPlusPlus.texts(of: names.unknownCPlusPlus, note))
      if !names.unknownSwift.isEmpty { names.answerSwift(await swift.texts(of: names.unknownSwift, note)) }
      listing.names = names
    }
    var found = [Int](repeating: 0, count: files.count)
    do {
      try await listing.write(files, atOnce: HostProcess.processors) { file, piece in
        piece.text.forEachBlock(output)
        mistakes += piece.mistakes
        piece.notes.forEach(note)
        found[file] += piece.symbols
      }
    } catch {
      mistakes.append(Mistake("\(error)", at: files[0].place))
    }
    if report.counts { for (file, count) in zip(files, found) { output(Array("\(count) \(file.place)\n".utf8)) } }
    total = (total.symbols + found.reduce(0, +), total.files + files.count)
  }

  private mutating func listClasses(to output: ([UInt8]) -> Void) async {
    do {
      try await JavaListing(report: report, selection: selection).write(classes) { piece in
        for (container, text) in piece.texts {
          if report.format == .nm, !report.namesFiles, container != heading { output(Array("\n\(container):\n".utf8)) }
          heading = container
          text.forEachBlock(output)
        }
        mistakes += piece.mistakes
        for (place, count) in piece.counts { output(Array("\(count) \(place)\n".utf8)) }
        total.symbols += piece.counts.reduce(0) { $0 + $1.members }
      }
    } catch {
      mistakes += classes.prefix(1).map { Mistake("\(error)", at: $0.place) }
    }
    total.files += classes.count
  }

  mutating func list(_ stub: TextStub, at place: Place, to output: ([UInt8]) -> Void) {
    heading = nil
    let listing = TextStubListing(stub, at: place, selection, architectures: architectures)
    // Counting is as much work as printing.
    let count = report.counts ? listing.count : 0
    output(
      report.counts
        ? Array("\(count) \(place)\n".utf8)
        : report.format == .json ? listing.json : listing.nm(namesFiles: report.namesFiles))
    total = (total.symbols + count, total.files + 1)
  }
}
