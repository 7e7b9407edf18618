import Android
import Artifacts
import Collisions
import Documents
import Findings
import Linking
import Store
import SystemPackage

/// `{app: {plugins: […], app: […], linker, args: […], output-kind, link-by, closed-world, agp, min-sdk, target-sdk,
/// compile-sdk, kotlin, application-id}}`; paths are relative to the file's folder.
struct AppsFile {
  private(set) var apps: [CheckApps.App] = []
  /// The folder of the file; empty for the working folder.
  private let folder: FilePath
  private var mistakes: [Mistake] = []

  private static let shape = Shape.map(
    .object([
      Key("plugins", .list(.text), required: true, "paths of the app's plugins or globs, in the order of the link"),
      Key("app", .list(.text), "libraries of the app itself; they come first"),
      Key("linker", .choice(LinkerProfile.all.map(\.name)), "whose verdict"),
      Key("args", .list(.text), "the linker's flags, in place of -ObjC, and further files"),
      Key("output-kind", .choice(["executable", "dylib"]), "what is linked"),
      Key("link-by", .choice(["name", "path"]), "how frameworks and static libraries are linked"),
      Key("closed-world", .flag, "whether the files and flags are the whole link"),
      Key("agp", .choice(AndroidGradlePlugin.allCases.map(\.rawValue)), "the Android Gradle plugin's major version"),
      Key("min-sdk", .text, "the oldest Android that the app runs on, an API level"),
      Key("target-sdk", .text, "the API level that the app is made for"),
      Key("compile-sdk", .text, "the API level that the app is compiled with"),
      Key("kotlin", .text, "the version of the app's Kotlin compiler"),
      Key("application-id", .text, "the Android app's ID"),
    ]))

  init(_ file: FilePath, _ otherwise: AppCheck) throws(Mistakes) {
    let bytes = try explained { try FileSystem.read(file, limit: YAMLText.maxBytes) }
    let root = try YAMLText.parse(bytes, name: file.string)
    var shape = SchemaCheck(root: "the file of apps")
    shape.check(root, AppsFile.shape, "")
    guard shape.mistakes.isEmpty else { throw Mistakes(shape.mistakes) }
    guard !root.members.isEmpty else { throw Mistakes("there is no app in the file", at: root.place) }
    folder = file.removingLastComponent()
    for member in root.members { add(member, otherwise) }
    guard mistakes.isEmpty else { throw Mistakes(mistakes) }
  }

  private mutating func add(_ member: Node.Member, _ otherwise: AppCheck) {
    let node = member.node
    let mistakeCount = mistakes.count
    if member.key.isEmpty { mistakes.append(Mistake("an app has no name", at: member.keyPlace)) }
    var check = otherwise
    let name = node["linker"]?.text
    check.linker = LinkerProfile.all.first { $0.name == name } ?? check.linker
    if let text = node["output-kind"]?.text { check.isDylib = text == "dylib" }
    if let text = node["link-by"]?.text { check.isByName = text == "name" }
    if let text = node["closed-world"]?.text { check.isClosed = text == "true" }
    let app = check.android
    check.android.agp = node["agp"]?.text.flatMap { AndroidGradlePlugin(rawValue: $0) } ?? app.agp
    check.android.minSDK = level(node["min-sdk"]) ?? app.minSDK
    check.android.targetSDK = level(node["target-sdk"]) ?? app.targetSDK
    check.android.compileSDK = level(node["compile-sdk"]) ?? app.compileSDK
    check.android.kotlin = kotlin(node["kotlin"]) ?? app.kotlin
    check.android.applicationID = node["application-id"]?.text ?? app.applicationID
    check.folder = folder
    check.words = node["args"]?.list.map { $0.compactMap(\.text) } ?? check.words
    let namesFiles = hasFiles(node["args"]?.list ?? [])
    var paths = AppPaths(folder)
    check.apps = paths.find(node["app"]?.list ?? [])
    check.plugins = paths.find(node["plugins"]?.list ?? [])
    mistakes += paths.mistakes
    let isNothing = check.apps.isEmpty && check.plugins.isEmpty && !namesFiles
    if isNothing, paths.missing.isEmpty, mistakes.count == mistakeCount {
      let place = node["plugins"]?.place ?? member.keyPlace
      mistakes.append(Mistake("there is nothing to check in \(member.key)", at: place, hint: "name its plugins"))
    }
    apps.append(CheckApps.App(name: member.key, check: isNothing ? nil : check, mistakes: paths.missing))
  }

  private mutating func level(_ node: Node?) -> Int? {
    guard let node, let text = node.text else { return nil }
    if let level = AndroidManifest.level(text) { return level }
    mistakes.append(Mistake("'\(text)' is no API level of Android", at: node.place, hint: "a number such as 24"))
    return nil
  }

  private mutating func kotlin(_ node: Node?) -> KotlinVersion? {
    guard let node, let text = node.text else { return nil }
    if let version = KotlinVersion(text) { return version }
    mistakes.append(Mistake("'\(text)' is no version of Kotlin", at: node.place, hint: "a version such as 2.1"))
    return nil
  }

  /// Whether flags of the linker name files, too.
  private mutating func hasFiles(_ nodes: [Node]) -> Bool {
    let words = nodes.compactMap(\.text)
    if let node = nodes.first(where: { $0.text?.utf8.contains(0) ?? false }) {
      mistakes.append(Mistake("no word of a command line has a NUL in it", at: node.place))
      return true
    }
    guard let all = AppsFile.mistake(in: words) else { return (try? LinkLine(words))?.inputs.isEmpty == false }
    // The mistake is about the last word of the shortest line that has it.
    var count = words.count
    while count > 1, AppsFile.mistake(in: words.prefix(count - 1))?.message == all.message { count -= 1 }
    mistakes.append(Mistake(all.message, at: nodes[count - 1].place, notes: all.notes, hint: all.hint))
    return true
  }

  private static func mistake(in words: some Sequence<String>) -> Mistake? {
    do throws(Mistakes) { _ = try LinkLine(Array(words)) } catch { return error.all.first }
    return nil
  }
}
