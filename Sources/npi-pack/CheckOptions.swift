import ArgumentParser
import Collisions

enum LinkerName: String, ExpressibleByArgument, CaseIterable {
  case ldPrime = "ld-prime"
  case ld64, lld

  var profile: LinkerProfile {
    switch self {
    case .ldPrime: .ldPrime
    case .ld64: .ld64
    case .lld: .lld
    }
  }
}

enum OutputKind: String, ExpressibleByArgument, CaseIterable { case executable, dylib }
