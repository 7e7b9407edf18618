import Documents
import Findings
import ObjectFiles

/// The text of a `Package.swift` whose targets are binary. Source of the versions at which the tools know a call: the
/// `@available` lines of PackageDescription in swift-package-manager.
struct PackageSwift {
  struct Binary {
    let name: String
    /// In the package's folder; nil if it is fetched.
    let path: String?
    let url: String
    let checksum: String
    let systems: [AppleSystem: OSVersion]
  }

  struct Dependency {
    let url: String
    /// `from: "1.0.0"` or `.exact("1.0.0")`
    let requirement: String
    let products: [String]

    /// Products name the package by the end of its address.
    var package: String {
      let last = url.lastPathPart
      return String(last.hasSuffix(".git") ? last.dropLast(4) : last)
    }
  }

  let name: String
  let binaries: [Binary]
  let dependencies: [Dependency]
  /// Names in the folder of the wrapper.
  let resources: [String]
  let frameworks: [String]
  let libraries: [String]

  /// A target with sources, which can have what a binary one cannot; nil if nothing needs it.
  var wrapper: String? {
    if dependencies.isEmpty, resources.isEmpty, frameworks.isEmpty, libraries.isEmpty { return nil }
    var wrapper = name + "Wrapper"
    while binaries.contains(where: { sameBytes($0.name, wrapper) }) { wrapper += "Wrapper" }
    return wrapper
  }

  /// The folder of the wrapper's sources.
  var wrapperFolder: String? { wrapper.map { "Sources/\($0)" } }

  /// The lowest version that each system needs for every binary target.
  private var platforms: [(system: AppleSystem, version: OSVersion)] {
    var highest: [AppleSystem: OSVersion] = [:]
    for binary in binaries { highest.merge(binary.systems, uniquingKeysWith: max) }
    return AppleSystem.allCases.compactMap { system in highest[system].map { (system, $0) } }
  }

  /// Before 5.5 a dependency is named by what its own manifest calls it, which is not known here.
  private func toolsVersion(_ systems: [AppleSystem]) -> String {
    if systems.contains(.visionOS) { return "5.9" }
    return systems.contains(.macCatalyst) || !dependencies.isEmpty ? "5.5" : "5.3"
  }

  // MARK: The text

  var text: String {
    let platforms = platforms
    var members = ["name: \(swiftQuoted(name))"]
    func add(_ key: String, _ values: [String]) {
      if !values.isEmpty { members.append("\(key): [\n    \(values.joined(separator: ",\n    ")),\n  ]") }
    }
    add("platforms", platforms.map { ".\($0.system)(\"\($0.version)\")" })
    let products = wrapper.map { [$0] } ?? binaries.map(\.name)
    add("products", [".library(name: \(swiftQuoted(name)), targets: \(list(products.map(swiftQuoted))))"])
    add("dependencies", dependencies.map { ".package(url: \(swiftQuoted($0.url)), \($0.requirement))" })
    add("targets", binaries.map(target) + (wrapper.map { [target(wrapper: $0)] } ?? []))
    return """
      // swift-tools-version:\(toolsVersion(platforms.map(\.system)))
      import PackageDescription

      let package = Package(
        \(members.joined(separator: ",\n  "))
      )

      """
  }

  private func target(_ binary: Binary) -> String {
    let start = ".binaryTarget(name: \(swiftQuoted(binary.name))"
    if let path = binary.path { return "\(start), path: \(swiftQuoted(path)))" }
    return """
      \(start),
            url: \(swiftQuoted(binary.url)),
            checksum: \(swiftQuoted(binary.checksum)))
      """
  }

  private func target(wrapper: String) -> String {
    let products = dependencies.flatMap { dependency in
      dependency.products.map {
        ".product(name: \(swiftQuoted($0)), package: \(swiftQuoted(dependency.package)))"
      }
    }
    var members = [
      "name: \(swiftQuoted(wrapper))",
      "dependencies: \(list(binaries.map { swiftQuoted($0.name) } + products))",
    ]
    if !resources.isEmpty { members.append("resources: \(list(resources.map { ".copy(\(swiftQuoted($0)))" }))") }
    let settings =
      frameworks.map { ".linkedFramework(\(swiftQuoted($0)))" }
      + libraries.map { ".linkedLibrary(\(swiftQuoted($0)))" }
    if !settings.isEmpty { members.append("linkerSettings: \(list(settings))") }
    return ".target(\n      \(members.joined(separator: ",\n      ")))"
  }

  private func list(_ values: [String]) -> String { "[\(values.joined(separator: ", "))]" }
}
