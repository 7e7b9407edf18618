/// The recipes of `hosts/`, embedded in the executable. A new one is one YAML file and one line here.
package enum HostRecipes {
  package static let all: [(name: String, text: [UInt8])] = [
    ("apple-platform", PackageResources.apple_platform_yml),
    ("mobilesmith", PackageResources.mobilesmith_yml),
    ("web-templates", PackageResources.web_templates_yml),
  ]
}
