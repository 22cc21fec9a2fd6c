# The analyzer: everything but main is a library, which the unit tests use as well.
noinst_LIBRARIES += libmwanalyzer.a
libmwanalyzer_a_SOURCES = \
	analyzer/analysis/analyses.c \
	analyzer/analysis/analyses.def \
	analyzer/analysis/analyses.h \
	analyzer/analysis/analysis.h \
	analyzer/analysis/batch_size.c \
	analyzer/analysis/beginnings_read.c \
	analyzer/analysis/chapter_count.c \
	analyzer/analysis/chapter_cut.c \
	analyzer/analysis/chapter_cut.h \
	analyzer/analysis/chapter_part.c \
	analyzer/analysis/chapter_part.h \
	analyzer/analysis/chapters_found.c \
	analyzer/analysis/chapters_found.h \
	analyzer/analysis/chapters_told.c \
	analyzer/analysis/chapters_told.h \
	analyzer/analysis/chosen_window.c \
	analyzer/analysis/chosen_window.h \
	analyzer/analysis/clocks/backward_amortization.c \
	analyzer/analysis/clocks/backward_amortization.h \
	analyzer/analysis/clocks/clock_shifts.c \
	analyzer/analysis/clocks/clock_shifts.h \
	analyzer/analysis/clocks/controlled_clock.c \
	analyzer/analysis/clocks/controlled_clock.h \
	analyzer/analysis/clocks/forward_amortization.c \
	analyzer/analysis/clocks/forward_amortization.h \
	analyzer/analysis/clocks/happened_before.c \
	analyzer/analysis/clocks/happened_before.h \
	analyzer/analysis/clocks/host_offsets.c \
	analyzer/analysis/clocks/host_offsets.h \
	analyzer/analysis/collect.c \
	analyzer/analysis/collect.h \
	analyzer/analysis/causes/calls_spent.c \
	analyzer/analysis/causes/calls_spent.h \
	analyzer/analysis/causes/cause_judges.h \
	analyzer/analysis/causes/gains.c \
	analyzer/analysis/causes/gains.h \
	analyzer/analysis/causes/causes.c \
	analyzer/analysis/causes/causes.def \
	analyzer/analysis/causes/causes.h \
	analyzer/analysis/causes/doubts.c \
	analyzer/analysis/causes/judges_calls.c \
	analyzer/analysis/causes/judges_chain.c \
	analyzer/analysis/causes/judges_files.c \
	analyzer/analysis/causes/judges_order.c \
	analyzer/analysis/causes/judges_pairs.c \
	analyzer/analysis/causes/judges_core.c \
	analyzer/analysis/causes/judges_delay.c \
	analyzer/analysis/causes/judges_late.c \
	analyzer/analysis/causes/judges_remade.c \
	analyzer/analysis/causes/moved_work.c \
	analyzer/analysis/causes/moved_work.h \
	analyzer/analysis/causes/outside.c \
	analyzer/analysis/causes/outside.h \
	analyzer/analysis/causes/spent.c \
	analyzer/analysis/comms/call_facts.c \
	analyzer/analysis/comms/call_facts.h \
	analyzer/analysis/comms/charge.c \
	analyzer/analysis/comms/charge.h \
	analyzer/analysis/comms/comm_activity.c \
	analyzer/analysis/comms/comm_activity.h \
	analyzer/analysis/comms/comm_findings.c \
	analyzer/analysis/comms/comm_findings.h \
	analyzer/analysis/comms/comm_history.c \
	analyzer/analysis/comms/comm_history.h \
	analyzer/analysis/comms/comm_lives.c \
	analyzer/analysis/comms/comm_lives.h \
	analyzer/analysis/comms/comm_label.c \
	analyzer/analysis/comms/comm_label.h \
	analyzer/analysis/comms/comm_selection.c \
	analyzer/analysis/comms/comm_selection.h \
	analyzer/analysis/comms/comm_timeline.c \
	analyzer/analysis/comms/comm_timeline.h \
	analyzer/analysis/comms/comm_tree.c \
	analyzer/analysis/comms/comm_tree.h \
	analyzer/analysis/comms/registrations.c \
	analyzer/analysis/comms/remade.c \
	analyzer/analysis/comms/remade.h \
	analyzer/analysis/comms/registrations.h \
	analyzer/analysis/counters/between.c \
	analyzer/analysis/counters/between.h \
	analyzer/analysis/counters/counters.c \
	analyzer/analysis/counters/counters.h \
	analyzer/analysis/counters/course.c \
	analyzer/analysis/counters/course.h \
	analyzer/analysis/counters/level_marks.c \
	analyzer/analysis/counters/level_marks.h \
	analyzer/analysis/counters/level_needs.c \
	analyzer/analysis/counters/level_needs.h \
	analyzer/analysis/counters/level_packing.c \
	analyzer/analysis/counters/level_packing.h \
	analyzer/analysis/counters/level_seams.c \
	analyzer/analysis/counters/level_seams.h \
	analyzer/analysis/counters/level_sends.c \
	analyzer/analysis/counters/level_sends.h \
	analyzer/analysis/counters/level_stage.c \
	analyzer/analysis/counters/level_stage.h \
	analyzer/analysis/counters/level_times.c \
	analyzer/analysis/counters/level_times.h \
	analyzer/analysis/counters/level_windows.c \
	analyzer/analysis/counters/level_windows.h \
	analyzer/analysis/counters/levels.c \
	analyzer/analysis/counters/levels.h \
	analyzer/analysis/counters/mark_pairs.c \
	analyzer/analysis/counters/mark_pairs.h \
	analyzer/analysis/counters/peaks.c \
	analyzer/analysis/counters/peaks.h \
	analyzer/analysis/counters/same_things.c \
	analyzer/analysis/counters/same_things.h \
	analyzer/analysis/counters/sums.c \
	analyzer/analysis/counters/sums.h \
	analyzer/analysis/counters/totals.c \
	analyzer/analysis/counters/totals.h \
	analyzer/analysis/counters/tracks.c \
	analyzer/analysis/counters/tracks.h \
	analyzer/analysis/counters/watermarks.c \
	analyzer/analysis/counters/watermarks.h \
	analyzer/analysis/cursor.c \
	analyzer/analysis/cursor.h \
	analyzer/analysis/cursor_calls.c \
	analyzer/analysis/cursor_calls.h \
	analyzer/analysis/delay/activity.c \
	analyzer/analysis/delay/activity.h \
	analyzer/analysis/delay/delay.c \
	analyzer/analysis/delay/delay.h \
	analyzer/analysis/delay/delay_cost.c \
	analyzer/analysis/delay/delay_cost.h \
	analyzer/analysis/delay/activity_origins.c \
	analyzer/analysis/delay/activity_state.h \
	analyzer/analysis/delay/delay_chapters.c \
	analyzer/analysis/delay/delay_meetings_chapters.c \
	analyzer/analysis/delay/delay_meetings_state.h \
	analyzer/analysis/delay/delay_packing.c \
	analyzer/analysis/delay/delay_lulls.c \
	analyzer/analysis/delay/delay_state.h \
	analyzer/analysis/delay/delay_meetings.c \
	analyzer/analysis/delay/delay_meetings.h \
	analyzer/analysis/delay/delay_queue.c \
	analyzer/analysis/delay/delay_queue.h \
	analyzer/analysis/delay/waypoints_ahead.h \
	analyzer/analysis/efficiency/critical_path.c \
	analyzer/analysis/efficiency/critical_path.h \
	analyzer/analysis/efficiency/dependence.c \
	analyzer/analysis/efficiency/dependence.h \
	analyzer/analysis/efficiency/ideal.c \
	analyzer/analysis/efficiency/ideal.h \
	analyzer/analysis/efficiency/ideal_chapters.c \
	analyzer/analysis/efficiency/ideal_chapters.h \
	analyzer/analysis/efficiency/ideal_replay.c \
	analyzer/analysis/efficiency/ideal_replay.h \
	analyzer/analysis/efficiency/stretches.c \
	analyzer/analysis/efficiency/stretches.h \
	analyzer/analysis/efficiency/ideal_tape.c \
	analyzer/analysis/efficiency/ideal_tape.h \
	analyzer/analysis/efficiency/ideal_track.c \
	analyzer/analysis/efficiency/ideal_track.h \
	analyzer/analysis/efficiency/imbalance.c \
	analyzer/analysis/efficiency/imbalance.h \
	analyzer/analysis/efficiency/path_joints.c \
	analyzer/analysis/efficiency/path_joints.h \
	analyzer/analysis/efficiency/path_packing.c \
	analyzer/analysis/efficiency/path_packing.h \
	analyzer/analysis/efficiency/path_tree.c \
	analyzer/analysis/efficiency/path_tree.h \
	analyzer/analysis/efficiency/instants.c \
	analyzer/analysis/efficiency/instants.h \
	analyzer/analysis/efficiency/instants_tape.c \
	analyzer/analysis/efficiency/members_begun.c \
	analyzer/analysis/efficiency/members_begun.h \
	analyzer/analysis/efficiency/location_imbalance.c \
	analyzer/analysis/efficiency/location_imbalance.h \
	analyzer/analysis/efficiency/pop.c \
	analyzer/analysis/efficiency/pop.h \
	analyzer/analysis/efficiency/region_clocks.c \
	analyzer/analysis/efficiency/region_clocks.h \
	analyzer/analysis/efficiency/tape.c \
	analyzer/analysis/efficiency/tape.h \
	analyzer/analysis/efficiency/what_if.c \
	analyzer/analysis/efficiency/what_if.h \
	analyzer/analysis/efficiency/what_if_chapters.c \
	analyzer/analysis/efficiency/what_if_state.h \
	analyzer/analysis/event_parts.c \
	analyzer/analysis/event_parts.h \
	analyzer/analysis/exchanges.c \
	analyzer/analysis/exchanges.h \
	analyzer/analysis/exchanges_in_chapters.c \
	analyzer/analysis/exchanges_in_chapters.h \
	analyzer/analysis/follower.c \
	analyzer/analysis/follower.h \
	analyzer/analysis/keyed_rows.c \
	analyzer/analysis/keyed_rows.h \
	analyzer/analysis/lookahead_read.c \
	analyzer/analysis/listeners.c \
	analyzer/analysis/listeners.h \
	analyzer/analysis/matcher.c \
	analyzer/analysis/matcher.h \
	analyzer/analysis/matching_packing.c \
	analyzer/analysis/matching_packing.h \
	analyzer/analysis/other_locations.c \
	analyzer/analysis/other_locations.h \
	analyzer/analysis/messages/bursts.c \
	analyzer/analysis/messages/bursts.h \
	analyzer/analysis/messages/call_errors.c \
	analyzer/analysis/messages/call_errors.h \
	analyzer/analysis/messages/host_pairs.c \
	analyzer/analysis/messages/host_pairs.h \
	analyzer/analysis/messages/agreement.c \
	analyzer/analysis/messages/agreement.h \
	analyzer/analysis/messages/call_order.c \
	analyzer/analysis/messages/call_order.h \
	analyzer/analysis/messages/claims.c \
	analyzer/analysis/messages/claims.h \
	analyzer/analysis/messages/mistake_packing.c \
	analyzer/analysis/messages/mistake_packing.h \
	analyzer/analysis/messages/mistakes.c \
	analyzer/analysis/messages/mistakes.h \
	analyzer/analysis/messages/operation_pairs.c \
	analyzer/analysis/messages/operation_pairs.h \
	analyzer/analysis/messages/pending_requests.c \
	analyzer/analysis/messages/pending_requests.h \
	analyzer/analysis/messages/queueing.c \
	analyzer/analysis/messages/queueing.h \
	analyzer/analysis/messages/send_circles.c \
	analyzer/analysis/messages/send_circles.h \
	analyzer/analysis/messages/terms_deferred.c \
	analyzer/analysis/messages/terms_deferred.h \
	analyzer/analysis/messages/terms_told.c \
	analyzer/analysis/messages/terms_told.h \
	analyzer/analysis/messages/traffic.c \
	analyzer/analysis/messages/traffic.h \
	analyzer/analysis/hang/hang.c \
	analyzer/analysis/hang/hang.h \
	analyzer/analysis/hang/hang_graph.c \
	analyzer/analysis/hang/hang_graph.h \
	analyzer/analysis/hang/hang_outstanding.c \
	analyzer/analysis/hang/hang_outstanding.h \
	analyzer/analysis/hang/hang_hosts.c \
	analyzer/analysis/hang/hang_hosts.h \
	analyzer/analysis/hang/hang_receives.c \
	analyzer/analysis/hang/hang_receives.h \
	analyzer/analysis/hang/hang_sentences.c \
	analyzer/analysis/hang/hang_sentences.h \
	analyzer/analysis/hang/hang_state.c \
	analyzer/analysis/hang/hang_state.h \
	analyzer/analysis/hang/hang_together.c \
	analyzer/analysis/hang/hang_together.h \
	analyzer/analysis/hang/hang_window.c \
	analyzer/analysis/hang/hang_window.h \
	analyzer/analysis/hang/hang_words.c \
	analyzer/analysis/hang/hang_words.h \
	analyzer/analysis/messages/unfinished.c \
	analyzer/analysis/messages/unfinished.h \
	analyzer/analysis/messages/wildcards.c \
	analyzer/analysis/messages/wildcards.h \
	analyzer/analysis/partial.c \
	analyzer/analysis/pass.c \
	analyzer/analysis/pass.h \
	analyzer/analysis/pass_together.c \
	analyzer/analysis/pass_together.h \
	analyzer/analysis/poll_row.c \
	analyzer/analysis/poll_row.h \
	analyzer/analysis/reading_order.c \
	analyzer/analysis/reading_order.h \
	analyzer/analysis/record_log.c \
	analyzer/analysis/record_log.h \
	analyzer/analysis/region_paths.c \
	analyzer/analysis/region_paths.h \
	analyzer/analysis/results.h \
	analyzer/analysis/span_cut.c \
	analyzer/analysis/span_cut.h \
	analyzer/analysis/summary.c \
	analyzer/analysis/summary.h \
	analyzer/analysis/time/location_activity.c \
	analyzer/analysis/time/location_activity.h \
	analyzer/analysis/time/location_profile.c \
	analyzer/analysis/time/location_profile.h \
	analyzer/analysis/time/location_states.c \
	analyzer/analysis/time/location_states.h \
	analyzer/analysis/time/file_times.c \
	analyzer/analysis/time/file_times.h \
	analyzer/analysis/time/markers.c \
	analyzer/analysis/time/markers.h \
	analyzer/analysis/time/call_sums.c \
	analyzer/analysis/time/call_sums.h \
	analyzer/analysis/time/cells.c \
	analyzer/analysis/time/cells.h \
	analyzer/analysis/time/core_shortage.c \
	analyzer/analysis/time/core_shortage.h \
	analyzer/analysis/time/path_profile.c \
	analyzer/analysis/time/path_profile.h \
	analyzer/analysis/time/off_core.c \
	analyzer/analysis/time/off_core.h \
	analyzer/analysis/time/profile.c \
	analyzer/analysis/time/profile.h \
	analyzer/analysis/time/profile_partial.c \
	analyzer/analysis/time/profile_partial.h \
	analyzer/analysis/time/rank_groups.c \
	analyzer/analysis/time/rank_groups.h \
	analyzer/analysis/time/rank_records.c \
	analyzer/analysis/time/rank_records.h \
	analyzer/analysis/time/rank_sums.c \
	analyzer/analysis/time/rank_sums.h \
	analyzer/analysis/time/rank_states.c \
	analyzer/analysis/time/rank_states.h \
	analyzer/analysis/time/region_lanes.c \
	analyzer/analysis/time/region_lanes.h \
	analyzer/analysis/time/regions.c \
	analyzer/analysis/time/regions.h \
	analyzer/analysis/time/flame.c \
	analyzer/analysis/time/flame.h \
	analyzer/analysis/time/site_profile.c \
	analyzer/analysis/time/site_profile.h \
	analyzer/analysis/time/state_log.c \
	analyzer/analysis/time/state_log.h \
	analyzer/analysis/time/tally.c \
	analyzer/analysis/time/tally.h \
	analyzer/analysis/time/timeline.c \
	analyzer/analysis/time/timeline.h \
	analyzer/analysis/waits/late_senders.c \
	analyzer/analysis/waits/late_senders.h \
	analyzer/analysis/waits/wait_ledger.c \
	analyzer/analysis/waits/wait_ledger.h \
	analyzer/analysis/waits/wait_patterns.def \
	analyzer/analysis/waits/closeups.c \
	analyzer/analysis/waits/closeups.h \
	analyzer/analysis/waits/waits.c \
	analyzer/analysis/waits/waits.h \
	analyzer/analysis/waits/waits_collective.c \
	analyzer/analysis/waits/waits_collective.h \
	analyzer/analysis/waits/waits_onesided.c \
	analyzer/analysis/waits/waits_onesided.h \
	analyzer/analysis/waits/waits_known.c \
	analyzer/analysis/waits/waits_known.h \
	analyzer/analysis/waits/waits_p2p.c \
	analyzer/analysis/waits/waits_p2p.h \
	analyzer/analysis/waits/waits_packing.c \
	analyzer/analysis/waits/waits_packing.h \
	analyzer/cli/command.h \
	analyzer/cli/print.c \
	analyzer/cli/print.h \
	analyzer/cli/progress.c \
	analyzer/cli/progress.h \
	analyzer/exchange/audience.c \
	analyzer/exchange/audience.h \
	analyzer/exchange/carried_requests.c \
	analyzer/exchange/carried_requests.h \
	analyzer/exchange/channels.c \
	analyzer/exchange/channels.h \
	analyzer/exchange/exchange.c \
	analyzer/exchange/exchange.h \
	analyzer/exchange/exchange_carried.c \
	analyzer/exchange/exchange_collectives.c \
	analyzer/exchange/exchange_engine.h \
	analyzer/exchange/exchange_epochs.c \
	analyzer/exchange/exchange_finish.c \
	analyzer/exchange/exchange_groups.c \
	analyzer/exchange/exchange_lists.c \
	analyzer/exchange/exchange_held.c \
	analyzer/exchange/exchange_locks.c \
	analyzer/exchange/exchange_notices.c \
	analyzer/exchange/exchange_onesided.h \
	analyzer/exchange/exchange_posts.c \
	analyzer/exchange/exchange_probes.c \
	analyzer/exchange/exchange_relay.c \
	analyzer/exchange/exchange_sources.c \
	analyzer/exchange/exchange_steps.c \
	analyzer/exchange/held_sends.c \
	analyzer/exchange/held_sends.h \
	analyzer/exchange/lineup.c \
	analyzer/exchange/lineup.h \
	analyzer/exchange/lookahead.c \
	analyzer/exchange/lookahead.h \
	analyzer/exchange/matching.c \
	analyzer/exchange/matching.h \
	analyzer/exchange/matching_carried.c \
	analyzer/exchange/matching_receives.c \
	analyzer/exchange/matching_sends.c \
	analyzer/exchange/matching_state.h \
	analyzer/exchange/matching_tell.h \
	analyzer/exchange/ordering.c \
	analyzer/exchange/ordering.h \
	analyzer/exchange/courses.c \
	analyzer/exchange/courses.h \
	analyzer/exchange/relay.c \
	analyzer/exchange/relay.h \
	analyzer/exchange/relay_room.c \
	analyzer/exchange/relay_room.h \
	analyzer/exchange/tails.c \
	analyzer/exchange/tails.h \
	analyzer/exchange/telling_order.c \
	analyzer/exchange/telling_order.h \
	analyzer/export/canvas.h \
	analyzer/export/canvas_png.c \
	analyzer/export/canvas_svg.c \
	analyzer/export/chrome.c \
	analyzer/export/chrome.h \
	analyzer/export/cut.c \
	analyzer/export/cut.h \
	analyzer/export/cut_crossings.c \
	analyzer/export/cut_crossings.h \
	analyzer/export/cut_definitions.c \
	analyzer/export/cut_definitions.h \
	analyzer/export/cut_entered.c \
	analyzer/export/cut_entered.h \
	analyzer/export/cut_events.c \
	analyzer/export/cut_events.h \
	analyzer/export/cut_metadata.c \
	analyzer/export/cut_metadata.h \
	analyzer/export/export_records.c \
	analyzer/export/export_records.h \
	analyzer/export/export_selection.c \
	analyzer/export/export_selection.h \
	analyzer/export/export_tables.c \
	analyzer/export/export_tables.h \
	analyzer/export/folded.c \
	analyzer/export/folded.h \
	analyzer/export/image.c \
	analyzer/export/image.h \
	analyzer/export/interruption.c \
	analyzer/export/interruption.h \
	analyzer/export/otf2_records.def \
	analyzer/export/links.c \
	analyzer/export/links.h \
	analyzer/export/moved_events.c \
	analyzer/export/moved_events.h \
	analyzer/export/output.c \
	analyzer/export/output.h \
	analyzer/export/output_kind.c \
	analyzer/export/output_kind.h \
	analyzer/export/paraver.c \
	analyzer/export/paraver.h \
	analyzer/export/perfetto.c \
	analyzer/export/perfetto.h \
	analyzer/export/perfetto_annotations.c \
	analyzer/export/perfetto_annotations.h \
	analyzer/export/perfetto_fields.h \
	analyzer/export/protobuf.c \
	analyzer/export/protobuf.h \
	analyzer/export/timeline_picture.c \
	analyzer/export/timeline_picture.h \
	analyzer/export/rebuilt.c \
	analyzer/export/rebuilt.h \
	analyzer/export/walk.c \
	analyzer/export/walk.h \
	analyzer/load/anchor.c \
	analyzer/load/anchor.h \
	analyzer/load/archive_key.c \
	analyzer/load/archive_key.h \
	analyzer/load/block_index.c \
	analyzer/load/block_index.h \
	analyzer/load/block_layout.h \
	analyzer/load/block_pass.c \
	analyzer/load/block_pass.h \
	analyzer/load/block_states.c \
	analyzer/load/block_states.h \
	analyzer/load/callback.h \
	analyzer/load/chapters.c \
	analyzer/load/chapters.h \
	analyzer/load/chunk.c \
	analyzer/load/chunk.h \
	analyzer/load/common_begin.c \
	analyzer/load/common_begin.h \
	analyzer/load/communicators.c \
	analyzer/load/communicators.h \
	analyzer/load/stack_records.c \
	analyzer/load/stack_records.h \
	analyzer/load/topology_records.c \
	analyzer/load/topology_records.h \
	analyzer/load/debug_lines.c \
	analyzer/load/debug_lines.h \
	analyzer/load/definition_records.c \
	analyzer/load/definition_records.h \
	analyzer/load/definitions.c \
	analyzer/load/definitions.h \
	analyzer/load/each_location.c \
	analyzer/load/each_location.h \
	analyzer/load/event_batch.c \
	analyzer/load/event_batch.h \
	analyzer/load/event_block.c \
	analyzer/load/event_block.h \
	analyzer/load/event_delivery.c \
	analyzer/load/event_delivery.h \
	analyzer/load/event_scan.c \
	analyzer/load/object_delivery.c \
	analyzer/load/object_delivery.h \
	analyzer/load/clock_correction.c \
	analyzer/load/clock_correction.h \
	analyzer/load/location_definitions.c \
	analyzer/load/location_definitions.h \
	analyzer/load/record_reader.c \
	analyzer/load/record_reader.h \
	analyzer/load/record_ids.c \
	analyzer/load/record_ids.h \
	analyzer/load/event_numbers.h \
	analyzer/load/event_record.h \
	analyzer/load/event_records.def \
	analyzer/load/event_reader.c \
	analyzer/load/files.c \
	analyzer/load/files.h \
	analyzer/load/first_run.c \
	analyzer/load/first_run.h \
	analyzer/load/hint_attributes.c \
	analyzer/load/hint_attributes.h \
	analyzer/load/inflater.c \
	analyzer/load/inflater.h \
	analyzer/load/input.c \
	analyzer/load/input.h \
	analyzer/load/isal_inflater.c \
	analyzer/load/isal_inflater.h \
	analyzer/load/joint.c \
	analyzer/load/joint.h \
	analyzer/load/joint_clock.c \
	analyzer/load/joint_clock.h \
	analyzer/load/joint_comms.c \
	analyzer/load/joint_comms.h \
	analyzer/load/joint_meetings.c \
	analyzer/load/joint_meetings.h \
	analyzer/load/joint_trace.c \
	analyzer/load/joint_trace.h \
	analyzer/load/member.c \
	analyzer/load/member.h \
	analyzer/load/metadata.c \
	analyzer/load/metadata.h \
	analyzer/load/metadata_json.c \
	analyzer/load/metadata_json.h \
	analyzer/load/open_calls.c \
	analyzer/load/open_calls.h \
	analyzer/load/otf2_error.c \
	analyzer/load/otf2_error.h \
	analyzer/load/otf2_input.h \
	analyzer/load/otf2_layout.h \
	analyzer/load/positions.c \
	analyzer/load/positions.h \
	analyzer/load/quiet_channels.c \
	analyzer/load/quiet_channels.h \
	analyzer/load/quiet_creations.c \
	analyzer/load/quiet_creations.h \
	analyzer/load/quiet_hash.h \
	analyzer/load/quiet_places.c \
	analyzer/load/quiet_places.h \
	analyzer/load/quiet_requests.c \
	analyzer/load/quiet_requests.h \
	analyzer/load/quiet_rests.c \
	analyzer/load/quiet_rests.h \
	analyzer/load/quiet_tries.c \
	analyzer/load/quiet_tries.h \
	analyzer/load/quiet_windows.c \
	analyzer/load/quiet_windows.h \
	analyzer/load/rationed_file.c \
	analyzer/load/rationed_file.h \
	analyzer/load/read_ahead.c \
	analyzer/load/read_ahead.h \
	analyzer/load/reading_start.c \
	analyzer/load/reading_start.h \
	analyzer/load/record_sizes.c \
	analyzer/load/record_sizes.h \
	analyzer/load/references.c \
	analyzer/load/references.h \
	analyzer/load/sample_attributes.c \
	analyzer/load/sample_attributes.h \
	analyzer/load/variable_definitions.c \
	analyzer/load/variable_definitions.h \
	analyzer/load/zip.c \
	analyzer/load/zip.h \
	analyzer/model/beginnings.c \
	analyzer/model/beginnings.h \
	analyzer/model/bins.c \
	analyzer/model/bins.h \
	analyzer/model/call_use.c \
	analyzer/model/call_use.h \
	analyzer/model/clusters.c \
	analyzer/model/clusters.h \
	analyzer/model/error_class.c \
	analyzer/model/error_class.h \
	analyzer/model/error_classes.def \
	analyzer/model/event.h \
	analyzer/model/exchanged.h \
	analyzer/model/hint.h \
	analyzer/model/function_name.c \
	analyzer/model/function_name.h \
	analyzer/model/logical_clock.c \
	analyzer/model/logical_clock.h \
	analyzer/model/map.c \
	analyzer/model/map.h \
	analyzer/model/metric.c \
	analyzer/model/metric.h \
	analyzer/model/mix.h \
	analyzer/model/needs.c \
	analyzer/model/needs.h \
	analyzer/model/places.c \
	analyzer/model/places.h \
	analyzer/model/pool.c \
	analyzer/model/pool.h \
	analyzer/model/ranges.c \
	analyzer/model/ranges.h \
	analyzer/model/region_path.h \
	analyzer/model/shortage.c \
	analyzer/model/shortage.h \
	analyzer/model/sides.c \
	analyzer/model/sides.h \
	analyzer/model/text_stream.c \
	analyzer/model/text_stream.h \
	analyzer/model/thread_limit.h \
	analyzer/model/trace.c \
	analyzer/model/trace.h \
	analyzer/model/waypoint.h \
	analyzer/model/work_together.c \
	analyzer/model/work_together.h \
	analyzer/page/compare_page.c \
	analyzer/page/compare_page.h \
	analyzer/page/html.c \
	analyzer/page/html.h \
	analyzer/page/page.c \
	analyzer/page/page.h \
	analyzer/page/page_table.c \
	analyzer/page/page_table.h \
	analyzer/page/plot.c \
	analyzer/page/section_comms.c \
	analyzer/page/section_counters.c \
	analyzer/page/section_data.c \
	analyzer/page/section_locations.c \
	analyzer/page/section_flame.c \
	analyzer/page/section_mistakes.c \
	analyzer/page/section_markers.c \
	analyzer/page/section_messages.c \
	analyzer/page/section_pop.c \
	analyzer/page/section_ranks.c \
	analyzer/page/section_regions.c \
	analyzer/page/section_settings.c \
	analyzer/page/section_timeline.c \
	analyzer/page/section_verdict.c \
	analyzer/page/section_closeups.c \
	analyzer/page/section_waits.c \
	analyzer/page/sections.h \
	analyzer/report/cause_text.c \
	analyzer/report/cause_text.h \
	analyzer/report/command_of.c \
	analyzer/report/command_of.h \
	analyzer/report/comm_timeline_text.c \
	analyzer/report/comms_text.c \
	analyzer/report/compare.c \
	analyzer/report/compare.h \
	analyzer/report/compare_lines.c \
	analyzer/report/compare_lines.h \
	analyzer/report/compare_text.c \
	analyzer/report/compare_text.h \
	analyzer/report/compare_words.c \
	analyzer/report/compare_words.h \
	analyzer/report/critical_path_text.c \
	analyzer/report/gate.c \
	analyzer/report/gate.h \
	analyzer/report/hang_text.c \
	analyzer/report/imbalance_text.c \
	analyzer/report/info_text.c \
	analyzer/report/jobs_text.c \
	analyzer/report/junit.c \
	analyzer/report/junit.h \
	analyzer/report/lack_text.c \
	analyzer/report/lack_text.h \
	analyzer/report/limit.c \
	analyzer/report/limit.h \
	analyzer/report/messages_text.c \
	analyzer/report/mistakes_text.c \
	analyzer/report/paths.c \
	analyzer/report/paths.h \
	analyzer/report/extreme_ranks.c \
	analyzer/report/extreme_ranks.h \
	analyzer/report/extreme_tracks.c \
	analyzer/report/extreme_tracks.h \
	analyzer/report/extremes.c \
	analyzer/report/extremes.h \
	analyzer/report/pop_text.c \
	analyzer/report/rank_groups_text.c \
	analyzer/report/rank_groups_text.h \
	analyzer/report/ranks_text.c \
	analyzer/report/rank_states_text.c \
	analyzer/report/recorded_on.c \
	analyzer/report/recorded_on.h \
	analyzer/report/report.c \
	analyzer/report/settings_text.c \
	analyzer/report/settings_text.h \
	analyzer/report/report_document.c \
	analyzer/report/report_tables.c \
	analyzer/report/report_tables.h \
	analyzer/report/spread.c \
	analyzer/report/spread.h \
	analyzer/report/trust_line.c \
	analyzer/report/trust_line.h \
	analyzer/report/text.h \
	analyzer/report/variables_text.c \
	analyzer/report/verdict.c \
	analyzer/report/verdict.h \
	analyzer/report/waits_text.c \
	analyzer/report/wildcards_text.c \
	analyzer/sidecar/side_by_side_crc.c \
	analyzer/sidecar/side_by_side_crc.h \
	analyzer/sidecar/sidecar.c \
	analyzer/sidecar/sidecar.h \
	analyzer/sidecar/sidecar_layout.h \
	analyzer/sidecar/sidecar_place.c \
	analyzer/sidecar/sidecar_place.h \
	analyzer/sidecar/sidecar_writer.c \
	analyzer/sidecar/sidecar_writer.h \
	analyzer/team/packing.c \
	analyzer/team/packing.h \
	analyzer/team/rank_share.c \
	analyzer/team/rank_share.h \
	analyzer/team/team.c \
	analyzer/team/team_patience.c \
	analyzer/team/team_watch.c \
	analyzer/team/team_watch.h \
	analyzer/team/team.h \
	analyzer/table/axis.c \
	analyzer/table/axis.h \
	analyzer/table/call_errors_table.c \
	analyzer/table/calls_table.c \
	analyzer/table/clean.c \
	analyzer/table/clean.h \
	analyzer/table/comms_table.c \
	analyzer/table/critical_path_table.c \
	analyzer/table/events_table.c \
	analyzer/table/flame_table.c \
	analyzer/table/hang_table.c \
	analyzer/table/imbalance_table.c \
	analyzer/table/info_table.c \
	analyzer/table/jobs_table.c \
	analyzer/table/layout.c \
	analyzer/table/layout.h \
	analyzer/table/layout_table.c \
	analyzer/table/layout_table.h \
	analyzer/table/line.c \
	analyzer/table/line.h \
	analyzer/table/location_imbalance_table.c \
	analyzer/table/location_timeline_table.c \
	analyzer/table/markup.c \
	analyzer/table/markup.h \
	analyzer/table/messages_table.c \
	analyzer/table/mistakes_table.c \
	analyzer/table/pop_table.c \
	analyzer/table/rank_groups_table.c \
	analyzer/table/ranks_table.c \
	analyzer/table/sites_table.c \
	analyzer/table/state_looks.c \
	analyzer/table/state_looks.h \
	analyzer/table/table.c \
	analyzer/table/table.h \
	analyzer/table/table_csv.c \
	analyzer/table/table_json.c \
	analyzer/table/table_text.c \
	analyzer/table/record_sizes_table.c \
	analyzer/table/records.h \
	analyzer/table/records_table.c \
	analyzer/table/tables.c \
	analyzer/table/tables.h \
	analyzer/table/timeline_table.c \
	analyzer/table/units.c \
	analyzer/table/units.h \
	analyzer/table/values.c \
	analyzer/table/values.h \
	analyzer/table/variables_table.c \
	analyzer/table/waits_table.c \
	analyzer/validate/all_events.c \
	analyzer/validate/all_events.h \
	analyzer/validate/all_together.c \
	analyzer/validate/all_together.h \
	analyzer/validate/container.c \
	analyzer/validate/container.h \
	analyzer/validate/defined.c \
	analyzer/validate/defined.h \
	analyzer/validate/described.c \
	analyzer/validate/described.h \
	analyzer/validate/events.c \
	analyzer/validate/events.h \
	analyzer/validate/findings.c \
	analyzer/validate/findings.h \
	analyzer/validate/found_in_parts.c \
	analyzer/validate/found_in_parts.h \
	analyzer/validate/ordered_findings.c \
	analyzer/validate/ordered_findings.h \
	analyzer/validate/validate.c \
	analyzer/validate/validate.h

# The page's own sources go into the program.
page_sources = analyzer/page/formulas.html analyzer/page/page.css analyzer/page/page.html \
	analyzer/page/marks.js \
	analyzer/page/page.js \
	analyzer/page/tables.js \
	analyzer/page/closeups.js
if OTF2_IS_SHARED
libmwanalyzer_a_SOURCES += analyzer/load/interposed.c
endif
nodist_libmwanalyzer_a_SOURCES = analyzer/page/sources.inc
EXTRA_DIST += analyzer/page/embed.sh $(page_sources)
BUILT_SOURCES += analyzer/page/sources.inc
CLEANFILES += analyzer/page/sources.inc
$(libmwanalyzer_a_OBJECTS): | analyzer/page/sources.inc
analyzer/page/sources.inc: analyzer/page/embed.sh $(page_sources)
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(SHELL) $(srcdir)/analyzer/page/embed.sh $(srcdir)/analyzer/page >$@.new && \
		mv $@.new $@

MWA_LIBS = libmwanalyzer.a libmwformats.a $(MWA_WRAP) $(OTF2_LINKED) $(JANSSON_LIBS) \
	$(PNG_LIBS) $(CAIRO_LIBS) $(ZLIB_LIBS) -lm

bin_PROGRAMS += mpiwatch-analyze
mpiwatch_analyze_LDADD = libmwcommandline.a $(MWA_LIBS)
# What analyzer/cli/allocation.c is asked for.
mpiwatch_analyze_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc -Wl,--wrap=calloc \
	-Wl,--wrap=realloc -Wl,--wrap=strdup -Wl,--wrap=strndup -Wl,--wrap=asprintf \
	-Wl,--wrap=__asprintf_chk
mpiwatch_analyze_SOURCES = \
	analyzer/cli/allocation.c \
	analyzer/cli/argument.c \
	analyzer/cli/argument.h \
	analyzer/cli/comm_options.c \
	analyzer/cli/comm_options.h \
	analyzer/cli/command_check.c \
	analyzer/cli/command_compare.c \
	analyzer/cli/command_dump.c \
	analyzer/cli/command_export.c \
	analyzer/cli/command_schema.c \
	analyzer/cli/command_validate.c \
	analyzer/cli/commands.c \
	analyzer/cli/event_line.c \
	analyzer/cli/event_line.h \
	analyzer/cli/event_printers.c \
	analyzer/cli/event_printers.h \
	analyzer/cli/kept_states.c \
	analyzer/cli/kept_states.h \
	analyzer/cli/limits.c \
	analyzer/cli/limits.h \
	analyzer/cli/main.c \
	analyzer/cli/memory.c \
	analyzer/cli/memory.h \
	analyzer/cli/option_rules.c \
	analyzer/cli/option_rules.h \
	analyzer/cli/options.c \
	analyzer/cli/options.h \
	analyzer/cli/processes.c \
	analyzer/cli/processes.h \
	analyzer/cli/read_archive.c \
	analyzer/cli/read_archive.h \
	analyzer/cli/screen.c \
	analyzer/cli/screen.h \
	analyzer/cli/wrong_file.c \
	analyzer/cli/wrong_file.h

# make profile-guided: mpiwatch-analyze compiled once more, by what it does on archives that tests
# make, and takes its place.
EXTRA_DIST += analyzer/profile_guided.mk analyzer/profile_guided.sh
guided_make = $(MAKE) $(AM_MAKEFLAGS) -f Makefile -f $(srcdir)/analyzer/profile_guided.mk \
	profile_guided/mpiwatch-analyze
.PHONY: profile-guided clean-profile-guided
profile-guided: all test/bench/generate test/bench/generate_box test/data/make_irregular \
		clean-profile-guided
	+$(AM_V_at)$(guided_make) GUIDED=counts
	$(AM_V_GEN)$(SHELL) $(srcdir)/analyzer/profile_guided.sh profile_guided/mpiwatch-analyze \
		profile_guided/work
	$(AM_V_at)find profile_guided '(' -name '*.o' -o -name mpiwatch-analyze ')' -exec rm -f {} +
	+$(AM_V_at)$(guided_make) GUIDED=use
	$(AM_V_at)mv profile_guided/mpiwatch-analyze mpiwatch-analyze
clean-profile-guided:
	$(AM_V_at)rm -rf profile_guided
clean-local: clean-profile-guided

# What watches a run, for mpiwatch-top, mpiwatch-view and mpiwatch-watch.
noinst_LIBRARIES += libmwlive.a
libmwlive_a_SOURCES = \
	analyzer/live/live.c \
	analyzer/live/live.h \
	analyzer/live/live_detail.c \
	analyzer/live/live_detail.h \
	analyzer/live/live_detail_state.h \
	analyzer/live/live_events.c \
	analyzer/live/live_events.h \
	analyzer/live/live_across.c \
	analyzer/live/live_across.h \
	analyzer/live/live_carrier.c \
	analyzer/live/live_carrier.h \
	analyzer/live/live_findings.c \
	analyzer/live/live_ghosts.c \
	analyzer/live/live_ghosts.h \
	analyzer/live/live_hang.c \
	analyzer/live/live_hang.h \
	analyzer/live/live_hear.c \
	analyzer/live/live_hear.h \
	analyzer/live/live_here.c \
	analyzer/live/live_here.h \
	analyzer/live/live_hosts.c \
	analyzer/live/live_hosts.h \
	analyzer/live/live_json.c \
	analyzer/live/live_json.h \
	analyzer/live/live_lines.c \
	analyzer/live/live_lines.h \
	analyzer/live/live_meeting.c \
	analyzer/live/live_meeting.h \
	analyzer/live/live_peers.c \
	analyzer/live/live_peers.h \
	analyzer/live/live_process.c \
	analyzer/live/live_process.h \
	analyzer/live/live_reading.c \
	analyzer/live/live_reading.h \
	analyzer/live/live_reason.c \
	analyzer/live/live_reason.h \
	analyzer/live/live_records.def \
	analyzer/live/live_screen.c \
	analyzer/live/live_screen.h \
	analyzer/live/live_tables.c \
	analyzer/live/live_tables.h \
	analyzer/live/live_trace.c \
	analyzer/live/live_trace.h \
	analyzer/live/live_variables.c \
	analyzer/live/live_variables.h \
	analyzer/live/live_tell.c \
	analyzer/live/live_tell.h \
	analyzer/live/live_waits.c \
	analyzer/live/live_waits.h \
	analyzer/live/live_watch.c \
	analyzer/live/live_watch.h \
	analyzer/live/live_why.c \
	analyzer/live/live_why.h \
	analyzer/live/live_words.c \
	analyzer/live/live_words.h

bin_PROGRAMS += mpiwatch-top
mpiwatch_top_LDADD = libmwlive.a libmwcommandline.a $(MWA_LIBS) $(NCURSES_LIBS)
mpiwatch_top_CPPFLAGS = $(AM_CPPFLAGS) $(NCURSES_CFLAGS)
mpiwatch_top_SOURCES = \
	analyzer/live/live_list.c \
	analyzer/live/live_list.h \
	analyzer/live/live_metrics.c \
	analyzer/live/live_metrics.h \
	analyzer/live/live_page.c \
	analyzer/live/live_page.h \
	analyzer/live/live_view.c \
	analyzer/live/live_view.h \
	analyzer/live/main.c

# mpiwatch-view, with the sources of its page.
view_page = analyzer/view/page/view.html analyzer/view/page/view.css analyzer/view/page/view.js \
	analyzer/view/page/view_actions.js \
	analyzer/view/page/view_bands.js \
	analyzer/view/page/view_data.js \
	analyzer/view/page/view_draw.js \
	analyzer/view/page/view_live.css \
	analyzer/view/page/view_live.html \
	analyzer/view/page/view_live.js \
	analyzer/view/page/view_live_draw.js \
	analyzer/view/page/view_live_tables.js \
	analyzer/view/page/view_lane.js \
	analyzer/view/page/view_lanes.js \
	analyzer/view/page/view_filter.js \
	analyzer/view/page/view_find.js \
	analyzer/view/page/view_kinds.js \
	analyzer/view/page/view_order.js \
	analyzer/view/page/view_panel.js \
	analyzer/view/page/view_places.js \
	analyzer/view/page/view_select.js \
	analyzer/view/page/view_tools.css \
	analyzer/view/page/view_pinch.js \
	analyzer/view/page/view_preview.js \
	analyzer/view/page/view_rows.js \
	analyzer/view/page/view_time.js
EXTRA_DIST += analyzer/view/embed_view.sh $(view_page)
analyzer/view/view_sources.inc: analyzer/view/embed_view.sh analyzer/page/page.css $(view_page)
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(SHELL) $^ >$@.new && mv $@.new $@
if BUILD_VIEW
bin_PROGRAMS += mpiwatch-view
dist_man_MANS += analyzer/man/mpiwatch-view.1
BUILT_SOURCES += analyzer/view/view_sources.inc
else
EXTRA_DIST += analyzer/man/mpiwatch-view.1
endif
CLEANFILES += analyzer/view/view_sources.inc
mpiwatch_view_LDADD = libmwlive.a libmwcommandline.a $(MWA_LIBS) $(MICROHTTPD_LIBS) -lpthread
mpiwatch_view_CPPFLAGS = $(AM_CPPFLAGS) $(MICROHTTPD_CFLAGS)
mpiwatch_view_SOURCES = \
	analyzer/cli/wrong_file.c \
	analyzer/cli/wrong_file.h \
	analyzer/view/main.c \
	analyzer/view/view_answers.c \
	analyzer/view/view_answers.h \
	analyzer/view/view_array.c \
	analyzer/view/view_array.h \
	analyzer/view/view_asks.c \
	analyzer/view/view_asks.h \
	analyzer/view/view_actions.c \
	analyzer/view/view_actions.h \
	analyzer/view/view_bands.c \
	analyzer/view/view_bands.h \
	analyzer/view/view_called.c \
	analyzer/view/view_called.h \
	analyzer/view/view_collect.c \
	analyzer/view/view_collect.h \
	analyzer/view/view_finders.c \
	analyzer/view/view_finders.h \
	analyzer/view/view_comms.c \
	analyzer/view/view_comms.h \
	analyzer/view/view_detail.c \
	analyzer/view/view_detail.h \
	analyzer/view/view_door.c \
	analyzer/view/view_door.h \
	analyzer/view/view_find.c \
	analyzer/view/view_find.h \
	analyzer/view/view_fate.c \
	analyzer/view/view_fate.h \
	analyzer/view/view_guard.c \
	analyzer/view/view_guard.h \
	analyzer/view/view_index.c \
	analyzer/view/view_index.h \
	analyzer/view/view_keep.c \
	analyzer/view/view_keep.h \
	analyzer/view/view_lanes.h \
	analyzer/view/view_lanes_answers.c \
	analyzer/view/view_lanes_answers.h \
	analyzer/view/view_lanes_make.c \
	analyzer/view/view_lanes_make.h \
	analyzer/view/view_looks.c \
	analyzer/view/view_looks.h \
	analyzer/view/view_match.c \
	analyzer/view/view_match.h \
	analyzer/view/view_near.c \
	analyzer/view/view_near.h \
	analyzer/view/view_off_core.c \
	analyzer/view/view_off_core.h \
	analyzer/view/view_part.c \
	analyzer/view/view_part.h \
	analyzer/view/view_question.c \
	analyzer/view/view_question.h \
	analyzer/view/view_rows.c \
	analyzer/view/view_rows.h \
	analyzer/view/view_run.c \
	analyzer/view/view_run.h \
	analyzer/view/view_running.c \
	analyzer/view/view_running.h \
	analyzer/view/view_scratch.c \
	analyzer/view/view_scratch.h \
	analyzer/view/view_series.c \
	analyzer/view/view_series.h \
	analyzer/view/view_preview.c \
	analyzer/view/view_preview.h \
	analyzer/view/view_server.c \
	analyzer/view/view_server.h \
	analyzer/view/view_shares.c \
	analyzer/view/view_shares.h \
	analyzer/view/view_states.c \
	analyzer/view/view_states.h \
	analyzer/view/view_store.c \
	analyzer/view/view_store.h \
	analyzer/view/view_tether.c \
	analyzer/view/view_tether.h \
	analyzer/view/view_threads.c \
	analyzer/view/view_threads.h
nodist_mpiwatch_view_SOURCES = analyzer/view/view_sources.inc
$(mpiwatch_view_OBJECTS): | analyzer/view/view_sources.inc

# mpiwatch-watch: the recorder runs it for mpiwatch-record --hang, and no user.
mpiwatchprivate_PROGRAMS += mpiwatch-watch
mpiwatch_watch_LDADD = libmwlive.a libmwcommandline.a $(MWA_LIBS)
mpiwatch_watch_SOURCES = \
	analyzer/live/alarm.c \
	analyzer/live/alarm.h \
	analyzer/live/standstill.c \
	analyzer/live/standstill.h \
	analyzer/live/watcher.c

dist_man_MANS += analyzer/man/mpiwatch-analyses.7 analyzer/man/mpiwatch-top.1

# The tutorial: a manual page, which the tarball has, as only a checkout needs lowdown; and a page
# with pictures, in the site (packaging/). PYTHON3 is one that has otf2.
tutorial = analyzer/man/mpiwatch-tutorial
PYTHON3 = /usr/bin/python3
EXTRA_DIST += $(tutorial).md analyzer/man/tutorial.py analyzer/man/tutorial_page.sed
dist_man_MANS += $(tutorial).7
MAINTAINERCLEANFILES = $(tutorial).7
$(tutorial).7: $(tutorial).md analyzer/man/tutorial_page.sed analyzer/local.mk packaging/local.mk
	$(AM_V_GEN)$(MKDIR_P) $(@D) && \
	{ test -n '$(LOWDOWN)' || { echo "lowdown is needed to make $@" >&2; exit 1; }; } && \
	$(SED) -f $(srcdir)/analyzer/man/tutorial_page.sed $(srcdir)/$(tutorial).md | \
		$(LOWDOWN) -s -Tman --parse-no-intraemph -m title=MPIWATCH-TUTORIAL -m section=7 \
		-m date='November 2026' -m source='mpiwatch 0.2' -m volume='Tutorial' /dev/stdin | \
		$(SED) '$(man_fonts)' >$@.new && mv $@.new $@
# After a change of what is printed: into the checkout.
update-tutorial: mpiwatch-analyze$(EXEEXT)
	$(PYTHON3) $(srcdir)/analyzer/man/tutorial.py update $(srcdir)/$(tutorial).md \
		./mpiwatch-analyze$(EXEEXT) $(srcdir)/test/system/planted.py
.PHONY: update-tutorial
man_MANS = analyzer/man/mpiwatch-analyze.1
EXTRA_DIST += analyzer/man/commands.awk analyzer/man/mpiwatch-analyze.1.in
CLEANFILES += $(man_MANS)
analyzer/man/mpiwatch-analyze.1: mpiwatch-analyze$(EXEEXT) analyzer/man/commands.awk \
		analyzer/man/mpiwatch-analyze.1.in
	$(AM_V_GEN)$(MKDIR_P) $(@D) && ./$(<F) --print-options >$@.options && \
		$(AWK) -f $(srcdir)/analyzer/man/commands.awk $@.options $(srcdir)/$@.in >$@.new && \
		rm -f $@.options && mv $@.new $@
