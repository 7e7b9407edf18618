import Archives
import Artifacts
import Findings
import Store
import SystemPackage

/// Somebody else's jar or AAR, which is taken apart to be packed anew.
struct VendorArchive {
  enum Kind { case jar, aar }

  let kind: Kind
  let path: FilePath
  /// What messages call it.
  let name: Place
  /// Where the manifest names it.
  let place: Place

  /// Calls `body` for each file, in the archive's order. What is wrong with the archive as a whole, or with an entry's
  /// name, is a mistake; the other entries are gone through. False if it cannot be read to its end.
  func forEachFile(
    _ notes: inout PackNotes, _ body: (EntryPath, _ reader: inout ArchiveReader, inout PackNotes) throws -> Void
  ) throws -> Bool {
    let opened = try OpenedArtifact(path)
    guard let source = opened.source, try opened.isZip else {
      notes.refuse("\(name) is not \(kind == .jar ? "a jar" : "an AAR"): it is no zip archive", at: place)
      return false
    }
    if kind == .jar, opened.isAAR {
      notes.refuse(
        "\(name) is an AAR, not a jar: its classes would be seen by nobody", at: place,
        hint: "list it under 'embed' of an aar, which merges it, or take the classes.jar out of it")
      return false
    }
    var problem = contradiction(source)
    if problem == nil {
      do {
        var reader = try ArchiveReader(source)
        while let header = try reader.next() {
          if header.kind != .directory, let path = entryPath(header, &notes) { try body(path, &reader, &notes) }
        }
      } catch let error as ArchiveError {
        problem = "\(error)"
      }
    }
    guard let problem else { return true }
    notes.refuse("\(name) cannot be read: \(problem)", at: place, hint: "build or download it again")
    return false
  }

  private func entryPath(_ header: ArchiveHeader, _ notes: inout PackNotes) -> EntryPath? {
    let failure = "\(name) cannot be \(kind == .jar ? "packed anew" : "embedded")"
    do throws(EntryPathError) {
      let path = try EntryPath(header.name)
      if header.kind == .regular { return path }
      notes.refuse(
        "\(failure): '\(path)' is a link, and \(kind == .jar ? "a jar" : "an AAR") has no links", at: place,
        hint: kind == .jar ? nil : "ask its vendor for one that Gradle or npi-pack made")
    } catch {
      notes.refuse("\(failure): \(error)", at: place)
    }
    return nil
  }

  /// Why the entries of a zip cannot be told: its directory cannot be read, or says something else than stands before
  /// the contents, so that of two tools each unpacks something different. Nil if all is well.
  private func contradiction(_ source: ArchiveBytes) -> String? {
    do throws(ZipFormatError) {
      return try source.directory().irregularities().first(where: \.isContradiction)?.description
    } catch {
      return "\(error)"
    }
  }
}

extension ZipIrregularity {
  /// Names have errors of their own when they are packed, and so have methods that cannot be unpacked.
  fileprivate var isContradiction: Bool {
    switch self {
    case .wrongCount, .overlap, .outOfRange, .localMismatch(_, .header), .localMismatch(_, .name): true
    default: false
    }
  }
}

extension OpenedArtifact {
  /// Whether it begins like a zip, an empty one too.
  var isZip: Bool {
    get throws(FileError) { [Array("PK\u{3}\u{4}".utf8), Array("PK\u{5}\u{6}".utf8)].contains(try head(4)) }
  }

  /// Whether a zip is an Android library, whatever it is called. (Old tools left a manifest in jars.)
  var isAAR: Bool {
    let names = directory?.records.map(\.name) ?? []
    return path.extension == "aar"
      || ["AndroidManifest.xml", "classes.jar"].allSatisfy { part in
        names.contains { $0.elementsEqual(part.utf8) }
      }
  }
}
