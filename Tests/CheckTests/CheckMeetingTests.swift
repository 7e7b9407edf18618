import Artifacts
import Findings
import Linking
import Testing

@testable import Check
@testable import Collisions

/// What is said when there was little to compare, and the table of what was compared.
@Suite struct CheckMeetingTests {
  private static func plugin(_ name: String, _ slices: [Slice], mistakes: [Mistake] = []) -> PluginFacts {
    PluginFacts(
      name: PluginName(path: "\(name).zip", shown: name, stable: name), slices: slices, codeCount: slices.count,
      mistakes: mistakes)
  }

  /// A party for each plugin.
  private static func context(_ plugins: [PluginFacts]) -> CheckContext {
    let parties = plugins.enumerated().map { number, plugin in
      MessageParty(
        name: plugin.name.shown, version: "1.\(number)", place: Place(plugin.name.path), isApp: false,
        plugins: [PluginID(number)], policies: [])
    }
    return CheckContext(plugins: plugins, parties: parties)
  }

  private static let phone = Slice(platform: "ios", architecture: "arm64")
  private static let simulator = Slice(platform: "ios", architecture: "arm64", variant: "simulator")
  private static let unnamed = Slice(platform: nil, architecture: "arm64")

  @Test func pluginsWithoutCodeAreAMistake() {
    let nothing = CheckMeeting(Self.context([Self.plugin("One", []), Self.plugin("Two", [])]))
    #expect(nothing.mistake?.message == "nothing was there to check: there is no code in One.zip, Two.zip")
    let something = CheckMeeting(Self.context([Self.plugin("One", []), Self.plugin("Two", [Self.phone])]))
    #expect(something.mistake == nil)
    // One of them alone has nobody to meet.
    #expect(something.note == nil)
  }

  @Test func pluginsThatDoNotMeetAreNoted() throws {
    let apart = CheckMeeting(Self.context([Self.plugin("One", [Self.phone]), Self.plugin("Two", [Self.simulator])]))
    let note = try #require(apart.note)
    #expect(note.hasPrefix("nothing was compared: no common slice: "))
    #expect(note.contains("One.zip has ios-arm64") && note.contains("Two.zip has ios-arm64-simulator"))
  }

  /// Code that does not say its platform goes with every platform.
  @Test(arguments: [phone, unnamed]) func pluginsThatMeetAreNotNoted(_ slice: Slice) {
    let meeting = CheckMeeting(Self.context([Self.plugin("One", [Self.phone]), Self.plugin("Two", [slice])]))
    #expect(meeting.note == nil && meeting.mistake == nil)
  }

  @Test func theTableSaysWhatEachPluginHas() {
    let unread = Mistake("libX.a is cut off")
    let context = Self.context([
      Self.plugin("One", [Self.simulator, Self.phone]), Self.plugin("Two", [], mistakes: [unread]),
    ])
    let rows = context.compared
    #expect(rows.map(\.name) == ["One", "Two"])
    #expect(rows.map(\.version) == ["1.0", "1.1"])
    #expect(rows.map(\.path) == ["One.zip", "Two.zip"])
    #expect(rows.map(\.slices) == [["ios-arm64", "ios-arm64-simulator"], []])
    #expect(rows.map(\.code) == [["2 files with native code"], []])
    #expect(rows.map(\.unread) == [[], ["libX.a is cut off"]])
    #expect(context.withoutCode == ["there is no code in Two.zip: nothing of it was checked"])
  }
}
