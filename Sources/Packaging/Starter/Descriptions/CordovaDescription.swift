import Documents
import Findings

extension ProjectDescription {
  /// Cordova's plugin.xml: https://cordova.apache.org/docs/en/latest/plugin_ref/spec.html
  ///
  /// Its own reader knows no namespaces: published ones have prefixes that they do not declare.
  static func cordova(_ path: String, _ files: NamedFiles) throws(UnreadDescription) -> ProjectDescription? {
    let root = try files.tree.xml(path)
    guard root.name == "plugin", let id = root["id"] else { return nil }
    var plugin = ProjectDescription(.cordova, path)
    plugin.setName(id)
    plugin.setName(root.children.first { $0.name == "name" }?.text)
    plugin.setVersion(root["version"])
    for platform in root.children where platform.name == "platform" {
      switch platform["name"] {
      case "ios": plugin.takeIOS(platform, files)
      case "android": plugin.takeAndroid(platform, files)
      default: break
      }
    }
    return plugin
  }

  private mutating func takeIOS(_ platform: XMLTag, _ files: NamedFiles) {
    for tag in platform.children {
      guard let src = tag["src"] else { continue }
      switch tag.name {
      case "framework" where tag["custom"] != "true" && !src.contains("/"): addFramework(src)
      case "source-file", "header-file", "resource-file", "framework":
        if let path = files.path(src, in: folder) { take(path, isResource: tag.name == "resource-file") }
      default: break
      }
    }
    setMinimumIOS(platform.preference("deployment-target"))
  }

  private mutating func take(_ path: String, isResource: Bool) {
    if isResource {
      resources.append(path)
    } else if NamedFiles.isLibrary(path) {
      libraries.append(path)
    } else if NamedFiles.isSource(path) {
      sources.append(path)
    } else if NamedFiles.isHeader(path) {
      headers.append(path)
    }
  }

  private mutating func takeAndroid(_ platform: XMLTag, _ files: NamedFiles) {
    for tag in platform.children {
      switch tag.name {
      case "source-file", "resource-file", "lib-file":
        if let path = files.path(tag["src"] ?? "", in: folder) { takeAndroid(path, tag) }
      case "framework" where tag["type"] == "gradleReference":
        if appliedScripts.count < 16, let path = files.path(tag["src"] ?? "", in: folder) {
          appliedScripts.append(path)
        }
      default: break
      }
    }
    manifestAdditions += ManifestAddition.all(of: platform)
    setMinimumAndroidSDK(platform.preference("android-minSdkVersion"))
    setMinimumAndroidSDK(platform.first { $0.name == "uses-sdk" }?.android("minSdkVersion"))
    if minimumAndroidSDK == nil, let script = appliedScripts.first {
      setMinimumAndroidSDK(GradleModule(files.tree.text(script, limit: 1 << 16), folder: "").minSDK)
    }
  }

  /// Where it comes to lie in the app's project tells what it is.
  private mutating func takeAndroid(_ path: String, _ tag: XMLTag) {
    let target = tag["target-dir"].map { "\($0)/\(NamedFiles.name(path))" } ?? tag["target"] ?? ""
    let parts = target.split(separator: "/")
    if NamedFiles.isLibrary(path) {
      libraries.append(path)
    } else if ["java", "kt"].contains(NamedFiles.ending(path)) {
      androidSources.append(path)
    } else if let index = parts.firstIndex(of: "res") {
      androidResources.append(path)
      androidTargets[path] = parts[(index + 1)...].joined(separator: "/")
    }
  }
}

extension XMLTag {
  /// Of what is below, in the order of the document. No recursion.
  fileprivate func first(where isIt: (XMLTag) -> Bool) -> XMLTag? {
    var left = [self]
    while let tag = left.popLast() {
      if isIt(tag) { return tag }
      left += tag.children.reversed()
    }
    return nil
  }

  /// `<preference name="deployment-target" value="12.0"/>`; the name's letters are large or small.
  fileprivate func preference(_ name: String) -> String? {
    let tag = first { $0.name == "preference" && $0["name"]?.lowercased() == name.lowercased() }
    return tag.flatMap { $0["value"] ?? $0["default"] }
  }
}
