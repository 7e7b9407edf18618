import Artifacts
import Collisions
import Findings
import Linking
import ObjectFiles
import Store
import SystemPackage

/// The links of an app, one for each slice of Apple's platforms that its plugins have code for.
struct AppLinks {
  let check: AppCheck
  let line: LinkLine
  let plugins: CheckPlugins
  let store: ContentStore?

  /// The limit saves memory: each link holds the symbols of all its files.
  private static let maxLinksAtOnce = 4

  /// Links the related plugins of each slice, unless the store has the result.
  func run(_ index: inout PluginIndex) async -> [SliceLink] {
    let slices = slices(plugins.paths.indices.flatMap { index.slices(of: $0) })
    var links: [(slice: CheckSlice, numbers: [Int], cache: LinkCache?)] = []
    var found: [SliceLink?] = []
    var wanted: Set<Int> = []
    for slice in slices {
      guard let architecture = Architecture(name: slice.architecture) else { continue }
      // The files of a line may be related to any plugin.
      let isWhole = check.isClosed || !line.inputs.isEmpty
      let numbers = isWhole ? Array(plugins.paths.indices) : await index.related(for: slice)
      let link = CheckSlice(
        slice: slice, architecture: architecture, line: line, linker: check.linker.linking(architecture),
        isClosed: check.isClosed, isDylib: check.isDylib, linksByName: check.linksByName,
        entryClasses: plugins.entryClasses)
      let cache = LinkCache(
        link, [check.folder.string] + (check.words ?? []),
        numbers.map { ($0, plugins.paths[$0], index.key(of: $0)) }, store)
      let known = cache?.link()
      if known == nil { wanted.formUnion(numbers) }
      links.append((link, numbers, cache))
      found.append(known)
    }
    index.keep()
    let inputs = await CheckInputs(wanted.sorted(), of: plugins.paths, opened: index.opened)
    var left = links.indices.filter { found[$0] == nil }[...]
    await withTaskGroup(of: (Int, SliceLink).self) { tasks in
      func add() {
        guard let index = left.popFirst() else { return }
        let (link, own) = (links[index].slice, inputs.among(links[index].numbers))
        tasks.addTask { (index, await link.link(own)) }
      }
      for _ in 0..<min(HostProcess.processors, AppLinks.maxLinksAtOnce) { add() }
      while let (index, slice) = await tasks.next() {
        links[index].cache?.keep(slice)
        found[index] = slice
        add()
      }
    }
    return found.compactMap(\.self)
  }

  /// The slices of Apple's platforms, sorted. Code without a platform goes with every platform, and has a slice of its
  /// own only where there is no other.
  private func slices(_ found: [Slice]) -> [Slice] {
    var found = Set(found + namedSlices)
    found = found.filter { Architecture(name: $0.architecture) != nil && $0.platform != "android" }
    if let architecture = line.architecture { found = found.filter { $0.architecture == architecture.name } }
    let said = Set(found.filter { $0.platform != nil }.map(\.architecture))
    return found.filter { $0.platform != nil || !said.contains($0.architecture) }.sorted()
  }

  /// Every file on a link line is linked for the platform of the first one.
  private var namedSlices: [Slice] {
    let temporary = HostProcess.temporaryFolder
    let slices = line.first(in: InputFolder(".")) { Artifact(FilePath($0), temporary: temporary).slices }
    // The linker reports missing files, too, so there has to be a slice.
    if slices.isEmpty, !line.inputs.isEmpty { return [Slice(line.architecture ?? .arm64, nil)] }
    return slices
  }
}
