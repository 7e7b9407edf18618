import Findings
import ObjectFiles

// The files that a linker accepts, and its remarks on the others (rules 1.4, 1.14, 1.19).
extension SymbolResolver {
  mutating func takes(_ library: LinkLibrary, at path: String) -> Bool {
    let isSystems = ["/usr/lib", "/System/Library/"].contains { library.installName.hasPrefix($0) }
    return takes(library.builds, LinkPlace(file: path), isLibrary: true, mayBeNewer: isSystems)
  }

  mutating func takes(
    _ builds: [BuildVersion], _ place: LinkPlace, isLibrary: Bool, mayBeNewer: Bool = false
  ) -> Bool {
    guard let target = line.target else { return true }
    let platforms = Set(builds.map(\.platform.description)).sorted().joined(separator: " and ")
    switch profile.platforms.answer(builds, for: target, isLibrary: isLibrary) {
    case .refuse:
      refusals.append(.otherPlatform(place, "\(platforms), and not for \(target.platform)"))
      return false
    case .warn: remarks.append(.otherPlatform(place, platforms))
    case .take:
      if !mayBeNewer, let version = profile.platforms.newer(builds, than: target) {
        remarks.append(.newer(place, version))
      }
    }
    return true
  }

  /// The static library of a file, if the linker accepts it.
  mutating func usableArchive(_ file: FileID) -> LinkArchive? {
    guard case .archive(let archive) = set.content(of: file) else { return nil }
    let path = set.files[file].path
    // The set was read for a linker that takes the rest of it.
    if archive.isForOthers, !profile.looksAtEachProcessor {
      passOver(LinkPlace(file: path), "its first member is for another processor than \(set.architecture)")
      return nil
    }
    // The rest of it is still linked: it may collide once the file is whole again.
    if archive.isDamaged { refusals.append(.refusal("\(path) cannot be read")) }
    switch archive.table {
    case .darwin: break
    case .none:
      if archive.members.elements.isEmpty { break }
      refusals.append(.refusal("\(path) has no table of contents"))
      return nil
    case .foreign:
      guard profile.readsForeignArchives else {
        remarks.append(.ignored(LinkPlace(file: path), why: "its table of contents is not Apple's"))
        return nil
      }
    }
    if profile.readsAlignedMembers, archive.firstMisplaced == MemberID(0) {
      remarks.append(.ignored(LinkPlace(file: path), why: "its members do not begin at multiples of 4 bytes"))
      return nil
    }
    return archive
  }

  /// Whether the linker finds a member, which it seeks at a multiple of 4 bytes (rule 1.19).
  mutating func finds(_ member: MemberID, of file: FileID) -> Bool {
    guard profile.readsAlignedMembers, case .archive(let archive) = set.content(of: file),
      let first = archive.firstMisplaced, member >= first
    else { return true }
    let name = archive.members[member].name
    let refusal = LinkRemark.refusal(
      "\(set.files[file].path) has members that do not begin at multiples of 4 bytes: \(name) is not found")
    if refusals.last != refusal { refusals.append(refusal) }
    return false
  }

  /// Passes over what is for another processor (rule 1.14).
  mutating func passOver(_ place: LinkPlace, _ why: String) {
    if line.has(.archErrorsFatal) {
      refusals.append(.notTaken(place, why: why))
    } else {
      remarks.append(.ignored(place, why: why))
    }
  }

  /// Remarks on the options of the line (rule 1.21).
  mutating func noteOptions(_ named: [(input: LinkLine.Input, files: [FileID])]) {
    guard profile.warnsOfOptions else { return }
    var counts: [String: Int] = [:]
    var weak: Set<FileID> = []
    for (input, files) in named where files.count <= 1 {
      if case .framework = input.source { continue }
      var archive: FileID?
      if let file = files.first, case .archive = set.content(of: file) { archive = file }
      if archive != nil || !input.option.isEmpty { counts[input.spelling, default: 0] += 1 }
      if let archive, input.option == "-weak-l", weak.insert(archive).inserted {
        remarks.append(.weakArchive(option: input.spelling, file: set.files[archive].path))
      }
    }
    let repeated = counts.filter { $1 > 1 }.keys.sorted()
    if !repeated.isEmpty, !line.has(.noWarnDuplicateLibraries) { remarks.append(.repeatedLibraries(repeated)) }
  }

  /// Notes a file that no linker takes.
  mutating func noteUnused(_ file: FileID) {
    switch set.content(of: file) {
    case .ignored(let why): passOver(LinkPlace(file: set.files[file].path), why)
    case .unreadable: refusals.append(.refusal("\(set.files[file].path) cannot be read"))
    default: break
    }
  }

  /// Whether `-ObjC` loads a member for one of its sections (rule 1.6).
  func hasObjCSection(_ member: MemberID, of library: LibraryID) -> Bool {
    guard let object = set.object(member, of: libraries[library].file) else { return false }
    let sections = set.objects[object].objCSections
    return profile.countsEmptyObjCSections ? sections != .none : sections == .filled
  }

  /// The flag that loads all members of a library. `isAsked` says that an object file asks for the library.
  func forcingFlag(_ file: FileID, _ load: LinkLine.Input.Load, isAsked: Bool) -> LinkVerdict.Reason? {
    if load.contains(.forced) { return .flag("-force_load") }
    let name = set.files[file].path.lastPathPart
    if isAsked, line.has(.forceLoadSwiftLibs), name.hasPrefix("libswift") { return .flag("-force_load_swift_libs") }
    return line.has(.allLoad) && (!isAsked || profile.forcesAutoLinked) ? .flag("-all_load") : nil
  }
}
