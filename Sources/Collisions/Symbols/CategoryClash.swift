package import Findings
import Linking

/// A method of a category that its class, or another category, has too. Which one is called is decided at launch.
package enum CategoryClash: CollisionRule {
  package static let id: RuleID = "category-clash"
  package static let noun = (one: "method in categories", many: "methods in categories")

  package static func outcome(_ collision: Collision) -> String? {
    collision.verdict == .silent ? "which of them is called is decided when the app starts" : nil
  }

  package static func text(_ collision: Collision) -> (message: String, notes: [String], hint: String) {
    let name = collision.name.text
    let what =
      collision.sites.first?.kind == .objcClass
      ? "a category replaces \(name), which the class has itself"
      : "two categories define \(name), and one of them is called in place of both"
    return (
      "\(what): \(collision.verdict == .warning ? "the linker warns" : "no linker says so")", [],
      "leave one of the plugins out, or ask a vendor to give the method a prefix of its own"
    )
  }

  static func collisions(in searched: SearchedLink) -> [Collision] {
    let said = searched.link.verdict.categoryClashes
    let names = Set(said.map { [$0.className, $0.method] })
    // Unreadable metadata has already been reported, or does not concern this linker.
    let all = (try? CategoryClashes.anyhow(searched.link.symbols)) ?? []
    let silent = all.filter { !names.contains([$0.className, $0.method]) }
    return said.map { collision($0, .warning, searched) } + silent.map { collision($0, .silent, searched) }
  }

  private static func collision(
    _ clash: LinkVerdict.CategoryClash, _ verdict: Collision.Verdict, _ searched: SearchedLink
  ) -> Collision {
    let sites = [
      searched.site(clash.otherPlace, clash.other == .objcClass ? .objcClass : .category),
      searched.site(clash.category, .category),
    ]
    let name = "\(clash.method.prefix(1))[\(clash.className) \(clash.method.dropFirst())]"
    return Collision(id, verdict, searched.slice, name, sites)
  }
}
