import Lanes
import Testing
import TestSupport

/// Kinds of files that sets of ordinary objects do not have, as `RandomLinkTests` has them.
@Suite("families of link sets drawn by chance", .tools)
struct LinkFamilyTests {
  @Test("link-time optimisation", .timeLimit(.minutes(30)))
  func linkTime() async throws {
    try await DrawnLinkSet.compare("bitcode", Seeded.seeds(60), setsOfGroup: 20, prepare: LinkTimeGroup.init) {
      seed, group in try DrawnLinkSet(seed, group)
    }
  }

  @Test("fat files", .timeLimit(.minutes(30)))
  func fat() async throws {
    try await DrawnLinkSet.compare("fat", Seeded.seeds(60), setsOfGroup: 60, prepare: FatGroup.init) {
      seed, group in try DrawnLinkSet(seed, group)
    }
  }

  @Test("dynamic libraries and text stubs", .timeLimit(.minutes(30)))
  func libraries() async throws {
    try await DrawnLinkSet.compare("dylib", Seeded.seeds(60), setsOfGroup: 60, prepare: LibraryGroup.init) {
      seed, group in try DrawnLinkSet(seed, group)
    }
  }

  @Test("copies of Swift modules", .timeLimit(.minutes(30)))
  func swift() async throws {
    try await DrawnLinkSet.compare("swift", Seeded.seeds(60), setsOfGroup: 60, prepare: SwiftGroup.init) {
      seed, group in try DrawnLinkSet(seed, group)
    }
  }
}
