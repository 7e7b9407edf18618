import Android
import Findings
import ObjectFiles
import Store

/// Shared libraries of the tree as an AAR takes them: in a folder for each ABI.
struct NativeLibraries: Sendable {
  /// Folders that hold nothing but a folder for each ABI.
  private(set) var folders: [String] = []
  /// What a step puts in order: a library, and the ABI that it is for.
  private(set) var copies: [(path: String, abi: AndroidABI)] = []
  private(set) var leftOut: [(path: String, reason: String)] = []

  let made: String

  init(_ files: [StarterFile], _ tree: StarterTree) {
    made = tree.made + "/jni"
    var names: Set<String> = []
    var found: [(file: StarterFile, abi: AndroidABI, isInOrder: Bool)] = []
    for file in files {
      guard let mapped = try? MappedFile.open(tree.absolute(file.path)) else { continue }
      guard let elf = mapped.withBytes({ CodeFacts(ByteReader($0)).elf }) else {
        let isPointer = tree.text(file.path, limit: 64).hasPrefix("version https://git-lfs")
        leftOut.append(
          (
            file.path,
            isPointer ? "git has only a pointer to it here: git lfs pull fetches it" : "it is no shared library"
          ))
        continue
      }
      let named = file.folder.split(separator: "/").reversed().lazy.compactMap { AndroidABI(rawValue: String($0)) }
        .first
      // A folder tells armeabi from armeabi-v7a; else the code decides.
      let fitting = named.map { $0.fits(elf) } == true ? named : AndroidABI.allCases.first { $0.fits(elf) }
      guard let abi = fitting else {
        leftOut.append(
          (file.path, elf.system.isAndroids ? "for no processor of Android" : "for \(elf.system), and not for Android"))
        continue
      }
      guard names.insert("\(abi.rawValue)/\(file.name)").inserted else {
        leftOut.append(
          (
            file.path,
            named == abi
              ? "another library of that name for \(abi.rawValue) is packed"
              : "it is for \(abi.rawValue), whatever its folder says, and another library of that name is packed for that"
          ))
        continue
      }
      found.append((file, abi, file.folder.split(separator: "/").last.map(String.init) == abi.rawValue))
    }
    let roots = Set(found.filter(\.isInOrder).map { NativeLibraries.parent($0.file.folder) })
    let whole = roots.filter { root in
      !root.isEmpty && tree.nativeLibraries(root).problem == nil && !leftOut.contains { $0.path.hasPrefix(root + "/") }
    }
    folders = whole.sorted()
    copies = found.filter { !$0.isInOrder || !whole.contains(NativeLibraries.parent($0.file.folder)) }
      .map { ($0.file.path, $0.abi) }
  }

  private static func parent(_ folder: String) -> String {
    folder.split(separator: "/").dropLast().joined(separator: "/")
  }

  /// What 'jni' of the deliverable names.
  var paths: [String] { folders + (copies.isEmpty ? [] : [made]) }

  var step: [String] {
    guard !copies.isEmpty else { return [] }
    let abis = AndroidABI.allCases.filter { abi in copies.contains { $0.abi == abi } }
    var lines = ["  # Android's libraries in a folder for each processor.", "  jni:", "    shell: |"]
    lines.append("      set -e; rm -rf \(made)")
    for abi in abis {
      let files = copies.filter { $0.abi == abi }.map { ShellText.quoted(path: $0.path) }.joined(separator: " ")
      let folder = "\(made)/\(abi.rawValue)"
      lines.append("      mkdir -p \(folder); cp \(files) \(folder)/")
    }
    lines.append("    inputs: [\(copies.map(\.path.inYAML).joined(separator: ", "))]")
    lines.append("    outputs: [\(made)]")
    return lines
  }
}
