/// Does pieces of work in parallel (nil: as many at once as there are processors) and passes the results on in the
/// order of the pieces. At most `ahead` results for each piece at once wait for their turn, however long one takes.
package func inOrder<Result: Sendable>(
  _ count: Int, atOnce: Int? = nil, ahead: Int = 2, _ work: @escaping @Sendable (Int) async throws -> Result,
  _ take: (Result) throws -> Void
) async throws {
  let atOnce = min(atOnce ?? HostProcess.processors, count)
  guard atOnce > 1 else {
    for index in 0..<count { try await take(work(index)) }
    return
  }
  try await withThrowingTaskGroup(of: (Int, Result).self) { group in
    var waiting: [Int: Result] = [:]
    var begun = 0
    var taken = 0
    while taken < count {
      while begun < count, begun - taken < ahead * atOnce {
        let index = begun
        group.addTask { (index, try await work(index)) }
        begun += 1
      }
      guard let (index, result) = try await group.next() else { return }
      waiting[index] = result
      while let result = waiting.removeValue(forKey: taken) {
        try take(result)
        taken += 1
      }
    }
  }
}

/// Does work that waits, for the network or the disk, or takes long, some pieces at a time, and passes the results on as
/// they come. The first result that `take` refuses cancels the others; returns whether all were taken.
package func someAtOnce<Item: Sendable, Result: Sendable>(
  _ items: [Item], atOnce: Int, _ work: @escaping @Sendable (Item) async throws -> Result, _ take: (Result) -> Bool
) async throws -> Bool {
  var queue = items[...]
  return try await withThrowingTaskGroup(of: Result.self) { group in
    for item in queue.prefix(atOnce) { group.addTask { try await work(item) } }
    queue = queue.dropFirst(atOnce)
    while let result = try await group.next() {
      guard take(result) else {
        group.cancelAll()
        return false
      }
      if let item = queue.popFirst() { group.addTask { try await work(item) } }
    }
    return true
  }
}

/// The same as `inOrder` for small pieces of work; each task gets `size` items.
package func inParts<Item: Sendable, Result: Sendable>(
  _ items: [Item], of size: Int, ahead: Int = 2, _ work: @escaping @Sendable (ArraySlice<Item>) throws -> Result,
  _ take: (Result) throws -> Void
) async throws {
  try await inOrder(
    (items.count + size - 1) / size, ahead: ahead, { try work(items[($0 * size)..<min(items.count, ($0 + 1) * size)]) },
    take)
}
