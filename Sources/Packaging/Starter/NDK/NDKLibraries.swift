/// Which of the tree's shared libraries are packed beside an Android.mk: what it makes, or the finished libraries that it made.
struct NDKLibraries: Sendable {
  /// Nil if what it makes is there.
  let build: NDKBuild?
  /// To be packed as they are.
  private(set) var files: [StarterFile] = []
  /// What the build reads.
  private(set) var taken: Set<String> = []
  private(set) var leftOut: [(path: String, reason: String)] = []
  /// For the user.
  private(set) var notes: [String] = []

  init(_ found: NDKBuild?, _ libraries: [StarterFile], _ survey: TreeSurvey) {
    guard let found else {
      (build, files) = (nil, libraries)
      return
    }
    let product = found.product(in: libraries)
    build = product == nil ? found : nil
    if let product {
      notes = ["did not take \(found.path): \(product.path), which it makes, is there"]
    } else {
      notes = found.notes
    }
    let (engine, outputs, copied) = (found.namesOfEngine, found.outputs, found.copied)
    let folder = StarterTree.folder(of: found.path)
    for file in libraries {
      if engine.contains(file.name) {
        leftOut.append((file.path, "an app has it from its engine"))
      } else if product != nil {
        files.append(file)
      } else if copied.contains(file.path) {
        taken.insert(file.path)
      } else if outputs.contains(file.name) {
        leftOut.append((file.path, "ndk-build makes it anew"))
      } else if file.path.hasPrefix(folder + "/") {
        leftOut.append((file.path, "\(found.path) does not name it: add its folder to jni if the plugin needs it"))
      } else {
        files.append(file)
      }
    }
    for file in survey.files where file.isNativeSource && found.inputs.contains(file.path) {
      if [.source(.objc), .source(.objcxx)].contains(file.kind) { continue }
      if let product, file.kind != .header {
        leftOut.append((file.path, "compiled into \(product.path) already"))
      } else {
        taken.insert(file.path)
      }
    }
  }
}
