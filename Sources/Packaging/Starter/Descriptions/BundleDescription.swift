import Documents

extension ProjectDescription {
  /// What the property lists of finished frameworks say: the version, if all have the same one, and the highest of the systems
  /// that they ask for at least. Keys: CFBundleShortVersionString, MinimumOSVersion.
  static func frameworks(_ files: [StarterFile], in tree: StarterTree) -> ProjectDescription? {
    let paths = files.flatMap { file in
      switch file.kind {
      case .framework: ["\(file.path)/Info.plist"]
      case .xcframework: slices(file, tree)
      default: [String]()
      }
    }
    guard let first = paths.first else { return nil }
    var description = ProjectDescription(.framework, first)
    var versions: Set<String> = []
    for path in paths {
      guard let list = try? PropertyList.read(tree.bytes(path)) else { continue }
      if let version = list["CFBundleShortVersionString"]?.text { versions.insert(version) }
      var own = ProjectDescription(.framework, path)
      own.setMinimumIOS(list["MinimumOSVersion"]?.text)
      if let minimum = own.minimumIOS, isLower(description.minimumIOS ?? "0", minimum) {
        description.minimumIOS = minimum
      }
    }
    if versions.count == 1 { description.setVersion(versions.first) }
    return description.isEmpty ? nil : description
  }

  /// Of an XCFramework's slice for devices.
  private static func slices(_ file: StarterFile, _ tree: StarterTree) -> [String] {
    let slices = tree.names(file.path).filter { name in
      name.hasPrefix("ios-") && !name.hasSuffix("-simulator") && !name.hasSuffix("-maccatalyst")
    }
    return slices.flatMap { slice in
      tree.names("\(file.path)/\(slice)").filter { $0.hasSuffix(".framework") }
        .map { "\(file.path)/\(slice)/\($0)/Info.plist" }
    }
  }

  private static func isLower(_ one: String, _ other: String) -> Bool {
    func numbers(_ text: String) -> [Int] { text.split(separator: ".").map { Int($0) ?? 0 } }
    return numbers(one).lexicographicallyPrecedes(numbers(other))
  }
}
