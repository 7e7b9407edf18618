import Archives
import Artifacts
import BuildEngine
import Documents
import Findings
import Store
import SystemPackage

/// The headers of a module and the module map that lets compilers find them.
///
/// A framework has them in `Headers`, the map in `Modules` (`framework module`). Beside a static library there is the
/// folder `Headers/MODULE`, with the map in it: Xcode copies all headers of all libraries into one folder, so a map at
/// its root would clash with that of a neighbour.
struct HeaderFolder: Sendable {
  /// Where a slice's headers go.
  enum Layout: Sendable { case framework, library }

  let module: String
  let layout: Layout
  /// By the paths in the slice's folder of headers.
  private(set) var files: [(path: String, file: PackedFile)] = []
  /// Files that are written here: an umbrella header.
  private(set) var made: [(path: String, bytes: [UInt8])] = []
  /// The module maps: in `Modules` of a framework, else in the folder of headers.
  private(set) var maps: [(path: String, bytes: [UInt8])] = []
  private(set) var leftOut = LeftOut()
  private(set) var notes: [String] = []

  private static let mapNames = ["module.modulemap": "module.modulemap", "module.map": "module.modulemap"]
    .merging(["module.private.modulemap", "module_private.map"].map { ($0, "module.private.modulemap") }) { $1 }

  /// - Parameters:
  ///   - inputs: of one folder, or of the headers that a glob matches.
  init(_ node: Node, _ inputs: [ResolvedInput], module: String, _ layout: Layout, _ context: ActionContext) throws {
    (self.module, self.layout) = (module, layout)
    let packed = try PackedItems([PackItem(from: node, to: ".")], [inputs])
    leftOut = packed.leftOut(context)
    var found: [(path: String, file: PackedFile)] = []
    var maps: [(path: String, file: PackedFile)] = []
    for file in packed.files {
      let path = file.path.description
      let folder = path.pathParts.dropLast().joined(separator: "/")
      let isMap = HeaderFolder.mapNames[String(path.lastPathPart)] != nil && (folder.isEmpty || folder == module)
      if isMap { maps.append((path, file)) } else if file.input.kind != .directory { found.append((path, file)) }
    }
    guard !found.isEmpty else { throw Mistakes("there are no headers in it", at: node.place) }
    let moved = Move(found.map(\.path), module: module, layout)
    files = found.map { (moved.destination(of: $0.path), $0.file) }
    for map in maps {
      let name = HeaderFolder.mapNames[String(map.path.lastPathPart)] ?? ""
      let bytes = try FileSystem.read(context.absolute(map.file.input.path), limit: HeaderFolder.maxTextSize)
      let text = try rewritten(bytes, map, isPublic: name == "module.modulemap", moved, Set(found.map(\.path)))
      let path = layout == .framework ? name : "\(module)/\(name)"
      if self.maps.contains(where: { $0.path == path }) {
        throw Mistakes("there are two module maps for '\(module)'", at: node.place, notes: maps.map(\.path))
      }
      self.maps.append((path, text))
    }
    if !self.maps.contains(where: { $0.path.lastPathPart == "module.modulemap" }) { addMap() }
    if layout == .framework { try checkIncludes(moved, context) }
  }

  /// In bytes. No header or module map is larger.
  private static let maxTextSize = 8 << 20

  // MARK: Module maps

  private func rewritten(
    _ bytes: [UInt8], _ map: (path: String, file: PackedFile), isPublic: Bool, _ moved: Move, _ headers: Set<String>
  ) throws(Mistakes) -> [UInt8] {
    var place = Place(map.file.input.path.string)
    let read: ModuleMap
    do throws(ModuleMap.Damage) { read = try ModuleMap(bytes) } catch {
      place.position = error.position(in: bytes)
      throw Mistakes("the module map cannot be read: \(error.reason)", at: place)
    }
    if isPublic, !read.modules.contains(module) {
      let names = enumerated(read.modules.map { "'\($0)'" })
      throw Mistakes(
        "the module map defines \(names.isEmpty ? "no module" : names), and the module is called '\(module)'",
        at: place,
        hint: "set 'module' to the name in the map, or give the map this one")
    }
    let folder = map.path.pathParts.dropLast().map(String.init)
    func whole(_ header: ModuleMap.Header) -> String? { Move.resolved(folder, header.path) }
    var mistakes: [Mistake] = []
    for header in read.headers where !header.isExcluded {
      let path = whole(header)
      let isThere =
        header.isFolder
        ? path == "" || headers.contains { path.map($0.isBelow) ?? false } : path.map(headers.contains) ?? false
      if isThere { continue }
      place.position = read.position(of: header, in: bytes)
      mistakes.append(
        Mistake(
          "the module map names '\(header.path)', and there is no such \(header.isFolder ? "folder" : "header")",
          at: place,
          notes: ["the headers: \(map.file.place)"], hint: "add it to the headers, or take it out of the map"))
    }
    guard mistakes.isEmpty else { throw Mistakes(mistakes) }
    return read.rewritten(bytes, isOfFramework: layout == .framework) { header in
      whole(header).map { header.isFolder ? moved.folder(fromMapTo: $0) : moved.path(fromMapTo: $0) } ?? header.path
    }
  }

  /// Adds a module map with all headers, by an umbrella header. The header that the Swift compiler makes is a module
  /// of its own: `MODULE.Swift`.
  private mutating func addMap() {
    let folder = layout == .framework ? "" : "\(module)/"
    let ofSwift = "\(folder)\(module)-Swift.h"
    let headers = files.map(\.path).filter { $0.hasSuffix(".h") && $0 != ofSwift }
    // On a Mac rally.h and Rally.h are one file.
    let own = headers.first { $0.lowercased() == "\(folder)\(module).h".lowercased() }
    let umbrella = own.map { String($0.dropFirst(folder.count)) } ?? "\(module).h"
    let hasSwift = files.contains { $0.path == ofSwift }
    guard !headers.isEmpty || hasSwift else {
      notes.append("no module map was made: there is no header (.h) for it")
      return
    }
    if !headers.isEmpty, own == nil {
      let prefix = layout == .framework ? "\(module)/" : ""
      let lines = headers.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "#import <\(prefix)\($0)>\n" }
      made.append((folder + umbrella, Array(lines.joined().utf8)))
    }
    let keyword = layout == .framework ? "framework module" : "module"
    func quoted(_ path: String) -> String { String(decoding: ModuleMap.quoted(path), as: UTF8.self) }
    var text = "\(keyword) \(module) {\n"
    if !headers.isEmpty { text += "  umbrella header \(quoted(umbrella))\n  export *\n\n  module * { export * }\n" }
    text += "}\n"
    if hasSwift {
      text += "\nmodule \(module).Swift {\n  header \(quoted("\(module)-Swift.h"))\n  requires objc\n}\n"
    }
    maps.append(("\(folder)module.modulemap", Array(text.utf8)))
  }

  // MARK: Includes

  /// Notes headers that name another one by a path that no compiler finds in a framework.
  private mutating func checkIncludes(_ moved: Move, _ context: ActionContext) throws {
    let known = Set(files.map(\.path)).union(moved.originals)
    let present = Set(files.map(\.path))
    var lost: [String] = []
    for (path, file) in files where file.input.kind == .regular && file.input.size <= HeaderFolder.maxTextSize {
      let bytes = try FileSystem.read(context.absolute(file.input.path), limit: HeaderFolder.maxTextSize)
      let folder = path.pathParts.dropLast().map(String.init)
      for include in HeaderFolder.includes(bytes) {
        if !include.isAngled, Move.resolved(folder, include.path).map(present.contains) ?? false { continue }
        if include.path.hasPrefix("\(module)/"), present.contains(String(include.path.dropFirst(module.count + 1))) {
          continue
        }
        if known.contains(include.path) { lost.append("\(path) includes \(include.text)") }
      }
    }
    guard let first = lost.first else { return }
    notes.append(
      "\(first)\(andMore(lost.count - 1)): in a framework this is <\(module)/…>; change it, or set 'layout: library'")
  }

  private static func includes(_ bytes: [UInt8]) -> [(path: String, isAngled: Bool, text: String)] {
    bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let blank: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      var rest = line.drop(while: blank)
      guard rest.first == UInt8(ascii: "#") else { return nil }
      rest = rest.dropFirst().drop(while: blank)
      guard let word = ["include", "import"].first(where: { rest.starts(with: $0.utf8) }) else { return nil }
      rest = rest.dropFirst(word.utf8.count).drop(while: blank)
      guard let open = rest.first, open == UInt8(ascii: "<") || open == UInt8(ascii: "\"") else { return nil }
      let isAngled = open == UInt8(ascii: "<")
      rest = rest.dropFirst()
      guard let end = rest.firstIndex(of: isAngled ? UInt8(ascii: ">") : open) else { return nil }
      let path = String(decoding: rest[..<end], as: UTF8.self)
      return (path, isAngled, isAngled ? "<\(path)>" : "\"\(path)\"")
    }
  }
}

/// How the paths of headers change on their way into a slice.
private struct Move {
  private let module: String
  private let layout: HeaderFolder.Layout
  /// Whether all headers lie in folders, or in the one that is called as the module.
  private let (isInModule, isInFolders): (Bool, Bool)
  let originals: Set<String>

  init(_ paths: [String], module: String, _ layout: HeaderFolder.Layout) {
    (self.module, self.layout) = (module, layout)
    originals = Set(paths)
    isInModule = paths.allSatisfy { $0.hasPrefix("\(module)/") }
    isInFolders = paths.allSatisfy { $0.contains("/") }
  }

  /// In the slice's folder of headers.
  func destination(of path: String) -> String {
    switch layout {
    case .framework: isInModule ? String(path.dropFirst(module.count + 1)) : path
    case .library: isInFolders ? path : "\(module)/\(path)"
    }
  }

  /// The path of a header, as the module map at its new place has it.
  func path(fromMapTo path: String) -> String {
    let destination = destination(of: path)
    if layout == .framework { return destination }
    return destination.hasPrefix("\(module)/") ? String(destination.dropFirst(module.count + 1)) : "../\(destination)"
  }

  /// The same for the folder of an umbrella, which a framework counts from its own folder.
  func folder(fromMapTo path: String) -> String {
    let inside = path == module && (isInModule || layout == .library) ? "" : path
    switch layout {
    case .framework:
      let destination = inside.isEmpty ? "" : destination(of: inside)
      return destination.isEmpty ? "Headers" : "Headers/\(destination)"
    case .library:
      if inside.isEmpty { return path.isEmpty && isInFolders ? ".." : "." }
      return self.path(fromMapTo: inside)
    }
  }

  /// A path with `.` and `..` taken out; nil if it is absolute, or leads out of the folder of headers.
  static func resolved(_ folder: [String], _ path: String) -> String? {
    if path.hasPrefix("/") { return nil }
    var parts = folder
    for part in path.split(separator: "/") where part != "." {
      guard part == ".." else {
        parts.append(String(part))
        continue
      }
      if parts.popLast() == nil { return nil }
    }
    return parts.joined(separator: "/")
  }
}

extension String {
  fileprivate func isBelow(_ folder: String) -> Bool { hasPrefix("\(folder)/") }
}
