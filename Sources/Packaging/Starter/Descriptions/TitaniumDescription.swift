import Findings

extension ProjectDescription {
  /// A Titanium module's `manifest`: lines of `key: value`. Where its files lie is a convention of the SDK's.
  static func titanium(_ path: String, _ files: NamedFiles) throws(UnreadDescription) -> ProjectDescription? {
    var values: [String: String] = [:]
    for line in String(decoding: try files.tree.contents(path).prefix(1 << 16), as: UTF8.self).split(
      whereSeparator: \.isNewline)
    {
      let line = line.trimmed
      guard !line.hasPrefix("#"), let colon = line.firstIndex(of: ":") else { continue }
      let key = String(line[..<colon].trimmed)
      if values[key] == nil { values[key] = String(line[line.index(after: colon)...].trimmed) }
    }
    guard let id = values["moduleid"], let platform = values["platform"] else { return nil }
    var module = ProjectDescription(.titanium, path)
    module.setName(id)
    module.setName(values["name"])
    module.setVersion(values["version"])
    let folder = module.folder
    func named(_ patterns: [String], _ contents: NamedFiles.Contents = .itself) -> [String] {
      files.paths(patterns, in: folder, contents)
    }
    if platform == "android" {
      module.libraries = named(["lib/*.{jar,aar}", "libs/*.{jar,aar}", "libs/*/*.so", "lib/*/*.so"])
      module.androidSources = named(["src/**/*.{java,kt}"])
      module.androidResources = named(["platform/android/res"], .wholly)
    } else {
      module.libraries = named(["*.{a,framework,xcframework}", "platform/*.{a,framework,xcframework}", "lib/*.a"])
      let code = named(["Classes", "Source", "Sources"], .wholly)
      module.sources = code.filter(NamedFiles.isSource)
      module.headers = code.filter(NamedFiles.isHeader)
      module.resources = named(["platform/*.bundle", "assets/*.bundle"])
      for name in ["module.xcconfig", "titanium.xcconfig"] {
        module.takeLinkerFlags(files.tree.text(StarterTree.join(folder, name), limit: 1 << 16))
      }
    }
    return module
  }

  /// `OTHER_LDFLAGS = $(inherited) -framework AVFoundation -lz`
  private mutating func takeLinkerFlags(_ text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      let line = line.trimmed
      guard line.hasPrefix("OTHER_LDFLAGS") else { continue }
      var isFramework = false
      for word in line.split(whereSeparator: { $0 == " " || $0 == "=" || $0 == "\t" || $0 == "\"" }) {
        if isFramework {
          addFramework(String(word))
        } else if word.hasPrefix("-l") {
          addFramework(String(word.dropFirst(2)), isLibrary: true)
        }
        isFramework = word == "-framework" || word == "-weak_framework"
      }
    }
  }
}
