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
      for item in items {
        encoder.add("from", item.from.text ?? "")
        encoder.add("to", item.to ?? "")
      }
      if let last { encoder.add("last", last.text ?? "") }
    }

    func make(_ file: inout Store.OutputFile, _ context: ActionContext) async throws -> MadeFile {
      let groups = Array(context.inputs.prefix(items.count))
      var packed = try PackedItems(items, groups)
      let assets = try assets(&packed, context)
      let manifest = BucketManifest.text(assets.map { ($0.path, $0.digest) })
      var entries = assets.map(\.entry)
      entries.append(
        PackedEntry(
          try EntryPath("\(bucket)/\(BucketManifest.name)"), .bytes(manifest), digest: Digest(of: manifest),
          at: last?.place ?? items[0].place))
      entries.sort { $0.entry.path < $1.entry.path }
      var made = try await PackedArchive.write(
        entries, to: file.temporaryPath, options: ZipOptions(epoch: plan.sourceDate), advance: context.advance)
      var leftOut = packed.notes.leftOut
      for asset in packed.files { leftOut.count(attributesOf: context.absolute(asset.input.path)) }
      made.notes = leftOut.notes
      if let last, let inputs = context.inputs.last {
        let old = try LastBucket.manifest(inputs, last, context)
        made.notes += BucketChange(from: old.entries, to: assets.map { ($0.path, $0.size, $0.digest) }).notes
      }
      return made
    }

    private struct Asset {
      /// In the bucket.
      let path: [UInt8]
      /// In bytes.
      let size: Int
      let digest: Digest
      let entry: PackedEntry
    }

    /// A store has files and nothing else: no folder without one, no link, no bits of permission.
    private func assets(_ packed: inout PackedItems, _ context: ActionContext) throws -> [Asset] {
      var mistakes: [Mistake] = []
      var assets: [Asset] = []
      for file in packed.files where file.input.kind != .folder || file.input.isLink {
        guard !file.input.isLink, let digest = file.input.digest else {
          mistakes.append(
            Mistake(
              "\(file.input.path) is a link, which no store has", at: file.place,
              hint: "put a file in its place, or leave it out"))
          continue
        }
        if file.path.bytes.elementsEqual(BucketManifest.name.utf8) {
          mistakes.append(
            Mistake(
              "\(file.input.path) would be the bucket's \(BucketManifest.name), which is made here", at: file.place,
              hint: "remove it, or leave it out"))
          continue
        }
        do throws(EntryPathError) {
          let path = try EntryPath(Array("\(bucket)/".utf8) + file.path.bytes)
          let size = Int(file.input.size)
          assets.append(
            Asset(
              path: file.path.bytes, size: size, digest: digest,
              entry: PackedEntry(
                path, .file(context.absolute(file.input.path), size: size), digest: digest,
                at: Place(file.input.path.string))))
        } catch {
          mistakes.append(Mistake("\(file.input.path) cannot be packed: \(error)", at: file.place, hint: "rename it"))
        }
      }
      guard mistakes.isEmpty else { throw Mistakes(mistakes) }
      return assets
    }
  }
}

/// The bucket that apps have now.
private enum LastBucket {
  /// - Parameter inputs: what `last` stands for.
  static func manifest(_ inputs: [ResolvedInput], _ node: Node, _ context: ActionContext) throws -> BucketManifest {
    let name = node.text ?? ""
    func refused(_ reason: String) -> Mistakes {
      Mistakes(
        "'last' is \(name): \(reason)", at: node.place,
        hint: "name a \(BucketManifest.name), a folder that has one at its root, or a zip of this kind")
    }
    let named = inputs.first { $0.path == $0.match }
    let input =
      named?.kind == .file
      ? named : inputs.first { $0.kind == .file && $0.inside.elementsEqual(BucketManifest.name.utf8) }
    guard let input else { throw refused("there is no \(BucketManifest.name) in it") }
    let path = context.absolute(input.path)
    var text: [UInt8]
    if let zip = try? ZipDirectory(ZipSource(try PositionalFile(path))) {
      let all = zip.records.filter { BucketManifest.isManifest($0.name) }
      // One in a folder of the bucket is an asset.
      guard let record = all.min(by: { $0.name.count < $1.name.count }) else {
        throw refused("there is no \(BucketManifest.name) in it")
      }
      do throws(ZipFormatError) { text = try zip.contents(of: record, limit: BucketManifest.largest) } catch {
        throw refused("\(error)")
      }
    } else {
      text = try FileSystem.read(path, limit: BucketManifest.largest)
    }
    do throws(UnreadableEntry) { return try BucketManifest(text) } catch { throw refused(error.reason) }
  }
}

/// What an app that has one bucket fetches of another one.
struct BucketChange {
  private(set) var fetched: [(path: [UInt8], size: Int)] = []
  private(set) var gone: [[UInt8]] = []

  init(from old: [BucketManifest.Entry], to new: [(path: [UInt8], size: Int, digest: Digest)]) {
    let versions = Dictionary(old.map { ($0.path, $0.version) }, uniquingKeysWith: { _, last in last })
    for file in new.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) })
    where versions[file.path] != .some(BucketManifest.version(of: file.digest)) {
      fetched.append((file.path, file.size))
    }
    let names = Set(new.map(\.path))
    gone = versions.keys.filter { !names.contains($0) }.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Of each list the first ones are named.
  private static let most = 20

  var notes: [String] {
    func text(_ path: [UInt8]) -> String { String(decoding: path, as: UTF8.self) }
    func list(_ items: [String]) -> String {
      let rest = items.count - BucketChange.most
      return items.prefix(BucketChange.most).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
    func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
    var notes = ["an app that has the last bucket fetches no file"]
    if !fetched.isEmpty {
      let size = fetched.reduce(0) { $0 + $1.size }
      notes = [
        "an app that has the last bucket fetches \(count(fetched.count, "file")), \(count(size, "byte")): "
          + list(fetched.map { "\(text($0.path)) (\($0.size))" })
      ]
    }
    if !gone.isEmpty { notes.append("no longer in the bucket: \(list(gone.map(text)))") }
    return notes
  }
}
