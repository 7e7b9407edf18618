package import Artifacts
package import Findings

/// No code changes methods of other classes while the app runs.
package enum Swizzling: CodeRule {
  package static let id: RuleID = "swizzling"
  package static let parameters = [
    RuleParameter(name: "functions", kind: .list, summary: "the functions that do so, as C spells them")
  ]

  /// The functions of the Objective-C runtime (`objc/runtime.h`) that change an existing method.
  private static let functions = ["method_exchangeImplementations", "method_setImplementation", "class_replaceMethod"]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let names = Set((judging.lists["functions"] ?? functions).map { "_" + $0 })
    return inventory.unresolved(names.contains).map { call in
      finding(
        judging, "\(call.item.lastPart) calls \(call.text.dropFirst()), which changes methods at run time",
        about: [call.text], at: call, in: inventory,
        hint: "override the method in a class of your own, or add one by a category; of a library that is not yours, "
          + "ask its vendor for a build without")
    }
  }
}

/// No symbol that is known as private to Apple: the App Store refuses such apps (ITMS-90338).
package enum PrivateAPI: CodeRule {
  package static let id: RuleID = "private-api"
  package static let parameters = [
    RuleParameter(
      name: "names", kind: .list,
      summary: "classes, and functions with the underscore of nm; a * at the end stands for any rest")
  ]

  package static func check(_ inventory: Inventory, _ judging: Judging) throws(CannotJudge) -> [Finding] {
    let names = NamePatterns(try judging.list("names", or: "no names are listed"))
    return inventory.unresolved { names.contains($0.classOfSymbol ?? $0) }.map { use in
      finding(
        judging, "\(use.item.lastPart) uses \(use.shown), which is Apple's own",
        about: [use.shown], at: use, in: inventory,
        hint: "use what Apple documents: the App Store refuses the rest (ITMS-90338)")
    }
  }
}

/// No Swift for a host that does not take it, because its apps have no runtime for it or cannot link it.
package enum SwiftCode: CodeRule {
  package static let id: RuleID = "swift-code"

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    inventory.code.compactMap { item, names in
      guard let slice = names.slices.first(where: { $0.swift != nil }), let swift = slice.swift else { return nil }
      let file = inventory.site(item)
      return finding(
        judging, "\(item.lastPart) has code that was written in Swift",
        at: slice.member(swift).map(file.inside) ?? file,
        hint: "ask the host whether its apps carry Swift's libraries, or write it in Objective-C; "
          + "'rules: {swift-code: off}' says that they do"
      ).identified(by: [item.name])
    }
  }
}
