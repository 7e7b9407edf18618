import Archives
import Artifacts
import Findings
import ObjectFiles
import Rules
import Store
import SystemPackage

extension LintOrder {
  /// Reads the artifact, and asks every rule.
  func result() async throws -> LintResult {
    let (inventory, defects) = try await inventory()
    var judging = Judging()
    judging.defects = defects
    judging.configuration = inventory.configuration ?? configuration
    judging.platforms = platforms
    // An app that cannot be read is no mistake of a plugin's AAR.
    if ExtensionInfo.isFor(inventory.role) {
      judging.app = try app ?? host.app.map { try ContainingApp.read($0) } ?? ContainingApp.around(file)
    }
    return LintResult(inventory, judging, self)
  }

  /// By the file's name; nil if that says nothing.
  var namedKind: ArtifactKind? { Kinds.artifact(named: file.lastComponent?.string ?? file.string) }

  private func inventory() async throws -> (Inventory, defects: [Mistake]?) {
    let (place, named) = (Place(shown), namedKind)
    if let named, !named.isArchive, try FileSystem.status(of: file, followingLinks: true)?.kind == .regular {
      return try host.schemas.read(file, at: place, as: named)
    }
    let opened = try OpenedArtifact(file)
    let entryNames = { opened.directory?.records.map(\.name) ?? [] }
    // Names decide only for that rule whether all of a folder is read.
    let names = { () async throws -> [[UInt8]] in
      guard opened.directory == nil, (settings[CodeSignature.id]?.level ?? .off) != .off else { return entryNames() }
      return try await Inventory(
        of: opened, place: place, role: .tree, facts: [], temporary: HostProcess.temporaryFolder
      ).items.map(\.path)
    }
    func inventory(_ role: ArtifactKind) async throws -> (Inventory, defects: [Mistake]?) {
      // Only a host tells that a zip is for iOS.
      let role = role == .iosZip && !host.isKnown ? .archive : role
      let facts = AllRules.facts(settings, of: role, holding: try await names())
      let inventory = try await Inventory(
        of: opened, place: place, role: role, facts: facts, temporary: HostProcess.temporaryFolder)
      return (inventory, nil)
    }
    guard let status = opened.status else { throw Mistakes("there is no \(shown)") }
    if status.kind == .directory { return try await inventory(.tree) }
    guard status.kind == .regular else { throw FileError.noFile(file) }
    let head = try opened.head()
    let isNamedArchive = named != nil
    // Bytes may stand in front of a zip: its directory is at its end.
    if head.starts(with: "PK".utf8) || isNamedArchive && opened.directory != nil {
      // The name of every zip fits an iOS zip.
      let marked = named == .iosZip ? Kinds.deliverable(holding: entryNames()) : nil
      return try await inventory(marked ?? named ?? .archive)
    }
    let kind = FileKind(ByteReader(head.span))
    guard kind.isNativeCode else {
      let nature = FileKind.nature(ByteReader(head.span))
      throw Mistakes(
        "\(shown) is \(nature)\(isNamedArchive ? " and no zip" : ""): nothing of it was checked",
        notes: ["lint reads zips, AARs, jars, libraries, configurations (.json), release records and folders"],
        hint: FileKind.isPacked(nature) ? "unpack it and lint the folder" : nil)
    }
    return try await inventory(.tree)
  }
}
