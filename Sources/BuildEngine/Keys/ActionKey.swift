package import Store
package import SystemPackage

/// Identifies a step's current work by what is declared: equal keys mean equal outputs. `adding` adds discovered files.
package struct ActionKey: Sendable, Hashable {
  package let digest: Digest
  private let material: KeyMaterial
  private let discovered: [DiscoveredInput]

  package init(_ material: KeyMaterial) {
    var encoder = HashEncoder()
    material.encode(into: &encoder)
    digest = encoder.finish()
    self.material = material
    discovered = []
  }

  private init(_ declared: ActionKey, _ discovered: [DiscoveredInput]) {
    var encoder = HashEncoder()
    encoder.add("declared", declared.digest)
    ActionKey.encode(discovered, into: &encoder)
    digest = encoder.finish()
    material = declared.material
    self.discovered = discovered
  }

  package var lines: [KeyLine] {
    var encoder = TextEncoder()
    material.encode(into: &encoder)
    ActionKey.encode(discovered, into: &encoder)
    return encoder.lines
  }

  /// The key that also covers the discovered files. Without any it is the same key.
  package func adding(_ discovered: [DiscoveredInput]) -> ActionKey {
    discovered.isEmpty ? self : ActionKey(self, discovered)
  }

  private static func encode(_ discovered: [DiscoveredInput], into encoder: inout some KeyEncoder) {
    for one in discovered {
      if one.inputs.isEmpty { encoder.add("discovered-missing", one.path) }
      for input in one.inputs { encoder.add("discovered", .input(input)) }
    }
  }

  package static func == (a: ActionKey, b: ActionKey) -> Bool { a.digest == b.digest }

  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

/// Everything that can change a step's outputs.
package struct KeyMaterial: Sendable {
  /// Identifies this very build of the tool, and the compressor.
  package var tool: [UInt8]
  package var action: any Action
  /// The word that names a program, and the digest of the program's file.
  package var programs: [(word: String, digest: Digest)]
  package var inputs: [[ResolvedInput]]
  package var outputs: [FilePath]

  /// Feeds the hash and the explanation. It leaves out the places of programs, PATH and HOME, which differ on machines.
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
