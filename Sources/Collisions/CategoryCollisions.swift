package import Findings
import Linking

/// `category-clash`: a method that a category defines and that the class, or another category of it, has too. Which one is
/// called is decided when the app starts, whether or not the linker warns.
package enum CategoryCollisions {
  package static func findings(
    _ search: CollisionSearch, slice: String, place: (String) -> Place
  ) -> [CollisionFinding] {
    search.verdict.categoryClashes.map { finding($0, .warning, slice, place) }
      + search.silentCategoryClashes.map { finding($0, .silent, slice, place) }
  }

  private static func finding(
    _ clash: LinkVerdict.CategoryClash, _ verdict: CollisionFinding.Verdict, _ slice: String,
    _ place: (String) -> Place
  ) -> CollisionFinding {
    let kind = clash.other == .objcClass ? "class" : "category"
    let sites = [(clash.otherPlace, kind), (clash.category, "category")].map { other, kind in
      CollisionFinding.Site(artifact: place(other.file), member: other.member, kind: kind)
    }
    let sign = clash.method.prefix(1)
    let name = "\(sign)[\(clash.className) \(clash.method.dropFirst())]"
    let what =
      clash.other == .objcClass
      ? "a category replaces \(name), which the class has itself"
      : "two categories define \(name), and one of them is called in place of both"
    return CollisionFinding(
      "category-clash", verdict, slice: slice, name: name, sites: sites,
      message: "\(what): \(verdict == .warning ? "the linker warns" : "no linker says so")",
      hint: "leave one of the plugins out, or ask a vendor to give the method a prefix of its own")
  }
}
