import Foundation

/// Which tests are asked for.
package enum Lane {
  /// In `make unit` a folder with the programs that tests may run there: the toolchain's, and those of every system.
  package static let unitTools = ProcessInfo.processInfo.environment["NPI_UNIT_TOOLS"].flatMap { $0.isEmpty ? nil : $0 }
}
