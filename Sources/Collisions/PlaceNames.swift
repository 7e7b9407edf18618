import Findings

extension Place {
  /// `RCStrings.o`
  var lastName: String { String(parts.last?.lastPathPart ?? "") }

  /// `Rally.zip's libRally.a`.
  var shortName: String {
    let names = parts.map(\.lastPathPart)
    return names.first == names.last ? String(names.last ?? "") : "\(names.first ?? "")'s \(names.last ?? "")"
  }

  /// Short names of places. Those that are called the same are told apart by the last part of their paths in which they
  /// differ: `Pay's libcrypto.a` and `Chat's libcrypto.a`.
  static func toldApart(_ places: [Place]) -> [String] {
    let short = places.map(\.shortName)
    let count = Set(places).count
    if Set(short).count == count { return short }
    let all = places.map { $0.parts.flatMap { $0.pathParts.map(String.init) } }
    let depth = all.map(\.count).min() ?? 0
    for distance in stride(from: 2, through: depth, by: 1) {
      let names = all.map { $0[$0.count - distance] }
      if Set(names).count == count { return zip(names, places).map { "\($0)'s \($1.lastName)" } }
    }
    return places.map(\.description)
  }
}

extension String {
  /// Whether a member's name has a hash in it, as build tools write it: such a name says nothing to a reader.
  var isHashed: Bool {
    let digits = utf8.split { !($0 >= 0x30 && $0 <= 0x39 || $0 >= 0x61 && $0 <= 0x66 || $0 >= 0x41 && $0 <= 0x46) }
    return digits.contains { $0.count >= 16 }
  }
}
