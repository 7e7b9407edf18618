import Collisions
import Testing

@Suite("names of one origin")
struct SharedOriginTests {
  private func name(
    _ name: String, _ sites: [(Int, String?)], _ comparison: DefinitionComparison.Result
  ) -> SharedOrigin.Name {
    SharedOrigin.Name(name, sites.map { SharedOrigin.Site(artifact: $0.0, member: $0.1) }, comparison)
  }

  @Test func groups() {
    let names = [
      name("_b", [(1, "x.o"), (0, "x.o")], .different), name("_a", [(0, "x.o"), (1, "x.o")], .same),
      name("_c", [(0, "y.o"), (1, "y.o")], .same),
      // Of another pair, of three, of object files that have nothing in common, of no library at all.
      name("_d", [(0, "y.o"), (2, "y.o")], .same), name("_e", [(0, "y.o"), (1, "y.o"), (2, "y.o")], .unknown),
      name("_g", [(0, "p.o"), (1, "q.o")], .different), name("_f", [(0, "p.o"), (1, "q.o")], .same),
      name("_h", [(0, nil), (1, nil)], .different), name("_i", [(0, nil), (1, nil)], .different),
    ]
    let groups = SharedOrigin.groups(names)
    let first = groups[0]
    #expect(first.names.map { names[$0].name } == ["_a", "_b", "_c"])
    #expect([first.sameCount, first.differentCount, first.unknownCount] == [2, 1, 0] && first.differs)
    #expect(first.members.map(\.names) == [["x.o", "x.o"], ["y.o", "y.o"]])
    #expect(first.members.map(\.comparison) == [.different, .same] && first.members.map(\.count) == [2, 1])
    #expect(
      groups.map { $0.names.map { names[$0].name } } == [
        ["_a", "_b", "_c"], ["_f", "_g"], ["_h", "_i"], ["_e"], ["_d"],
      ])
    #expect(groups.map(\.artifacts) == [[0, 1], [0, 1], [0, 1], [0, 1, 2], [0, 2]])
  }

  @Test func nothing() {
    #expect(SharedOrigin.groups([]).isEmpty)
    #expect(SharedOrigin.groups([name("_a", [], .same)]).count == 1)
  }
}
