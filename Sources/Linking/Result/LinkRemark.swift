extension LinkVerdict.Remark: CustomStringConvertible {
  /// One line.
  package var description: String {
    switch self {
    case .largerCommon(let name, let common, let definition):
      "\(name) is larger in \(common) than in \(definition), which is taken"
    case .ignored(let file, let why): "\(file) is passed over: \(why)"
    case .hiddenCannotBeExported(let name, let place): "\(name) of \(place) is hidden and cannot be exported"
    case .newer(let file, let version): "\(file) is built for a newer system (\(version)) than the output"
    case .otherPlatform(let file, let platform): "\(file) is built for \(platform)"
    case .aliasOfNothing(let name, let alias): "-alias \(name) \(alias): nobody speaks of \(name)"
    }
  }
}
