package import Store
package import SystemPackage

/// What has become of outputs since a step made them.
package struct OutputsOnDisk {
  private let view: DiskView

  package enum State: Equatable {
    case missing
    case same
    case changed
    /// A folder above it is a link: whatever lies there is somewhere else.
    case behindLink(FilePath)
  }

  package init(root: FilePath, disk: any Disk) { self.init(DiskView(root: root, disk: disk)) }

  init(_ view: DiskView) { self.view = view }

  /// `digest`: of the output as it was made; nil: it is not known to be made here.
  package func state(of output: FilePath, _ digest: Digest?) throws(FileError) -> State {
    if let link = try link(above: output) { return .behindLink(link) }
    guard let digest else { return try view.status(output) == nil ? .missing : .changed }
    guard let now = try InputResolver(view: view, hidden: []).outputDigest(output) else { return .missing }
    return now == digest ? .same : .changed
  }

  /// The first folder above a path that is a link; nil if none is.
  package func link(above path: FilePath) throws(FileError) -> FilePath? {
    let folder = path.removingLastComponent()
    if folder.isEmpty { return nil }
    if let link = try link(above: folder) { return link }
    return try view.status(folder)?.kind == .symlink ? folder : nil
  }
}
