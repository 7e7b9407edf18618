import Artifacts
import Findings
package import Store

extension AndroidContents {
  package func write(to writer: inout RecordWriter, below path: String) {
    writer.add(jars) { writer, jar in
      writer.add(jar.place, below: path)
      for range in [jar.classes, jar.resources] {
        writer.add(range.lowerBound)
        writer.add(range.upperBound)
      }
      writer.add(jar.origins) { writer, origin in
        writer.add(origin.library)
        writer.add(optional: origin.version) { $0.add($1) }
      }
      writer.add(optional: jar.kotlin) { writer, version in
        writer.add(version.major)
        writer.add(version.minor)
      }
    }
    writer.add(files) { writer, file in
      writer.add(name: file.kind.rawValue)
      writer.add(file.path)
      writer.add(file.place, below: path)
      writer.add(optional: file.content) { $0.add($1) }
      writer.add(optional: file.native) { $1.write(to: &$0) }
    }
    writer.add(manifests) { writer, manifest in
      writer.add(manifest.place, below: path)
      writer.add(bytes: manifest.bytes)
      writer.add(optional: manifest.namespace) { $0.add($1) }
      writer.add(manifest.isSource)
    }
    writer.add(metadata) { writer, file in
      writer.add(file.place, below: path)
      writer.add(bytes: file.metadata.bytes)
    }
    writer.add(shrinkerRules) { writer, file in
      writer.add(file.place, below: path)
      writer.add(file.wide) { $0.add($1) }
    }
    writer.add(optional: settings) { writer, settings in
      for text in [settings.namespace, settings.applicationID] { writer.add(optional: text) { $0.add($1) } }
      for level in [settings.minSDK, settings.targetSDK, settings.compileSDK] {
        writer.add(optional: level) { $1.write(to: &$0) }
      }
    }
    classes.write(to: &writer)
    javaResources.write(to: &writer)
    resources.write(to: &writer, below: path)
  }

  /// Nil if the bytes are no such record.
  package init?(_ reader: inout RecordReader, below path: String) {
    self.init()
    let jars = reader.list { reader -> Jar? in
      guard let place = reader.place(below: path), let classes = reader.range(), let resources = reader.range(),
        let origins = reader.list({ JarOrigin(&$0) }), let kotlin = reader.optional({ KotlinVersion(&$0) })
      else { return nil }
      return Jar(place: place, classes: classes, resources: resources, origins: origins, kotlin: kotlin)
    }
    let files = reader.list { reader -> AndroidFile? in
      guard let kind = reader.name().flatMap({ AndroidFile.Kind(rawValue: $0) }), let name = reader.text(),
        let place = reader.place(below: path), let content = reader.optional({ $0.checksum() }),
        let native = reader.optional({ NativeLibrary(&$0) })
      else { return nil }
      return AndroidFile(kind: kind, path: name, place: place, content: content, native: native)
    }
    let manifests = reader.list { reader -> AndroidManifestFile? in
      guard let place = reader.place(below: path), let bytes = reader.bytes(),
        let namespace = reader.optional({ $0.text() }), let isSource = reader.flag()
      else { return nil }
      return AndroidManifestFile(place: place, bytes: Array(bytes), namespace: namespace, isSource: isSource)
    }
    let metadata = reader.list { reader -> AARMetadataFile? in
      guard let place = reader.place(below: path), let bytes = reader.bytes() else { return nil }
      return AARMetadataFile(place: place, metadata: AARMetadata(properties: Array(bytes)))
    }
    let shrinkerRules = reader.list { reader -> ShrinkerRulesFile? in
      guard let place = reader.place(below: path), let wide = reader.list({ $0.text() }) else { return nil }
      return ShrinkerRulesFile(place: place, wide: wide)
    }
    let settings = reader.optional { GradleSettings(&$0) }
    guard let jars, let files, let manifests, let metadata, let shrinkerRules, let settings,
      let classes = ContentTable(&reader),
      let javaResources = ContentTable(&reader), let resources = ResourceTable(&reader, below: path),
      jars.allSatisfy({ $0.classes.upperBound <= classes.count && $0.resources.upperBound <= javaResources.count })
    else { return nil }
    (self.jars, self.files, self.manifests) = (jars, files, manifests)
    (self.metadata, self.shrinkerRules, self.settings) = (metadata, shrinkerRules, settings)
    (self.classes, self.javaResources, self.resources) = (classes, javaResources, resources)
  }
}

extension GradleSettings {
  fileprivate init?(_ reader: inout RecordReader) {
    guard let namespace = reader.optional({ $0.text() }), let applicationID = reader.optional({ $0.text() }),
      let minSDK = reader.optional({ GradleLevel(&$0) }), let targetSDK = reader.optional({ GradleLevel(&$0) }),
      let compileSDK = reader.optional({ GradleLevel(&$0) })
    else { return nil }
    (self.namespace, self.applicationID) = (namespace, applicationID)
    (self.minSDK, self.targetSDK, self.compileSDK) = (minSDK, targetSDK, compileSDK)
  }
}

extension GradleLevel {
  fileprivate func write(to writer: inout RecordWriter) {
    switch self {
    case .number(let number):
      writer.add(true)
      writer.add(number)
    case .version(let name):
      writer.add(false)
      writer.add(name)
    }
  }

  fileprivate init?(_ reader: inout RecordReader) {
    guard let isNumber = reader.flag() else { return nil }
    let level =
      isNumber ? reader.number().map { GradleLevel.number($0) } : reader.text().map { GradleLevel.version($0) }
    guard let level else { return nil }
    self = level
  }
}

extension NativeLibrary {
  fileprivate func write(to writer: inout RecordWriter) {
    writer.add(alignment)
    writer.add(optional: ndk) { $0.add($1) }
    writer.add(needed) { $0.add($1) }
    writer.add(isSymbolic)
    for names in [strong, weak] { writer.add(bytes: names) }
  }

  fileprivate init?(_ reader: inout RecordReader) {
    guard let alignment = reader.number(), let ndk = reader.optional({ $0.text() }),
      let needed = reader.list({ $0.text() }), let isSymbolic = reader.flag(), let strong = reader.bytes(),
      let weak = reader.bytes()
    else { return nil }
    self.init(
      alignment: alignment, ndk: ndk, needed: needed, isSymbolic: isSymbolic, strong: Array(strong),
      weak: Array(weak))
  }
}

extension JarOrigin {
  fileprivate init?(_ reader: inout RecordReader) {
    guard let library = reader.text(), let version = reader.optional({ $0.text() }) else { return nil }
    self.init(library: library, version: version)
  }
}

extension KotlinVersion {
  fileprivate init?(_ reader: inout RecordReader) {
    guard let major = reader.number(), let minor = reader.number() else { return nil }
    self.init(major, minor)
  }
}

extension RecordReader {
  fileprivate mutating func range() -> Range<Int>? {
    guard let start = number(), let end = number(), start <= end else { return nil }
    return start..<end
  }
}
