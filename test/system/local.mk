# System tests: whole programs, most of them under mpirun. One idea a file. Those that mostly wait
# are spread: two of them at a time would leave the cores to nobody.
system_tests += \
	test/system/top_serves_who_connects.sh \
	test/system/results_do_not_depend_on_who_is_read_first.sh \
	test/system/runs_are_followed_in_chapters.sh \
	test/system/runs_are_cut_at_lulls.sh \
	test/system/who_leaves_a_fence_as_the_last_one_comes_has_waited.sh \
	test/system/processes_follow_a_run_in_chapters.sh \
	test/system/times_are_moved_where_clocks_disagree.sh \
	test/system/a_coarser_unit_of_time_makes_archives_smaller.sh \
	test/system/a_place_is_the_same_by_region_and_by_attribute.sh \
	test/system/calls_know_their_stacks.sh \
	test/system/calls_by_wrappers_are_compared.sh \
	test/system/calls_by_wrappers_are_said_to_be_theirs.sh \
	test/system/wrappers_that_call_twice_are_told_by_line.sh \
	test/system/calls_of_a_library_are_said_to_be_its_own.sh \
	test/system/calls_of_libraries_know_who_led_there.sh \
	test/system/checkers_find_the_same_in_programs.sh \
	test/system/libraries_that_come_again_lead_to_the_same_lines.sh \
	test/system/bootstrap_does_what_it_is_asked_for.sh \
	test/system/callers_that_look_alike_are_told_by_line.sh \
	test/system/calls_are_told_by_place_and_caller.sh \
	test/system/counters_that_stand_still_can_be_started.sh \
	test/system/a_flood_of_unexpected_messages_is_found.sh \
	test/system/all_times_count_from_the_beginning_of_the_run.sh \
	test/system/all_that_tell_levels_tell_the_same.sh \
	test/system/an_analysis_takes_five_files.sh \
	test/system/an_analysis_that_lacks_memory_says_so.sh \
	test/system/an_mpi_without_variables_is_said_once.sh \
	test/system/applications_may_be_tools_of_mpi_t.sh \
	test/system/a_queue_that_is_nearly_empty_has_a_mean_near_0.sh \
	test/system/a_queue_that_threads_change_is_told_as_they_read_it.sh \
	test/system/counters_and_watermarks_equal_the_truth.sh \
	test/system/a_hang_is_said_while_it_lasts.sh \
	test/system/a_hang_that_another_thread_may_end_is_not_killed.sh \
	test/system/a_hang_that_ends_otherwise_is_not_killed.sh \
	test/system/attributes_of_self_are_deleted_as_without_us.sh \
	test/system/the_tutorial_shows_what_is_printed.sh \
	test/system/threads_that_match_at_once_get_their_own_messages.sh \
	test/system/the_site_leads_nowhere_else.sh \
	test/system/causes_stand_in_the_manual_with_their_sources.sh \
	test/system/verdicts_name_operations_that_cost.sh \
	test/system/verdicts_name_the_planted_cause.sh \
	test/system/verdicts_name_ranks_that_sleep.sh \
	test/system/verdicts_say_where_ranks_compute_longer.sh \
	test/system/verdicts_say_what_they_are_not_sure_of.sh \
	test/system/what_a_cause_costs_is_on_the_screen.sh \
	test/system/pictures_show_the_numbers_of_json.sh \
	test/system/what_was_read_last_is_found_after_a_kill.sh \
	test/system/many_ranks_end_in_little_memory.sh \
	test/system/a_page_takes_little_memory_for_each_rank.sh \
	test/system/reading_ahead_takes_little_memory_for_each_rank.sh \
	test/system/mpi_io_lasts_until_the_archive_is_written.sh \
	test/system/mpi_t_is_open_to_those_who_open_it.sh \
	test/system/misbehaved_variables_are_seen_through.sh \
	test/system/control_variables_are_kept_with_their_differences.sh \
	test/system/software_counters_of_open_mpi_count_right.sh \
	test/system/variables_are_read_when_asked.sh \
	test/system/variables_come_out_field_by_field.sh \
	test/system/variables_end_with_their_communicator.sh \
	test/system/variables_live_as_long_as_their_objects.sh \
	test/system/variables_that_crash_are_found_in_a_child_process.sh \
	test/system/watermarks_need_memory_for_what_is_alive.sh \
	test/system/the_report_names_commands_that_can_be_copied.sh \
	test/system/waits_in_collectives_are_who_waited_for_whom_how_long.sh \
	test/system/waits_of_ranks_far_apart_are_exact.sh \
	test/system/who_asks_all_the_time_waits.sh \
	test/system/who_is_waited_for_is_read_on.sh \
	test/system/top_shows_what_ranks_do.sh \
	test/system/waits_of_scalascas_patterns_are_those_by_hand.sh \
	test/system/waits_in_windows_are_who_waited_for_whom_how_long.sh \
	test/system/records_that_begin_late_keep_their_waits.sh \
	test/system/waits_of_messages_are_who_waited_for_whom_how_long.sh \
	test/system/waits_say_in_which_region_they_were.sh \
	test/system/waits_that_are_put_aside_are_read_again.sh \
	test/system/vars_lists_what_an_mpi_offers.sh \
	test/system/words_of_the_field_are_explained_on_the_screen.sh \
	test/system/what_an_application_does_to_variables_is_noted.sh \
	test/system/what_a_probe_found_is_shown.sh \
	test/system/what_a_run_was_recorded_on_is_told.sh \
	test/system/what_calls_do_that_are_not_recorded_is_not_known.sh \
	test/system/what_arrives_of_the_recorder_is_an_interval.sh \
	test/system/what_came_before_a_reset_is_counted.sh \
	test/system/what_cannot_be_printed_is_said.sh \
	test/system/what_the_recorder_sends_itself_is_told.sh \
	test/system/what_is_never_received_or_disagrees_is_told.sh \
	test/system/what_is_not_mpis_counts_as_no_bytes_of_mpi.sh \
	test/system/what_is_printed_does_not_grow_with_ranks.sh \
	test/system/what_ranks_do_in_the_kernel_is_told.sh \
	test/system/what_ranks_read_from_files_is_told.sh \
	test/system/what_ranks_write_to_files_is_told.sh \
	test/system/wrong_files_are_told_what_they_are.sh \
	test/system/a_broadcast_that_all_wait_in_names_the_late_rank.sh \
	test/system/a_core_that_others_take_is_told_as_lost.sh \
	test/system/a_run_that_dies_is_recovered_to_its_last_record.sh \
	test/system/a_crowd_on_one_core_is_told_as_it_computed.sh \
	test/system/a_directory_says_the_same_as_the_zip.sh \
	test/system/a_fatal_error_of_mpi_says_what_is_left.sh \
	test/system/a_cluster_file_system_holds_the_archive.sh \
	test/system/a_file_system_that_hosts_share_holds_the_archive.sh \
	test/system/a_process_that_is_stopped_is_not_waited_for_in_silence.sh \
	test/system/a_process_without_memory_tells_those_that_wait.sh \
	test/system/a_programs_own_files_stay_its_own.sh \
	test/system/a_rank_that_does_not_run_is_told_from_one_that_computes.sh \
	test/system/short_sleeps_are_told_before_their_calls.sh \
	test/system/a_run_is_held_against_its_baselines.sh \
	test/system/a_shared_otf2_serves_as_the_static_one.sh \
	test/system/top_shows_several_hosts.sh \
	test/system/top_says_how_much_ranks_of_hosts_wait.sh \
	test/system/trouble_at_the_end_is_said_at_the_start.sh \
	test/system/a_run_that_is_ended_makes_its_archive.sh \
	test/system/a_run_that_is_killed_says_how_it_is_recovered.sh \
	test/system/damaged_spools_make_sound_archives.sh \
	test/system/a_wall_clock_that_jumps_changes_no_time.sh \
	test/system/a_lack_of_cores_is_said_before_all_else.sh \
	test/system/a_limit_on_memory_ends_in_a_sentence.sh \
	test/system/a_long_finalize_says_how_long.sh \
	test/system/top_says_how_much_ranks_wait.sh \
	test/system/a_run_file_that_exists_is_kept.sh \
	test/system/a_session_of_one_process_is_recorded.sh \
	test/system/a_share_of_mpi4py_passes_as_without_the_recorder.sh \
	test/system/a_storm_of_random_messages_matches_to_the_last.sh \
	test/system/an_export_that_fails_leaves_nothing.sh \
	test/system/an_output_that_exists_is_kept.sh \
	test/system/archives_are_sound_with_four_aggregators.sh \
	test/system/archives_are_what_the_format_text_says.sh \
	test/system/archives_of_eztrace_are_read.sh \
	test/system/callbacks_and_calls_outside_of_init_do_no_harm.sh \
	test/system/calls_on_other_communicators_are_only_counted.sh \
	test/system/calls_table_matches_mpi_h.sh \
	test/system/calls_that_are_calling_contexts_are_read.sh \
	test/system/cartesian_topologies_are_told.sh \
	test/system/collectives_are_recorded_with_their_bytes.sh \
	test/system/comparisons_begin_with_a_sentence.sh \
	test/system/comparisons_make_a_page_of_their_own.sh \
	test/system/comparisons_tell_which_lines_changed.sh \
	test/system/variables_are_told_as_the_program_read_them.sh \
	test/system/communicators_are_known_with_their_whole_life.sh \
	test/system/communicators_by_the_thousand_cost_little_each.sh \
	test/system/communicators_of_other_tools_are_told_as_they_were.sh \
	test/system/communicators_that_live_unused_cost_little.sh \
	test/system/every_function_has_its_line_in_the_coverage_table.sh \
	test/system/events_are_selected_by_group.sh \
	test/system/errors_that_calls_return_are_told.sh \
	test/system/events_of_the_mpi_are_recorded.sh \
	test/system/completion_offers_what_each_command_takes.sh \
	test/system/examples_of_ci_stop_what_is_slower.sh \
	test/system/exports_hold_what_the_archive_holds.sh \
	test/system/flame_graphs_are_the_folded_stacks.sh \
	test/system/exports_tell_where_calls_are_made.sh \
	test/system/exports_tell_whether_threads_ran.sh \
	test/system/faults_of_real_programs_are_named.sh \
	test/system/places_in_libraries_are_told_by_the_programs_lines.sh \
	test/system/places_that_are_left_out_are_told.sh \
	test/system/pmpi_tools_see_what_they_would_alone.sh \
	test/system/functions_of_templates_are_told_in_a_word.sh \
	test/system/functions_with_thousands_of_calls_have_their_lines.sh \
	test/system/samples_tell_in_which_function_ranks_compute.sh \
	test/system/files_are_recorded_with_offsets_and_bytes.sh \
	test/system/filtered_calls_are_counted_until_a_kill.sh \
	test/system/failing_allocations_change_no_result.sh \
	test/system/top_counts_as_analyze_does.sh \
	test/system/faults_cost_records_and_nothing_else.sh \
	test/system/fortran_is_recorded_once_per_call.sh \
	test/system/file_io_is_told_apart_from_communication.sh \
	test/system/halves_of_a_job_that_meet_share_a_communicator.sh \
	test/system/handlers_of_files_are_for_the_programs_files.sh \
	test/system/hints_of_mpi_io_reach_the_mpi.sh \
	test/system/jobs_that_meet_are_read_as_one.sh \
	test/system/jobs_that_meet_have_their_halves.sh \
	test/system/mistakes_on_the_command_line_get_sentences.sh \
	test/system/mpi_4_is_recorded_with_its_meaning.sh \
	test/system/partitions_are_sent_when_the_last_is_ready.sh \
	test/system/levels_need_the_calls_that_make_them.sh \
	test/system/levels_of_threads_are_followed.sh \
	test/system/lines_are_looked_up_later.sh \
	test/system/lines_are_looked_up_on_each_host.sh \
	test/system/lines_that_say_more_than_wrappers_stay.sh \
	test/system/lines_that_take_too_long_are_given_up.sh \
	test/system/libraries_below_python_know_its_line.sh \
	test/system/lines_of_python_are_told.sh \
	test/system/jumps_lead_to_what_was_linked.sh \
	test/system/jumps_to_mpi_are_told_by_their_lines.sh \
	test/system/keys_say_what_they_mean.sh \
	test/system/killed_in_finalize_either_archive_or_spools_are_whole.sh \
	test/system/last_lines_are_true.sh \
	test/system/a_hang_is_explained_after_a_kill.sh \
	test/system/lives_of_communicators_are_told_as_they_were.sh \
	test/system/hosts_with_clocks_of_their_own_show_one_time.sh \
	test/system/jobs_of_slurm_are_recorded_and_recovered.sh \
	test/system/identities_of_communicators_agree_with_mpi.sh \
	test/system/idle_threads_and_streams_are_told_by_rank.sh \
	test/system/idle_workers_are_told_from_busy_ones.sh \
	test/system/functions_in_which_ranks_compute_are_told.sh \
	test/system/info_reads_no_events_unless_asked.sh \
	test/system/many_ranks_show_those_that_are_extreme.sh \
	test/system/installed_programs_find_their_libraries.sh \
	test/system/lengths_are_right_whatever_the_datatype.sh \
	test/system/memory_stays_small_however_long_the_run.sh \
	test/system/manuals_and_packaging_are_well_formed.sh \
	test/system/messages_cut_off_have_no_wrong_length.sh \
	test/system/messages_over_two_gib_count_in_full.sh \
	test/system/names_in_large_libraries_are_found_in_time.sh \
	test/system/names_neither_act_nor_pretend.sh \
	test/system/names_of_functions_leave_malloc_alone.sh \
	test/system/neighborhoods_are_recorded_with_their_bytes.sh \
	test/system/neighbours_files_and_windows_are_recorded.sh \
	test/system/nothing_needs_no_datatype.sh \
	test/system/nothing_recorded_is_said_with_its_reason.sh \
	test/system/numbers_are_the_same_everywhere.sh \
	test/system/calls_know_their_lines.sh \
	test/system/odd_archives_are_no_corrupt_ones.sh \
	test/system/one_sided_operations_are_recorded_with_targets_and_bytes.sh \
	test/system/nulls_have_a_reason.sh \
	test/system/operations_say_whom_they_take_something_from.sh \
	test/system/other_tools_metrics_are_read_by_their_definitions.sh \
	test/system/outputs_replace_only_their_like.sh \
	test/system/paraver_reads_what_is_exported.sh \
	test/system/pauses_are_recorded_and_said.sh \
	test/system/point_to_point_is_recorded_call_for_call.sh \
	test/system/probes_wait_for_whom_they_find.sh \
	test/system/probes_across_sides_and_threads_name_the_right_rank.sh \
	test/system/private_directories_end_in_a_sentence.sh \
	test/system/processes_read_the_same_as_one.sh \
	test/system/programs_behave_as_without_the_recorder.sh \
	test/system/programs_take_snapshots_of_variables.sh \
	test/system/python_reads_archives.sh \
	test/system/programs_say_the_same_in_help_and_manual.sh \
	test/system/programs_speak_to_the_recorder.sh \
	test/system/receives_for_anybody_are_told_apart.sh \
	test/system/receives_that_are_freed_end_when_that_is_known.sh \
	test/system/a_flight_recorder_keeps_the_last_calls.sh \
	test/system/readers_of_the_first_version_find_their_keys.sh \
	test/system/real_programs_end_as_without_the_recorder.sh \
	test/system/record_finds_out_which_mpi_a_program_uses.sh \
	test/system/programs_that_nobody_may_read_are_recorded.sh \
	test/system/record_refuses_what_it_could_not_record.sh \
	test/system/record_says_the_same_in_help_manual_and_completion.sh \
	test/system/record_sets_the_environment_and_becomes_the_program.sh \
	test/system/recording_works_through_wrappers_and_by_hand.sh \
	test/system/recover_keeps_the_list_of_spools.sh \
	test/system/recover_obeys_nobody_elses_run_file.sh \
	test/system/recover_reads_nothing_but_regular_files.sh \
	test/system/recover_takes_what_is_left_of_a_run.sh \
	test/system/regions_are_told_with_their_places.sh \
	test/system/registering_twice_is_one_interval.sh \
	test/system/requests_by_the_hundred_thousand_cost_the_same_each.sh \
	test/system/requests_that_have_ended_take_no_memory.sh \
	test/system/score_p_windows_have_their_waits.sh \
	test/system/signals_pause_and_resume_when_asked_to.sh \
	test/system/single_calls_and_messages_are_tables.sh \
	test/system/top_asks_why_for_what_is_outstanding.sh \
	test/system/sends_that_are_let_go_late_wait_for_the_receiver.sh \
	test/system/sends_that_need_each_other_are_told.sh \
	test/system/settings_that_differ_are_told.sh \
	test/system/sizes_tell_what_the_bytes_are.sh \
	test/system/small_archives_take_no_large_memory.sh \
	test/system/starts_that_change_the_handle_are_followed.sh \
	test/system/spawned_jobs_have_archives_of_their_own.sh \
	test/system/the_page_shows_threads_and_streams.sh \
	test/system/the_view_has_lanes_on_the_same_clock.sh \
	test/system/the_view_finds_calls.sh \
	test/system/the_view_bears_what_befalls_it.sh \
	test/system/the_view_can_be_touched_and_read_aloud.sh \
	test/system/the_view_has_a_picture_while_it_reads.sh \
	test/system/the_view_draws_collectives_as_bands.sh \
	test/system/the_view_is_its_users_alone.sh \
	test/system/the_view_keeps_what_it_has_read.sh \
	test/system/the_view_leads_to_single_messages.sh \
	test/system/the_view_shows_threads_and_streams.sh \
	test/system/the_view_reports_a_part.sh \
	test/system/the_view_watches_a_running_job.sh \
	test/system/the_view_sorts_rows.sh \
	test/system/top_says_when_nothing_goes_on.sh \
	test/system/top_prints_whole_json_or_lacks_memory.sh \
	test/system/the_view_sums_up_thin_rows.sh \
	test/system/the_view_tells_of_windows_and_files.sh \
	test/system/the_view_shows_one_communicator.sh \
	test/system/the_view_tells_waits_by_pattern.sh \
	test/system/the_view_tells_who_has_no_core.sh \
	test/system/text_is_as_wide_as_the_screen.sh \
	test/system/threads_and_streams_have_rows_of_their_own.sh \
	test/system/threads_read_the_same_as_one.sh \
	test/system/threads_that_share_handles_lose_nothing.sh \
	test/system/the_manual_tells_what_is_read_of_otf2.sh \
	test/system/three_hosts_with_clocks_days_apart_tell_the_same.sh \
	test/system/times_are_as_libotf2_corrects_them.sh \
	test/system/the_page_shows_its_numbers_in_a_browser.sh \
	test/system/strange_launches_and_outputs_do_no_harm.sh \
	test/system/threads_record_side_by_side.sh \
	test/system/times_are_those_of_the_monotonic_clock.sh \
	test/system/unknown_variables_are_warned_of_once.sh \
	test/system/variables_are_started_in_each_session_by_itself.sh
EXTRA_DIST += \
	test/data/new_analysis/tags.c \
	test/data/new_analysis/tags.h \
	test/data/new_analysis/tags_table.c \
	test/system/counts_traffic.c \
	test/system/wide_cvar.c \
	test/system/cvars_are_deadly.c \
	test/system/fake_arrivals.c \
	test/system/fake_mpi_t.c \
	test/system/fake_mpi_t_user.c \
	test/system/fake_mpit_events.c \
	test/system/fake_mpit_events.h \
	test/system/fake_mpit_events_user.c \
	test/system/fake_objects.c \
	test/system/fake_sessions.h \
	test/system/spc_user.c \
	test/system/fake_objects_user.c \
	test/system/mpi_t_tool.c \
	test/system/synthetic_pvars.c \
	test/system/junit.xsd \
	test/system/keys-0.1.0.txt \
	test/system/nulls.py \
	test/system/old_keys.py \
	test/system/paraver.py \
	test/system/lines_of_python.py \
	test/system/planted.py \
	test/system/planted_chains.py \
	test/system/planted_exchanges.py \
	test/system/planted_files.py \
	test/system/planted_operations.py \
	test/system/planted_places.py \
	test/system/planted_polls.py \
	test/system/planted_run.py \
	test/system/planted_samples.py \
	test/system/planted_windows.py \
	test/system/sampled.py \
	test/system/ranks_of_mpi.py \
	test/system/timed_run.py \
	test/system/truth.py \
	test/system/truth_mpi_t.c \
	test/system/truth_queue.c \
	test/system/truth_threads.c \
	test/system/truth_user.c \
	test/system/variables_in_fields.py \
	test/system/otf2_bytes.py \
	test/system/adjacent_blocks.c \
	test/system/late_publish.c \
	test/system/local_calls.c \
	test/system/steps.c \
	test/system/steps.sh \
	test/system/wall_jump.c \
	test/system/check_recovered.py \
	test/system/damage_spools.py \
	test/system/spool_file.py \
	test/system/sums_of.py \
	test/system/crowd.c \
	test/system/dies.c \
	test/system/speaking.c \
	test/system/failing_malloc.c \
	test/system/file_handler.c \
	test/system/given.c \
	test/system/foreign.py \
	test/system/score_p_waits.py \
	test/system/given.py \
	test/system/halves_that_meet.c \
	test/system/jobs_wait.c \
	test/system/nothing_of_no_type.c \
	test/system/check_archive.py \
	test/system/compare_calls_table.py \
	test/system/count_objects.py \
	test/system/coverage_table.py \
	test/system/exported.py \
	test/system/same_numbers.py \
	test/system/bindings.cc \
	test/system/wrapped.cc \
	test/system/browser.py \
	test/system/browser.sh \
	test/system/view.sh \
	test/system/page.py \
	test/system/view_live_page.py \
	test/system/view_lanes_page.py \
	test/system/view_asks.py \
	test/system/view_page.py \
	test/system/view_page_comms.py \
	test/system/view_page_find.py \
	test/system/view_page_kinds.py \
	test/system/view_page_order.py \
	test/system/view_page_part.py \
	test/system/view_page_progress.py \
	test/system/read_archive.py \
	test/system/sites.F90 \
	test/system/gently.c \
	test/system/no_ticks.c \
	test/system/sites.c \
	test/system/site_forms.c \
	test/system/sites.py \
	test/system/places_and_callers.py \
	test/system/places_in_libraries.py \
	test/system/sites_library.c \
	test/system/stacks.c \
	test/system/stacks.py \
	test/system/stacks_of_python.py \
	test/system/stacks_library.c \
	test/system/times.py \
	test/system/false_server.c \
	test/system/hangs.sh \
	test/system/recordings.sh \
	test/system/verdicts.sh \
	test/system/terminal.sh \
	test/system/shared_files.sh \
	test/system/three_hosts.sh \
	test/system/served_first.sh \
	test/system/slurm.sh \
	test/system/waits.sh

# Programs of tests, once for every MPI: test/system/NAME-MPI.
#
#   called_back     functions of all kinds that MPI calls back, and that call MPI
#   counting_tool   a PMPI tool
#   crowd           computing in short pieces, with a log of its own
#   dies            ways to die
#   functions       computes in two functions, and says for how long in each
#   hands_over      sends while the receiver computes, and says how long that took
#   maps            memory that is new, and system calls
#   outlives        a job and its child, of which one ends before the other
#   own_files       treats descriptors and files as its own
#   random_comms    communicators at random
#   reads           reads from files, and says how much
#   thread_handles  threads that get each other's handles, and lingers: what lies below meanwhile
#   times           keeps the times of its calls itself
#   writes          writes to files, and says how much
test_names = \
	called_back crowd dies functions hands_over maps outlives own_files random_comms reads \
	thread_handles times writes
test_tool_names = counting_tool lingers qmpi_native qmpi_pmpi_tool
EXTRA_DIST += \
	$(qmpi_names:%=test/system/%.c) \
	$(test_names:%=test/system/%.c) \
	$(test_tool_names:%=test/system/%.c) \
	test/system/qmpi.sh \
	test/system/random_comms.py \
	test/system/session_of_one.c
test_programs = \
	$(call of_each_mpi,test/system/,$(test_names) $(qmpi_names)) \
	$(call of_each_mpi,test/system/,$(test_tool_names),.so) \
	$(if $(filter mpich,$(mpi_c)),test/system/session_of_one-mpich) \
	$(if $(filter openmpi,$(mpi_c)),test/system/adjacent_blocks-openmpi)
check_SCRIPTS += $(test_programs)
CLEANFILES += $(test_programs)

# The chain of tools. Programs that bring a tool are linked with the library, but for one
# that is to be run without it as well.
system_tests += \
	test/system/qmpi_every_call_passes_the_chain.sh \
	test/system/qmpi_examples_do_as_they_say.sh \
	test/system/qmpi_functions_refuse_what_there_is_not.sh \
	test/system/qmpi_instances_stand_in_the_order_of_the_list.sh \
	test/system/qmpi_manual_example_works.sh \
	test/system/qmpi_passive_tools_change_no_archive.sh \
	test/system/qmpi_pmpi_tools_work_above_and_below.sh \
	test/system/qmpi_recorder_stands_where_the_list_says.sh \
	test/system/qmpi_tools_may_change_calls.sh \
	test/system/qmpi_tools_tell_of_their_own_time.sh
qmpi_names = qmpi_acceptance qmpi_errors qmpi_every_call qmpi_meddler qmpi_mistakes
qmpi_library_of = .libs/libmpiwatch-$(1).so -Wl,-rpath,$(abs_builddir)/.libs
test/system/qmpi_acceptance-%: qmpi_library_of =

# What is recorded of each function of each MPI.
.PHONY: coverage-table
coverage-table:
	$(AM_V_GEN)/usr/bin/python3 -B $(srcdir)/test/system/coverage_table.py $(srcdir) \
		coverage-table.md $(if $(MPICC_OPENMPI),'Open MPI=$(MPICC_OPENMPI)') \
		$(if $(MPICC_MPICH),'MPICH=$(MPICC_MPICH)')
CLEANFILES += coverage-table.md

# mpiwatch-analyze with a schedule of its own: the library's is not taken.
check_PROGRAMS += test/system/any_order
test_system_any_order_SOURCES = $(mpiwatch_analyze_SOURCES) test/system/any_order.c
test_system_any_order_LDADD = $(mpiwatch_analyze_LDADD)
test_system_any_order_LDFLAGS = $(mpiwatch_analyze_LDFLAGS)
