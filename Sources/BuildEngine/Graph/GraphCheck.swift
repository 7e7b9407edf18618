import Findings
import SystemPackage

/// Checks of a graph that need no access to the disk.
enum GraphCheck {
  static func names(_ steps: [Step]) -> [Mistake] {
    var first: [[UInt8]: Step] = [:]
    var mistakes: [Mistake] = []
    for step in steps {
      if let other = first[Array(step.name.utf8)] {
        mistakes.append(
          Mistake(
            "\(two(other, step)) are named '\(step.name)'", at: step.place, notes: ["the other is at \(other.place)"],
            hint: "give one of them another name"))
      } else {
        first[Array(step.name.utf8)] = step
      }
    }
    return mistakes
  }

  static func outputs(_ steps: [Step], _ sources: [FilePath]) -> [Mistake] {
    var mistakes: [Mistake] = []
    var makers: [FilePath: Int] = [:]
    for (index, step) in steps.enumerated() {
      for output in step.outputs {
        if let mistake = place(of: output, step) ?? source(at: output, step, sources) {
          mistakes.append(mistake)
        } else if let other = makers[output] {
          mistakes.append(twice(output, step, steps[other], same: other == index))
        } else {
          makers[output] = index
        }
      }
    }
    // An output inside another step's output would put files there that the outer step did not make.
    for (index, step) in steps.enumerated() {
      for output in step.outputs where makers[output] == index {
        for folder in output.andFoldersAbove.dropFirst() {
          guard let other = makers[folder], other != index else { continue }
          mistakes.append(
            Mistake(
              "the output '\(output)' of \(step.title) lies in '\(folder)', which \(steps[other].title) makes",
              at: step.place, notes: ["\(steps[other].title) is at \(steps[other].place)"],
              hint: "let one step make it all, or give the outputs different folders"))
        }
      }
    }
    return mistakes
  }

  private static func place(of output: FilePath, _ step: Step) -> Mistake? {
    let names = output.components
    func mistake(_ what: String, hint: String) -> Mistake {
      Mistake("the output '\(output)' of \(step.title) lies \(what)", at: step.place, hint: hint)
    }
    if output.isAbsolute || names.first?.kind == .parentDirectory {
      return mistake("outside the tree", hint: "outputs are relative to the folder of npi.yml and stay inside it")
    }
    if output.isEmpty || output == "." {
      return Mistake(
        "the output of \(step.title) is the whole tree", at: step.place, hint: "name a file or a folder in it")
    }
    // Some file systems ignore case.
    if names.contains(where: { $0.string.lowercased() == ".git" }) {
      return mistake("in the folder .git, which is git's own", hint: "choose another folder")
    }
    if names.first?.string.lowercased() == Graph.stateFolder.string, !output.starts(with: Graph.recordsFolder) {
      return mistake("in the folder \(Graph.stateFolder), which is npi-pack's own", hint: "choose another folder")
    }
    return nil
  }

  private static func source(at output: FilePath, _ step: Step, _ sources: [FilePath]) -> Mistake? {
    guard let source = sources.first(where: { $0.starts(with: output) }) else { return nil }
    let what = source == output ? "is what the steps are declared in" : "holds '\(source)', in which steps are declared"
    return Mistake(
      "the output '\(output)' of \(step.title) \(what)", at: step.place, hint: "name another output")
  }

  private static func twice(_ output: FilePath, _ step: Step, _ other: Step, same: Bool) -> Mistake {
    if same { return Mistake("\(step.title) names the output '\(output)' twice", at: step.place) }
    return Mistake(
      "\(two(other, step)) make '\(output)': '\(other.name)' and '\(step.name)'", at: step.place,
      notes: ["\(other.title) is at \(other.place)"], hint: step.noun.otherOutput)
  }

  private static func two(_ one: Step, _ other: Step) -> String {
    one.noun == other.noun ? "two \(one.noun.word)s" : "a \(one.noun.word) and a \(other.noun.word)"
  }

  /// One mistake for each group of steps that need one another, with the shortest cycle through its first step.
  static func circles(_ steps: [Step], _ needs: [[Int: FilePath]]) -> [Mistake] {
    var mistakes: [Mistake] = []
    var told: Set<Int> = []
    for step in steps.indices where !told.contains(step) {
      guard let circle = circle(through: step, needs) else { continue }
      told.formUnion(circle)
      let chain = (circle + [step]).map { steps[$0].name }.joined(separator: " → ")
      let nouns = Set(circle.map { steps[$0].noun.word })
      var notes: [String] = []
      for (position, index) in circle.enumerated() {
        let next = position + 1 < circle.count ? circle[position + 1] : step
        guard let output = needs[index][next] else { continue }
        notes.append(
          index == next
            ? "'\(steps[index].name)' reads '\(output)', which it makes itself"
            : "'\(steps[index].name)' (\(steps[index].place)) reads '\(output)', which '\(steps[next].name)' makes")
      }
      mistakes.append(
        Mistake(
          "\(nouns.count == 1 ? "\(steps[step].noun.word)s" : "these") need one another in a circle: \(chain)",
          at: steps[step].place, notes: notes,
          hint: "narrow the inputs of one of them"))
    }
    return mistakes
  }

  /// The shortest way from the step back to itself, the step first; nil if there is none.
  private static func circle(through start: Int, _ needs: [[Int: FilePath]]) -> [Int]? {
    var previous: [Int: Int] = [:]
    var open = [start]
    var position = 0
    while position < open.count {
      let step = open[position]
      position += 1
      for next in needs[step].keys.sorted() {
        if next == start {
          var circle = [step]
          while let last = circle.last, last != start, let before = previous[last] { circle.append(before) }
          return circle.reversed()
        }
        if previous[next] == nil {
          previous[next] = step
          open.append(next)
        }
      }
    }
    return nil
  }
}
