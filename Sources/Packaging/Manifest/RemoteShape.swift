import Documents
package import Findings
package import Remote
import SystemPackage

/// The `remote` key of a manifest: a cache on another machine.
enum RemoteShape {
  static var key: Key {
    let keys = RemoteOption.allCases.filter { !$0.isSecretFile }.map { option in
      Key(option.rawValue, shape(option), option.summary)
    }
    return Key("remote", .object(keys), "a cache on another machine; the command line and the environment come first")
  }

  private static func shape(_ option: RemoteOption) -> Shape {
    switch option {
    case .header, .property, .program: .oneOrMany(.text)
    case .upload: .choice(["never", "auto", "always"])
    case .required: .flag
    default: .text
    }
  }
}

extension Project {
  /// The remote cache of a command line, the environment or the manifest; nil if none of them names one.
  package func remote(
    _ commandLine: RemoteLayer, client: @escaping RemoteClient
  ) throws(Mistakes) -> RemoteSettings? {
    var values: [RemoteOption: [RemoteLayer.Value]] = [:]
    for option in RemoteOption.allCases {
      guard let node = manifest.remote?[option.rawValue] else { continue }
      values[option] = node.texts.map { node in
        let text = node.text ?? ""
        // As all paths of a manifest, they begin at its folder.
        let path = option == .ca ? root.pushing(FilePath(text)).string : text
        return RemoteLayer.Value(path, name: "remote.\(option.rawValue)", at: node.place)
      }
    }
    return try RemoteSettings.resolved(commandLine, RemoteLayer(.manifest, values), client: client)
  }
}
