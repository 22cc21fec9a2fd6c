# Unit tests of formats/.
formats_unit_tests = \
	test/unit/formats/archive_test \
	test/unit/formats/definition_test \
	test/unit/formats/merge_test \
	test/unit/formats/own_file_test \
	test/unit/formats/pieces_test \
	test/unit/formats/ring_test \
	test/unit/formats/spool_test \
	test/unit/formats/tallies_test \
	test/unit/formats/user_test
unit_tests += $(formats_unit_tests)

formats_test_maker = test/unit/formats/maker.c test/unit/formats/maker.h
formats_test_cppflags = $(AM_CPPFLAGS) $(CRITERION_CFLAGS) $(OTF2_CFLAGS) $(JANSSON_CFLAGS)
formats_test_ldadd = \
	libmwformats.la $(CRITERION_LIBS) $(OTF2_LIBS) $(ZLIB_LIBS) $(JANSSON_LIBS)

test_unit_formats_archive_test_SOURCES = test/unit/formats/archive_test.c $(formats_test_maker)
test_unit_formats_archive_test_CPPFLAGS = $(formats_test_cppflags)
test_unit_formats_archive_test_LDADD = $(formats_test_ldadd)

test_unit_formats_definition_test_SOURCES = \
	test/unit/formats/definition_test.c $(formats_test_maker)
test_unit_formats_definition_test_CPPFLAGS = $(formats_test_cppflags)
test_unit_formats_definition_test_LDADD = $(formats_test_ldadd)

test_unit_formats_merge_test_SOURCES = test/unit/formats/merge_test.c $(formats_test_maker)
test_unit_formats_merge_test_CPPFLAGS = $(formats_test_cppflags)
test_unit_formats_merge_test_LDADD = $(formats_test_ldadd)

test_unit_formats_own_file_test_SOURCES = test/unit/formats/own_file_test.c $(formats_test_maker)
test_unit_formats_own_file_test_CPPFLAGS = $(formats_test_cppflags)
test_unit_formats_own_file_test_LDADD = $(formats_test_ldadd)

test_unit_formats_pieces_test_SOURCES = test/unit/formats/pieces_test.c $(formats_test_maker)
test_unit_formats_pieces_test_CPPFLAGS = $(formats_test_cppflags)
test_unit_formats_pieces_test_LDADD = $(formats_test_ldadd)

test_unit_formats_spool_test_SOURCES = test/unit/formats/spool_test.c $(formats_test_maker)
test_unit_formats_spool_test_CPPFLAGS = $(formats_test_cppflags)
test_unit_formats_spool_test_LDADD = $(formats_test_ldadd)

test_unit_formats_tallies_test_SOURCES = test/unit/formats/tallies_test.c
test_unit_formats_tallies_test_CPPFLAGS = $(formats_test_cppflags)
test_unit_formats_tallies_test_LDADD = $(formats_test_ldadd)

test_unit_formats_ring_test_SOURCES = test/unit/formats/ring_test.c $(formats_test_maker)
test_unit_formats_ring_test_CPPFLAGS = $(formats_test_cppflags)
test_unit_formats_ring_test_LDADD = $(formats_test_ldadd)

test_unit_formats_user_test_SOURCES = test/unit/formats/user_test.c $(formats_test_maker)
test_unit_formats_user_test_CPPFLAGS = $(formats_test_cppflags)
test_unit_formats_user_test_LDADD = $(formats_test_ldadd)
