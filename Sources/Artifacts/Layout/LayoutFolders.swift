/// The folders beside a plain static library whose files go into an app or are searched by a compiler.
enum LayoutFolders {
  private static let headers: Set<String> = ["headers", "include"]
  private static let resources: Set<String> = ["resources"]
  /// Folders of libraries, whose headers and resources are beside them.
  private static let libraries: Set<String> = ["lib", "libs"]
  /// Folders that an app takes as one resource.
  private static let compiled = [".storyboardc", ".momd", ".mlmodelc", ".nib"]
  private static let resourceEndings = [
    ".png", ".jpg", ".jpeg", ".gif", ".pdf", ".xib", ".nib", ".storyboard", ".strings", ".stringsdict", ".plist",
    ".html", ".css", ".js", ".ttf", ".otf", ".mp3", ".wav", ".caf", ".m4a", ".mp4", ".mov", ".car", ".cer", ".der",
    ".p12", ".pem", ".sqlite", ".tflite", ".metallib",
  ]
  private static let headerEndings = [".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".ipp", ".tcc", ".def"].map {
    Array($0.utf8)
  }

  static func isHeader(_ path: [UInt8]) -> Bool {
    headerEndings.contains { path.count > $0.count && path.suffix($0.count).elementsEqual($0) }
  }

  /// Whether it may be a header or resource beside a static library.
  static func isOfInterest(_ path: LayoutPath) -> Bool { header(path) != nil || resource(path) != nil }

  /// The folder that the headers' folder is in, and the header's path in the latter.
  static func header(_ path: LayoutPath) -> (root: LayoutPath, inner: [String])? {
    guard isHeader(Array(path.name.utf8)) || path.name.hasSuffix(".modulemap") || path.name == "module.map",
      let index = path.parts.dropLast().firstIndex(where: { headers.contains($0.lowercased()) })
    else { return nil }
    return (path.prefix(index), Array(path.parts[(index + 1)...]))
  }

  /// The folder that resources are beside or in, and the resource's path in the app.
  static func resource(_ path: LayoutPath) -> (root: LayoutPath, inner: [String])? {
    guard
      let first = path.parts.indices.first(where: { isResource(path.parts[$0], isFile: $0 == path.parts.count - 1) })
    else { return nil }
    var root = path.prefix(first)
    var inner = [path.parts[first]]
    if root.name.hasSuffix(".lproj") {
      inner.insert(root.name, at: 0)
      root = root.parent
    }
    return (resources.contains(root.name.lowercased()) ? root.parent : root, inner)
  }

  private static func isResource(_ part: String, isFile: Bool) -> Bool {
    let name = part.lowercased()
    if !isFile { return compiled.contains(where: name.hasSuffix) }
    return name != "info.plist" && resourceEndings.contains(where: name.hasSuffix)
  }

  /// The folders that headers and resources of a library in `folder` may be beside.
  static func roots(of folder: LayoutPath) -> [LayoutPath] {
    libraries.contains(folder.name.lowercased()) ? [folder, folder.parent] : [folder]
  }
}
