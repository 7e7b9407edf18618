extension LinkVerdict.Remark: CustomStringConvertible {
  /// One line.
  package var description: String {
    switch self {
    case .largerCommon(let name, let common, let definition):
      "\(name) is larger in \(common) than in \(definition), which is taken"
    case .ignored(let file, let why): "\(file) is passed over: \(why)"
    case .hiddenCannotBeExported(let name, let place): "\(name) of \(place) is hidden and cannot be exported"
    case .aliasOfNothing(let name, let alias): "-alias \(name) \(alias): nobody speaks of \(name)"
    }
  }
}
