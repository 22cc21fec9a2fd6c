# Unit tests of analyzer/: TEST is TEST.c with the libraries that Makefile.am names.
unit_tests += \
	test/unit/analyzer/anchor_test \
	test/unit/analyzer/bins_test \
	test/unit/analyzer/block_index_test \
	test/unit/analyzer/busy_function_test \
	test/unit/analyzer/call_state_test \
	test/unit/analyzer/call_use_test \
	test/unit/analyzer/cause_text_test \
	test/unit/analyzer/channels_test \
	test/unit/analyzer/chapters_of_runs_test \
	test/unit/analyzer/chapters_found_test \
	test/unit/analyzer/chapters_told_test \
	test/unit/analyzer/chunk_test \
	test/unit/analyzer/clock_correction_test \
	test/unit/analyzer/clusters_test \
	test/unit/analyzer/collect_test \
	test/unit/analyzer/comms_test \
	test/unit/analyzer/controlled_clock_test \
	test/unit/analyzer/core_shortage_test \
	test/unit/analyzer/counters_test \
	test/unit/analyzer/course_test \
	test/unit/analyzer/delay_chapters_test \
	test/unit/analyzer/delay_meetings_test \
	test/unit/analyzer/delay_queue_test \
	test/unit/analyzer/delay_test \
	test/unit/analyzer/epochs_test \
	test/unit/analyzer/event_block_test \
	test/unit/analyzer/event_scan_test \
	test/unit/analyzer/exchange_results_test \
	test/unit/analyzer/exchange_test \
	test/unit/analyzer/held_test \
	test/unit/analyzer/host_offsets_test \
	test/unit/analyzer/huge_pages_test \
	test/unit/analyzer/ideal_chapters_test \
	test/unit/analyzer/imbalance_test \
	test/unit/analyzer/inflater_test \
	test/unit/analyzer/joint_meetings_test \
	test/unit/analyzer/keyed_rows_test \
	test/unit/analyzer/layout_test \
	test/unit/analyzer/level_chapters_test \
	test/unit/analyzer/level_seams_test \
	test/unit/analyzer/level_stage_test \
	test/unit/analyzer/level_times_test \
	test/unit/analyzer/lineup_test \
	test/unit/analyzer/live_across_test \
	test/unit/analyzer/live_meeting_test \
	test/unit/analyzer/logical_clock_test \
	test/unit/analyzer/many_test \
	test/unit/analyzer/matching_carried_test \
	test/unit/analyzer/matching_test \
	test/unit/analyzer/metadata_json_test \
	test/unit/analyzer/mistake_chapters_test \
	test/unit/analyzer/model_test \
	test/unit/analyzer/onesided_test \
	test/unit/analyzer/off_core_test \
	test/unit/analyzer/packing_test \
	test/unit/analyzer/path_packing_test \
	test/unit/analyzer/pop_test \
	test/unit/analyzer/profile_parts_test \
	test/unit/analyzer/profile_test \
	test/unit/analyzer/quiet_rests_test \
	test/unit/analyzer/quiet_tries_test \
	test/unit/analyzer/quiet_windows_test \
	test/unit/analyzer/record_log_test \
	test/unit/analyzer/region_lanes_test \
	test/unit/analyzer/relay_test \
	test/unit/analyzer/report_tables_test \
	test/unit/analyzer/sampled_spots_test \
	test/unit/analyzer/shortage_test \
	test/unit/analyzer/sidecar_test \
	test/unit/analyzer/spread_test \
	test/unit/analyzer/state_log_test \
	test/unit/analyzer/table_json_test \
	test/unit/analyzer/tails_test \
	test/unit/analyzer/tape_test \
	test/unit/analyzer/team_test \
	test/unit/analyzer/team_watch_test \
	test/unit/analyzer/timeline_test \
	test/unit/analyzer/told_waits_test \
	test/unit/analyzer/units_test \
	test/unit/analyzer/validate_test \
	test/unit/analyzer/view_looks_test \
	test/unit/analyzer/late_senders_test \
	test/unit/analyzer/wait_chapters_test \
	test/unit/analyzer/waits_test \
	test/unit/analyzer/watermarks_test \
	test/unit/analyzer/zip_test
test_unit_analyzer_view_looks_test_SOURCES = \
	test/unit/analyzer/view_looks_test.c \
	analyzer/view/view_looks.c
test_unit_analyzer_event_scan_test_LDFLAGS = -Wl,--wrap=OTF2_Reader_SelectLocation
test_unit_analyzer_validate_test_LDFLAGS = -Wl,--wrap=mwa_event_reader_open
test_unit_analyzer_live_across_test_LDADD = libmwlive.a libmwcommandline.a $(LDADD)
test_unit_analyzer_live_meeting_test_LDADD = libmwlive.a libmwcommandline.a $(LDADD)

# The archives that they read.
check_LIBRARIES += test/data/libarchives.a
test_data_libarchives_a_SOURCES = \
	test/data/archives.c \
	test/data/archives.h \
	test/data/archives_clocks.c \
	test/data/archives_clocks.h \
	test/data/archives_comms.c \
	test/data/archives_comms.h \
	test/data/archives_delay.c \
	test/data/archives_delay.h \
	test/data/archives_efficiency.c \
	test/data/archives_efficiency.h \
	test/data/archives_inter.c \
	test/data/archives_inter.h \
	test/data/archives_returns.c \
	test/data/archives_returns.h \
	test/data/archives_neighbors.c \
	test/data/archives_neighbors.h \
	test/data/archives_onesided.c \
	test/data/archives_onesided.h \
	test/data/archives_page.c \
	test/data/archives_page.h \
	test/data/archives_probes.c \
	test/data/archives_probes.h \
	test/data/archives_requests.c \
	test/data/archives_requests.h \
	test/data/archives_waits.c \
	test/data/archives_waits.h \
	test/data/maker.c \
	test/data/maker.h \
	test/data/maker_events.c \
	test/data/maker_kit.h

# Writes the archives that the tests of the command line read.
check_PROGRAMS += test/data/make_archive
test_data_make_archive_LDADD = test/data/libarchives.a $(OTF2_LINKED) -lm

# Writes runs of irregular shape, and what is left of them after losses.
check_PROGRAMS += test/data/make_irregular
test_data_make_irregular_SOURCES = \
	test/data/irregular_collectives.c \
	test/data/irregular_collectives.h \
	test/data/irregular_messages.c \
	test/data/irregular_messages.h \
	test/data/irregular_requests.c \
	test/data/irregular_requests.h \
	test/data/irregular_run.c \
	test/data/irregular_run.h \
	test/data/irregular_windows.c \
	test/data/irregular_windows.h \
	test/data/make_irregular.c
test_data_make_irregular_LDADD = test/data/libarchives.a $(OTF2_LINKED) -lm

# Writes runs on hosts whose clocks are off, and what really happened.
check_PROGRAMS += test/data/make_skewed
test_data_make_skewed_LDADD = test/data/libarchives.a $(OTF2_STATIC) -lm

# Writes runs whose ranks are far apart, by their clocks or by how much they tell.
check_PROGRAMS += test/data/make_apart
test_data_make_apart_LDADD = test/data/libarchives.a $(OTF2_LINKED) -lm

# Reads archives by analyzer/load's reader of events and by libotf2's.
check_PROGRAMS += test/data/read_both_ways
test_data_read_both_ways_LDADD = $(MWA_LIBS)

# Keeps in the cache where blocks of small archives begin, too.
check_PROGRAMS += test/data/keep_blocks
test_data_keep_blocks_LDADD = $(MWA_LIBS)

# The program on the archives of test/data, sound ones and damaged ones.
system_tests += \
	test/system/analyze_keeps_its_manual.sh \
	test/system/analyze_refuses_hostile_archives.sh \
	test/system/analyze_survives_damaged_archives.sh \
	test/system/events_are_read_as_libotf2_reads_them.sh \
	test/system/limits_and_comparisons_are_for_ci.sh \
	test/system/spans_are_read_from_the_middle.sh \
	test/system/events_are_printed_by_several_threads.sh \
	test/system/validate_finds_the_same_by_any_number_of_threads.sh \
	test/system/uneven_ranks_are_found_with_their_times.sh \
	test/system/what_is_kept_can_be_forgotten.sh \
	test/system/validate_says_what_is_wrong_and_where.sh
EXTRA_DIST += test/system/commands.py test/system/damage.py test/system/hostile.py \
	test/system/dumped.py \
	test/system/ended.py \
	test/system/middle.py \
	test/system/random_events.py \
	test/system/open_at_lulls.py \
	test/system/random_lulls.py \
	test/system/random_rests.py

# make check-hostile: the same at length, best in a build with --enable-sanitizers.
check-hostile: mpiwatch-analyze test/data/make_archive test/data/make_hostile
	$(AM_TESTS_ENVIRONMENT) HOSTILE="200 500 1000" \
		bash $(srcdir)/test/system/analyze_refuses_hostile_archives.sh
.PHONY: check-hostile

# Archives that libotf2 writes and nobody should believe.
check_PROGRAMS += test/data/make_hostile
test_data_make_hostile_LDADD = $(OTF2_LINKED) -lm
