package import Findings
package import ObjectFiles
import Store
package import SystemPackage

/// The files with symbols of an artifact, and what is read for their sake.
package struct CodeFiles {
  package let place: Place
  package var files: [CodeFile] = []
  /// What stands for dynamic libraries: the library of each stub itself.
  package private(set) var stubs: [(place: Place, stub: TextStub)] = []
  /// By where their folders are.
  private(set) var xcframeworks: [Place: XCFramework] = [:]
  package private(set) var mistakes: [Mistake] = []

  /// What a walk gives, with `CodeSelection`, is added to it.
  package init(of path: FilePath) { place = Place(path.string) }

  /// - Parameter temporary: a folder for what is too large for memory.
  package init(_ path: FilePath, temporary: FilePath) {
    self.init(of: path, ArtifactWalk(path, temporary: temporary))
  }

  package init(_ opened: OpenedArtifact, temporary: FilePath) {
    self.init(of: opened.path, ArtifactWalk(.success(opened), temporary: temporary))
  }

  private init(of path: FilePath, _ walk: consuming ArtifactWalk) {
    self.init(of: path)
    while let entry = walk.next(CodeSelection()) { add(entry, at: walk.place(of: entry.header)) }
    mistakes = walk.mistakes + mistakes
  }

  package mutating func add(_ entry: WalkedEntry, at place: @autoclosure () -> Place) {
    guard let bytes = entry.bytes else {
      // A file was named that has none, or that is not read.
      if let path = entry.path, let head = entry.head, entry.opens == nil, entry.damage == nil {
        mistakes.append(CodeFiles.noCode(path, ByteReader(head.span)))
      }
      return
    }
    let place = place()
    switch bytes.withReader({ CodeSelection.Kind(entry.header, head: $0) }) {
    case .code: if let code = CodeFile(bytes, place: place) { files.append(code) }
    case .info:
      guard let (root, path) = XCFramework.split(place), path == "Info.plist" else { return }
      xcframeworks[root] = XCFramework(bytes.copy())
    case .stub:
      do throws(Mistakes) {
        if let stub = try TextStub.read(bytes.copy(), at: place).first { stubs.append((place, stub)) }
      } catch {
        mistakes += error.all
      }
    case nil: break
    }
  }

  private static func noCode(_ path: FilePath, _ reader: borrowing ByteReader) -> Mistake {
    let nature = FileKind.nature(reader)
    if FileKind.isPacked(nature) {
      return Mistake("\(path) is \(nature): what is in it was not read", hint: "unpack it and name the folder")
    }
    if FileKind(reader) == .javaClass {
      return Mistake(
        "\(path) is \(nature) by itself, which was not read",
        hint: "npi-pack symbols --java lists it; a plugin has its classes in a jar or an AAR")
    }
    return Mistake("\(path) is \(nature): it has no symbols", hint: "object files, libraries and archives have")
  }

  package mutating func add(_ more: [Mistake]) { mistakes = more + mistakes }
}

/// Code, and what says how code is taken.
package struct CodeSelection: EntrySelection {
  enum Kind {
    case code, stub
    /// Perhaps that of an XCFramework.
    case info

    /// Code that cannot be read counts as code, or its users would not hear of it.
    init?(_ header: EntryHeader, head: borrowing ByteReader) {
      let kind = FileKind(head)
      if kind.isNativeCode || kind.foreignCode != nil {
        self = .code
      } else if TextStub.isTextStub(head) {
        self = .stub
      } else if header.hasSuffix("Info.plist") {
        self = .info
      } else {
        return nil
      }
    }
  }

  package init() {}

  package func interest(in header: EntryHeader) -> Interest {
    guard header.kind == .regular, !header.hasSuffix(".class") else { return .none }
    return header.container == nil || header.metadata == nil ? .head : .none
  }

  package func interest(in header: EntryHeader, head: borrowing ByteReader) -> Interest {
    Kind(header, head: head) == nil ? .none : .content
  }
}
