package import ObjectFiles

/// A linker's warning about its inputs, or its reason not to link, apart from duplicates and categories.
package enum LinkRemark: Hashable, Sendable, CustomStringConvertible {
  /// A common symbol is larger than the definition that replaces it.
  case largerCommon(name: String, common: LinkPlace, definition: LinkPlace)
  case ignored(LinkPlace, why: String)
  /// An input for another processor, of which the line makes an error.
  case notTaken(LinkPlace, why: String)
  case hiddenCannotBeExported(name: String, LinkPlace)
  /// Built for a newer system than the output.
  case newer(LinkPlace, OSVersion)
  /// Built for the platforms in the text; a reason not to link ends with `, and not for tvOS`.
  case otherPlatform(LinkPlace, String)
  /// For the processor in the text, which ends with `, and not for arm64`.
  case otherProcessor(LinkPlace, String)
  /// `-alias` of a name that no file mentions.
  case aliasOfNothing(name: String, alias: String)
  /// Options that name a library again, as the line spells them.
  case repeatedLibraries([String])
  /// `-weak-l` that finds a static library.
  case weakArchive(option: String, file: String)
  /// An object file asks for a library in a way that only a line may.
  case ignoredOption(String)
  /// A common symbol hides the definition of a dynamic library.
  case hidesLibrary(name: String, common: LinkPlace, library: LinkPlace)
  /// The whole sentence of a reason not to link that has no case of its own.
  case refusal(String)

  /// One line.
  package var description: String {
    let (place, text) = words
    return place.map { "\($0) is \(text)" } ?? text
  }

  /// The sentence, or a subject and the rest of it behind `is`.
  private var words: (place: LinkPlace?, text: String) {
    switch self {
    case .largerCommon(let name, let common, let definition):
      (nil, "\(name) is larger in \(common) than in \(definition), which is taken")
    case .ignored(let place, let why): (place, "passed over: \(why)")
    case .notTaken(let place, let why): (place, "not taken: \(why)")
    case .hiddenCannotBeExported(let name, let place): (nil, "\(name) of \(place) is hidden and cannot be exported")
    case .newer(let place, let version): (place, "built for a newer system (\(version)) than the output")
    case .otherPlatform(let place, let platform): (place, "built for \(platform)")
    case .otherProcessor(let place, let processor): (place, "for \(processor)")
    case .aliasOfNothing(let name, let alias): (nil, "-alias \(name) \(alias): no input refers to \(name)")
    case .repeatedLibraries(let options): (nil, "duplicate libraries are ignored: \(options.joined(separator: ", "))")
    case .weakArchive(let option, let file): (nil, "\(option) finds the static library \(file), which cannot be weak")
    case .ignoredOption(let option): (nil, "\(option), which an object file asks for, is ignored")
    case .hidesLibrary(let name, let common, let library):
      (nil, "\(name) is a common symbol in \(common), and the definition of \(library) is ignored")
    case .refusal(let text): (nil, text)
    }
  }

  /// A line for each remark. Those that say the same of members of one library are one line, in the place of the first.
  package static func lines(_ remarks: [LinkRemark]) -> [String] {
    var groups: [(first: LinkRemark, count: Int)] = []
    var numbers: [[String]: Int] = [:]
    for remark in remarks {
      let (place, text) = remark.words
      if let place, place.member != nil {
        let number = numbers[[place.file, text]] ?? groups.count
        numbers[[place.file, text]] = number
        if number < groups.count {
          groups[number].count += 1
          continue
        }
      }
      groups.append((remark, 1))
    }
    return groups.map { first, count in
      let (place, text) = first.words
      return count > 1 ? "\(count) members of \(place?.file ?? "") are \(text)" : first.description
    }
  }
}
