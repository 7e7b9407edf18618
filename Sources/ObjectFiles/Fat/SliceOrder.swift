/// llvm-lipo's order of the slices in a universal library.
///
/// Its comparison is no order in the strict sense (static archives for armv7s and i386 are equal, so are i386 and
/// armv7, yet armv7 comes before armv7s), so the result depends on the sorting algorithm, and equal bytes need the
/// same one: a stable merge sort of two halves, each by insertion in runs of seven that are then merged; the two
/// halves are merged from the back where the first one is longer. (It is `std::stable_sort` of libstdc++, with which
/// llvm-lipo is built on Linux; checked on thousands of random mixtures.)
enum SliceOrder {
  static func sorted<T>(_ items: [T], _ slice: (T) -> FatFile.Slice) -> [T] {
    func isBefore(_ a: T, _ b: T) -> Bool { precedes(slice(a), slice(b)) }
    let middle = (items.count + 1) / 2
    let first = half(items[..<middle], isBefore)
    let second = half(items[middle...], isBefore)
    if first.count <= second.count { return merged(first, second, isBefore) }
    // From the back: the same merge of the reversed halves, under the reversed comparison.
    return merged(second.reversed(), first.reversed()) { isBefore($1, $0) }.reversed()
  }

  private static func precedes(_ a: FatFile.Slice, _ b: FatFile.Slice) -> Bool {
    if a.architecture.cpu == b.architecture.cpu { return a.rawSubtype < b.rawSubtype }
    if a.architecture.cpu == .arm64 { return false }
    if b.architecture.cpu == .arm64 { return true }
    return a.alignment < b.alignment
  }

  private static func half<T>(_ items: ArraySlice<T>, _ isBefore: (T, T) -> Bool) -> [T] {
    var runs = stride(from: items.startIndex, to: items.endIndex, by: 7).map { start in
      inserted(items[start..<min(start + 7, items.endIndex)], isBefore)
    }
    while runs.count > 1 {
      runs = stride(from: 0, to: runs.count, by: 2).map { index in
        index + 1 < runs.count ? merged(runs[index], runs[index + 1], isBefore) : runs[index]
      }
    }
    return runs.first ?? []
  }

  private static func inserted<T>(_ items: ArraySlice<T>, _ isBefore: (T, T) -> Bool) -> [T] {
    var result: [T] = []
    for item in items {
      // An item that precedes the first goes to the front, whatever stands between.
      if let first = result.first, isBefore(item, first) {
        result.insert(item, at: 0)
      } else {
        let place = result.lastIndex { !isBefore(item, $0) }.map { $0 + 1 } ?? 0
        result.insert(item, at: place)
      }
    }
    return result
  }

  private static func merged<T>(_ first: [T], _ second: [T], _ isBefore: (T, T) -> Bool) -> [T] {
    var result: [T] = []
    var (a, b) = (first[...], second[...])
    while let left = a.first, let right = b.first {
      if isBefore(right, left) {
        result.append(b.removeFirst())
      } else {
        result.append(a.removeFirst())
      }
    }
    return result + a + b
  }
}
