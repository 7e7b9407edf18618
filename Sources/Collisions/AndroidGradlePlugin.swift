/// The major version of the Android Gradle plugin that builds the app: some clashes are a warning up to one and an error
/// from the next.
package enum AndroidGradlePlugin: String, Sendable, CaseIterable {
  case eight = "8"
  case nine = "9"
}
