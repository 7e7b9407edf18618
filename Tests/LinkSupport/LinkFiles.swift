import Artifacts
import Collisions
import Linking
import SystemPackage

/// The files in a folder of the disk, as a check reads them.
func linkFolder(_ folder: FilePath) -> any LinkFolder { InputFolder(folder) }
