import Foundation
import SystemPackage
import TestSupport
import Testing

/// `--trace`: a file that Chrome's trace viewer and Perfetto read.
@Suite struct TraceTests {
  /// By a program of Python's: each event complete, those of one lane nest or follow one another, what the packaging does
  /// lies in its step, and there are no more lanes than work goes on at once.
  @Test(.timeLimit(.minutes(20)), arguments: [1, 4]) func eventsNest(_ jobs: Int) async throws {
    let scratch = Scratch()
    let commands = (0..<6).map { "  c\($0): { run: [cp, in, build/c\($0)], inputs: [in], outputs: [build/c\($0)] }\n" }
    try scratch.write(
      "p/npi.yml",
      """
      name: Demo
      version: 1.0
      rules: { missing-library: off, empty-deliverable: off }
      steps:
      \(commands.joined())deliverables:
        ios: { kind: ios-zip, items: [build/c0, build/c1] }
        android: { kind: aar, manifest: AndroidManifest.xml, assets: assets }
      """)
    try scratch.write("p/in", "1\n")
    try scratch.write("p/assets/a.txt", String(repeating: "text ", count: 100_000))
    try scratch.write(
      "p/AndroidManifest.xml",
      "<manifest xmlns:android=\"http://schemas.android.com/apk/res/android\" package=\"com.example.demo\"/>\n")
    let words = [Scenario.binary.string, "-j", "\(jobs)", "--trace", scratch("trace.json").string]
    // Twice: with all there is to do, and with nothing.
    for expected in ["all", "nothing"] {
      let targets = expected == "all" ? (0..<6).map { "c\($0)" } + ["ios", "android", "release-record"] : []
      let printed = try await Tool.check(words + targets, in: scratch("p"))
      if expected == "nothing" { #expect(printed == "npi-pack: nothing to do\n") }
      let checked = try await Tool.check(["python3", "-c", program, scratch("trace.json").string, expected, "\(jobs)"])
      #expect(checked == "well\n")
    }
  }

  /// What the build has to say is said, whatever becomes of the trace; and no file of the user's is lost to it.
  @Test func whatCannotBeWritten() async throws {
    let scratch = Scratch()
    let manifest = "name: Demo\nversion: 1.0\ndeliverables: { ios: { kind: ios-zip, items: [npi.yml] } }\n"
    try scratch.write("p/npi.yml", manifest)
    func build(_ file: String) async throws -> (status: Int32, out: String, err: String) {
      let result = try await Tool.run([Scenario.binary.string, "ios", "--trace", file], in: scratch("p"))
      return (result.status, result.out, result.err)
    }
    // Found out before anything runs.
    for (file, reason) in [("npi.yml", "it is there, and is no trace"), (".", "it is a folder")] {
      let result = try await build(file)
      #expect(result == (2, "", "npi-pack: error: cannot write \(file): \(reason)\n  hint: \(hint(file))\n"))
    }
    #expect(try scratch.text("p/npi.yml") == manifest)
    // Found out afterwards.
    let late = try await build("npi.yml/trace.json")
    #expect(late.status == 2)
    #expect(late.out.contains("error[missing-library]"))
    #expect(late.err.contains("npi-pack: error: cannot make the folder npi.yml: "))
    // A trace, and an empty file, are replaced.
    try scratch.write("p/trace.json", "")
    for _ in 0..<2 { #expect(try await build("trace.json").status == 1) }
    #expect(try scratch.text("p/trace.json").hasPrefix("{\"displayTimeUnit\""))
  }

  private func hint(_ file: String) -> String { file == "." ? "name a file in it" : "name a new file" }

  private let program = """
    import json, sys
    trace = json.load(open(sys.argv[1]))
    events = [event for event in trace["traceEvents"] if event["ph"] == "X"]
    named = {event["tid"] for event in trace["traceEvents"] if event["ph"] == "M" and event["name"] == "thread_name"}
    lanes = {}
    for event in events:
        assert isinstance(event["ts"], int) and isinstance(event["dur"], int), event
        assert event["ts"] >= 0 and event["dur"] >= 0 and event["pid"] == 1 and event["cat"], event
        lanes.setdefault(event["tid"], []).append(event)
    assert set(lanes) <= named, named
    inside = {}
    for lane in lanes.values():
        open = []
        for event in sorted(lane, key=lambda event: (event["ts"], -event["dur"])):
            while open and open[-1]["ts"] + open[-1]["dur"] <= event["ts"] and event["dur"] + open[-1]["dur"] > 0:
                open.pop()
            if open:
                assert event["ts"] + event["dur"] <= open[-1]["ts"] + open[-1]["dur"], (open[-1], event)
                inside.setdefault(open[-1]["name"], []).append(event["name"])
            open.append(event)
    steps = {event["name"]: event for event in events if event["cat"] == "step"}
    looked = {event["name"] for event in events if event["cat"] == "hash"}
    if sys.argv[2] == "all":
        assert set(steps) == {"c%d" % n for n in range(6)} | {"ios", "android", "release-record"}, steps
        assert {"compress", "read back", "check rules"} <= set(inside["ios"]), inside
        assert {"compress", "read back", "check rules"} <= set(inside["android"]), inside
        assert steps["ios"]["args"] == {"summary": "ios-zip Demo-1.0-ios.zip", "reason": "it has not been built yet"}
        edges = [(step["ts"], 1) for step in steps.values()]
        edges += [(step["ts"] + step["dur"], -1) for step in steps.values()]
        running = most = 0
        for _, change in sorted(edges): running += change; most = max(most, running)
        # A microsecond is cut off at both ends, and a turn may be given on before the step has said that it is done.
        assert most <= 2 * int(sys.argv[3]) + 1, most
    else:
        assert not steps, steps
    assert "look at ios" in looked, looked
    print("well")
    """
}
