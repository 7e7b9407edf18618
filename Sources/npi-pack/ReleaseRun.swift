import ArgumentParser
import BuildEngine
import Findings
import Packaging
import RemoteClients
import SystemPackage

/// `release`, which returns its exit status.
struct ReleaseRun {
  let command: ReleaseCommand

  private var console: Console { command.options.console }

  func verify(_ folder: FilePath) throws -> Int32 {
    let found = try ReleaseVerification(folder)
    for line in found.differences { console.note("npi-pack: \(line)") }
    if found.differences.isEmpty {
      Console.writeOutput("\(counted(found.count, "file")) as in \(printable(found.record.string))\n")
    }
    return found.differences.isEmpty ? 0 : 1
  }

  func release() async throws -> Int32 {
    let project = try await command.manifest.project()
    if !command.allowDirty { try await project.refuseChanges() }
    let build = BuildRun(
      targets: [], engine: try EngineOptions.parse([]), running: command.running, manifest: command.manifest,
      findings: command.findings,
      remote: try RemoteOptions.parse([]), console: console, isFresh: true)
    let status = try await build.status()
    if status != 0 { return status }
    if command.verifyReproducible {
      if !command.running.quiet { console.note("npi-pack: building once more, in another place") }
      let sandbox = command.running.sandbox.map { [$0 ? "--sandbox" : "--no-sandbox"] } ?? []
      let second = SecondBuild(
        project, options: command.findings.words + sandbox, jobs: command.running.jobCount)
      let differences = try await second.differences()
      for line in differences { console.note("npi-pack: not reproducible: \(line)") }
      if !differences.isEmpty { return 1 }
    }
    var options = Project.ReleaseOptions()
    options.folder = try command.to.map { try Project.absolute(FilePath($0)) }
    options.replaces = command.replace
    show(try await project.release(options))
    return 0
  }

  private func show(_ release: Release) {
    guard !command.running.quiet else { return }
    let width = release.rows.map(\.what.utf8.count).max() ?? 0
    var text = "\(release.isOld ? "unchanged" : "released") \(printable(release.folder.string))\n"
    for (what, command) in release.rows {
      let space = String(repeating: " ", count: width - what.utf8.count)
      text += "  \(printable(what))\(space)  \(printable(command))\n"
    }
    Console.writeOutput(text)
  }
}

extension FindingOptions {
  /// The words that decide whether a finding is an error.
  var words: [String] {
    level.flatMap { ["--level", $0] } + (strict ? ["--strict"] : []) + (baseline.map { ["--baseline", $0] } ?? [])
      + (suppressions.map { ["--suppressions", $0] } ?? [])
  }
}
