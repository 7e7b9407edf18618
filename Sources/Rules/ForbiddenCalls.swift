package import Artifacts
package import Findings

/// No code changes what methods of other classes do while the app runs.
package enum Swizzling: Rule {
  package static let entry = RuleEntry(
    "swizzling", .error, "no call that exchanges or replaces methods at run time")
  package static let isOfHosts = true
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [CodeNames.self]
  package static let parameters = [
    RuleParameter(name: "functions", kind: .list, summary: "the functions that do so, as C spells them")
  ]

  /// Of the Objective-C runtime (`objc/runtime.h`), those that change a method that is there.
  private static let functions = ["method_exchangeImplementations", "method_setImplementation", "class_replaceMethod"]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let names = Set((judging.lists["functions"] ?? functions).map { "_" + $0 })
    return inventory.unresolved(names.contains).map { call in
      finding(
        judging, "\(call.item.lastPart) calls \(call.text.dropFirst()), which changes methods at run time",
        about: [call.text], at: call.site(in: inventory),
        hint: "override the method in a class of your own, or add one by a category; of a library that is not yours, "
          + "ask its vendor for a build without"
      ).identified(by: [call.item.name])
    }
  }
}

/// No symbol that is known to be Apple's own: the App Store refuses such apps (ITMS-90338).
package enum PrivateAPI: Rule {
  package static let entry = RuleEntry("private-api", .note, "no symbol that the App Store is known to refuse")
  package static let isOfHosts = true
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [CodeNames.self]
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
        about: [use.shown], at: use.site(in: inventory),
        hint: "use what Apple documents: the App Store refuses the rest (ITMS-90338)"
      ).identified(by: [use.item.name])
    }
  }
}

/// Swift where the host does not take it: it has no runtime for it, or cannot link it.
package enum SwiftCode: Rule {
  package static let entry = RuleEntry("swift-code", .warning, "Swift code only where the host takes it")
  package static let isOfHosts = true
  package static let kinds: Set<ArtifactKind>? = .apple
  package static let facts: [any Facts.Type] = [CodeNames.self]

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

extension Optional where Wrapped == Set<ArtifactKind> {
  /// What holds code for iOS, and folders and archives that may.
  static var apple: Set<ArtifactKind>? { [.iosZip, .appExtension, .tree, .archive] }
}

extension Swizzling {
  package static let explanation = RuleExplanation(
    why: """
      A method that is exchanged is exchanged for the whole app: calls of the host and of other plugins go
      through the plugin's code, too. Two plugins that exchange the same one depend on which is loaded
      first, and a new iOS that changes it breaks them on devices. No tool says so. The host prohibits it.
      """,
    bad: """
      Class c = [UIViewController class];
      method_exchangeImplementations(
          class_getInstanceMethod(c, @selector(viewDidAppear:)),
          class_getInstanceMethod(c, @selector(rc_viewDidAppear:)));
      """,
    good: """
      @implementation RCLoginViewController
      - (void)viewDidAppear:(BOOL)animated {
        [super viewDidAppear:animated];
        [self countLogin];
      }
      @end
      """,
    mend: """
      Override the method in a class of your own, or use a delegate or a notification. Of a library that
      is not yours, ask its vendor for a build without. If the host has agreed to it:
      `rules: {swizzling: off}`.
      """)
}

extension PrivateAPI {
  package static let explanation = RuleExplanation(
    why: """
      The App Store reads the names of the classes and functions that an app uses, and refuses those that
      Apple does not document: ITMS-90338, guideline 2.5.1. The letter goes to the vendor of the app. Such
      names may also be gone in the next iOS.
      """,
    bad: """
      CGImageRef image = UIGetScreenImage();
      """,
    good: """
      UIGraphicsBeginImageContext(view.bounds.size);
      [view drawViewHierarchyInRect:view.bounds afterScreenUpdates:NO];
      UIImage *image = UIGraphicsGetImageFromCurrentImageContext();
      UIGraphicsEndImageContext();
      """,
    mend: """
      Use what Apple documents. Of a library that is not yours, ask its vendor for a build without. If the
      name is somebody's own and only looks like Apple's: `rules: {private-api: off}`.
      """)
}

extension SwiftCode {
  package static let explanation = RuleExplanation(
    why: """
      Code of Swift asks the app for Swift's libraries. An app without Swift is not linked for them:
      `Could not find or use auto-linked library 'swiftCore'`, then undefined symbols as
      `__swift_FORCE_LOAD_$_…`. Before iOS 12.2 the app has to carry these libraries, too. Of
      MobileSmith's documents one table lists Swift, and an older text excludes it: Xcode 6 makes no
      static libraries of it.
      """,
    bad: """
      // Login.swift, compiled into libRallyConnector.a
      public class Login: UIViewController {}
      """,
    good: """
      // RCLoginViewController.m, compiled into libRallyConnector.a
      @implementation RCLoginViewController
      @end
      """,
    mend: """
      Ask the host whether its apps are linked for Swift, and with which version. If they are:
      `rules: {swift-code: off}`. If not, write it in Objective-C; of a library that is not yours, take a
      version in Objective-C, or ask its vendor.
      """)
}
