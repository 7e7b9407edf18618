// swift-tools-version: 5.9
import PackageDescription

// A command of a Swift package: swift package --allow-writing-to-package-directory npi-pack build
let package = Package(
  name: "npi-pack-plugin",
  products: [.plugin(name: "NPIPack", targets: ["NPIPack"])],
  targets: [
    .plugin(
      name: "NPIPack",
      capability: .command(
        intent: .custom(verb: "npi-pack", description: "Build, check and release native mobile plugins."),
        permissions: [.writeToPackageDirectory(reason: "npi-pack writes what it builds into dist/.")]))
  ])
