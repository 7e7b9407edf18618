import Findings

extension LinkLine {
  /// The number of arguments of a flag that affects only the layout, signature or name of the output. Nil for other
  /// flags.
  static func passedOver(_ word: String) -> Int? {
    if let count = arguments[word] { return count }
    let prefixes = [
      "--error-limit=", "--threads=", "--time-trace", "--icf=", "--deduplicate", "-O", "--lto-", "--thinlto-",
    ]
    return prefixes.contains { word.hasPrefix($0) } ? 0 : nil
  }

  private static let arguments: [String: Int] = {
    var arguments: [String: Int] = [:]
    for (count, words) in table {
      for word in words.words { arguments[String(word)] = count }
    }
    return arguments
  }()

  private static let table: KeyValuePairs = [
    0: """
    -S -x -X -v -w -t -d -Z -whyload -why_load -dynamic -static -preload -demangle -dead_strip_dylibs -no_deduplicate
    -no_uuid -random_uuid -adhoc_codesign -no_adhoc_codesign -headerpad_max_install_names -application_extension
    -no_application_extension -noall_load -single_module -multi_module -twolevel_namespace -flat_namespace
    -force_flat_namespace -search_paths_first -no_compact_unwind -keep_dwarf_unwind -no_keep_dwarf_unwind
    -keep_private_externs -objc_category_merging -pie -no_pie -fixup_chains -no_fixup_chains
    -fixup_chains_section -fatal_warnings -function_starts -no_function_starts -data_in_code_info
    -no_data_in_code_info -no_implicit_dylibs -no_weak_imports -reproducible -save-temps -debug_variant -ld_classic -ld_new
    -no_warn_duplicate_libraries -warn_duplicate_libraries -no_dead_strip_inits_and_terms -mark_dead_strippable_dylib
    -bind_at_load -no_inits -no_warn_inits -no_arch_warnings -arch_errors_fatal -arch_multiple -no_eh_labels
    -no_order_inits -no_order_data -merge_zero_fill_sections -no_zero_fill_sections -no_branch_islands
    -objc_relative_method_lists -no_objc_relative_method_lists -objc_stubs_fast -objc_stubs_small -export_internal_symbols
    -encryptable -no_encryption -no_source_version -add_source_version -source_version_none -no_version_load_command
    -version_load_command -allow_stack_execute -allow_heap_execute -warn_weak_exports -warn_unused_dylibs
    -no_warn_unused_dylibs -print_statistics -root_safe -setuid_safe -prebind -noprebind -nofixprebinding
    -no_shared_cache_eligible -not_for_dyld_shared_cache -bitcode_bundle -bitcode_verify -init_offsets -data_const
    -no_data_const -dylib_compatibility -print_dylib_search -ignore_optimization_hints -trace
    -warn_commons -warn_compact_unwind -no_warn_thin_archive_missing_members -warn_thin_archive_missing_members
    """,
    1: """
    -o -map -install_name -dylib_install_name -current_version -dylib_current_version -compatibility_version
    -dylib_compatibility_version -rpath -undefined -lto_library -object_path_lto -cache_path_lto -prune_interval_lto
    -prune_after_lto -max_relative_cache_size_lto -mcpu -mllvm -final_output -headerpad -order_file
    -order_file_statistics -bundle_loader -why_live -add_ast_path -dependency_info -stack_size -stack_addr -image_base -seg1addr -segalign -pagezero_size -client_name -allowable_client -umbrella
    -sub_library -sub_umbrella -U -oso_prefix -read_only_relocs -weak_reference_mismatches -source_version
    -objc_abi_version -dyld_env -debug_snapshot -exported_symbols_order -reexported_symbols_list -force_symbol_weak
    -force_symbol_not_weak -sdk_version -unaligned_pointers -kext_objects_dir -dot -dylinker_install_name
    -platform_min_version
    """,
    2: """
    -dylib_file -segprot_max -rename_segment -add_empty_section -seg_page_size -segaddr -sectobjectsymbols
    -interposable_list -version_min
    """,
    3: "-sectcreate -sectalign -sectorder -segprot -segcreate -add_split_seg_info",
    4: "-rename_section",
  ]
}
