# Unit tests of analyzer/.
analyzer_test_cppflags = $(AM_CPPFLAGS) $(OTF2_CFLAGS) $(JANSSON_CFLAGS) $(CRITERION_CFLAGS)
analyzer_test_ldflags = $(AM_LDFLAGS) $(MWA_WRAP)
analyzer_test_libs = $(MWA_LIBS) $(CRITERION_LIBS)
analyzer_test_archives = \
	test/data/archives.c \
	test/data/archives.h \
	test/data/archives_comms.c \
	test/data/archives_comms.h \
	test/data/archives_delay.c \
	test/data/archives_delay.h \
	test/data/archives_efficiency.c \
	test/data/archives_efficiency.h \
	test/data/archives_inter.c \
	test/data/archives_inter.h \
	test/data/archives_neighbors.c \
	test/data/archives_neighbors.h \
	test/data/archives_onesided.c \
	test/data/archives_onesided.h \
	test/data/archives_page.c \
	test/data/archives_page.h \
	test/data/archives_waits.c \
	test/data/archives_waits.h \
	test/data/maker.c \
	test/data/maker.h \
	test/unit/analyzer/archive_fixture.c \
	test/unit/analyzer/archive_fixture.h

unit_tests += test/unit/analyzer/held_test
test_unit_analyzer_held_test_SOURCES = \
	test/unit/analyzer/held_test.c
test_unit_analyzer_held_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_held_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_held_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/bins_test
test_unit_analyzer_bins_test_SOURCES = test/unit/analyzer/bins_test.c
test_unit_analyzer_bins_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_bins_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_bins_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/course_test
test_unit_analyzer_course_test_SOURCES = test/unit/analyzer/course_test.c
test_unit_analyzer_course_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_course_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_course_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/imbalance_test
test_unit_analyzer_imbalance_test_SOURCES = \
	test/unit/analyzer/imbalance_test.c $(analyzer_test_archives)
test_unit_analyzer_imbalance_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_imbalance_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_imbalance_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/delay_test
test_unit_analyzer_delay_test_SOURCES = \
	test/unit/analyzer/delay_test.c $(analyzer_test_archives)
test_unit_analyzer_delay_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_delay_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_delay_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/exchange_test
test_unit_analyzer_exchange_test_SOURCES = \
	test/unit/analyzer/exchange_test.c $(analyzer_test_archives)
test_unit_analyzer_exchange_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_exchange_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_exchange_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/epochs_test
test_unit_analyzer_epochs_test_SOURCES = \
	test/unit/analyzer/epochs_test.c
test_unit_analyzer_epochs_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_epochs_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_epochs_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/lineup_test
test_unit_analyzer_lineup_test_SOURCES = \
	test/unit/analyzer/lineup_test.c
test_unit_analyzer_lineup_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_lineup_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_lineup_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/many_test
test_unit_analyzer_many_test_SOURCES = \
	test/unit/analyzer/many_test.c $(analyzer_test_archives)
test_unit_analyzer_many_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_many_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_many_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/waits_test
test_unit_analyzer_waits_test_SOURCES = \
	test/unit/analyzer/waits_test.c $(analyzer_test_archives)
test_unit_analyzer_waits_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_waits_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_waits_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/matching_test
test_unit_analyzer_matching_test_SOURCES = \
	test/unit/analyzer/matching_test.c $(analyzer_test_archives)
test_unit_analyzer_matching_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_matching_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_matching_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/onesided_test
test_unit_analyzer_onesided_test_SOURCES = \
	test/unit/analyzer/onesided_test.c $(analyzer_test_archives)
test_unit_analyzer_onesided_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_onesided_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_onesided_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/pop_test
test_unit_analyzer_pop_test_SOURCES = test/unit/analyzer/pop_test.c $(analyzer_test_archives)
test_unit_analyzer_pop_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_pop_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_pop_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/profile_test
test_unit_analyzer_profile_test_SOURCES = \
	test/unit/analyzer/profile_test.c $(analyzer_test_archives)
test_unit_analyzer_profile_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_profile_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_profile_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/counters_test
test_unit_analyzer_counters_test_SOURCES = test/unit/analyzer/counters_test.c
test_unit_analyzer_counters_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_counters_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_counters_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/watermarks_test
test_unit_analyzer_watermarks_test_SOURCES = test/unit/analyzer/watermarks_test.c
test_unit_analyzer_watermarks_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_watermarks_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_watermarks_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/model_test
test_unit_analyzer_model_test_SOURCES = test/unit/analyzer/model_test.c
test_unit_analyzer_model_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_model_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_model_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/comms_test
test_unit_analyzer_comms_test_SOURCES = \
	test/unit/analyzer/comms_test.c $(analyzer_test_archives)
test_unit_analyzer_comms_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_comms_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_comms_test_LDADD = $(analyzer_test_libs)

# Writes the archives that the tests of the command line read.
check_PROGRAMS += test/data/make_archive
test_data_make_archive_CPPFLAGS = $(AM_CPPFLAGS) $(OTF2_CFLAGS)
test_data_make_archive_SOURCES = \
	test/data/archives.c \
	test/data/archives.h \
	test/data/archives_comms.c \
	test/data/archives_comms.h \
	test/data/archives_delay.c \
	test/data/archives_delay.h \
	test/data/archives_efficiency.c \
	test/data/archives_efficiency.h \
	test/data/archives_inter.c \
	test/data/archives_inter.h \
	test/data/archives_neighbors.c \
	test/data/archives_neighbors.h \
	test/data/archives_onesided.c \
	test/data/archives_onesided.h \
	test/data/archives_page.c \
	test/data/archives_page.h \
	test/data/archives_waits.c \
	test/data/archives_waits.h \
	test/data/make_archive.c \
	test/data/maker.c \
	test/data/maker.h
test_data_make_archive_LDADD = $(OTF2_STATIC) -lm

unit_tests += test/unit/analyzer/block_index_test
test_unit_analyzer_block_index_test_SOURCES = test/unit/analyzer/block_index_test.c
test_unit_analyzer_block_index_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_block_index_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_block_index_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/anchor_test
test_unit_analyzer_anchor_test_SOURCES = test/unit/analyzer/anchor_test.c
test_unit_analyzer_anchor_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_anchor_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_anchor_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/chunk_test
test_unit_analyzer_chunk_test_SOURCES = test/unit/analyzer/chunk_test.c
test_unit_analyzer_chunk_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_chunk_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_chunk_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/timeline_test
test_unit_analyzer_timeline_test_SOURCES = \
	test/unit/analyzer/timeline_test.c $(analyzer_test_archives)
test_unit_analyzer_timeline_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_timeline_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_timeline_test_LDADD = $(analyzer_test_libs)

unit_tests += test/unit/analyzer/zip_test
test_unit_analyzer_zip_test_SOURCES = test/unit/analyzer/zip_test.c
test_unit_analyzer_zip_test_CPPFLAGS = $(analyzer_test_cppflags) $(ZLIB_CFLAGS)
test_unit_analyzer_zip_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_zip_test_LDADD = $(analyzer_test_libs)

# The program on the archives of test/data, sound ones and damaged ones.
system_tests += \
	test/system/analyze_keeps_its_manual.sh \
	test/system/analyze_refuses_hostile_archives.sh \
	test/system/analyze_survives_damaged_archives.sh \
	test/system/limits_and_comparisons_are_for_ci.sh \
	test/system/uneven_ranks_are_found_with_their_times.sh \
	test/system/validate_says_what_is_wrong_and_where.sh
EXTRA_DIST += test/system/commands.py test/system/damage.py test/system/hostile.py

# make check-hostile: the same at length, best in a build with --enable-sanitizers.
check-hostile: mpiwatch-analyze test/data/make_archive test/data/make_hostile
	$(AM_TESTS_ENVIRONMENT) HOSTILE="200 500 1000" \
		bash $(srcdir)/test/system/analyze_refuses_hostile_archives.sh
.PHONY: check-hostile

# Archives that libotf2 writes and nobody should believe.
check_PROGRAMS += test/data/make_hostile
test_data_make_hostile_CPPFLAGS = $(AM_CPPFLAGS) $(OTF2_CFLAGS)
test_data_make_hostile_SOURCES = test/data/make_hostile.c
test_data_make_hostile_LDADD = $(OTF2_STATIC) -lm

unit_tests += test/unit/analyzer/metadata_json_test
test_unit_analyzer_metadata_json_test_SOURCES = test/unit/analyzer/metadata_json_test.c
test_unit_analyzer_metadata_json_test_CPPFLAGS = $(analyzer_test_cppflags)
test_unit_analyzer_metadata_json_test_LDFLAGS = $(analyzer_test_ldflags)
test_unit_analyzer_metadata_json_test_LDADD = $(analyzer_test_libs)
