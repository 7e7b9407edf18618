/// The recipes of `hosts/`, embedded in the executable. A new one is one YAML file and one line here.
package enum HostRecipes {
  package static let all: [(name: String, text: [UInt8])] = [
    ("app-extension", PackageResources.app_extension_yml),
    ("apple-platform", PackageResources.apple_platform_yml),
    ("mobilefirst-today", PackageResources.mobilefirst_today_yml),
    ("mobilesmith", PackageResources.mobilesmith_yml),
    ("platformhub", PackageResources.platformhub_yml),
    ("web-templates", PackageResources.web_templates_yml),
  ]
}
