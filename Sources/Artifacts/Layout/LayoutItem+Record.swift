import Findings
import ObjectFiles
package import Store

extension LayoutFacts {
  package func write(to writer: inout RecordWriter, below path: String) {
    writer.add(items) { writer, item in
      writer.add(name: item.kind.rawValue)
      writer.add(item.destination)
      writer.add(item.container, below: path)
      writer.add(optional: item.member) { $0.add($1) }
      writer.add(item.targets) { $0.add($1) }
      writer.add(item.isCopied)
      writer.add(optional: item.content) { $0.add($1) }
      writer.add(item.modules) { $0.add($1) }
      writer.add(optional: item.identifier) { $0.add($1) }
      writer.add(optional: item.version) { $0.add($1) }
      writer.add(optional: item.code) { writer, code in
        writer.add(code.isDynamic)
        writer.add(optional: code.installName) { $0.add($1) }
        writer.add(code.images) { writer, image in
          writer.add(name: image.architecture)
          writer.add(bytes: image.uuid)
          writer.add(wide: image.exports)
          writer.add(wide: UInt64(image.platform?.rawValue ?? 0))
          writer.add(wide: UInt64(image.minimumOS.packed))
        }
        writer.add(code.loads) { $0.add($1) }
        writer.add(code.carries) { $0.add($1) }
      }
    }
  }

  /// Nil if the bytes are no such record.
  package init?(_ reader: inout RecordReader, below path: String) {
    guard let items = reader.list({ LayoutItem(&$0, below: path) }) else { return nil }
    self.init(items: items)
  }
}

extension LayoutItem {
  fileprivate init?(_ reader: inout RecordReader, below path: String) {
    guard let kind = reader.name().flatMap({ Kind(rawValue: $0) }), let destination = reader.text(),
      let container = reader.place(below: path), let member = reader.optional({ $0.text() }),
      let targets = reader.list({ $0.slice() }), let isCopied = reader.flag(),
      let content = reader.optional({ $0.checksum() }), let modules = reader.list({ $0.text() }),
      let identifier = reader.optional({ $0.text() }), let version = reader.optional({ $0.text() }),
      let code = reader.optional({ FrameworkCode(&$0) })
    else { return nil }
    self.init(
      kind: kind, destination: destination, container: container, member: member, targets: targets, isCopied: isCopied,
      content: content, modules: modules, identifier: identifier, version: version, code: code)
  }
}

extension FrameworkCode {
  fileprivate init?(_ reader: inout RecordReader) {
    guard let isDynamic = reader.flag(), let installName = reader.optional({ $0.text() }),
      let images = reader.list({ reader -> Image? in
        guard let architecture = reader.name(), let uuid = reader.bytes(), let exports = reader.wide(),
          let platform = reader.wide(), let minimum = reader.wide()
        else { return nil }
        return Image(
          architecture: architecture, uuid: Array(uuid), exports: exports,
          platform: platform == 0 ? nil : Platform(rawValue: UInt32(truncatingIfNeeded: platform)),
          minimumOS: OSVersion(packed: UInt32(truncatingIfNeeded: minimum)))
      }), let loads = reader.list({ $0.text() }), let carries = reader.list({ $0.text() })
    else { return nil }
    self.init(isDynamic: isDynamic, installName: installName, images: images, loads: loads, carries: carries)
  }
}
