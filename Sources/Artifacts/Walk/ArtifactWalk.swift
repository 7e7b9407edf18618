import Archives
package import Findings
import ObjectFiles
package import Store
package import SystemPackage

/// A walk through an artifact: a file, a folder or an archive (zip, jar, AAR, wheel, tar, 7z, cpio), with containers
/// inside of it. Folders are in the byte order of names, archives in their own; a container's entries follow it.
///
/// ```swift
/// var walk = ArtifactWalk(path, temporary: folder)
/// while let entry = walk.next(selection) { … }
/// // walk.mistakes: the entries that could not be read; the rest was
/// ```
package struct ArtifactWalk: ~Copyable {
  /// A folder or an archive. The artifact's own comes first.
  package struct Container: Sendable {
    package let place: Place
    /// Nil for the artifact itself.
    package let parent: EntryHeader?
    package internal(set) var kind: Kind

    package enum Kind: Sendable { case folder, zip, archive }
  }

  package private(set) var containers: [Container] = []
  /// An entry that cannot be read does not hide the others.
  package private(set) var mistakes: [Mistake] = []
  /// Whether a container could not be read to its end.
  package private(set) var isCut = false

  /// The number of containers that may lie in each other; deeper ones are not opened.
  private let depth: Int
  /// Whether every entry of an archive is read to its end and checked, even if nothing selects it.
  private let checksAll: Bool
  /// A folder for content that is too large for memory.
  private let temporary: FilePath
  /// Nil after it has been visited.
  private var root: Result<OpenedArtifact, FileError>?
  /// The open containers, from the outside in.
  private var levels: [WalkLevel] = []
  private var spool: Spool?

  package init(_ path: FilePath, temporary: FilePath) {
    self.init(Result { () throws(FileError) in try OpenedArtifact(path) }, temporary: temporary)
  }

  /// A failure to open the artifact becomes a mistake of the walk.
  ///
  /// - Parameters:
  ///   - depth: the number of containers that may lie in each other; 0 opens only the artifact itself.
  ///   - checksAll: whether a damaged entry is a mistake even if nothing selects it.
  package init(
    _ root: Result<OpenedArtifact, FileError>, depth: Int = 8, checksAll: Bool = false, temporary: FilePath
  ) {
    self.root = root
    self.depth = depth
    self.checksAll = checksAll
    self.temporary = temporary
  }

  /// The next file, folder or link; nil at the end and in all later calls.
  package mutating func next(_ selection: some EntrySelection) -> WalkedEntry? {
    if let opened = root {
      root = nil
      if let entry = visit(opened, selection) { return entry }
    }
    while let level = levels.last {
      do {
        switch level {
        case .folder(let folder): if let entry = try next(in: folder, selection) { return entry }
        case .archive(let archive): if let entry = try next(in: archive, selection) { return entry }
        }
      } catch {
        mistakes.append(Mistake(of: containers[level.container].place, error))
        isCut = true
        levels.removeLast()
      }
    }
    return nil
  }

  /// The place of an entry: the path of a file on the disk, or its containers and its name.
  package func place(of entry: EntryHeader) -> Place {
    guard let container = entry.container else { return Place(entry.name) }
    let parent = containers[container]
    guard case .folder = parent.kind, let folder = parent.place.parts.last else {
      return parent.place.inside(entry.name)
    }
    return Place(ArtifactWalk.spelled(FilePath(folder).appending(entry.name)))
  }

  private static func spelled(_ path: FilePath) -> String { String(decoding: path.pathBytes, as: UTF8.self) }
}

// MARK: On the disk

extension ArtifactWalk {
  private mutating func visit(
    _ root: Result<OpenedArtifact, FileError>, _ selection: some EntrySelection
  ) -> WalkedEntry? {
    do throws(FileError) {
      let opened = try root.get()
      let path = opened.path
      guard let status = opened.status else {
        mistakes.append(Mistake("there is no \(path)"))
        return nil
      }
      switch status.kind {
      case .directory:
        containers.append(Container(place: Place(path.string), parent: nil, kind: .folder))
        levels.append(.folder(try FolderLevel(path, [], container: 0)))
      case .regular:
        let header = EntryHeader(path: Array(path.pathBytes), kind: .regular, size: Int(status.size))
        return open(header, at: path, selection) { () in opened }
      default:
        mistakes.append(Mistake(FileError.noFile(path).description))
      }
    } catch {
      mistakes.append(Mistake(error.description, hint: error.hint))
    }
    return nil
  }

  private mutating func next(in folder: FolderLevel, _ selection: some EntrySelection) throws -> WalkedEntry? {
    guard let name = folder.names.popFirst() else {
      levels.removeLast()
      return nil
    }
    let path = folder.path.appending(name)
    do throws(FileError) {
      guard let status = try FileSystem.status(of: path) else { return nil }
      let header = EntryHeader(
        path: folder.prefix + name.nameBytes, kind: status.kind,
        size: status.kind == .regular ? Int(status.size) : 0, container: folder.container)
      if status.kind == .regular {
        return open(header, at: path, selection) { () throws(FileError) in try OpenedArtifact(path, status) }
      }
      if status.kind == .directory, header.metadata == nil {
        levels.append(
          .folder(try FolderLevel(path, header.path + [UInt8(ascii: "/")], container: folder.container)))
      }
      return WalkedEntry(header, path: path)
    } catch {
      mistakes.append(Mistake(error.description, hint: error.hint))
      return nil
    }
  }

  private mutating func open(
    _ header: EntryHeader, at path: FilePath, _ selection: some EntrySelection,
    _ opened: () throws(FileError) -> OpenedArtifact
  ) -> WalkedEntry {
    var entry = WalkedEntry(header, path: path)
    var look = EntryLook(header, selection, isOpened: depth > 0 || header.container == nil)
    // A file that was given directly is opened even if nothing selects it.
    guard look.isWorthwhile || header.container == nil else { return entry }
    do {
      let opened = try opened()
      let (head, isAll) = try opened.beginning(EntryIntake.headSize)
      look.look(ByteReader(head.span), of: header, selection)
      if look.isWanted { entry.bytes = isAll ? EntryBytes(head) : try opened.bytes() }
      if look.isContainer, let source = opened.source {
        entry.opens = try enter(try EntryReader(source), header, Allowance(size: source.size), held: nil)
      }
      if header.container == nil { entry.head = head }
    } catch let error as FileError {
      mistakes.append(Mistake(error.description, hint: error.hint))
      entry.damage = "\(error)"
    } catch {
      mistakes.append(Mistake(of: place(of: header), error))
      entry.damage = "\(error)"
    }
    return entry
  }
}

// MARK: In archives

extension ArtifactWalk {
  private mutating func enter(
    _ reader: consuming EntryReader, _ header: EntryHeader, _ allowance: Allowance, held: Unpacked?
  ) throws -> Int {
    let kind = reader.isZip ? Container.Kind.zip : .archive
    containers.append(
      Container(place: place(of: header), parent: header.container == nil ? nil : header, kind: kind))
    let archives = levels.count { if case .archive = $0 { true } else { false } }
    levels.append(
      .archive(
        ArchiveLevel(
          reader, container: containers.count - 1, allowance, opensContainers: archives < depth, held: held)))
    return containers.count - 1
  }

  private mutating func next(in archive: ArchiveLevel, _ selection: some EntrySelection) throws -> WalkedEntry? {
    guard let found = try archive.next() else {
      levels.removeLast()
      return nil
    }
    // A zip with bytes in front of it is recognized only now.
    if archive.isZip { containers[archive.container].kind = .zip }
    let header = EntryHeader(found, container: archive.container)
    guard header.kind == .regular else { return WalkedEntry(header) }
    var look = EntryLook(header, selection, isOpened: archive.opensContainers)
    guard look.isWorthwhile || checksAll else { return WalkedEntry(header) }
    var entry = WalkedEntry(header)
    do {
      if !checksAll, !look.isWanted, let head = try archive.head(EntryIntake.headSize) {
        look.look(ByteReader(head.span), of: header, selection)
        if !look.isKept { return entry }
      }
      guard let unpacked = try unpack(header, archive, &look, selection) else { return entry }
      if look.isWanted { entry.bytes = try unpacked.bytes() }
      if look.isContainer { entry.opens = open(unpacked, header, archive.allowance) }
    } catch {
      let mistake = try Mistake(ofEntry: place(of: header), in: containers[archive.container].place, error)
      mistakes.append(mistake)
      entry.damage = "\(error)"
    }
    return entry
  }

  /// Nil if nothing selects it.
  private mutating func unpack(
    _ header: EntryHeader, _ archive: ArchiveLevel, _ look: inout EntryLook, _ selection: some EntrySelection
  ) throws -> Unpacked? {
    let temporary = temporary
    var spool = spool
    defer { self.spool = spool }
    func file(_ look: EntryLook) throws(FileError) -> Spool {
      // A container has a file of its own, removed with it. Other entries share one: the number of open files is
      // limited.
      if !look.isContainer, let spool { return spool }
      let file = try Spool(in: OpenFolder(temporary))
      if !look.isContainer { spool = file }
      return file
    }
    var intake = EntryIntake(of: header, look, archive.allowance, countsAll: checksAll)
    defer { look = intake.look }
    try archive.forEachChunk { chunk in try intake.take(chunk, selection, file) }
    return try intake.finish(selection, file)
  }

  /// Opens a container; if that fails, the entries behind it in its archive can still be read.
  private mutating func open(_ unpacked: Unpacked, _ header: EntryHeader, _ allowance: Allowance) -> Int? {
    do { return try enter(try unpacked.reader(), header, allowance, held: unpacked) } catch {
      mistakes.append(Mistake(of: place(of: header), error))
      return nil
    }
  }
}
