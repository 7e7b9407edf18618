import Foundation
import SystemPackage
import TestSupport
import Testing

/// Each thing that the hosts of the documents ask for has something that fails for it and something that passes: what
/// fails is recorded word for word by `ExamplesTests` and the scenarios; what passes is an example, whose recipe asks for it.
@Suite struct OtherHostRowsTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let asked: String
    let rule: String
    /// A scenario, or what an example's broken twin is told.
    let failing: String
    /// A part of a line of it.
    let said: String
    let passing: String
    let testDescription: String

    init(_ asked: String, _ rule: String, _ failing: String, _ said: String, _ passing: String) {
      (self.asked, self.rule, self.failing, self.said, self.passing) = (asked, rule, failing, said, passing)
      testDescription = asked
    }
  }

  private static let points = "lint/Scenarios/app-extension-fine-points.txt"
  private static let (today, share) = ("build/Broken/TodayNews.txt", "build/Broken/ShareNote.txt")
  private static let (accounts, app) = ("build/Broken/Accounts.txt", "build/Broken/HubApp.txt")
  private static let (web, webMistakes) = ("build/Broken/Showtime.txt", "lint/Scenarios/web-templates-mistakes.txt")

  static let extensions = [
    Row(
      "a known extension point", "extension-info", share, "the extension point 'com.apple.share-service' is",
      "ShareNote"),
    Row("a class or a storyboard", "extension-info", points, "neither NSExtensionPrincipalClass nor", "ShareNote"),
    Row("never both", "extension-info", today, "there are both NSExtensionPrincipalClass and", "TodayNews"),
    Row("by the point's own rule", "extension-info", points, "is started by a class, not by a storyboard", "TodayNews"),
    Row("only Today opens URLs", "extension-unsafe-api", share, "-[NSExtensionContext openURL:completion", "TodayNews"),
    Row("no time in the background", "extension-info", today, "it has UIBackgroundModes", "TodayNews"),
    Row("no background tasks", "extension-unsafe-api", points, "uses -[UIApplication beginBackgroundTask", "ShareNote"),
    Row(
      "the class is in the binary", "extension-info", today, "does not define the class TodayController", "ShareNote"),
    Row("no shared application", "extension-unsafe-api", today, "uses +[UIApplication sharedApplication]", "TodayNews"),
    Row("no HealthKit in iOS 8", "extension-unsafe-api", points, "uses HKHealthStore", "ShareNote"),
    Row("no EventKit UI in iOS 8", "extension-unsafe-api", points, "uses EKEventViewController", "ShareNote"),
    Row("no microphone", "extension-unsafe-api", points, "uses AVAudioRecorder", "ShareNote"),
    Row("no camera", "extension-unsafe-api", share, "uses AVCaptureSession", "ShareNote"),
    Row("nothing from AirDrop", "extension-info", share, "it has CFBundleDocumentTypes", "ShareNote"),
    Row("static code", "extension-unsafe-api", points, "libKit.a uses +[UIApplication", "TodayNews"),
    Row("MH_APP_EXTENSION_SAFE", "extension-unsafe-api", points, "was not linked for app extensions", "TodayNews"),
    Row("no frameworks inside", "embedded-framework", today, "has 'Frameworks' in itself", "TodayNews"),
    Row("no SharedFrameworks", "embedded-framework", points, "'SharedFrameworks' is no place", "TodayNews"),
    Row("a 64-bit slice", "missing-architecture", points, "libOld.a has no code for arm64", "ShareNote"),
    Row("universal", "extension-info", today, "UIDeviceFamily has no 2", "ShareNote"),
    Row("below the app's identifier", "extension-info", today, "does not begin with that of its app", "TodayNews"),
    Row("one App Group", "app-group", today, "have no App Group in common", "TodayNews"),
    Row("a container for downloads", "app-group", share, "a background session without a shared", "ShareNote"),
    Row("worklight.plist", "required-resources", today, "has no 'worklight.plist' among its own", "TodayNews"),
    Row("a registered scheme", "url-scheme", today, "opens 'startr://', which its app has not", "TodayNews"),
    Row("the native library", "required-resources", today, "is not linked with the library of WLClient", "TodayNews"),
  ]

  static let messages = [
    Row("a policy that is valid", "policy-file", "lint/Scenarios/policy-lint.txt", "[policy-file]", "Accounts"),
    Row("the app's own is not released", "app-plugin-released", app, "is the app's own plugin", "HubApp"),
    Row("every message has a receiver", "unhandled-message", accounts, "nobody receives the command", "HubApp"),
    Row("one handler", "duplicate-handler", accounts, "has 2 handlers", "Accounts"),
    Row("everybody has a policy", "missing-policy", "check/Scenarios/check-messages.txt", "[missing-policy]", "HubApp"),
    Row("the class is in the binary", "entry-class", accounts, "defines the class AccountPlugin", "Accounts"),
    Row("one configuration of all", "", "build/Scenarios/plugins-config.txt", "error: ", "HubApp"),
  ]

  static let templates = [
    Row("numbers of contents", "bucket-manifest", webMistakes, "[bucket-manifest]", "Showtime"),
    Row("known routes", "unknown-route", web, "the app has no route 'show/view'", "Showtime"),
    Row("assets that are there", "missing-asset", web, "images/logo.png is not in the bucket", "Showtime"),
    Row("names safe on devices", "unsafe-file-name", web, "has a '%'", "Showtime"),
  ]

  @Test(arguments: extensions + messages + templates) func `fails and passes`(_ row: Row) async throws {
    let folder = FilePath(#filePath).removingLastComponent().removingLastComponent()
    let said = try String(contentsOfFile: folder.pushing(FilePath(row.failing)).string, encoding: .utf8)
    let lines = said.split(separator: "\n").filter { $0.contains(row.said) }
    #expect(!lines.isEmpty)
    let levels = ["error", "warning"].map { "\($0)[\(row.rule)]: " }
    #expect(row.rule.isEmpty || lines.contains { line in levels.contains(where: line.hasPrefix) })
    // What passes is asked the same by its host, or by `check`, which asks always.
    let example = ExamplePlugin.folder.removingLastComponent().appending(row.passing)
    let manifest = try String(contentsOfFile: example.appending("npi.yml").string, encoding: .utf8)
    let host = try #require(manifest.split(separator: "\n").first { $0.hasPrefix("extends: ") }).dropFirst(
      "extends: ".count)
    let ofCheck = ["unhandled-message", "duplicate-handler", "missing-policy", "entry-class", ""]
    if ofCheck.contains(row.rule) { return }
    var (asked, next) = ("", Optional(String(host)))
    while let name = next {
      let recipe = try await Tool.check([Scenario.binary.string, "recipes", "show", name])
      asked += recipe
      next = recipe.split(separator: "\n").first { $0.hasPrefix("extends: ") }.map {
        String($0.dropFirst("extends: ".count))
      }
    }
    #expect(asked.contains("  \(row.rule):"))
  }
}
