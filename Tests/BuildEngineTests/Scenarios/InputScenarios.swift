import BuildEngine
import SystemPackage
import Testing

/// Globs, folders and links as inputs.
@Suite struct InputScenarios {
  private func globbed(_ pattern: String = "src/**/*.c") async throws -> Scene {
    try await Scene(["src/a.c": "a", "src/sub/b.c": "b", "src/x.h": "h", "other/c.c": "c"]) { world in
      [world.collect("all", "all", [glob(pattern)])]
    }
  }

  private let folders = ["src", "src/sub"]

  // MARK: Globs

  @Test func `a glob lists the folders that it can reach, once, and reads no file again`() async throws {
    try await globbed().expect(lists: folders)
    try await globbed("src/*/b.c").expect(lists: ["src"])
    try await globbed("src/sub/*.c").expect(lists: ["src/sub"])
  }

  @Test func `a new file that a glob finds`() async throws {
    let scene = try await globbed()
    scene.put("src/sub/deep/c.c", "c")
    try await scene.expect(
      runs: ["all": "src/sub/deep/c.c is new"], reads: ["all", "src/sub/deep/c.c"],
      lists: ["src", "src/sub", "src/sub/deep"])
    #expect(scene.world.text("all") == "src/a.c=a\nsrc/sub/b.c=b\nsrc/sub/deep/c.c=c")
  }

  @Test func `a file that a glob found is gone`() async throws {
    let scene = try await globbed()
    scene.delete("src/a.c")
    try await scene.expect(runs: ["all": "src/a.c is gone"], reads: ["all"], lists: folders)
  }

  @Test func `a file that a glob found has another name`() async throws {
    let scene = try await globbed()
    try scene.move("src/a.c", to: "src/z.c")
    try await scene.expect(runs: ["all": "src/z.c is new"], reads: ["all", "src/z.c"])
  }

  @Test func `files that a glob does not mean, hidden ones among them`() async throws {
    let scene = try await globbed()
    for path in ["src/other.h", "src/.hidden.c", "src/.git/x.c", "other/d.c"] { scene.put(path, "x") }
    try await scene.expect(lists: folders)
    scene.put("src/x.h", "new")
    try await scene.expect(lists: folders)
  }

  @Test func `two steps with the same glob: listed and read once`() async throws {
    let scene = try await globbed()
    scene.steps.append(scene.world.collect("too", "too", [glob("src/**/*.c"), .path("src/a.c", here)]))
    try await scene.settle()
    scene.put("src/a.c", "new")
    try await scene.expect(
      runs: ["all": "src/a.c: … → …", "too": "src/a.c: … → …"], reads: ["all", "src/a.c", "too"],
      lists: ["src", "src", "src/sub", "src/sub"])
  }

  @Test func `a glob over what another step makes`() async throws {
    let scene = try await Scene(["seed/A.class": "a", "seed/B.class": "b"]) { world in
      [
        world.collect("use", "out", [glob("build/**/*.class")]),
        Step(
          name: "copy", summary: "", inputs: [.path("seed", here)], outputs: ["build/classes"],
          action: CommandAction(.words(["copy-tree", "seed", "build/classes"])), place: here),
      ]
    }
    scene.delete("seed/A.class")
    try await scene.expect(
      runs: ["copy": "seed/A.class is gone", "use": "build/classes/A.class is gone"],
      reads: ["build/classes/B.class", "out"])
    #expect(scene.world.text("out") == "build/classes/B.class=b")
    // Nothing is left for the glob to find.
    scene.delete("seed/B.class")
    scene.put("seed/readme", "r")
    try await scene.expect(
      runs: ["copy": "seed/readme is new"], fails: ["use"], reads: ["build/classes/readme", "seed/readme"])
  }

  // MARK: Folders

  private func bundle() async throws -> Scene {
    try await Scene(["R.bundle/a": "a", "R.bundle/.b": "b", "R.bundle/sub/c": "c"]) { world in
      [world.collect("all", "all", [.path("R.bundle", here)])]
    }
  }

  @Test func `a folder is everything below it, hidden files too`() async throws {
    let scene = try await bundle()
    try await scene.expect(lists: ["R.bundle", "R.bundle/sub"])
    scene.put("R.bundle/.b", "new")
    try await scene.expect(runs: ["all": "R.bundle/.b: … → …"], reads: ["R.bundle/.b", "all"])
    scene.put("R.bundle/sub/.d", "d")
    try await scene.expect(runs: ["all": "R.bundle/sub/.d is new"], reads: ["R.bundle/sub/.d", "all"])
    scene.delete("R.bundle/sub/c")
    try await scene.expect(runs: ["all": "R.bundle/sub/c is gone"], reads: ["all"])
  }

  @Test func `an empty folder in a folder counts`() async throws {
    let scene = try await bundle()
    scene.world.disk.put(folder: "R.bundle/empty".inTree)
    try await scene.expect(runs: ["all": "R.bundle/empty is new"], reads: ["all"])
  }

  @Test func `a file that became a folder`() async throws {
    let scene = try await bundle()
    scene.delete("R.bundle/a")
    scene.put("R.bundle/a/x", "x")
    try await scene.expect(runs: ["all": "R.bundle/a: … → folder"], reads: ["R.bundle/a/x", "all"])
  }

  // MARK: Links

  private func linked(_ inputs: [Input]) async throws -> Scene {
    try await Scene(["real/a": "a", "real/b": "b", "twin/a": "a"]) { world in
      world.disk.put(link: "link".inTree, to: "real/a")
      world.disk.put(link: "way".inTree, to: "real")
      world.disk.put(link: "real/loose".inTree, to: "/tree/twin")
      return [world.collect("all", "all", inputs)]
    }
  }

  /// In the tree a link's content is not remembered within a run: what it leads to may be an output.
  @Test func `a named link: what it leads to is read`() async throws {
    let scene = try await linked([.path("link", here)])
    scene.put("real/a", "new")
    try await scene.expect(runs: ["all": "link -> real/a: … → …"], reads: ["all", "link"])
    #expect(scene.world.text("all") == "link=new")
  }

  @Test func `a link that leads elsewhere is another one, though the content is the same`() async throws {
    let scene = try await linked([.path("link", here)])
    scene.world.disk.put(link: "link".inTree, to: "twin/a")
    try await scene.expect(runs: ["all": "link -> twin/a is new"], reads: ["all", "link"])
  }

  @Test func `a link to a folder that is named stands for what is in that`() async throws {
    let scene = try await linked([.path("way", here)])
    #expect(scene.world.text("all") == "way=-\nway/a=a\nway/b=b\nway/loose=-")
    scene.put("real/b", "new")
    try await scene.expect(runs: ["all": "way/b: … → …"], reads: ["all", "way/b"], lists: ["way"])
    scene.world.disk.put(link: "way".inTree, to: "twin")
    try await scene.expect(runs: ["all": "way -> twin is new"], reads: ["all", "way/a"])
    #expect(scene.world.text("all") == "way=-\nway/a=a")
  }

  @Test func `a glob goes through a link that it names`() async throws {
    let scene = try await linked([glob("way/*")])
    #expect(scene.world.text("all") == "way/a=a\nway/b=b\nway/loose=-")
    scene.put("real/b", "new")
    try await scene.expect(runs: ["all": "way/b: … → …"], reads: ["all", "way/b"], lists: ["way"])
  }

  @Test func `a link that is found is not gone through`() async throws {
    let scene = try await linked([glob("real/**")])
    #expect(scene.world.text("all") == "real/a=a\nreal/b=b\nreal/loose=-")
    scene.put("twin/a", "new")
    try await scene.expect(lists: ["real"])
    scene.world.disk.put(link: "real/loose".inTree, to: "elsewhere")
    try await scene.expect(runs: ["all": "real/loose -> elsewhere is new"], reads: ["all"])
  }
}
