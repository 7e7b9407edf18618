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
        images.append(Image(architecture: image.architecture.name, uuid: linkage.uuid ?? [], exports: exports))
      }
    }
  }
}
