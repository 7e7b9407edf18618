import ObjectFiles

// Which object files and libraries a linker takes (rule 1.19).
extension LinkRun {
  /// Whether the linker takes an object file; what it says of it is noted, once.
  mutating func takes(_ object: Int) -> Bool {
    if let known = taken[object] { return known }
    let isTaken = takes(set.objects[object].builds, set.place(of: object).description, isLibrary: false)
    taken[object] = isTaken
    return isTaken
  }

  mutating func takes(_ library: LinkLibrary, at path: String) -> Bool {
    let isSystems = ["/usr/lib", "/System/Library/"].contains { library.installName.hasPrefix($0) }
    return takes(library.builds, path, isLibrary: true, isChecked: !isSystems)
  }

  /// `isChecked`: it may be too new.
  private mutating func takes(
    _ builds: [BuildVersion], _ name: String, isLibrary: Bool, isChecked: Bool = true
  ) -> Bool {
    guard let target = line.target else { return true }
    let platforms = Set(builds.map(\.platform.description)).sorted().joined(separator: " and ")
    switch profile.platforms.answer(builds, for: target, isLibrary: isLibrary) {
    case .refused:
      refusals.append("\(name) is built for \(platforms), and not for \(target.platform)")
      return false
    case .warned: remarks.append(.otherPlatform(file: name, platforms))
    case .taken:
      if isChecked, let version = profile.platforms.newer(builds, than: target) {
        remarks.append(.newer(file: name, version))
      }
    }
    return true
  }

  /// Whether the linker finds a member where it is.
  mutating func finds(_ member: Int, of file: Int) -> Bool {
    guard profile.readsAlignedMembers, case .archive(let archive) = set.content(of: file),
      let first = archive.firstMisplaced, member >= first
    else { return true }
    let name = archive.members[member].name
    let refusal = "\(set.files[file].path) has members that do not begin at multiples of 4 bytes: \(name) is not found"
    if refusals.last != refusal { refusals.append(refusal) }
    return false
  }
}
