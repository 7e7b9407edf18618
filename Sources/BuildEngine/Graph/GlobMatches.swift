package import Store
package import SystemPackage

extension Glob {
  /// What it matches below a folder of the disk, relative to it, sorted by bytes. A folder that matches is one match: what
  /// it stands for is for the caller to say.
  package func matches(below folder: FilePath) throws(FileError) -> [FilePath] {
    try GlobWalk.expand(self, in: DiskView(root: folder, disk: try RealDisk(folder)), hidden: [])
  }
}
