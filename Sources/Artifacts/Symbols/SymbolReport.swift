package import Findings
import ObjectFiles
import Store
package import SystemPackage

/// What `symbols` does.
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

  /// Hands the text on piece by piece. Gives what could not be read; the rest was.
  package func write(
    _ paths: [FilePath], to output: ([UInt8]) -> Void, note: (String) -> Void
  ) async throws(Mistakes) -> [Mistake] {
    let selection = SymbolSelection(
      externalOnly: externalOnly, definedOnly: definedOnly, undefinedOnly: undefinedOnly)
    let wanted = try wantedArchitectures()
    var mistakes: [Mistake] = []
    var total = (symbols: 0, files: 0)
    var names = DemangledNames()
    var demangler = (cPlusPlus: CPlusPlusDemangler(), swift: SwiftDemangler())

    // Under what the classes of Java before stand, if that need not be said again.
    var heading = paths.count == 1 ? Place(paths[0].string) : nil
    func list(_ files: [CodeFile]) async {
      guard let first = files.first else { return }
      heading = nil
      let isAlone = paths.count == 1 && first.place == Place(paths[0].string)
      let format = NMFormat(selection, namesFiles: namesFiles, hasSeveralFiles: !isAlone)
      var listing = SymbolListing(
        counts ? .count : self.format == .json ? .json : .nm(format, maps: printsMaps), selection,
        architectures: wanted)
      listing.objc = objc
      if demangles, !counts {
        for file in files { names.add(file, selection) }
        names.answerCPlusPlus(await demangler.cPlusPlus.texts(of: names.unknownCPlusPlus, note))
        if !names.unknownSwift.isEmpty { names.answerSwift(await demangler.swift.texts(of: names.unknownSwift, note)) }
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
        mistakes.append(Mistake("\(error)", at: first.place))
      }
      if counts { for (file, count) in zip(files, found) { output(Array("\(count) \(file.place)\n".utf8)) } }
      total = (total.symbols + found.reduce(0, +), total.files + files.count)
    }
    let javaListing = JavaListing(
      format: counts ? .count : self.format == .json ? .json : .text(namesFiles: namesFiles), selection: selection)
    func list(_ classes: [JavaClass]) async {
      do {
        try await javaListing.write(classes) { piece in
          for (container, text) in piece.texts {
            if self.format == .nm, !namesFiles, container != heading { output(Array("\n\(container):\n".utf8)) }
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

    // What was met and is not listed yet.
    var files: [CodeFile] = []
    var classes: [JavaClass] = []
    func listAll() async {
      await list(files)
      await list(classes)
      (files, classes) = ([], [])
    }
    for (index, path) in paths.enumerated() {
      var found = CodeFiles(of: path)
      var foundClasses = JavaClasses()
      var walk = ArtifactWalk(path, temporary: HostProcess.temporaryFolder)
      while let entry = java ? walk.next(JavaSelection()) : walk.next(CodeSelection()) {
        if !java || !foundClasses.take(entry, of: walk) { found.add(entry, at: walk.place(of: entry.header)) }
        files += found.files
        classes += foundClasses.classes
        (found.files, foundClasses.classes) = ([], [])
        // Files of the disk together, so that no processor waits at the end of each.
        let unpacked = files.reduce(0) { $0 + $1.unpackedSize } + classes.reduce(0) { $0 + $1.unpackedSize }
        guard files.count + classes.count >= SymbolReport.maxTogether || unpacked > SymbolReport.maxBytes else {
          continue
        }
        await listAll()
      }
      foundClasses.finish()
      classes += foundClasses.classes
      mistakes += walk.mistakes + found.mistakes
      guard !found.stubs.isEmpty || index == paths.count - 1 else { continue }
      await listAll()
      for (place, stub) in found.stubs {
        heading = nil
        let stub = TextStubListing(stub, at: place, selection, architectures: wanted)
        // To count is as much work as to print.
        let count = counts ? stub.count : 0
        output(
          counts
            ? Array("\(count) \(stub.place)\n".utf8)
            : self.format == .json ? stub.json : stub.nm(namesFiles: namesFiles))
        total = (total.symbols + count, total.files + 1)
      }
    }
    if counts, total.files > 1 { output(Array("\(total.symbols) total\n".utf8)) }
    return mistakes
  }

  /// Each has its file open.
  private static let maxTogether = 200
  /// Of what was unpacked into memory: then it is listed and let go. All of a container's share.
  private static let maxBytes = Allowance.memory / 2

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
