/// The first index below `count` for which a condition holds, or `count`: it holds for all that follow, too.
package func sortedIndex<Failure: Error>(
  below count: Int, where holds: (Int) throws(Failure) -> Bool
) throws(Failure) -> Int {
  var (low, high) = (0, count)
  while low < high {
    let middle = (low + high) / 2
    if try holds(middle) { high = middle } else { low = middle + 1 }
  }
  return low
}
