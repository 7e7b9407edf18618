package enum R { package static let m = PackageResources.mobilesmith_yml }
