package import Store

extension RecordWriter {
  package mutating func add(_ slice: Slice) {
    add(optional: slice.platform) { $0.add(name: $1) }
    add(name: slice.architecture)
    add(optional: slice.variant) { $0.add(name: $1) }
  }
}

extension RecordReader {
  package mutating func slice() -> Slice? {
    guard let platform = optional({ $0.name() }), let architecture = name(), let variant = optional({ $0.name() })
    else { return nil }
    return Slice(platform: platform, architecture: architecture, variant: variant)
  }
}
