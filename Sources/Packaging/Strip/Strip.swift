import Artifacts
package import Findings
import Store
package import SystemPackage

/// Takes Apple's metadata off a tree in place, or re-emits an archive without it.
package enum Strip {
  package struct Result: Sendable {
    /// A line for each thing, and a last one that counts them.
    package internal(set) var lines: [String] = []
    /// How many things were removed, or would be.
    package internal(set) var count = 0
    /// What could not be removed, and why; the rest went on.
    package internal(set) var problems: [String] = []

    mutating func add(_ what: String, dryRun: Bool) {
      lines.append((dryRun ? "would remove " : "removed ") + printable(what))
      count += 1
    }

    mutating func add(_ more: Result) {
      lines += more.lines
      count += more.count
      problems += more.problems
    }

    mutating func finish(dryRun: Bool) {
      let things = count == 1 ? "1 thing" : "\(count) things"
      lines.append(count == 0 ? "nothing to remove" : dryRun ? "would remove \(things)" : "removed \(things)")
    }
  }

  package static func run(_ path: FilePath, output: FilePath?, dryRun: Bool) async throws(Mistakes) -> Result {
    var result: Result
    do {
      if let output { try Project.refuseOther(output) }
      guard let status = try FileSystem.status(of: path) else { throw Mistakes("there is no \(path)") }
      guard status.kind != .symlink else {
        throw Mistakes("\(path) is a symbolic link, and links are not followed", hint: "name what it leads to")
      }
      guard status.kind != .other else { throw Mistakes("\(path) is a pipe, a socket or a device, and no file") }
      if status.kind == .file, try ArchiveStripper.isArchive(path) {
        // What the file itself carries, unpacking gives to all that is in it.
        var stripper = TreeStripper(dryRun: dryRun)
        if output == nil { stripper.strip(path, .file) }
        result = stripper.result
        result.add(try await ArchiveStripper.strip(path, output: output ?? path, dryRun: dryRun))
      } else {
        guard output == nil else { throw Mistakes("-o is for archives; a tree is cleaned in place") }
        var stripper = TreeStripper(dryRun: dryRun)
        stripper.strip(path, status.kind)
        result = stripper.result
        if status.kind == .file, let nature = try ArchiveStripper.otherArchive(path) {
          result.problems.append(
            "\(path) is \(nature): what is in it was not looked at; unpack it and strip the folder")
        }
      }
    } catch let error as Mistakes {
      throw error
    } catch let error as FileError {
      throw Mistakes(error)
    } catch {
      throw Mistakes("\(path): \(error)")
    }
    result.finish(dryRun: dryRun)
    return result
  }
}
