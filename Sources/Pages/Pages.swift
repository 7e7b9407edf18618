/// The pages of `Documentation.docc` (a link leads there), embedded in the executable, in the order in which one reads them.
/// A new one is one Markdown file and one line here.
package enum Pages {
  package static let all: [(topic: String, text: [UInt8])] = [
    ("getting-started", PackageResources.getting_started_md),
    ("manifest", PackageResources.manifest_md),
    ("collisions", PackageResources.collisions_md),
    ("renaming", PackageResources.renaming_md),
    ("reports", PackageResources.reports_md),
    ("reproducibility", PackageResources.reproducibility_md),
    ("strangers-trees", PackageResources.strangers_trees_md),
    ("hosts", PackageResources.hosts_md),
    ("remote", PackageResources.remote_md),
    ("architecture", PackageResources.architecture_md),
    ("linkers", PackageResources.linkers_md),
    ("formats", PackageResources.formats_md),
    ("adding", PackageResources.adding_md),
    ("working", PackageResources.working_md),
  ]
}
