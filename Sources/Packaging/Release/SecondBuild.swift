import Artifacts
import BuildEngine
import Documents
package import Findings
import Rules
import Store
import Subprocess
import SystemPackage

/// Builds a plugin once more, under other circumstances: in another folder, where only committed files are, with another
/// number of jobs, time zone, language and umask, and with files that were made in another order.
package struct SecondBuild {
  let project: Project
  /// Options of the first build: whether findings are errors, whether commands run in a sandbox.
  let options: [String]
  let jobs: Int

  package init(_ project: Project, options: [String], jobs: Int) {
    (self.project, self.options, self.jobs) = (project, options, jobs)
  }

  /// The steps whose outputs differ from those of the build in the plugin's folder, though those of all steps that they
  /// need are equal.
  package func differences() async throws(Mistakes) -> [String] {
    let graph = try project.graph(policy: try FindingPolicy())
    do {
      // It is never put in a place, and so removed at the end, or by a signal's handler.
      let temporary = try OpenFolder(HostProcess.temporaryFolder)
      try OutputFile.removeLeftovers(in: temporary, of: 0)
      let scratch = try OutputFolder.create("npi-pack-second", below: temporary)
      defer { withExtendedLifetime(scratch) {} }
      let place = scratch.temporaryPath
      let copy = try await copied(graph, to: place)
      try await build(copy, place)
      var different: Set<Int> = []
      var lines: [String] = []
      for index in try graph.selection(try project.targets([], graph.steps)) {
        let step = graph.steps[index]
        let found = try difference(step, project.root, copy)
        guard let found else { continue }
        different.insert(index)
        if !graph.needs[index].contains(where: different.contains) { lines.append("\(step.summary): \(found)") }
      }
      return lines
    } catch {
      throw Mistakes(from: error)
    }
  }

  private func difference(_ step: Step, _ one: FilePath, _ other: FilePath) throws -> String? {
    for output in step.outputs {
      let found = try FirstDifference.between(one.pushing(output), other.pushing(output), output.string)
      if let found { return found }
    }
    return nil
  }

  /// Copies the committed files, or all of a plugin that is in no repository, but nothing that steps make. The folder has
  /// the same names above it, so that relative paths to things outside can be kept by links.
  private func copied(_ graph: Graph, to place: FilePath) async throws -> FilePath {
    let tree = try await GitTree(of: project.root)
    let top = tree?.top ?? project.root
    var files = if let tree { try await tree.files() } else { try filesWithoutGit() }
    let outputs = graph.steps.flatMap(\.outputs).map { project.root.pushing($0) }
    files.removeAll { file in outputs.contains { top.pushing(file).starts(with: $0) } }
    func moved(_ path: FilePath) -> FilePath { place.pushing(FilePath(root: nil, path.components)) }
    let folder = moved(top)
    try FileSystem.makeFolders(folder)
    let target = try OpenFolder(folder)
    // From the last to the first: many file systems list files in the order in which they were made.
    for file in files.reversed() {
      let source = top.pushing(file)
      guard let status = try FileSystem.status(of: source) else { continue }
      if status.kind == .symbolicLink {
        try target.makeFolders(file.removingLastComponent())
        try target.makeLink(file, to: try FileSystem.linkTarget(source))
      } else if status.kind == .regular {
        let output = try OutputFile.create(file, below: target, executable: status.executable)
        try await SourceFile(source).write(to: output, lasts: false)
        try output.commitUnsynced()
      }
    }
    let root = moved(project.root)
    try FileSystem.makeFolders(root)
    for declaration in project.manifest.deliverables {
      guard let path = declaration.node["repository"]?.text.map({ FilePath($0) }), path.isRelative else { continue }
      let link = root.pushing(path).lexicallyNormalized()
      guard link.starts(with: place), try FileSystem.status(of: link) == nil else { continue }
      try FileSystem.makeFolders(link.removingLastComponent())
      try OpenFolder(place).makeLink(link, to: project.root.pushing(path).lexicallyNormalized())
    }
    return root
  }

  private func filesWithoutGit() throws(FileError) -> [FilePath] {
    let left: Set<FilePath> = [Graph.stateFolder, project.outFolder, Project.releases]
    var files: [FilePath] = []
    var open: [FilePath] = [""]
    while let folder = open.popLast() {
      for name in try FileSystem.list(project.root.pushing(folder)) {
        let path = folder.appending(name)
        if left.contains(path) { continue }
        if try FileSystem.status(of: project.root.pushing(path))?.kind == .directory {
          open.append(path)
        } else {
          files.append(path)
        }
      }
    }
    return files
  }

  private func build(_ copy: FilePath, _ place: FilePath) async throws {
    let own = project.options
    var words = ["build", "-B", "--quiet", "-C", copy.string, "-f", own.manifest.string]
    words += ["--out", own.out.string, "-j", "\(jobs == 1 ? 2 : 1)"]
    for setting in own.settings { words += ["--set", setting] }
    for file in own.configFiles { words += ["--config", file.string] }
    if let version = project.version {
      let file = place.appending("version")
      let output = try OutputFile.create(file)
      try output.write(Array(version.text.utf8))
      try output.commitUnsynced()
      words += ["--version-from", file.string]
    }
    let shell = ["-c", "umask 077; exec \"$@\"", "sh", Tool.executable.string] + words + options
    let result = try await Subprocess.run(
      .path("/bin/sh"), arguments: Arguments(shell),
      environment: .inherit.updating([
        "TZ": "Pacific/Kiritimati", "LC_ALL": "tr_TR.UTF-8", "NPI_PACK_STORE": place.appending("store").string,
      ]), output: .bytes(limit: 16 << 20), error: .string(limit: 16 << 20))
    if result.terminationStatus.isSuccess { return }
    throw Mistakes(
      "the second build failed, in a copy of \(try await GitTree(of: project.root) == nil ? "the plugin" : "what is committed")",
      notes: result.standardError.lines.suffix(20).map { String($0).replacingText(copy.string, with: ".") },
      hint: "what a build needs belongs into the repository, or into a step that makes it")
  }
}
