package import Artifacts
import Documents
package import Findings

/// An XCFramework for a device is also for its simulator, on both kinds of Macs: apps are developed there, and an app that
/// links it does not build for a simulator otherwise.
package enum MissingSimulator: HostRule {
  package static let id: RuleID = "missing-simulator"
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [PropertyListFacts.self]

  private static let simulated = ["ios": "iOS", "tvos": "tvOS", "watchos": "watchOS", "xros": "visionOS"]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    inventory.xcframeworks.flatMap { folder -> [Finding] in
      // Another rule reports a list that cannot be read.
      guard let info = folder.items["Info.plist"],
        case .values(let values)? = info.facts(PropertyListFacts.self)
      else { return [] }
      let libraries = (values["AvailableLibraries"]?.list ?? []).compactMap { XCFramework.Library($0) }
      return libraries.compactMap { device -> Finding? in
        guard device.variant == nil, let system = simulated[device.platform] else { return nil }
        let simulator = libraries.first { $0.platform == device.platform && $0.variant == "simulator" }
        let target = "\(device.platform)-simulator"
        guard let simulator else {
          return finding(
            judging, "\(folder.name) is for \(system) and not for its simulator", about: [target],
            at: inventory.site(info), notes: ["it has \(device.identifier)"],
            hint: "build it for the simulator as well, for arm64 and x86_64, and add that library",
            edit: Edit(.xcconfig, "ARCHS = arm64 x86_64"))
        }
        guard !simulator.architectures.contains("arm64") else { return nil }
        return finding(
          judging, "\(folder.name) has no arm64 code for the simulator of \(system), which Macs with Apple silicon run",
          about: [target, "arm64"], at: inventory.site(info), notes: ["it has \(simulator.identifier)"],
          hint: "build it for the simulator for arm64, too", edit: Edit(.xcconfig, "ARCHS = arm64 x86_64"))
      }
    }
  }
}
