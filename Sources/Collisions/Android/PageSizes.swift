import Android
package import Findings
import ObjectFiles

/// Native libraries that are aligned for pages of less than 16 KB: from Android 15 on devices may have such pages, and Google
/// Play takes no app that is made for it without the alignment (since November 2025).
package enum PageSizes: CollisionFamily, CollisionRule {
  package static let id: RuleID = "page-size-16k"
  package static let noun = (
    one: "library that is not aligned for 16 KB pages", many: "libraries that are not aligned for 16 KB pages"
  )
  package static let platform: String? = "android"
  package static let name = "page-sizes"
  package static var rules: [any CollisionRule.Type] { [Self.self] }

  private static let pageSize = 0x4000
  /// The API level of the first Android with such pages.
  private static let android15 = 35

  package static func judge(_ context: CheckContext) -> Judgement<Collision> {
    let all = context.numbered.flatMap { id, facts in
      facts.android.files.compactMap { file -> (plugin: PluginID, file: AndroidFile, native: NativeLibrary)? in
        guard file.abi.flatMap({ AndroidABI(rawValue: $0) })?.hasLargePages == true else { return nil }
        return file.native.map { (id, file, $0) }
      }
    }
    if all.isEmpty { return .nothingToCompare }
    if let target = context.android.targetSDK, target < android15 { return .found([]) }
    return .found(
      all.filter { $0.native.alignment < pageSize }.map { plugin, file, native in
        let isKnown = context.android.targetSDK != nil
        var collision = Collision(
          id, isKnown ? .warning : .possible, nil, file.path, [site(file.place, of: plugin, .library)])
        if !isKnown { collision.triggers = [.init(text: "an app for Android 15")] }
        collision.detail = "its segments are aligned for pages of \(size(native.alignment))"
        return collision
      })
  }

  private static func size(_ bytes: Int) -> String { bytes >= 1024 ? "\(bytes / 1024) KB" : "\(bytes) bytes" }

  package static func outcome(_ collision: Collision) -> String? {
    "devices with such pages do not load them, and Google Play refuses apps for Android 15"
  }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    (
      "\(collision.name.text) is not aligned for 16 KB pages: devices with such pages do not load it, and Google Play "
        + "refuses apps for Android 15 with it", [],
      "take a newer version of the library, or ask its vendor to link it with -Wl,-z,max-page-size=16384"
    )
  }
}
