import Foundation

/// Which tests are asked for.
package enum Lane {
  /// Whether `make unit` runs them, where only the programs of the toolchain and of every system are on the `PATH`.
  package static let isUnit = ProcessInfo.processInfo.environment["NPI_LANE"] == "unit"
}
