package import Documents
package import Findings
import Store
package import SystemPackage

/// The app that contains an extension, with the files that the two have to agree on.
package struct ContainingApp: Sendable {
  package let place: Place
  package let info: PropertyList
  /// From its entitlements file or its provisioning profile; nil if it has neither.
  package let entitlements: PropertyList?

  package init(place: Place, info: PropertyList, entitlements: PropertyList? = nil) {
    self.place = place
    self.info = info
    self.entitlements = entitlements
  }

  /// In bytes. Such files have a few thousand.
  private static let limit = 4 << 20

  /// - Parameters:
  ///   - path: a folder of sources, an `.app`, or an `Info.plist`; the entitlements stand beside that.
  ///   - root: the beginning of the path, which messages leave out.
  package static func read(_ path: FilePath, below root: FilePath = "") throws -> ContainingApp {
    let isFolder = try FileSystem.status(of: path, followingLinks: true)?.kind == .directory
    let folder = isFolder ? path : path.removingLastComponent()
    // Hidden files are Apple's metadata, and no inputs of a build.
    let names = try FileSystem.list(folder.isEmpty ? "." : folder).map(\.string).filter { !$0.hasPrefix(".") }.sorted()
    func file(_ isMeant: (String) -> Bool) -> FilePath? { names.first(where: isMeant).map { folder.appending($0) } }
    let infoPath =
      isFolder ? file { $0 == "Info.plist" } ?? file { $0.hasSuffix("Info.plist") } : .some(path)
    guard let infoPath else {
      throw Mistakes(
        "\(path) has no Info.plist: it is no app", hint: "name the folder with the app's Info.plist, or the file itself"
      )
    }
    let info = try list(infoPath, try FileSystem.read(infoPath, limit: limit))
    var entitlements: PropertyList?
    if let path = file({ $0.hasSuffix(".entitlements") }) {
      entitlements = try list(path, try FileSystem.read(path, limit: limit))
    } else if let path = file({ $0 == "embedded.mobileprovision" }) {
      entitlements = try profile(path)["Entitlements"]
    }
    var shown = infoPath
    _ = root.isEmpty || shown.removePrefix(root)
    return ContainingApp(place: Place(shown.string), info: info, entitlements: entitlements)
  }

  /// The app at the path, which has its extensions in it; nil if the path is no `.app`.
  package static func around(_ path: FilePath) throws -> ContainingApp? {
    guard path.lastComponent?.string.hasSuffix(".app") == true,
      try FileSystem.status(of: path.appending("Info.plist"), followingLinks: true)?.kind == .regular
    else { return nil }
    return try read(path)
  }

  private static func list(_ path: FilePath, _ bytes: [UInt8]) throws(Mistakes) -> PropertyList {
    do throws(PropertyList.Damage) {
      if let list = try PropertyList.read(bytes), list.map != nil { return list }
    } catch {
      throw Mistakes("it cannot be read: \(error.reason)", at: Place(path.string), hint: "try 'plutil -lint'")
    }
    throw Mistakes(
      "it is no property list with a dictionary", at: Place(path.string),
      hint: bytes.starts(with: "PK".utf8) ? "it is an archive: unpack it, and name the .app in it" : nil)
  }

  /// A provisioning profile is a signed message (CMS) that holds one XML property list as plain text.
  private static func profile(_ path: FilePath) throws -> PropertyList {
    let bytes = try FileSystem.read(path, limit: limit)
    let (begin, end) = (Array("<?xml".utf8), Array("</plist>".utf8))
    func find(_ pattern: [UInt8], from start: Int) -> Int? {
      bytes[start...].indices.first { bytes[$0] == pattern[0] && bytes[$0...].starts(with: pattern) }
    }
    guard let start = find(begin, from: 0), let last = find(end, from: start) else {
      throw Mistakes("it is no provisioning profile", at: Place(path.string))
    }
    return try list(path, Array(bytes[start..<last + end.count]))
  }

  /// Nil also for a text with Xcode's variables, whose value is not known.
  package func text(_ key: String) -> String? { info[key]?.text.flatMap { $0.hasVariable ? nil : $0 } }
}

extension String {
  /// Whether it has a variable that only a build in Xcode replaces: `$(PRODUCT_NAME)` or `${PRODUCT_NAME}`.
  package var hasVariable: Bool { contains("$(") || contains("${") }
}
