import TestSupport
package import Testing

extension Trait where Self == ConditionTrait {
  /// Marks a test that runs programs beside the toolchain's: llvm-nm, java, zip, python3. `make unit` leaves it out, and
  /// hides those programs, so that a test that lacks the mark fails there.
  package static var tools: Self { .enabled(if: Lane.unitTools == nil, "make test runs it") }
}
