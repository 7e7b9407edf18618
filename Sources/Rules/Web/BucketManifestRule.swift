package import Artifacts
package import Findings

/// `manifest.mf` lists every file of its bucket, nothing else, each with the number of its content.
package enum BucketManifestRule: Rule {
  package static let id: RuleID = "bucket-manifest"
  package static let kinds: Set<ArtifactKind>? = [.webTemplates]
  package static let facts: [any Facts.Type] = [BucketManifest.self, AssetVersion.self]

  package static func check(_ inventory: Inventory, _ judging: Judging) -> [Finding] {
    let (buckets, others) = inventory.buckets
    if buckets.isEmpty {
      return [
        finding(
          judging, "there is no manifest.mf: no app knows what to fetch", at: inventory.place,
          hint: "a deliverable of the kind 'web-templates' writes it")
      ]
    }
    let stray = others.map {
      finding(
        judging, "\($0.lastPart) is in no bucket", at: inventory.site($0),
        hint: "put it into the folder of a version, beside manifest.mf")
    }
    return stray + buckets.flatMap { check($0, inventory, judging) }
  }

  private static func check(_ bucket: Bucket, _ inventory: Inventory, _ judging: Judging) -> [Finding] {
    guard let manifest = bucket.manifest else { return [] }
    let site = inventory.site(manifest)
    guard let entries = manifest.facts(BucketManifest.self)?.entries else {
      // A file that could not be unpacked is a mistake already.
      return manifest.damage.map { [finding(judging, "manifest.mf cannot be read: \($0)", at: site)] } ?? []
    }
    let listed = Set(entries.map(\.path))
    let notListed = bucket.files.filter { !listed.contains(bucket.path($0)) }.map { item in
      finding(
        judging, "\(item.lastPart) is in the bucket and not listed", at: inventory.site(item),
        hint: "no app fetches it: make the manifest anew, or take the file out")
    }
    return check(entries, of: bucket, at: site, judging) + notListed
  }

  private static func check(
    _ entries: [BucketManifest.Entry], of bucket: Bucket, at site: Place, _ judging: Judging
  ) -> [Finding] {
    var findings: [Finding] = []
    var listed: [[UInt8]: BucketManifest.Entry] = [:]
    let files = Dictionary(bucket.files.map { (bucket.path($0), $0) }, uniquingKeysWith: { first, _ in first })
    var wrong: [Finding] = []
    var right = 0
    for entry in entries {
      var place = site
      place.position = TextPosition(line: entry.line, column: 1, text: "")
      let name = String(decoding: entry.path, as: UTF8.self)
      func add(_ what: String, _ message: String, _ hint: String) {
        findings.append(finding(judging, message, about: ["\(name) \(what)"], at: place, hint: hint))
      }
      if let other = listed.updateValue(entry, forKey: entry.path) {
        add("twice", "\(name) is listed twice", "the other entry is on line \(other.line): keep one")
      }
      guard let file = files[entry.path] else {
        add(
          "missing", "\(name) is listed and not in the bucket",
          "an app asks for it each time and gets an error: take it out of the list")
        continue
      }
      guard let version = entry.version, !version.isEmpty, version.utf8.allSatisfy({ (0x30...0x39).contains($0) })
      else {
        add(
          "unnumbered", "\(name) has no number", "write it as \(name)?NUMBER: an app cannot tell whether it has changed"
        )
        continue
      }
      guard let own = file.facts(AssetVersion.self)?.number else { continue }
      if own == version {
        right += 1
      } else {
        wrong.append(
          finding(
            judging, "\(name) has a number that is not that of its content", about: ["\(name) number"], at: place,
            notes: ["it is \(version), the content's is \(own)"],
            hint: "apps that have seen that number do not fetch the file: make the manifest anew"))
      }
    }
    // Numbers need not be made in npi-pack's way; a tool that makes one in this way makes all so.
    if right == 0, wrong.count > 1 {
      findings.append(
        Finding(
          id, .note, "the numbers are not made of the contents", about: ["all numbers"], at: [site],
          notes: ["whether a file that has changed has a new one cannot be told"]))
    } else {
      findings += wrong
    }
    return findings
  }
}
