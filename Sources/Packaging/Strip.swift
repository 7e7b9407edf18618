import Archives
import Artifacts
package import Findings
import Store
package import SystemPackage

/// Removes Apple's metadata from a tree in place, or writes an archive again without it.
package enum Strip {
  package struct Result: Sendable {
    /// A line for each thing, and a last one that counts them.
    package internal(set) var lines: [String] = []
    /// The number of things that were removed or mended, or would be.
    package var count: Int { removed + mended }
    fileprivate var removed = 0
    private var mended = 0
    /// The things that could not be removed, with the reasons. The rest was removed.
    package internal(set) var problems: [String] = []

    mutating func add(_ what: String, dryRun: Bool) {
      lines.append((dryRun ? "would remove " : "removed ") + printable(what))
      removed += 1
    }

    /// `what` is the fault.
    mutating func addMended(_ what: String, dryRun: Bool) {
      lines.append((dryRun ? "would mend: " : "mended: ") + printable(what))
      mended += 1
    }

    /// Another difference of an archive that is written again, which is no reason to do so.
    mutating func addChange(_ name: [UInt8], _ what: String, dryRun: Bool) {
      lines.append(
        (dryRun ? "would change " : "changed ") + printable(String(decoding: name, as: UTF8.self)) + ": \(what)")
    }

    /// A file of the user's that only has the name of metadata.
    mutating func addKept(_ name: String) {
      lines.append("kept \(printable(name)): it is called like an AppleDouble file, and is none")
    }

    mutating func add(_ more: Result) {
      lines += more.lines
      removed += more.removed
      mended += more.mended
      problems += more.problems
    }

    mutating func finish(dryRun: Bool) {
      guard count > 0 else { return lines.append("nothing to remove") }
      func said(_ verb: String, _ count: Int) -> String? {
        count == 0 ? nil : "\(verb) \(counted(count, "thing"))"
      }
      let all = [said(dryRun ? "remove" : "removed", removed), said(dryRun ? "mend" : "mended", mended)]
      lines.append((dryRun ? "would " : "") + all.compactMap(\.self).joined(separator: ", "))
    }
  }

  package static func run(_ path: FilePath, output: FilePath?, dryRun: Bool) async throws(Mistakes) -> Result {
    var stripper = TreeStripper(dryRun: dryRun)
    do {
      if let output { try Project.refuseOther(output) }
      guard let status = try FileSystem.status(of: path) else { throw Mistakes("there is no \(path)") }
      guard status.kind != .symbolicLink else {
        throw Mistakes("\(path) is a symbolic link, and links are not followed", hint: "name what it leads to")
      }
      guard !status.kind.isSpecial else { throw Mistakes("\(path) is a pipe, a socket or a device, and no file") }
      let opened = try OpenedArtifact(path)
      if let source = opened.source, try ArchiveStripper.isArchive(opened) {
        // Unpacking copies the attributes of the archive itself to the files in it.
        if output == nil { stripper.strip(path, .regular) }
        stripper.result.add(try await ArchiveStripper.strip(path, source, output: output ?? path, dryRun: dryRun))
      } else {
        let other = try ArchiveStripper.otherArchive(opened)
        if status.kind == .regular, other == nil, Kinds.artifact(named: path.string)?.isArchive ?? false {
          throw Mistakes("\(path) is called like an archive, and is none: nothing of it was looked at")
        }
        guard output == nil else { throw Mistakes("-o is for archives; a tree is cleaned in place") }
        stripper.strip(path, status.kind)
        if let nature = other {
          stripper.result.problems.append(
            "\(path) is \(nature): what is in it was not looked at; unpack it and strip the folder")
        }
      }
    } catch {
      throw Mistakes(from: error, about: path)
    }
    stripper.result.finish(dryRun: dryRun)
    return stripper.result
  }
}

/// Cleans a tree in place: the attributes of a folder first, then the metadata in it. Links are never followed.
private struct TreeStripper {
  let dryRun: Bool
  var result = Strip.Result()

  mutating func strip(_ path: FilePath, _ kind: FileType) {
    for name in attempt({ try ExtendedAttributes.unwanted(of: path) }) ?? [] {
      remove("\(ExtendedAttributes.shown(name)) from \(path)") { try ExtendedAttributes.remove(name, from: path) }
    }
    guard kind == .directory else { return }
    for name in attempt({ try FileSystem.list(path) }) ?? [] {
      let child = path.appending(name)
      guard let status = attempt({ try FileSystem.status(of: child) }) ?? nil else { continue }
      if let metadata = AppleMetadata.classify(path: name.nameBytes), metadata.isFolder == (status.kind == .directory) {
        if metadata == .appleDouble, status.kind == .regular,
          let head = attempt({ try PositionalFile(child).bytes(at: 0, count: 4) }), !AppleMetadata.isAppleDouble(head)
        {
          result.addKept(child.string)
        } else {
          remove(child.string) { try FileSystem.remove(child) }
        }
      } else {
        strip(child, status.kind)
      }
    }
  }

  private mutating func remove(_ what: String, _ work: () throws -> Void) {
    if dryRun || attempt(work) != nil { result.add(what, dryRun: dryRun) }
  }

  /// Nil, and a problem, if it fails; the rest goes on.
  private mutating func attempt<T>(_ work: () throws -> T) -> T? {
    do { return try work() } catch {
      result.problems.append("\(error)")
      return nil
    }
  }
}
