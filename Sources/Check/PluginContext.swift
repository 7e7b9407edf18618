import Android
import Artifacts
import Collisions
package import Findings
import Linking
import Store
package import SystemPackage

extension CheckPlugins {
  /// The input of the families.
  func context(
    _ index: PluginIndex, _ names: [PluginName], _ links: [SliceLink], _ target: LinkTarget?, of check: AppCheck
  ) async -> CheckContext {
    let facts = await index.facts(names, appCount: appCount)
    var android = check.android
    for own in facts where own.isApp {
      if let settings = own.android.settings {
        android.add(settings, VersionCatalog(ofModule: FilePath(own.name.path)))
      }
      for file in own.android.manifests where file.isSource {
        if let manifest = try? AndroidManifest(file.bytes) { android.add(manifest) }
      }
    }
    return CheckContext(
      plugins: facts, links: links,
      parties: parties.map { party in
        MessageParty(
          name: party.name, version: party.version, place: party.place, isApp: party.isApp,
          plugins: party.numbers.map { PluginID($0) }, policies: party.policies,
          defects: party.policies.map { check.policyDefects(FilePath($0.place.parts[0])) })
      }, locks: locks, target: target, android: android)
  }

  /// The classes of Objective-C that the app creates objects of.
  var entryClasses: [String] { parties.flatMap(\.classes).filter { !$0.utf8.contains(UInt8(ascii: ".")) } }

  /// The same with those of Java, by plugin. A configuration that is named by itself may be any plugin's.
  var classesByPlugin: [PluginID: [String]] {
    var found: [PluginID: [String]] = [:]
    for party in parties where !party.classes.isEmpty {
      for number in party.numbers.isEmpty ? Array(paths.indices) : party.numbers {
        found[PluginID(number), default: []] += party.classes
      }
    }
    return found
  }

  var names: [PluginName] {
    var files = paths.map { PluginNames.File($0.string, nil) }
    for party in parties where party.isRelease { for number in party.numbers { files[number].name = party.name } }
    func resolved(_ path: String) -> String { (try? FileSystem.realPath(FilePath(path)))?.string ?? path }
    let shown = PluginNames.toldApart(files, resolve: resolved)
    return files.indices.map { number in
      let stable = PluginNames.stable(files[number], resolve: resolved)
      return PluginName(path: files[number].path, shown: shown[number], stable: stable)
    }
  }
}

extension CheckContext {
  /// A row for each input that the user named.
  var compared: [ComparedPlugin] {
    parties.map { party in
      let own = party.plugins.map { self[$0] }
      var row = ComparedPlugin(name: party.name, version: party.version, path: party.place.description)
      let abis = own.flatMap(\.android.abis)
      let slices = Set(own.flatMap(\.slices) + abis.map { Slice(platform: "android", architecture: $0) })
      row.slices = slices.sorted().map(\.description)
      let counts = [
        (own.reduce(0) { $0 + $1.codeCount }, "file with native code", "files with native code"),
        (own.reduce(0) { $0 + $1.android.classes.count }, "Java class", "Java classes"),
        (party.policies.count, "policy", "policies"),
      ]
      row.code = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
      row.unread = own.flatMap { $0.mistakes.map(\.message) + $0.unread }
      return row
    }
  }

  /// Notes on plugins of which nothing was compared. A folder may hold a policy and nothing else.
  var withoutCode: [String] {
    let talking = Set(parties.filter { !$0.policies.isEmpty }.flatMap(\.plugins))
    return numbered.compactMap { id, plugin in
      guard plugin.slices.isEmpty, plugin.android.isEmpty, !talking.contains(id) else { return nil }
      return "there is no code in \(plugin.name.path): nothing of it was checked"
    }
  }
}

extension VersionCatalog {
  /// Reads the catalog of the build that the module belongs to, in a folder above it; nil if no folder has one.
  fileprivate init?(ofModule folder: FilePath) {
    guard var root = try? FileSystem.realPath(folder) else { return nil }
    for _ in 0..<VersionCatalog.maxDepth where root.removeLastComponent() {
      let file = root.pushing(FilePath(VersionCatalog.path))
      if let bytes = try? FileSystem.read(file, limit: VersionCatalog.maxSize) {
        self.init(bytes)
        return
      }
    }
    return nil
  }

  /// Modules are one to three folders deep in a build.
  private static let maxDepth = 4
  /// In bytes.
  private static let maxSize = 1 << 20
}

/// The picture that `graph --messages` draws.
package enum MessageDrawing {
  package static func picture(of plugins: [FilePath]) async throws(Mistakes) -> MessagePicture {
    if plugins.isEmpty {
      throw Mistakes("there is nothing to draw", hint: "name plugins: policy files, releases, folders")
    }
    let named = await CheckPlugins(apps: [], plugins)
    var mistakes = named.mistakes
    for (path, status) in zip(named.paths, named.statuses) where status == nil {
      mistakes.append(Mistake("there is no \(path)"))
    }
    guard mistakes.isEmpty else { throw Mistakes(mistakes) }
    let exchange = MessageExchange(named.parties.flatMap(\.policies))
    if exchange.plugins.isEmpty {
      throw Mistakes(
        "no plugin has a policy file",
        hint: "its name ends with .policy.json; folders and release records are looked into")
    }
    return exchange.picture
  }
}
