import Findings

extension LinkLine {
  /// The number of arguments of a flag that affects only the layout, signature or name of the output. Nil for other
  /// flags.
  static func passedOver(_ word: String) -> Int? {
    if let count = arguments[word] { return count }
    let prefixes = [
      "--error-limit=", "--threads=", "--time-trace", "--icf=", "--deduplicate", "-O", "--lto-", "--thinlto-",
      "--color-diagnostics=", "--cs-profile-", "--keep-icf-stabs", "--print-symbol-order=", "--reproduce=",
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
    -add_mergeable_debug_hook -add_source_version -add_split_seg_info -adhoc_codesign -allow_heap_execute
    -allow_simulator_linking_to_macosx_dylibs -allow_stack_execute -allow_sub_type_mismatches -application_extension
    -arch_multiple -b -bind_at_load -bitcode_bundle -bitcode_hide_symbols -bitcode_verify -const_selrefs -d
    -data_const -data_in_code_info -dead_strip_dylibs -debug_snapshot -debug_variant -deduplicate -demangle
    -dependent_dr_info -dylib_compatibility -dylinker -dynamic -encryptable -export_internal_symbols -fatal_warnings
    -fixup_chains -fixup_chains_section -fixup_chains_section_vm -fixup_chains_steal_pointers -flat_namespace
    -flto-codegen-only -force_cpusubtype_ALL -force_flat_namespace -function_starts -headerpad_max_install_names
    -ignore_optimization_hints -implicit_pagezero -init_offsets -interposable -keep_dwarf_unwind -keep_private_externs
    -keep_relocs -kernel -kext -kexts_use_stubs -ld_classic -ld_new -ld_prime -lto_softload_runtime_symbols -M -m
    -make_mergeable -mark_dead_strippable_dylib -merge_zero_fill_sections -multi_module -new_linker --no-demangle
    -no_adhoc_codesign -no_application_extension -no_arch_warnings -no_auth_data -no_branch_islands
    -no_compact_linkedit -no_compact_unwind -no_const_selrefs -no_data_const -no_data_in_code_info
    -no_dead_strip_inits_and_terms -no_deduplicate -no_dependent_dr_info -no_dtrace_dof -no_dwarf_unwind
    -no_dynamic_access -no_eh_labels -no_encryption -no_fixup_chains -no_function_starts -no_huge -no_implicit_dylibs
    -no_inits -no_keep_dwarf_unwind -no_kext_objects -no_lto_softload_runtime_symbols -no_merged_libraries_hook
    -no_new_main -no_objc_relative_method_lists -no_order_data -no_order_inits -no_pie -no_shared_cache_eligible
    -no_snapshot -no_source_version -no_use_lto_filenames_in_order_file_matching -no_uuid -no_version_load_command
    -no_warn_eh_frame_too_large -no_warn_inits -no_warn_reduced_section_align -no_warn_thin_archive_missing_members
    -no_warn_unused_dylibs -no_weak_exports -no_weak_imports -no_zero_fill_sections -nofixprebinding
    -nomultidefs -noprebind -not_for_dyld_shared_cache -objc_category_merging -objc_gc -objc_gc_compaction
    -objc_gc_only -objc_relative_method_lists -objc_stubs_fast -objc_stubs_small -order_file_statistics
    -page_align_data_atoms -pie -prebind -preload --print-dependencies -print_dylib_search -print_statistics
    -private_bundle -random_uuid -read_only_stubs -rebase_section -remove_swift_reflection_metadata_sections
    -reproducible -root_safe -s -S -save-temps -sdk_imports_each_object -search_in_sparse_frameworks
    -search_paths_first -setuid_safe -Si -simulator_support -single_module -slow_stubs -Sn -source_version_none -Sp
    -static -t -text_exec -threaded_starts_section -trace -trace_implicit_libraries -trace_symbol_layout
    -twolevel_namespace -twolevel_namespace_hints -use_lto_filenames_in_order_file_matching -v -verbose_branch_islands
    -verbose_deduplicate -verbose_optimization_hints -version_details -version_load_command -w -warn_commons
    -warn_compact_unwind -warn_stabs -warn_thin_archive_missing_members -warn_unused_dylibs -warn_weak_exports
    -why_load -whyload -x -X -x86_64_layout_emulation -Z --call-graph-profile-sort --color-diagnostics
    --no-call-graph-profile-sort --no-color-diagnostics --no-deduplicate-strings --no-pgo-warn-mismatch
    --no-warn-duplicate-rpath --no-warn-dylib-install-name --no-warn-thin-archive-missing-members --pgo-warn-mismatch
    --print-dylib-search --strict-auto-link --verbose --warn-duplicate-rpath --warn-dylib-install-name
    --warn-thin-archive-missing-members
    """,
    1: """
    -A -add_ast_path -allowable_client -arch_variant -arch_variant_lto_cache_mismatch -bitcode_process_mode
    -bitcode_symbol_map -branch_island_region_size -bundle_loader -cache_dir -cache_path_lto -client_name
    -compatibility_version -current_version -dependency_info -deployment_target_mismatches -dirty_data_list -dot
    -dtrace -duplicate_symbols -dyld_env -dylib_compatibility_version -dylib_current_version -dylib_file
    -dylib_install_name -dylinker_install_name -executable_path -exported_symbols_order -final_output
    -force_symbol_not_weak -force_symbol_weak -force_symbols_coalesce_list -force_symbols_not_weak_list
    -force_symbols_weak_list -headerpad -image_base -image_suffix -install_name -interposable_list -keep_duplicate
    -keep_duplicates_list -kext_objects_dir -lto_library -map -max_code_deduplicate_passes -max_default_common_align
    -max_relative_cache_size_lto -mcpu -mllvm -multiply_defined -multiply_defined_unused
    -no_allow_dylib_sub_type_mismatches -non_global_symbols_no_strip_list -non_global_symbols_strip_list -o
    -objc_abi_version -objc_class_ro_signing_mismatch -object_path_lto -order_file -oso_prefix -pagezero_size
    -platform_min_version -poison_symbol -poison_symbols_list -prune_after_lto -prune_interval_lto -read_only_relocs
    -reexported_symbols_list -reference_output -rpath -sdk_imports -sdk_imports_api_list -sdk_version
    -sect_diff_relocs -seg1addr -seg_addr_table -seg_addr_table_filename -segalign -segment_order -segs_read_only_addr
    -segs_read_write_addr -snapshot_dir -source_version -stack_addr -stack_size -sub_library -sub_umbrella -trace_file
    -trace_file_shared_cache -trace_implicit_library -trace_symbol_layout_file -trace_symbols_file -U -umbrella
    -unaligned_pointers -undefined -weak_reference_mismatches -why_live -Y
    """,
    2: """
    -add_empty_section -move_to_ro_segment -move_to_rw_segment -rename_segment -section_order -sectobjectsymbols
    -seg_page_size -segaddr -segprot_max -version_min
    """,
    3: "-sectalign -sectcreate -sectorder -segcreate -segprot",
    4: "-rename_section",
  ]
}
