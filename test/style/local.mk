# Tests of the sources' form and of what is built from them.
style_tests += \
	test/style/functions_and_files_stay_short.sh \
	test/style/headers_compile_alone.sh \
	test/style/layers_include_only_what_lies_below_them.sh \
	test/style/libraries_export_only_mpi_and_mpiwatch_names.sh \
	test/style/libraries_need_their_mpi_and_programs_need_none.sh \
	test/style/sources_keep_the_house_rules.sh \
	test/style/tarball_holds_every_tracked_file.sh
EXTRA_DIST += test/style/findings.sh

# make style: what clang-format would change. Advice, not a test: versions differ.
.PHONY: style
style:
	@command -v clang-format >/dev/null || { echo "clang-format is not installed"; exit 1; }
	@cd $(srcdir) && find formats recorder analyzer test examples -name '*.[ch]' \
		-exec clang-format --dry-run {} +
