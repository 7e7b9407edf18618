/// The recipes of `hosts/`, embedded in the executable. A new one is one YAML file and one line here. The value of the task
/// counts, so that a test can add its own.
package enum HostRecipes {
  @TaskLocal package static var all: [(name: String, text: [UInt8])] = [
    ("app-extension", PackageResources.app_extension_yml),
    ("apple-platform", PackageResources.apple_platform_yml),
    ("mobilefirst-today", PackageResources.mobilefirst_today_yml),
    ("mobilesmith", PackageResources.mobilesmith_yml),
    ("platformhub", PackageResources.platformhub_yml),
    ("sdk", PackageResources.sdk_yml),
    ("web-templates", PackageResources.web_templates_yml),
  ]
}

/// The pages of `rules/`, embedded in the executable. A new one is one file and one line here.
package enum RulePages {
  package static let all: [(id: String, text: [UInt8])] = [
    ("aar-metadata", PackageResources.aar_metadata_md),
    ("aar-structure", PackageResources.aar_structure_md),
    ("app-group", PackageResources.app_group_md),
    ("app-plugin-released", PackageResources.app_plugin_released_md),
    ("archive-structure", PackageResources.archive_structure_md),
    ("bitcode-present", PackageResources.bitcode_present_md),
    ("bucket-manifest", PackageResources.bucket_manifest_md),
    ("bundle-executable", PackageResources.bundle_executable_md),
    ("category-clash", PackageResources.category_clash_md),
    ("class-in-dylib", PackageResources.class_in_dylib_md),
    ("class-version", PackageResources.class_version_md),
    ("code-signature", PackageResources.code_signature_md),
    ("config-keys", PackageResources.config_keys_md),
    ("consumer-rules", PackageResources.consumer_rules_md),
    ("duplicate-asset", PackageResources.duplicate_asset_md),
    ("duplicate-authority", PackageResources.duplicate_authority_md),
    ("duplicate-bundle", PackageResources.duplicate_bundle_md),
    ("duplicate-class", PackageResources.duplicate_class_md),
    ("duplicate-framework", PackageResources.duplicate_framework_md),
    ("duplicate-handler", PackageResources.duplicate_handler_md),
    ("duplicate-java-class", PackageResources.duplicate_java_class_md),
    ("duplicate-java-resource", PackageResources.duplicate_java_resource_md),
    ("duplicate-library", PackageResources.duplicate_library_md),
    ("duplicate-namespace", PackageResources.duplicate_namespace_md),
    ("duplicate-native-library", PackageResources.duplicate_native_library_md),
    ("duplicate-package", PackageResources.duplicate_package_md),
    ("duplicate-permission", PackageResources.duplicate_permission_md),
    ("duplicate-resource", PackageResources.duplicate_resource_md),
    ("duplicate-symbol", PackageResources.duplicate_symbol_md),
    ("embedded-framework", PackageResources.embedded_framework_md),
    ("empty-deliverable", PackageResources.empty_deliverable_md),
    ("entry-class", PackageResources.entry_class_md),
    ("entry-initializer", PackageResources.entry_initializer_md),
    ("exported-component", PackageResources.exported_component_md),
    ("extended-attributes", PackageResources.extended_attributes_md),
    ("extension-info", PackageResources.extension_info_md),
    ("extension-unsafe-api", PackageResources.extension_unsafe_api_md),
    ("finder-metadata", PackageResources.finder_metadata_md),
    ("framework-info", PackageResources.framework_info_md),
    ("header-clash", PackageResources.header_clash_md),
    ("interposed-symbol", PackageResources.interposed_symbol_md),
    ("kotlin-metadata", PackageResources.kotlin_metadata_md),
    ("listed-sdk", PackageResources.listed_sdk_md),
    ("lost-privacy-manifest", PackageResources.lost_privacy_manifest_md),
    ("manifest-conflict", PackageResources.manifest_conflict_md),
    ("minimum-os", PackageResources.minimum_os_md),
    ("minimum-sdk", PackageResources.minimum_sdk_md),
    ("misaligned-member", PackageResources.misaligned_member_md),
    ("missing-architecture", PackageResources.missing_architecture_md),
    ("missing-asset", PackageResources.missing_asset_md),
    ("missing-framework", PackageResources.missing_framework_md),
    ("missing-library", PackageResources.missing_library_md),
    ("missing-policy", PackageResources.missing_policy_md),
    ("missing-simulator", PackageResources.missing_simulator_md),
    ("module-map-clash", PackageResources.module_map_clash_md),
    ("module-redefinition", PackageResources.module_redefinition_md),
    ("needs-info-plist", PackageResources.needs_info_plist_md),
    ("needs-linker-flag", PackageResources.needs_linker_flag_md),
    ("nested-framework", PackageResources.nested_framework_md),
    ("newer-framework", PackageResources.newer_framework_md),
    ("odr-violation", PackageResources.odr_violation_md),
    ("page-size-16k", PackageResources.page_size_16k_md),
    ("parent-folder", PackageResources.parent_folder_md),
    ("policy-file", PackageResources.policy_file_md),
    ("privacy-manifest", PackageResources.privacy_manifest_md),
    ("private-api", PackageResources.private_api_md),
    ("protocol-differs", PackageResources.protocol_differs_md),
    ("provided-by-host", PackageResources.provided_by_host_md),
    ("required-resources", PackageResources.required_resources_md),
    ("resource-clash", PackageResources.resource_clash_md),
    ("resource-forks", PackageResources.resource_forks_md),
    ("shadowed-library", PackageResources.shadowed_library_md),
    ("swift-code", PackageResources.swift_code_md),
    ("swizzling", PackageResources.swizzling_md),
    ("symbol-in-dylib", PackageResources.symbol_in_dylib_md),
    ("target-sdk", PackageResources.target_sdk_md),
    ("unhandled-message", PackageResources.unhandled_message_md),
    ("unknown-route", PackageResources.unknown_route_md),
    ("unportable-name", PackageResources.unportable_name_md),
    ("unprefixed-class", PackageResources.unprefixed_class_md),
    ("unreadable-property-list", PackageResources.unreadable_property_list_md),
    ("unsafe-file-name", PackageResources.unsafe_file_name_md),
    ("unsupported-class", PackageResources.unsupported_class_md),
    ("unsupported-framework", PackageResources.unsupported_framework_md),
    ("url-scheme", PackageResources.url_scheme_md),
    ("xcframework-structure", PackageResources.xcframework_structure_md),
  ]
}

/// The lines of `libraries.txt`, embedded in the executable.
package enum LibraryList {
  package static let text: [UInt8] = PackageResources.libraries_txt
}

/// The modules of `apple-modules.txt`.
package enum AppleModules {
  private static let names: Set<[UInt8]> = Set(
    PackageResources.apple_modules_txt.split(separator: UInt8(ascii: "\n")).filter { $0.first != UInt8(ascii: "#") }
      .flatMap { $0.split(separator: UInt8(ascii: " ")) }.map(Array.init))

  /// Whether an app has the module without anybody's help.
  package static func has(_ name: String) -> Bool { name.hasPrefix("_") || names.contains(Array(name.utf8)) }
}
