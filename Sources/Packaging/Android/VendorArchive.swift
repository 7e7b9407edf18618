import Archives
import Artifacts
import Findings
import Store
import SystemPackage

/// A third party's archive, which is taken apart to be packed anew.
struct VendorArchive {
  enum Kind {
    case jar, aar, zip

    fileprivate var named: String {
      switch self {
      case .jar: "a jar"
      case .aar: "an AAR"
      case .zip: "a zip"
      }
    }
  }

  let kind: Kind
  let path: FilePath
  /// The name in messages.
  let name: Place
  /// The place in the manifest that names it.
  let place: Place

  /// Calls `body` for each file, in the archive's order. A fault of the archive as a whole, or of an entry's name, is
  /// added to the mistakes, and the other entries are still visited. False if the archive cannot be read to its end.
  func forEachFile(
    _ notes: inout PackNotes,
    _ body: (EntryPath, _ isExecutable: Bool, _ reader: inout ArchiveReader, inout PackNotes) throws -> Void
  ) throws -> Bool {
    let opened = try OpenedArtifact(path)
    guard let source = opened.source, try opened.isZip else {
      notes.refuse("\(name) is not \(kind.named): it is no zip archive", at: place)
      return false
    }
    if kind == .jar, opened.isAAR {
      notes.refuse(
        "\(name) is an AAR, not a jar: no compiler would find its classes", at: place,
        hint: "list it under 'embed' of an aar, which merges it, or take the classes.jar out of it")
      return false
    }
    var problem = contradiction(source)
    if problem == nil {
      do {
        var reader = try ArchiveReader(source)
        while let header = try reader.next() {
          if header.kind != .directory, let path = entryPath(header, &notes) {
            try body(path, header.mode & 0o111 != 0, &reader, &notes)
          }
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
    let failure = "\(name) cannot be \(kind == .aar ? "embedded" : "packed anew")"
    do throws(EntryPathError) {
      let path = try EntryPath(header.name)
      if header.kind == .regular { return path }
      notes.refuse(
        kind == .zip
          ? "\(failure): '\(path)' is a link" : "\(failure): '\(path)' is a link, and \(kind.named) has no links",
        at: place,
        hint: kind == .zip
          ? "unpack it, and name what is in it"
          : kind == .jar ? nil : "ask its vendor for one that Gradle or npi-pack made")
    } catch {
      notes.refuse("\(failure): \(error)", at: place)
    }
    return nil
  }

  /// The reason why a zip is ambiguous: its directory cannot be read, or contradicts the headers before the contents,
  /// so that two tools may unpack different files. Nil if there is none.
  private func contradiction(_ source: ArchiveBytes) -> String? {
    do throws(ZipFormatError) {
      return try source.directory().irregularities().first(where: \.isContradiction)?.description
    } catch {
      return "\(error)"
    }
  }
}

extension ZipIrregularity {
  /// Unsafe names and unknown methods are not counted, because packing and unpacking report them.
  fileprivate var isContradiction: Bool {
    switch self {
    case .wrongCount, .overlap, .outOfRange, .localMismatch(_, .header), .localMismatch(_, .name): true
    default: false
    }
  }
}

extension OpenedArtifact {
  /// Whether the file begins like a zip, even an empty one.
  var isZip: Bool {
    get throws(FileError) { [Array("PK\u{3}\u{4}".utf8), Array("PK\u{5}\u{6}".utf8)].contains(try head(4)) }
  }

  /// Whether a zip is an Android library, by its name or by two entries: old tools left a manifest in jars, too.
  var isAAR: Bool {
    let names = directory?.records.map(\.name) ?? []
    return path.extension == "aar"
      || ["AndroidManifest.xml", "classes.jar"].allSatisfy { part in
        names.contains { $0.elementsEqual(part.utf8) }
      }
  }
}
