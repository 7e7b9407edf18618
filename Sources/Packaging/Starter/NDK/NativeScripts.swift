import Artifacts
import Findings

/// What the scripts of CMake and ndk-build of an Android module name outside of the module, in so many words:
/// `add_subdirectory(../../core core)`, `LOCAL_SRC_FILES := ../shared/codec.c`.
struct NativeScripts: Sendable {
  /// Files and folders of the tree; of a source its folder, as its headers are there.
  private(set) var named: Set<String> = []

  private static let names: Set<String> = ["CMakeLists.txt", "Android.mk", "Application.mk"]
  /// More scripts are no one library's.
  private static let most = 64
  private static let mostWords = 10_000

  init(of folder: String, _ tree: StarterTree) {
    let prefix = folder.isEmpty ? "" : folder + "/"
    var scripts = tree.below(folder).filter { $0.kind == .file }.map { StarterTree.join(folder, $0.name) }
      .filter { path in
        NativeScripts.names.contains(path.split(separator: "/").last.map(String.init) ?? "")
          && !path.split(separator: "/").contains { $0 == "build" || $0.hasPrefix(".") }
      }
    var (read, wordsLeft) = (0, NativeScripts.mostWords)
    while let script = scripts.popLast(), read < NativeScripts.most {
      read += 1
      let words = NativeScripts.words(tree.text(script))
      var paths = Set(words.compactMap { NamedFiles.normalized($0, in: StarterTree.folder(of: script)) })
      if script.hasSuffix("Android.mk") { paths.formUnion(MakeScript(script, tree).named.subtracting([""])) }
      for path in paths.sorted() where wordsLeft > 0 && !path.hasPrefix(prefix) {
        wordsLeft -= 1
        let isFolder = tree.isFolder(path)
        guard isFolder || tree.isFile(path) else { continue }
        let whole = isFolder ? path : StarterTree.folder(of: path)
        // A folder that the module lies in has all the rest, too.
        let isNew = named.insert((folder + "/").hasPrefix(whole + "/") || whole.isEmpty ? path : whole).inserted
        let next = StarterTree.join(path, "CMakeLists.txt")
        if isNew, isFolder, tree.isFile(next) { scripts.append(next) }
      }
    }
  }

  /// The paths that lead upwards, relative to the script: `../core`, `${CMAKE_CURRENT_SOURCE_DIR}/../core`, `$(LOCAL_PATH)/../core`.
  private static func words(_ text: String) -> Set<String> {
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.trimmed.hasPrefix("#") }
    let words = lines.flatMap { line in line.split { " \t\"'()".contains($0) } }
    return Set(
      words.compactMap { word in
        word.firstRange(of: "../").map {
          String(word.contains("$") || word.hasPrefix("/") ? word[$0.lowerBound...] : word)
        }
      })
  }
}
