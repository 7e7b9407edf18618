import SystemPackage
import TestSupport

/// What somebody does between two builds.
extension RandomProject {
  mutating func edit() {
    let tree = PlainTree(disk)
    let sources = tree.slice("src").filter { $0.key != "src" }
    if random.once(in: 3) { earlier.append(sources) }
    switch random.number(20) {
    case 0...8: editSources(sources)
    case 9...12: editManifest()
    case 13...15: tamper(tree)
    case 16: editMachine()
    case 17: moveClock()
    case 18: loseState()
    default: note("nothing")
    }
  }

  private mutating func note(_ text: String) { diary.append(text) }

  // MARK: Sources

  private mutating func editSources(_ sources: [String: PlainTree.Node]) {
    let files = sources.filter { if case .file = $0.value { true } else { false } }.keys.sorted()
    guard let path = random.one(of: files), case .file(let old, let executable)? = sources[path] else { return }
    switch random.number(12) {
    case 0...4:
      note("edit \(path)")
      disk.put([path: .file(text(of: path), executable: executable)])
    case 5:
      note("touch \(path)")
      disk.touch(path.inTree)
    case 6:
      note("write \(path) anew")
      disk.set("/tree/\(path)", nil)
      disk.put([path: .file(old, executable: executable)])
    case 7:
      note("change the mode of \(path)")
      disk.setExecutable(path.inTree, !executable)
    case 8:
      let new = random.one(of: ["src/new.c", "src/d0/new.h", "src/.new", "src/d1/deep/new.c"]) ?? path
      note("add \(new)")
      disk.put([new: .file(text(of: new), executable: false)])
    case 9:
      let isRenamed = random.once(in: 2)
      note("\(isRenamed ? "rename" : "remove") \(path)")
      disk.set("/tree/\(path)", nil)
      if isRenamed { disk.put(["\(path).c": .file(old, executable: executable)]) }
    case 10:
      let isFolder = random.once(in: 2)
      let target = random.one(of: isFolder ? ["d0", "d1"] : ["a.c", "b.c", "h0.h", "nowhere"]) ?? ""
      note("lead \(isFolder ? "src/way" : "src/k.c") to \(target)")
      disk.put([isFolder ? "src/way" : "src/k.c": .link(target)])
    default:
      guard let old = random.one(of: earlier) else { return }
      note("take the sources back")
      restore(old, from: sources)
    }
  }

  /// Only what differs is written.
  mutating func restore(_ old: [String: PlainTree.Node], from now: [String: PlainTree.Node]) {
    for path in now.keys where old[path] == nil { disk.set("/tree/\(path)", nil) }
    disk.put(old.filter { now[$0.key] != $0.value })
  }

  // MARK: The manifest

  private mutating func editManifest() {
    guard let index = random.one(of: steps.indices) else { return }
    note("change \(steps[index].name)")
    switch random.number(10) {
    case 0: steps[index].word = random.number(2)
    case 1: steps[index].flag = random.number(2)
    case 2: steps[index].skims.toggle()
    case 3:
      // The old outputs stay, and are nobody's.
      steps[index].shape = random.one(of: PlainStep.Shape.allCases) ?? .file
    case 4: steps[index].isCommand.toggle()
    case 5: steps[index].needs = [need(below: steps[index].layer)]
    case 6: steps[index].needs.append(need(below: steps[index].layer))
    case 7: steps[index].name += steps[index].name.hasSuffix("x") ? "y" : "x"
    case 8: addStep(1 + random.number(3))
    default:
      guard steps.count > 2 else { return }
      let other = random.one(of: steps.indices.filter { steps[$0].layer == steps[index].layer }) ?? index
      if other == index {
        steps.remove(at: index)
      } else {
        // Each makes what the other made.
        (steps[index].base, steps[other].base) = (steps[other].base, steps[index].base)
      }
    }
    if random.once(in: 3) { steps.shuffle(using: &random) }
  }

  // MARK: Outputs

  private mutating func tamper(_ tree: PlainTree) {
    guard let step = random.one(of: steps), let output = random.one(of: step.outputs), tree.nodes[output] != nil else {
      return
    }
    let inside = tree.slice(output).keys.sorted()
    let path = random.one(of: inside) ?? output
    note("spoil \(path)")
    switch (random.number(5), tree.nodes[path]) {
    case (0, _): disk.set("/tree/\(path)", nil)
    case (1, .file(_, let executable)?): disk.setExecutable(path.inTree, !executable)
    case (2, _):
      disk.set("/tree/\(path)", nil)
      disk.put([path: .folder, "\(path)/inside": .file("x", executable: false)])
    case (3, .folder?): disk.put(["\(path)/extra": .file("x", executable: false)])
    case (_, .file(let text, let executable)?):
      // The same size.
      disk.put([path: .file(String(text.reversed()), executable: executable)])
    default: disk.set("/tree/\(output)", nil)
    }
  }

  // MARK: The machine

  private mutating func editMachine() {
    switch random.number(4) {
    case 0:
      note("another npi-pack")
      tool = tool == "tool 1" ? "tool 2" : "tool 1"
    case 1:
      note("another make")
      program = program == "make 1" ? "make 2" : "make 1"
      putProgram()
    default:
      note("another PATH and HOME")
      searchPath = searchPath == "/bin:/opt" ? "/opt:/bin" : "/bin:/opt"
      home += "2"
    }
  }

  private mutating func moveClock() {
    if random.once(in: 3) {
      isFrozen.toggle()
      note(isFrozen ? "the clock stands still" : "the clock goes on")
      disk.freeze(isFrozen)
    } else {
      let seconds = Int64(random.number(400) - 200)
      note("move the clock by \(seconds)")
      disk.setClock(by: seconds)
    }
  }

  // MARK: The engine's own files

  private mutating func loseState() {
    let name = random.one(of: ["log", "state"]) ?? "log"
    guard let bytes = disk.raw(".npi/\(name)".inTree), !bytes.isEmpty else { return }
    switch random.number(3) {
    case 0:
      note("lose \(name)")
      disk.set("/tree/.npi/\(name)", nil)
    case 1:
      let length = random.number(bytes.count)
      note("cut \(name) at byte \(length)")
      disk.set("/tree/.npi/\(name)", .file(Array(bytes.prefix(length)), executable: false))
    default:
      let place = random.number(bytes.count)
      note("damage \(name) at byte \(place)")
      var bytes = bytes
      bytes[place] ^= 0x11
      disk.set("/tree/.npi/\(name)", .file(bytes, executable: false))
    }
  }
}
