import Findings

/// A file or folder of the tree that is not packed, with the reason.
struct LeftOut: Sendable {
  let path: String
  let reason: String
  /// Whether it holds sources that no build here compiles.
  let isUnbuilt: Bool

  init(_ path: String, _ reason: String, isUnbuilt: Bool = false) {
    self.path = path
    self.reason = reason
    self.isUnbuilt = isUnbuilt
  }
}

/// The reason why a part of the tree cannot be packed.
struct Unfit: Error {
  let reason: String

  static let pointer = Unfit(reason: "git has only a pointer to it here: git lfs pull fetches it")
}

// Files and folders that a survey reports besides the parts that it takes.
extension LeftOut {
  private static let parts: Set<String> = ["a", "framework", "xcframework", "aar"]
  private static let resources: Set<String> = [
    "xib", "storyboard", "nib", "lproj", "xcassets", "xcdatamodeld", "mlmodel", "xcprivacy",
  ]

  /// Finished parts in folders that are not the plugin's own.
  static func elsewhere(_ tree: SourceTree) -> [LeftOut] {
    tree.files.filter { $0.standing != .own && parts.contains($0.ending) }
      .map { LeftOut($0.path, "\($0.standing.reason); --take with its path packs it") }
  }

  /// Resources beside a static library, which no build puts into it.
  static func looseResources(_ files: [SourceTree.File], _ tree: SourceTree) -> [LeftOut] {
    files.filter { resources.contains($0.ending) && (!$0.isFolder || $0.ending != "bundle") }.map { file in
      let isPrivacy = file.ending == "xcprivacy"
      return LeftOut(
        file.path,
        isPrivacy
          ? "beside a static library it is lost: put it into a resource bundle"
          : "a resource that is in no bundle: put it into one, or add it to the items if the plugin needs it")
    }
  }

  /// Jars and shared libraries that no AAR, module or manifest of the tree uses.
  static func looseJava(_ files: [SourceTree.File], modules: Set<String>) -> [LeftOut] {
    files.filter { file in
      (file.ending == "jar" || file.ending == "so") && !file.isFolder && file.name != "gradle-wrapper.jar"
        && !PathText.isBelow(file.path, anyOf: modules)
    }.map { file in
      let key = file.ending == "jar" ? "libs" : "jni"
      return LeftOut(file.path, "no finished AAR has it: '\(key)' of an aar with an AndroidManifest.xml packs it")
    }
  }

  /// Sources that nothing compiles, counted by folder and language.
  static func sources(_ sources: [(file: SourceTree.File, language: SourceLanguage)]) -> [LeftOut] {
    struct Group: Hashable, Comparable {
      let folder, language: String
      static func < (one: Group, other: Group) -> Bool { (one.folder, one.language) < (other.folder, other.language) }
    }
    let groups = Dictionary(grouping: sources) { source in
      Group(folder: PathText.names(source.file.folder).first ?? ".", language: source.language.rawValue)
    }
    return groups.sorted { $0.key < $1.key }.map { group, files in
      let reason = "\(counted(files.count, "file")) of \(group.language) that no build here compiles"
      return LeftOut(group.folder, reason, isUnbuilt: true)
    }
  }
}
