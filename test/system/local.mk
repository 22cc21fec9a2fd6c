# System tests: whole programs, most of them under mpirun. One idea a file.
system_tests += \
	test/system/a_directory_says_the_same_as_the_zip.sh \
	test/system/a_run_that_dies_is_recovered_to_its_last_record.sh \
	test/system/a_storm_of_random_messages_matches_to_the_last.sh \
	test/system/an_output_that_exists_is_kept.sh \
	test/system/archives_are_sound_with_four_aggregators.sh \
	test/system/archives_are_what_the_format_text_says.sh \
	test/system/calls_table_matches_mpi_h.sh \
	test/system/collectives_are_recorded_with_their_bytes.sh \
	test/system/communicators_are_known_with_their_whole_life.sh \
	test/system/events_are_selected_by_group.sh \
	test/system/completion_asks_the_programs_for_commands_and_options.sh \
	test/system/fortran_is_recorded_once_per_call.sh \
	test/system/mpi_4_is_recorded_with_its_meaning.sh \
	test/system/killed_in_finalize_either_archive_or_spools_are_whole.sh \
	test/system/installed_programs_find_their_libraries.sh \
	test/system/memory_stays_small_however_long_the_run.sh \
	test/system/messages_over_two_gib_count_in_full.sh \
	test/system/neighborhoods_are_recorded_with_their_bytes.sh \
	test/system/neighbours_files_and_windows_are_recorded.sh \
	test/system/pauses_are_recorded_and_said.sh \
	test/system/point_to_point_is_recorded_call_for_call.sh \
	test/system/private_directories_end_in_a_sentence.sh \
	test/system/programs_behave_as_without_the_recorder.sh \
	test/system/programs_say_the_same_in_help_and_manual.sh \
	test/system/record_finds_out_which_mpi_a_program_uses.sh \
	test/system/record_refuses_what_it_could_not_record.sh \
	test/system/record_says_the_same_in_help_manual_and_completion.sh \
	test/system/record_sets_the_environment_and_becomes_the_program.sh \
	test/system/recording_works_through_wrappers_and_by_hand.sh \
	test/system/recover_takes_what_is_left_of_a_run.sh \
	test/system/requests_by_the_hundred_thousand_cost_the_same_each.sh \
	test/system/threads_record_side_by_side.sh \
	test/system/unknown_variables_are_warned_of_once.sh
EXTRA_DIST += \
	test/system/adjacent_blocks.c \
	test/system/check_recovered.py \
	test/system/dies.c \
	test/system/check_archive.py \
	test/system/compare_calls_table.py \
	test/system/read_archive.py \
	test/system/recordings.sh

# What Open MPI's MPI-IO does without our precautions.
if HAVE_MPICC_OPENMPI
check_SCRIPTS += test/system/adjacent_blocks
CLEANFILES += test/system/adjacent_blocks
test/system/adjacent_blocks: test/system/adjacent_blocks.c
	@$(MKDIR_P) $(@D)
	$(example_v_cc)$(MPICC_OPENMPI) $(example_flags) -o $@ $(srcdir)/test/system/adjacent_blocks.c
endif

# Ways to die.
dies_mpis =
if HAVE_MPICC_OPENMPI
dies_mpis += openmpi
endif
if HAVE_MPICC_MPICH
dies_mpis += mpich
endif
check_SCRIPTS += $(dies_mpis:%=test/system/dies-%)
CLEANFILES += $(dies_mpis:%=test/system/dies-%)
test/system/dies-openmpi: test/system/dies.c
	@$(MKDIR_P) $(@D)
	$(example_v_cc)$(MPICC_OPENMPI) $(example_flags) -o $@ $(srcdir)/test/system/dies.c
test/system/dies-mpich: test/system/dies.c
	@$(MKDIR_P) $(@D)
	$(example_v_cc)$(MPICC_MPICH) $(example_flags) -o $@ $(srcdir)/test/system/dies.c
