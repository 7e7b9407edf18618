import Archives
package import Artifacts
package import BuildEngine
package import Documents
package import Findings
import Store
import SystemPackage

/// `web-templates`: a zip of one folder, the bucket of a version of the app, with the templates and assets and the
/// `manifest.mf` that tells apps which of them to fetch. Unpacked it is the folder that is synced to the store.
package enum WebTemplates: DeliverableKind {
  package static let artifact = ArtifactKind.webTemplates
  package static let kind = Kind(
    name: "web-templates",
    keys: [
      Key(
        "templates", .either([.path, PackItem.shape]), required: true,
        "the folder of templates and assets; or a list of paths, globs, or from and to"),
      Key("bucket", .name, "the folder that apps of this version fetch from (VERSION)"),
      Key("last", .path, "the bucket that apps have now, to say what they will fetch: its manifest.mf, folder or zip"),
      Key("name", .name, "the file's name (NAME-VERSION-web.zip)"),
    ],
    summary: "a zip of the templates and assets that a hybrid app fetches, with their manifest")

  package static func isMarked(by entry: [UInt8]) -> Bool {
    let parts = entry.split(separator: UInt8(ascii: "/"))
    return parts.count == 2 && parts[1].elementsEqual("manifest.mf".utf8)
  }

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let node = declaration.node["templates"]
    let items: [PackItem]
    if let node, let folder = node.text {
      if Glob.isPattern(folder) {
        throw Mistakes(
          "'templates' of '\(declaration.name)' is a pattern", at: node.place,
          hint: "name the folder, or write a list: - {from: '\(folder)', to: folder/}")
      }
      items = [PackItem(from: node, to: ".")]
    } else {
      items = node?.list?.compactMap(PackItem.init) ?? []
    }
    guard !items.isEmpty else {
      throw Mistakes("'\(declaration.name)' has no templates", at: node?.place ?? declaration.place)
    }
    let last = declaration.node["last"]
    if let last, Glob.isPattern(last.text ?? "") {
      throw Mistakes("'last' of '\(declaration.name)' is a pattern", at: last.place, hint: "name one bucket")
    }
    let bucket = declaration.node["bucket"]?.text ?? plan.manifest.version
    return plan.step(
      declaration, WebTemplates.self, inputs: try Plan.inputs(items.map(\.from) + (last.map { [$0] } ?? [])),
      places: items.map(\.place) + (last.map { [$0.place] } ?? []),
      Maker(items: items, bucket: bucket, last: last, plan: plan))
  }

  private struct Maker: FileMaker {
    let items: [PackItem]
    let bucket: String
    let last: Node?
    let plan: Plan

    func encode(into encoder: inout some KeyEncoder) {
      plan.encodeArchive(into: &encoder)
      encoder.add("bucket", bucket)
      items.encode(into: &encoder)
      if let last { encoder.add("last", last.text ?? "") }
    }

    func make(_ context: ActionContext) async throws -> FileContents {
      let groups = Array(context.inputs.prefix(items.count))
      let packed = try PackedItems(items, groups)
      let assets = try assets(packed.files, context)
      var manifest: [UInt8] = []
      for asset in assets { manifest += BucketManifest.line(asset.path, asset.digest) }
      let path = try EntryPath("\(bucket)/\(BucketManifest.name)")
      var entries = assets.map(\.entry)
      entries.insert(
        PackedEntry(path, .bytes(manifest), digest: Digest(of: manifest), at: items[0].place),
        at: entries.firstIndex { path < $0.entry.path } ?? entries.count)
      var contents = FileContents(
        form: .archive(entries, ZipOptions(epoch: plan.sourceDate)), notes: packed.leftOut(context).notes)
      if let last, let inputs = context.inputs.last {
        let old = try LastBucket.manifest(inputs, last, context)
        contents.notes += notes(old.entries, assets)
      }
      return contents
    }

    /// Says what an app that has the last bucket fetches, and what it no longer uses. Long lists are cut.
    private func notes(_ old: [BucketManifest.Entry], _ new: [Asset]) -> [String] {
      var versions: [[UInt8]: String] = [:]
      for entry in old { versions[entry.path] = entry.version ?? "" }
      var (size, fetched) = (0, [String]())
      for asset in new where versions.removeValue(forKey: asset.path) != BucketManifest.version(of: asset.digest) {
        size += asset.size
        fetched.append("\(String(decoding: asset.path, as: UTF8.self)) (\(asset.size))")
      }
      let what =
        fetched.isEmpty
        ? "no file" : "\(counted(fetched.count, "file")), \(counted(size, "byte")): \(listed(fetched, limit: 20))"
      let gone = old.filter { versions[$0.path] != nil }.map { String(decoding: $0.path, as: UTF8.self) }
      return ["an app that has the last bucket fetches \(what)"]
        + (gone.isEmpty ? [] : ["no longer in the bucket: \(listed(gone, limit: 20))"])
    }

    private struct Asset {
      /// The path in the bucket.
      let path: [UInt8]
      /// In bytes.
      let size: Int
      let digest: Digest
      let entry: PackedEntry
    }

    /// Sorted by the bytes of their paths. A store has only files: no empty folders, no links, no permissions.
    private func assets(_ files: [PackedFile], _ context: ActionContext) throws -> [Asset] {
      var notes = PackNotes()
      var assets: [Asset] = []
      for file in files.sorted(by: { $0.path < $1.path }) where file.input.kind != .directory || file.input.isLink {
        let input = file.input
        if input.isLink || input.digest == nil {
          notes.refuse(
            "\(input.path) is a link, which no store has", at: file.place,
            hint: "put a file in its place, or leave it out")
        } else if file.path.bytes.elementsEqual(BucketManifest.name.utf8) {
          notes.refuse(
            "\(input.path) would be the bucket's \(BucketManifest.name), which is made here", at: file.place,
            hint: "remove it, or leave it out")
        } else if let digest = input.digest,
          let path = notes.path(Array("\(bucket)/".utf8) + file.path.bytes, of: input, at: file.place)
        {
          let entry = PackedEntry(path, input, context)
          assets.append(Asset(path: file.path.bytes, size: Int(input.size), digest: digest, entry: entry))
        }
      }
      try notes.check()
      return assets
    }
  }
}

/// The bucket that apps have now.
private enum LastBucket {
  /// - Parameter inputs: the resolved files of `last`.
  static func manifest(_ inputs: [ResolvedInput], _ node: Node, _ context: ActionContext) throws -> BucketManifest {
    let name = node.text ?? ""
    func refused(_ reason: String) -> Mistakes {
      Mistakes(
        "'last' is \(name): \(reason)", at: node.place,
        hint: "name a \(BucketManifest.name), a folder that has one at its root, or a zip of this kind")
    }
    let named = inputs.first { $0.path == $0.match }
    let input =
      named?.kind == .regular
      ? named : inputs.first { $0.kind == .regular && $0.inside.elementsEqual(BucketManifest.name.utf8) }
    guard let input else { throw refused("there is no \(BucketManifest.name) in it") }
    let opened = try OpenedArtifact(context.absolute(input.path))
    var text: [UInt8]
    if let zip = opened.directory {
      let all = zip.records.filter { BucketManifest.isManifest($0.name) }
      // A file of that name deeper in the bucket is an asset.
      guard let record = all.min(by: { $0.name.count < $1.name.count }) else {
        throw refused("there is no \(BucketManifest.name) in it")
      }
      do throws(ZipFormatError) { text = try zip.contents(of: record, limit: BucketManifest.largest) } catch {
        throw refused("\(error)")
      }
    } else {
      text = try opened.text(limit: BucketManifest.largest)
    }
    do throws(UnreadableEntry) { return try BucketManifest(text) } catch { throw refused(error.reason) }
  }
}
