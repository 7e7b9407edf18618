// swift-tools-version: 6.2
import PackageDescription

/// Every target of ours: Swift 6 mode, strict memory safety, warnings are errors.
let house: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]
/// The same for a leaf that stores spans (`ObjectFiles`).
let spans: [SwiftSetting] =
  house + [
    .enableExperimentalFeature("Lifetimes"),
    // Optimized in debug builds too: the tests read millions of damaged files. Overflow is still caught.
    .unsafeFlags(["-O"], .when(configuration: .debug)),
  ]

/// For what is done once for each command: reading manifests, planning, judging, showing. Small code serves that.
let small: [SwiftSetting] = house + [.unsafeFlags(["-Osize"], .when(configuration: .release))]

let system: Target.Dependency = .product(name: "SystemPackage", package: "swift-system")
// The umbrella product would bring every collection into the executable.
let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let ordered: Target.Dependency = .product(name: "OrderedCollections", package: "swift-collections")

let grpc: Target.Dependency = .product(
  name: "GRPCCore", package: "grpc-swift-2", condition: .when(traits: ["REAPI"]))
let transport: Target.Dependency = .product(
  name: "GRPCNIOTransportHTTP2Posix", package: "grpc-swift-nio-transport", condition: .when(traits: ["REAPI"]))
let compressor: Target.Dependency = .target(name: "CZstd", condition: .when(traits: ["REAPI"]))

func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = [],
  settings: [SwiftSetting] = house
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(name)", resources: resources, swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport", "Lanes", system], path: "Tests/\(name)", exclude: exclude,
    swiftSettings: house)
}

/// What end-to-end tests are in folders of; each has its scenarios.
let commands = [
  "build", "check", "clean", "config", "doctor", "graph", "help", "hide-symbols", "init", "lint", "prefix-symbols",
  "recipes", "release", "relocate", "strip", "symbols",
]

func library(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
  .systemLibrary(
    name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
}

#if os(Linux)
  // Only its header: the program opens the library when it reads an archive (see `libarchive_open`).
  let libarchive = Target.systemLibrary(
    name: "CArchive", path: "Sources/CArchive", providers: [.apt(["libarchive-dev"])])
  // The same, for servers that take compressed blobs (see `libzstd_open`).
  let zstd = Target.systemLibrary(name: "CZstd", path: "Sources/CZstd", providers: [.apt(["libzstd-dev"])])
  let hash = Target.systemLibrary(
    name: "CHash", path: "Sources/CHash", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])])
#else
  let libarchive = library("CArchive", pkgConfig: "libarchive", apt: "libarchive-dev", brew: "libarchive")
  let zstd = library("CZstd", pkgConfig: "libzstd", apt: "libzstd-dev", brew: "zstd")
  let hash = Target.systemLibrary(name: "CHash", path: "Sources/CHash")
#endif

let package = Package(
  name: "npi-pack",
  platforms: [.macOS(.v26)],
  products: [
    .executable(name: "npi-pack", targets: ["npi-pack"]),
    .executable(name: "npi-pack-action", targets: ["npi-pack-action"]),
  ],
  traits: [
    .trait(name: "REAPI", description: "servers that speak Bazel's Remote Execution API, over gRPC")
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2", traits: []),
    // Only for the trait `REAPI`; else they are not fetched.
    .package(url: "https://github.com/grpc/grpc-swift-2", from: "2.4.3"),
    .package(url: "https://github.com/grpc/grpc-swift-nio-transport", from: "2.9.2"),
  ],
  targets: [
    libarchive,
    hash,
    // Only its header: the program opens the library when it asks a remote cache (see `libcurl_open`).
    .systemLibrary(name: "CCurl", path: "Sources/CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    zstd,
    library("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
    library("CDeflate", pkgConfig: "libdeflate", apt: "libdeflate-dev", brew: "libdeflate"),
    library("CExpat", pkgConfig: "expat", apt: "libexpat1-dev", brew: "expat"),
    library("CYaml", pkgConfig: "yaml-0.1", apt: "libyaml-dev", brew: "libyaml"),
    .systemLibrary(name: "CPlatform", path: "Sources/CPlatform"),
    .systemLibrary(name: "CDemangle", path: "Sources/CDemangle"),

    // The leaves: they never import each other.
    module("Findings", resources: [.embedInCode("Page")], settings: small),
    module("ObjectFiles", settings: spans),
    // Changes names in code.
    module("Rewriting", ["ObjectFiles"], settings: spans),
    module("CLibrary"),
    module("Archives", ["CArchive", "CZlib", "CDeflate", "CLibrary", system]),
    module("Store", ["CHash", "CLibrary", "CPlatform", system]),

    module("Remote", ["Store", "Findings", system], settings: small),
    module("RemoteClients", ["Remote", "Store", "CCurl", compressor, grpc, transport], settings: small),
    module("Documents", ["ObjectFiles", "Findings", "CExpat", "CLibrary", "CYaml"]),
    .target(
      name: "Artifacts",
      dependencies: [
        "Documents", "ObjectFiles", "Archives", "Store", "Findings", "CDemangle", "CLibrary", system, ordered,
        .product(name: "Subprocess", package: "swift-subprocess"),
      ],
      path: "Sources/Artifacts", swiftSettings: house,
      // The C++ runtime, which Swift's own is linked with anyway.
      linkerSettings: [
        .linkedLibrary("stdc++", .when(platforms: [.linux])), .linkedLibrary("c++", .when(platforms: [.macOS])),
      ]),
    module(
      "Android", ["Artifacts", "Documents", "Archives", "Store", "ObjectFiles", "Findings", system, ordered],
      settings: small),
    module(
      "Rules", ["Android", "Artifacts", "Documents", "ObjectFiles", "Findings", "Recipes", ordered], settings: small),
    module("Linking", ["ObjectFiles", "Store", "Findings"]),
    module("Collisions", ["Linking", "Android", "Artifacts", "ObjectFiles", "Store", "Findings", "Recipes"]),
    module(
      "Check",
      [
        "Collisions", "Linking", "Rules", "Android", "Artifacts", "Documents", "ObjectFiles", "Remote", "Store",
        "Findings", "Recipes", system,
      ], settings: small),
    module("BuildEngine", ["Store", "Findings", system, heap]),
    .target(
      name: "Recipes", path: "Recipes", exclude: ["Examples", "README.md", "ci", "packaging"],
      resources: [
        .embedInCode("hosts"), .embedInCode("rules"), .embedInCode("libraries.txt"), .embedInCode("apple-modules.txt"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    // `pages` is a link to `Documentation.docc`, which no target may have as a resource by that name.
    .target(
      name: "Pages", path: "Sources/Pages", resources: [.embedInCode("pages")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    module(
      "Packaging",
      [
        "Rules", "BuildEngine", "Android", "Artifacts", "Documents", "Archives", "ObjectFiles", "Rewriting", "Remote",
        "Store", "Findings", "Recipes", system, .product(name: "Subprocess", package: "swift-subprocess"),
      ], settings: small),
    module(
      "Scaffold",
      ["Packaging", "Rules", "Android", "Artifacts", "Documents", "ObjectFiles", "Store", "Findings", system],
      settings: small),
    module(
      "Remedies",
      [
        "Collisions", "Linking", "Packaging", "Rewriting", "Android", "Artifacts", "Documents", "ObjectFiles", "Store",
        "Findings", system,
      ], settings: small),
    .executableTarget(
      name: "npi-pack",
      dependencies: [
        "Packaging", "Scaffold", "Remedies", "Check", "Linking", "Collisions", "Rules", "BuildEngine", "Artifacts",
        "Documents",
        "Remote", "RemoteClients", "Rewriting", "Findings", "Pages", "CLibrary", system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Sources/npi-pack", swiftSettings: small),

    // Workers have nothing that a program could be linked with: it has all of it in it.
    .executableTarget(
      name: "npi-pack-action",
      dependencies: [
        "Packaging", "Check", "Artifacts", "Archives", "Store", "Findings", "CArchive", "CLibrary", system,
      ],
      path: "Sources/npi-pack-action", swiftSettings: small,
      linkerSettings: [
        .linkedLibrary("archive"),
        .unsafeFlags(
          ["-static-executable"] + ["zstd", "lz4", "lzma", "bz2"].map { "-l\($0)" },
          .when(platforms: [.linux], configuration: .release)),
      ]),

    .target(
      name: "TestSupport",
      dependencies: [system, .product(name: "Subprocess", package: "swift-subprocess")],
      path: "Tests/Support", exclude: ["Servers"], swiftSettings: house),
    // Link sets and real linkers, for the tests of `Linking` and `Collisions`.
    .target(
      name: "LinkSupport", dependencies: ["Collisions", "Linking", "Artifacts", "TestSupport", system],
      path: "Tests/LinkSupport", exclude: ["Verdicts"], swiftSettings: house),
    // Apart, for the benchmarks use TestSupport and no tests.
    .target(name: "Lanes", dependencies: ["TestSupport"], path: "Tests/Lanes", swiftSettings: house),
    tests("FindingsTests", ["Findings"]),
    tests("StoreTests", ["Store"]),
    tests("RemoteTests", ["Remote", "RemoteClients", "Store", "Findings"]),
    tests("ArchivesTests", ["Archives"]),
    tests("ObjectFilesTests", ["ObjectFiles"]),
    tests("RewritingTests", ["LinkSupport", "Rewriting", "Linking", "ObjectFiles"]),
    tests("DocumentsTests", ["Documents", "Artifacts", "Archives", "Store", "ObjectFiles", "Findings"]),
    tests("ArtifactsTests", ["Artifacts", "Documents", "Archives", "Store", "ObjectFiles", "Findings"]),
    tests("AndroidTests", ["Android", "Artifacts", "Documents", "Archives", "Store", "ObjectFiles", "Findings"]),
    tests("LinkingTests", ["LinkSupport", "Linking", "ObjectFiles", "Findings"]),
    tests(
      "CollisionsTests",
      ["LinkSupport", "Collisions", "Linking", "Android", "Artifacts", "ObjectFiles", "Store", "Findings"]),
    tests(
      "CheckTests",
      [
        "Check", "Collisions", "Linking", "Rules", "Android", "Artifacts", "Documents", "ObjectFiles", "Store",
        "Findings",
      ]),
    tests(
      "RulesTests", ["Rules", "Recipes", "Android", "Artifacts", "Documents", "Archives", "ObjectFiles", "Findings"]),
    tests("BuildEngineTests", ["BuildEngine", "Store", "Findings"]),
    tests(
      "PackagingTests",
      [
        "Packaging", "Check", "BuildEngine", "Rules", "Android", "Artifacts", "Documents", "Archives", "ObjectFiles",
        "Store", "Findings",
      ]),
    tests("RemediesTests", ["Remedies", "Collisions", "Linking"]),
    tests("ScaffoldTests", ["Scaffold", "Documents", "Store", "Findings"]),
    tests(
      "RegistryTests",
      [
        "npi-pack", "Packaging", "Check", "Collisions", "BuildEngine", "Rules", "Recipes", "Android", "Artifacts",
        "Documents", "Store", "Findings",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    tests(
      "EndToEnd", ["npi-pack", "Scaffold", "Documents", "Rules", "Findings"],
      exclude: commands.map { "\($0)/Scenarios" } + ["build/Broken", "lint/HostileArchives", "WorstCases"]),
    .executableTarget(
      name: "npi-bench",
      dependencies: [
        "Packaging", "Android", "Artifacts", "Documents", "Archives", "ObjectFiles", "Store", "Findings", "TestSupport",
        system,
      ],
      path: "Tests/Benchmarks", swiftSettings: house),
    .executableTarget(
      name: "npi-fuzz",
      dependencies: [
        "Check", "Collisions", "Scaffold", "Packaging", "BuildEngine", "Android", "Artifacts", "Documents", "Archives",
        "ObjectFiles",
        "Store",
        "Findings", system,
      ],
      path: "Tests/Fuzz", exclude: ["run.sh", "seeds.sh", "seeds.py", "kept.py"], swiftSettings: spans),
  ]
)
