/// What a project of Xcode says of its targets, in so many words.
struct XcodeProject: Sendable {
  struct Target: Sendable {
    let name: String
    /// `libRally.a`, `Rally.framework`.
    let product: String
    let isFramework: Bool
  }

  let path: String
  let target: Target?
  /// It has targets, and an app for iOS is all that they make.
  let isApplication: Bool
  /// The last names of the files that only its other targets have.
  let ofOthers: Set<String>
  private let text: String

  init(_ path: String, _ tree: StarterTree) {
    self.path = path
    text = tree.text(StarterTree.join(path, "project.pbxproj"))
    var found: [(target: Target, rank: Int)] = []
    var count = 0
    // A target's dictionary ends where the next object begins.
    for block in text.split(separator: "isa = PBXNativeTarget;").dropFirst() {
      let lines = block.split(separator: "\n").prefix { !$0.contains("isa = ") }
      guard let name = XcodeProject.value("name", lines), let type = XcodeProject.value("productType", lines) else {
        continue
      }
      count += 1
      // `productReference = 0A1B /* libRally.a */;`
      let reference = XcodeProject.value("productReference", lines)
      let product = reference?.split(separator: "/* ").last.map { String($0.replacing(" */", with: "")) }
      if type.hasSuffix("library.static") {
        found.append((Target(name: name, product: product ?? "lib\(name).a", isFramework: false), 0))
      } else if type.hasSuffix(".framework") {
        found.append((Target(name: name, product: product ?? "\(name).framework", isFramework: true), 1))
      }
    }
    let stem = path.split(separator: "/").last.map { String($0.dropLast(".xcodeproj".count)) } ?? ""
    // The target that is called as the project is; no other system's, and no test's.
    func rank(_ target: Target, _ rank: Int) -> [Int] {
      let isOther = if case .other = PathSystem(target.name) { true } else { false }
      let isTest = FolderStanding(folder: target.name) != nil
      return [isOther || isTest ? 1 : 0, target.name == stem ? 0 : 1, rank]
    }
    let best = found.min { rank($0.target, $0.rank).lexicographicallyPrecedes(rank($1.target, $1.rank)) }?.target
    isApplication = count > 0 && best == nil
    target = best ?? (count == 0 ? Target(name: stem, product: "lib\(stem).a", isFramework: false) : nil)
    ofOthers = best == nil ? [] : XcodeObjects(text).names(notOf: best?.name ?? "")
  }

  /// Whether it names a file of that name; all of them if nothing is known of its targets, or if it has whole folders.
  func names(_ file: String) -> Bool {
    !text.contains("PBXNativeTarget") || text.contains("PBXFileSystemSynchronizedRootGroup") || text.contains(file)
  }

  /// Whether the name of a file stands in it.
  func lists(_ file: String) -> Bool { text.contains(file) }

  private static func value(_ key: String, _ lines: some Sequence<Substring>) -> String? {
    for line in lines {
      let words = line.drop { $0 == " " || $0 == "\t" }
      guard words.hasPrefix("\(key) = "), words.hasSuffix(";") else { continue }
      let value = words.dropFirst(key.count + 3).dropLast()
      return String(value.hasPrefix("\"") && value.count > 1 ? value.dropFirst().dropLast() : value)
    }
    return nil
  }
}
