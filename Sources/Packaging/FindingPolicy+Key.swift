import BuildEngine
import Findings
import Rules

extension FindingPolicy {
  /// Everything that changes what a step that checks its outputs does.
  func encode(_ rules: [RuleID: RuleSettings], into encoder: inout some KeyEncoder) {
    for (id, settings) in settings(rules).sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      encoder.add("rule", "\(id) \(settings.level.rawValue)")
      for (name, values) in settings.lists.sorted(by: { $0.key < $1.key }) {
        encoder.add("parameter", name)
        for value in values { encoder.add("value", value) }
      }
      for (name, values) in settings.maps.sorted(by: { $0.key < $1.key }) {
        encoder.add("parameter", name)
        for (key, value) in values {
          encoder.add("key", key)
          encoder.add("value", value)
        }
      }
    }
    if let baseline { encoder.add("baseline", baseline.text) }
  }
}
