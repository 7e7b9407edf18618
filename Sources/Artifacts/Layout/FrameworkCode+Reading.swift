import Findings
import ObjectFiles

extension FrameworkCode {
  /// Unreadable parts are left out: reading the code's names reports them.
  init(_ file: CodeFile) {
    self.init(isDynamic: false)
    file.withReader { reader in
      for unit in file.units.units {
        guard case .machO(.dylib) = unit.kind, let content = try? reader.slice(unit.range, "dynamic library"),
          let image = try? MachOFile(content), let linkage = try? MachOLinkage(image, content)
        else { continue }
        isDynamic = true
        installName = installName ?? linkage.identity.map { String(decoding: $0.name, as: UTF8.self) }
        // The order of the names does not count.
        var exports: UInt64 = 0
        try? MachOExports(image, content).forEach(content) { export in
          exports &+= ByteReader(export.name.span).hash(of: 0..<export.name.count, seed: 0)
        }
        let build = (try? image.buildVersions(content))?.first
        images.append(
          Image(
            architecture: image.architecture.name, uuid: linkage.uuid ?? [], exports: exports,
            platform: build?.platform, minimumOS: build?.minimumOS ?? OSVersion(0)))
        loads += linkage.libraries.filter { !$0.isWeak }.compactMap { FrameworkCode.framework($0.name) }
      }
    }
    loads = Set(loads).sorted()
  }

  /// `Foo.framework` of `@rpath/Foo.framework/Foo`.
  private static func framework(_ installName: [UInt8]) -> String? {
    let parts = String(decoding: installName, as: UTF8.self).pathParts
    return parts.count > 2 && parts[0] == "@rpath" && parts[1].hasSuffix(".framework") ? String(parts[1]) : nil
  }
}
