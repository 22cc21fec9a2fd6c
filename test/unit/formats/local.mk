# Unit tests of formats/: nothing of the analyzer is linked with them.
unit_tests += \
	test/unit/formats/archive_output_test \
	test/unit/formats/archive_test \
	test/unit/formats/array_test \
	test/unit/formats/block_test \
	test/unit/formats/bundle_test \
	test/unit/formats/definition_test \
	test/unit/formats/deflate_test \
	test/unit/formats/follow_test \
	test/unit/formats/live_batch_test \
	test/unit/formats/live_message_test \
	test/unit/formats/merge_test \
	test/unit/formats/own_file_test \
	test/unit/formats/pieces_test \
	test/unit/formats/ring_test \
	test/unit/formats/sites_test \
	test/unit/formats/spool_killed_test \
	test/unit/formats/spool_test \
	test/unit/formats/tallies_test \
	test/unit/formats/user_test \
	test/unit/formats/wrapper_name_test

formats_test_libs = test/unit/libformats.a libmwformats.a $(CRITERION_LIBS) $(OTF2_LIBS) \
	$(ZLIB_LIBS) $(JANSSON_LIBS)
test_unit_formats_array_test_LDADD = $(formats_test_libs)
test_unit_formats_archive_output_test_LDADD = $(formats_test_libs)
test_unit_formats_archive_test_LDADD = $(formats_test_libs)
test_unit_formats_bundle_test_LDADD = $(formats_test_libs)
test_unit_formats_follow_test_LDADD = libmwcommandline.a $(formats_test_libs)
test_unit_formats_live_batch_test_LDADD = $(formats_test_libs)
test_unit_formats_live_message_test_LDADD = $(formats_test_libs)
test_unit_formats_merge_test_LDADD = $(formats_test_libs)
test_unit_formats_own_file_test_LDADD = $(formats_test_libs)
test_unit_formats_pieces_test_LDADD = $(formats_test_libs)
test_unit_formats_ring_test_LDADD = $(formats_test_libs)
test_unit_formats_sites_test_LDADD = $(formats_test_libs)
test_unit_formats_spool_killed_test_LDADD = $(formats_test_libs)
test_unit_formats_spool_test_LDADD = $(formats_test_libs)
test_unit_formats_tallies_test_LDADD = $(formats_test_libs)
test_unit_formats_user_test_LDADD = $(formats_test_libs)
test_unit_formats_wrapper_name_test_LDADD = $(formats_test_libs)
test_unit_formats_deflate_test_LDADD = $(formats_test_libs)
test_unit_formats_block_test_LDADD = $(formats_test_libs)
test_unit_formats_definition_test_LDADD = $(formats_test_libs)
