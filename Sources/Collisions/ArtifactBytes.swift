package import Artifacts
package import Findings
package import Linking
package import ObjectFiles

// Conformances that let a link read artifacts and the file system.

extension CodeFile: LinkBytes {}

extension EntryBytes: LinkBytes {
  package func textStubs(at place: Place) throws(Mistakes) -> [TextStub]? {
    guard withReader({ TextStub.isTextStub($0) }) else { return nil }
    return try TextStub.read(copy(), at: place)
  }
}

extension InputFolder: LinkFolder {
  package func bytes(at path: String) throws(Mistakes) -> (any LinkBytes)? {
    let found: EntryBytes? = try bytes(at: path)
    return found
  }
}
