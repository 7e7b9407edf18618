package import Findings

/// `category-clash`: a method that a category defines and that the class, or another category of it, has too.
package enum CategoryCollisions {
  package static func findings(
    _ verdict: LinkVerdict, slice: String, place: (String) -> Place
  ) -> [CollisionFinding] {
    verdict.categoryClashes.map { clash in
      let kind = clash.other == .objcClass ? "class" : "category"
      let sites = [(clash.otherPlace, kind), (clash.category, "category")].map { other, kind in
        CollisionFinding.Site(artifact: place(other.file), member: other.member, kind: kind)
      }
      let sign = clash.method.prefix(1)
      let name = "\(sign)[\(clash.className) \(clash.method.dropFirst())]"
      return CollisionFinding(
        "category-clash", .warning, slice: slice, name: name, sites: sites,
        message: clash.other == .objcClass
          ? "a category replaces \(name), which the class has itself" : "two categories define \(name): either may win",
        hint: "give the method a prefix of the plugin's own")
    }
  }
}
