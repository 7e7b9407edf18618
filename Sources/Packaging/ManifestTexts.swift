import Artifacts
import Documents
package import Findings
import Rules

// Output of commands about a manifest.
extension Manifest {
  package static var jsonSchema: JSONValue {
    JSONSchema.document(
      shape, id: "urn:npi-pack:\(Tool.version):npi.yml", title: "npi.yml",
      description: "the manifest of npi-pack: what a plugin is and what is made of it")
  }

  var judgedConfiguration: Configuration { Configuration(config.map { ($0.key, .text($0.text)) }) }

  package enum Order: String, Sendable { case sorted, manifest }

  /// The configuration as the plugin gets it: one object, every value a string.
  package func configuration(order: Order) -> JSONValue {
    let members = config.map { (key: $0.key, value: JSONValue.string($0.text)) }
    return order == .sorted ? .sorted(members) : .object(members)
  }

  /// One line for each key, with the source of its value.
  package var origins: String {
    let rows = config.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let width = rows.map { printable($0.key).count }.max() ?? 0
    return rows.map { row in
      let place =
        row.place.position.map { "\(printable(row.place.parts.joined())):\($0.line)" } ?? row.place.description
      return printable(row.key).padded(to: width + 2) + "\(printable(row.text))  (\(place))\n"
    }.joined()
  }
}

extension String {
  /// Appends at least one space.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
