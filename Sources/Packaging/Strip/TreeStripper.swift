import Archives
import Artifacts
import Store
import SystemPackage

/// Cleans a tree in place: first the attributes of a thing, then the metadata beside it. Links are never followed.
struct TreeStripper {
  let dryRun: Bool
  private(set) var result = Strip.Result()

  init(dryRun: Bool) { self.dryRun = dryRun }

  mutating func strip(_ path: FilePath, _ kind: FileKind) {
    stripAttributes(path)
    guard kind == .folder else { return }
    do throws(FileError) {
      for name in try FileSystem.list(path) {
        let child = path.appending(name)
        if AppleMetadata.classify(path: name.nameBytes) != nil {
          remove(child)
        } else if let status = try FileSystem.status(of: child) {
          strip(child, status.kind)
        }
      }
    } catch {
      result.problems.append(error.description)
    }
  }

  private mutating func stripAttributes(_ path: FilePath) {
    do throws(AttributeError) {
      for name in try ExtendedAttributes.unwanted(of: path) {
        do throws(AttributeError) {
          if !dryRun { try ExtendedAttributes.remove(name, from: path) }
          result.add("\(ExtendedAttributes.shown(name)) from \(path)", dryRun: dryRun)
        } catch {
          result.problems.append(error.description)
        }
      }
    } catch {
      result.problems.append(error.description)
    }
  }

  private mutating func remove(_ path: FilePath) {
    do throws(FileError) {
      if !dryRun { try FileSystem.remove(path) }
      result.add(path.string, dryRun: dryRun)
    } catch {
      result.problems.append(error.description)
    }
  }
}
