import Archives
package import Artifacts
package import BuildEngine
package import Documents
package import Findings
import Rules
import Store
import SystemPackage

/// `app-extension`: an `.appex` in a zip, whose `Info.plist` comes from the manifest; its entitlements stand beside it,
/// where a signer finds them.
package enum AppExtensionFile: DeliverableKind {
  package static let artifact = ArtifactKind.appExtension
  package static let kind = Kind(
    name: "app-extension",
    keys: [
      Key("binary", .path, required: true, "the executable"),
      Key(
        "point", .text, required: true,
        "the extension point: a name that the recipe's rule extension-info knows, or an identifier: com.apple.…"),
      Key("class", .text, "the class that iOS makes: NSExtensionPrincipalClass"),
      Key("storyboard", .text, "or the storyboard that it shows, without its ending: NSExtensionMainStoryboard"),
      Key("identifier", .text, "the bundle identifier (that of the app, a dot and the extension's name)"),
      Key("extension", .name, "what the extension is called: EXTENSION.appex (the binary's name)"),
      Key("info", .any, "a map that is merged into Info.plist"),
      Key("format", .choice(["xml", "binary"]), "of Info.plist (xml)"),
      Key("resources", PackItem.shape, "files and folders in the extension: paths, globs, or from and to"),
      Key("entitlements", .path, "the .entitlements file"),
      Signing.key,
      Key("app", .path, "the app that contains it, to compare with: its folder, .app or Info.plist"),
      Key("name", .name, "the file's name (NAME-VERSION-appex.zip)"),
    ],
    summary: "an app extension for iOS: an .appex in a zip", choice: KeyChoice("class", "storyboard", required: false))

  package static func isMarked(by entry: [UInt8]) -> Bool {
    let root = entry.prefix { $0 != UInt8(ascii: "/") }
    return root.count < entry.count && root.suffix(6).elementsEqual(".appex".utf8)
  }

  package static func plan(_ declaration: Manifest.Declaration, in plan: Plan) throws(Mistakes) -> Step {
    let node = declaration.node
    var notes = PackNotes()
    let items = node["resources"]?.list?.compactMap(PackItem.init) ?? []
    if let name = node["class"], let storyboard = node["storyboard"] {
      notes.refuse(
        "'\(declaration.name)' has both 'class' and 'storyboard'", at: storyboard.place, notes: ["also: \(name.place)"])
    }
    var point = node["point"]?.text ?? ""
    let points = plan.manifest.rules[ExtensionInfo.id]?.tables["points"] ?? []
    if let known = points.first(where: { $0.key == point })?.values.first {
      point = known
    } else if !point.contains(".") {
      let names = points.map(\.key)
      notes.refuse(
        "the extension point '\(point)' is not known", at: node["point"]?.place ?? declaration.place,
        hint: names.isEmpty
          ? "'extends: app-extension' knows their names; or write its identifier, such as com.apple.widget-extension"
          : didYouMean(point, among: names) ?? "known are \(names.joined(separator: ", "))")
    }
    let info = InfoPlist.merged(declaration, &notes)
    let signing = Signing(declaration, &notes)
    try notes.check()
    let files = [node["binary"], node["entitlements"]].compactMap(\.self)
    let app = node["app"].map(InfoPlist.appInputs) ?? []
    let maker = Maker(
      own: .init(
        point: point, className: node["class"]?.text, storyboard: node["storyboard"]?.text,
        identifier: node["identifier"]?.text, name: node["extension"]?.text),
      info: info, isBinary: node["format"]?.text == "binary", hasEntitlements: node["entitlements"] != nil,
      app: node["app"]?.text, place: declaration.place, items: items, plan: plan, signing: signing)
    return plan.step(
      declaration, AppExtensionFile.self,
      inputs: try Plan.inputs(items.map(\.from) + files + app + (signing?.inputs ?? [])),
      places: items.map(\.place) + (files + app + (signing?.inputs ?? [])).map(\.place), maker)
  }

  struct Own: Sendable {
    let point: String
    let className: String?
    let storyboard: String?
    let identifier: String?
    let name: String?
  }

  private struct Maker: FileMaker {
    let own: Own
    let info: PropertyList
    let isBinary: Bool
    let hasEntitlements: Bool
    let app: String?
    let place: Place
    let items: [PackItem]
    let plan: Plan
    let signing: Signing?

    func encode(into encoder: inout some KeyEncoder) {
      plan.encodeArchive(into: &encoder)
      encoder.add("version", plan.manifest.version)
      encoder.add("info", Digest(of: info.binary))
      encoder.add("format", isBinary ? "binary" : "xml")
      // A file of a signer may be in the same place of the inputs.
      encoder.add("entitlements", hasEntitlements ? "packed" : "none")
      for text in [own.point, own.className, own.storyboard, own.identifier, own.name, app] {
        encoder.add("own", text ?? "")
      }
      items.encode(into: &encoder)
    }

    func make(_ context: ActionContext) async throws -> FileContents {
      let packed = try PackedItems(items, Array(context.inputs.prefix(items.count)))
      guard let binary = context.inputs[items.count].first else { throw Mistakes("there is no binary", at: place) }
      let app = try self.app.map { try ContainingApp.read(context.absolute(FilePath($0)), below: context.absolute("")) }
      let name = own.name ?? binary.path.lastComponent?.string ?? "Extension"
      let root = "\(name).appex"
      let facts = InfoPlist.Facts(
        name: name, executable: binary.path.lastComponent?.string ?? name, version: plan.manifest.version,
        minimumOS: try InfoPlist.minimumOS(context.absolute(binary.path)), app: app)
      let list = try InfoPlist.ofExtension(own, facts, at: place).overlaid(with: info)
      var entries: [PackedEntry] = []
      func add(_ path: String, _ file: ResolvedInput, executable: Bool) throws {
        entries.append(PackedEntry(try InfoPlist.path(path, at: place), file, context, executable: executable))
      }
      let bytes = isBinary ? list.binary : try InfoPlist.xml(list, at: place)
      entries.append(
        PackedEntry(try InfoPlist.path("\(root)/Info.plist", at: place), .bytes(bytes), digest: nil, at: place))
      try add("\(root)/\(facts.executable)", binary, executable: true)
      if hasEntitlements, let file = context.inputs[items.count + 1].first {
        try add("\(name).entitlements", file, executable: false)
      }
      for resource in packed.files {
        var entry = resource.entry(context)
        entry.entry.path = try InfoPlist.path("\(root)/\(resource.path)", at: resource.place)
        if let twin = entries.first(where: { $0.entry.path.collisionKey == entry.entry.path.collisionKey }) {
          throw Mistakes(
            "the resource '\(resource.path)' has the name of something that the extension has anyway",
            at: resource.place, notes: ["\(twin.place)"], hint: "give it another name with 'to'")
        }
        entries.append(entry)
      }
      entries.sort { $0.entry.path < $1.entry.path }
      let unknown = "the app that contains it is not known (app:): nothing was compared with it"
      return FileContents(
        form: .archive(entries, ZipOptions(epoch: plan.sourceDate)),
        notes: packed.leftOut(context).notes + (app == nil ? [unknown] : []), app: app)
    }
  }
}
