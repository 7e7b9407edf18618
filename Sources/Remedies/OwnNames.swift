import Artifacts
import Collisions
import ObjectFiles
import Rewriting
import Store
import SystemPackage

/// The names that a plugin's static code defines and a prefix can change, as lists of `prefix-symbols` spell them.
struct OwnNames {
  private(set) var symbols: Set<[UInt8]> = []
  private(set) var classes: Set<[UInt8]> = []
  /// Whether it has object files for other systems than Apple's.
  private(set) var hasOthers = false

  init(_ path: FilePath) {
    let artifact = Artifact(path, temporary: HostProcess.temporaryFolder)
    for code in artifact.code {
      code.file.withReader { reader in
        for unit in code.file.units.units {
          if unit.kind == .elf { hasOthers = true }
          guard unit.kind == .machO(.object) else { continue }
          // What cannot be read is reported by the check.
          try? add(unit, reader)
        }
      }
    }
  }

  private mutating func add(_ unit: ObjectUnit, _ reader: borrowing ByteReader) throws(FormatError) {
    let content = try reader.slice(unit.range, "object file")
    try ObjectSymbols(content)?.forEach(content, SymbolSelection(externalOnly: true, definedOnly: true)) {
      (symbol) throws(FormatError) in
      guard let range = symbol.name,
        let listed = SymbolRewrite.listed(try content.copy(range, "name of a symbol"))
      else { return }
      if listed.isClass { classes.insert(listed.name) } else { symbols.insert(listed.name) }
    }
  }

  var count: Int { symbols.count + classes.count }

  /// Whether a name begins with this, behind the underscore or the marker of a class.
  func hasNames(after prefix: String) -> Bool {
    let symbol = Array("_\(prefix)".utf8)
    let objcClass = Array("_OBJC_CLASS_$_\(prefix)".utf8)
    return symbols.contains { $0.starts(with: symbol) } || classes.contains { $0.starts(with: objcClass) }
  }
}
