import Store
import Testing

@testable import Check

/// Which plugins share names.
@Suite struct AdjacencyMatrixTests {
  private static var sample: AdjacencyMatrix {
    var matrix = AdjacencyMatrix(count: 130)
    matrix.relate([1, 64, 129])
    matrix.relate([64, 2])
    matrix.relate(toItself: 7)
    return matrix
  }

  private static func pairs(_ matrix: AdjacencyMatrix) -> [[Int]] {
    (0..<matrix.count).flatMap { a in (a..<matrix.count).filter { matrix.has(a, $0) }.map { [a, $0] } }
  }

  @Test func itHoldsWhoWasRelatedToWhom() {
    #expect(Self.pairs(Self.sample) == [[1, 64], [1, 129], [2, 64], [7, 7], [64, 129]])
    #expect(Self.sample.plugins == [1, 2, 7, 64, 129])
    for (a, b) in [(64, 1), (129, 64), (64, 2)] { #expect(Self.sample.has(a, b)) }
  }

  /// Who shares a name with itself does so still when it shares one with another.
  @Test func relatingToItselfStays() {
    var matrix = Self.sample
    matrix.relate([7, 8])
    #expect(matrix.has(7, 7) && matrix.has(7, 8) && !matrix.has(8, 8))
  }

  @Test func withoutAPluginNobodyIsRelatedToIt() {
    let left = Self.sample.without([64, 7])
    #expect(Self.pairs(left) == [[1, 129]])
    #expect(left.plugins == [1, 129])
  }

  @Test func unionsHaveBoth() {
    var other = AdjacencyMatrix(count: 130)
    other.relate([0, 1])
    other.formUnion(Self.sample)
    #expect(Self.pairs(other) == [[0, 1]] + Self.pairs(Self.sample))
  }

  @Test func aRecordIsReadBackAndOneOfOtherPluginsIsNone() {
    var writer = RecordWriter()
    Self.sample.write(to: &writer)
    func read(_ bytes: ArraySlice<UInt8>, _ count: Int) -> AdjacencyMatrix? {
      var reader = RecordReader(bytes)
      return AdjacencyMatrix(&reader, count: count)
    }
    #expect(read(writer.bytes[...], 130) == Self.sample)
    #expect(read(writer.bytes[...], 100) == nil)
    for length in writer.bytes.indices { #expect(read(writer.bytes.prefix(length), 130) == nil) }
  }
}
