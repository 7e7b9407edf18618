package import Store
package import SystemPackage

/// The name of what a step does now: equal keys, equal outputs, as far as what is declared tells; `adding` tells all of it.
package struct ActionKey: Sendable, Hashable {
  package let digest: Digest
  /// What went in, a line each.
  package let lines: [String]

  package init(_ material: KeyMaterial) {
    var encoder = PairEncoder()
    material.encode(into: &encoder)
    digest = encoder.hash.finish()
    lines = encoder.text.lines
  }

  private init(digest: Digest, lines: [String]) {
    self.digest = digest
    self.lines = lines
  }

  /// The key with what the step read besides its inputs: the first key, and the content of that. Nothing adds nothing.
  package func adding(_ discovered: [DiscoveredInput]) -> ActionKey {
    if discovered.isEmpty { return self }
    var encoder = PairEncoder()
    // Its lines are there already.
    encoder.hash.add("declared", digest)
    for one in discovered {
      if one.inputs.isEmpty { encoder.add("discovered-missing", one.path) }
      for input in one.inputs { encoder.add("discovered", .input(input)) }
    }
    return ActionKey(digest: encoder.hash.finish(), lines: lines + encoder.text.lines)
  }
}

/// Everything that can change a step's outputs.
package struct KeyMaterial: Sendable {
  /// Whatever names this very build of the tool, and the compressor's fingerprint.
  package var tool: [UInt8]
  package var action: any Action
  /// The word that names a program, and the digest of what it leads to.
  package var programs: [(word: String, digest: Digest)]
  package var inputs: [[ResolvedInput]]
  package var outputs: [FilePath]

  package init(
    tool: [UInt8], action: any Action, programs: [(word: String, digest: Digest)], inputs: [[ResolvedInput]],
    outputs: [FilePath]
  ) {
    self.tool = tool
    self.action = action
    self.programs = programs
    self.inputs = inputs
    self.outputs = outputs
  }

  /// The one walk. Where a program lies and what PATH and HOME are is not part of it: two machines share their results.
  package func encode(into encoder: inout some KeyEncoder) {
    encoder.add("key", 1)
    encoder.add("tool", .bytes(tool))
    action.encode(into: &encoder)
    for program in programs {
      encoder.add("program", program.word)
      encoder.add("program-content", program.digest)
    }
    for output in outputs { encoder.add("output", output) }
    for (index, list) in inputs.enumerated() {
      encoder.add("input-group", index + 1)
      for input in list { encoder.add("input", .input(input)) }
    }
  }
}
