/// The resource files of one library, and what they define.
package struct ResourceLibrary: Sendable {
  package let files: [ResourceFile]
  package let resources: AndroidResources
  /// Where each file is in `files`.
  private let places: [[UInt8]: Int]

  /// - Parameter isDependency: whether it is somebody else's, in which a resource may be defined again.
  package init(_ files: [ResourceFile], package: String?, isDependency: Bool) {
    self.init(files, AndroidResources(files, package: package, allowsRepetition: isDependency))
  }

  /// The same library with other files.
  func with(_ files: [ResourceFile]) -> ResourceLibrary {
    ResourceLibrary(files, package: resources.package, isDependency: resources.allowsRepetition)
  }

  init(_ files: [ResourceFile], _ resources: AndroidResources) {
    self.files = files
    self.resources = resources
    places = Dictionary(files.indices.map { (files[$0].path, $0) }) { first, _ in first }
  }

  package func file(_ path: [UInt8]) -> ResourceFile? { places[path].map { files[$0] } }
}
