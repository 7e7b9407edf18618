import Foundation
import SystemPackage
import TestSupport

/// The `res/` folders of Debian's source packages, fetched through the machine's own apt configuration and kept.
struct AndroidSources {
  /// Android itself and its tools: each must be there, or the comparison would say nothing.
  private static let required = [
    "android-platform-frameworks-base", "android-platform-frameworks-data-binding",
    "android-platform-frameworks-native", "android-platform-libcore", "android-platform-system-extras",
    "android-platform-tools", "android-platform-tools-base",
  ]
  /// What else holds `res/` folders with values and is no giant (browsers and office suites are), as Debian 12's index
  /// of the contents of source packages lists them. A mirror may lack some.
  private static let others = [
    "apktool", "ausweisapp2", "bazel-bootstrap", "blastem", "boinc", "brltty", "byte-buddy", "chiaki", "clpeak",
    "cmake", "cogl", "crawl", "crossguid", "csound", "directfb", "drawterm-9front", "ecl", "espeak-ng", "fdroidserver",
    "flare-engine", "flatbuffers", "fluidsynth", "freedink", "fwknop", "gfxreconstruct", "glmark2", "gluegen2", "godot",
    "golly", "grpc", "grpc-java", "itinerary", "juce", "kaidan", "kalgebra", "kirigami-gallery", "kotlin",
    "kotlinx-coroutines", "libgoogle-gson-java", "libmediainfo", "libsfml", "libtgowt", "libwebsockets", "malai",
    "mapsforge", "mediainfo", "minetest", "mirrormagic", "mlterm", "mp4parser", "mpd", "mpich", "navit", "ne10",
    "openh264", "openni", "openscenegraph", "piperka-client", "pocl", "pulseview", "pytorch", "pytorch-vision", "qbs",
    "renderdoc", "ring", "rssguard", "swig", "tucnak", "vsmartcard", "vulkan-validationlayers", "webkit2gtk",
    "welle.io", "wpewebkit", "xdaliclock", "yabause", "zbar", "zeroc-ice",
  ]

  /// Where each package's files are.
  private(set) var packages: [(name: String, folder: FilePath)] = []
  private(set) var missing: [String] = []

  static func fetch(into cache: FilePath) async throws -> AndroidSources {
    var sources = AndroidSources()
    let scratch = Scratch()
    var options: [String] = []
    for name in required + others {
      let folder = cache.appending(name)
      if !isThere(folder, "complete"), required.contains(name) || !isThere(folder, "missing") {
        if options.isEmpty {
          print("fetching sources into \(cache) (once, half a gigabyte)")
          options = try await index(in: scratch)
        }
        if let failure = try await fetch(name, into: folder, options: options) {
          // A mirror that has lost a file is one thing, a network that is gone another.
          let isLost = failure.contains(/404 |Unable to find a source package|no res\/ folder/)
          guard isLost, !required.contains(name) else {
            throw ToolError("no source of \(name), without which resources cannot be compared: \(failure)")
          }
          try mark(folder, "missing", failure)
        }
      }
      if isThere(folder, "complete") { sources.packages.append((name, folder)) } else { sources.missing.append(name) }
    }
    return sources
  }

  /// An index of source packages of our own, made from the system's list of where packages come from. Gives apt's
  /// options for it; the system's configuration stays as it is.
  private static func index(in scratch: Scratch) async throws -> [String] {
    let system = FilePath("/etc/apt")
    let parts = (try? FileManager.default.contentsOfDirectory(atPath: system.appending("sources.list.d").string)) ?? []
    for name in parts.map({ "sources.list.d/\($0)" }) + ["sources.list"] {
      guard let text = try? String(contentsOfFile: system.pushing(FilePath(name)).string, encoding: .utf8) else {
        continue
      }
      let source = text.replacing(/(?m)^Types:.*$/, with: "Types: deb-src").replacing(/(?m)^deb\s/, with: "deb-src ")
      try scratch.write("parts/\(name.split(separator: "/").last ?? "")", source)
    }
    guard scratch.exists("parts") else {
      throw ToolError("no apt sources in \(system): the resources to compare come from Debian's source packages")
    }
    try scratch.write("lists/partial/x", "")
    var options: [String] = []
    for (key, value) in [
      "Dir::Etc::sourcelist": "/dev/null", "Dir::Etc::sourceparts": scratch("parts").string,
      "Dir::State::lists": scratch("lists").string, "Dir::Cache": scratch("cache").string, "APT::Sandbox::User": "",
    ] {
      options += ["-o", "\(key)=\(value)"]
    }
    let update = try await Tool.run(["apt-get", "-qq"] + options + ["update"])
    guard update.status == 0 else { throw ToolError("no index of source packages: \(update.all)") }
    return options
  }

  /// The `res/` folders of one package; what the reason is if there is no upstream tarball to be had. Debian's own changes
  /// are not wanted: a mirror that has lost only those is good enough.
  private static func fetch(_ name: String, into folder: FilePath, options: [String]) async throws -> String? {
    let files = FileManager.default
    let download = Scratch()
    let result = try await Tool.run(
      ["apt-get", "-qq"] + options + ["source", "--download-only", name], in: download.path)
    let tars = try files.contentsOfDirectory(atPath: download.path.string)
      .filter { $0.contains(/\.tar\.[a-z0-9]+$/) && !$0.contains(".debian.tar.") }
    guard !tars.isEmpty else { return result.all }
    try? files.removeItem(atPath: folder.string)
    for tar in tars {
      let target = folder.appending(tar)
      try files.createDirectory(atPath: target.string, withIntermediateDirectories: true)
      let unpacked = try await Tool.run(
        ["bsdtar", "-xf", download(tar).string, "-C", target.string, "--include", "*/res/*"])
      // One of a package's tarballs may hold none.
      guard unpacked.status == 0 || unpacked.err.contains("Not found in archive") else {
        throw ToolError("\(tar): \(unpacked.all)")
      }
    }
    guard try await !Tool.check(["find", folder.string, "-type", "d", "-name", "res"]).isEmpty else {
      return "no res/ folder in \(tars.sorted())"
    }
    try mark(folder, "complete", tars.sorted().joined(separator: "\n"))
    print("  \(name): \(tars.sorted().joined(separator: ", "))")
    return nil
  }

  private static func isThere(_ folder: FilePath, _ mark: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(mark).string)
  }

  /// Says in the cache what became of a package, so that the next run need not ask again.
  private static func mark(_ folder: FilePath, _ mark: String, _ text: String) throws {
    try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.appending(mark).string))
  }
}
