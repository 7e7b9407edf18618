package import Findings
package import ObjectFiles
import Store
package import SystemPackage

/// The files with symbols of an artifact, with its text stubs and the property lists of its XCFrameworks.
package struct CodeFiles {
  package let place: Place
  package var files: [CodeFile] = []
  /// The text stubs of dynamic libraries; of each stub only its main library.
  package private(set) var stubs: [(place: Place, stub: TextStub)] = []
  private(set) var xcframeworks: [Place: XCFramework] = [:]
  /// Programs and libraries for Windows in folders and containers, which no app's linker is given.
  package private(set) var images: [Place] = []
  package private(set) var mistakes: [Mistake] = []

  /// An empty set for the entries of a walk with `CodeSelection`, which the caller adds.
  package init(of path: FilePath) { place = Place(path.string) }

  /// - Parameter temporary: a folder for content that is too large for memory.
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
      // A file that was given directly has no code, or code that is not read.
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
    case .image: images.append(place)
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

/// Selects code, text stubs, and property lists that may describe an XCFramework.
package struct CodeSelection: EntrySelection {
  enum Kind {
    case code, stub
    /// An `Info.plist`, perhaps that of an XCFramework.
    case info
    /// A program or library for Windows.
    case image

    /// Code that cannot be read counts as code, so that it is reported.
    init?(_ header: EntryHeader, head: borrowing ByteReader) {
      let kind = FileKind(head)
      if kind.isNativeCode || kind.foreignCode != nil {
        self = .code
      } else if TextStub.isTextStub(head) {
        self = .stub
      } else if header.hasSuffix("Info.plist") {
        self = .info
      } else if kind == .other, FileKind.isWindowsImage(head) {
        self = .image
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
