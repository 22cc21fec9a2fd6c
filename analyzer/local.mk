# The analyzer: everything but main is a library, which the unit tests use as well.
noinst_LTLIBRARIES += libmwanalyzer.la
libmwanalyzer_la_CPPFLAGS = $(AM_CPPFLAGS) $(OTF2_CFLAGS) $(ZLIB_CFLAGS) $(JANSSON_CFLAGS) \
	$(PNG_CFLAGS)
libmwanalyzer_la_SOURCES = \
	analyzer/analysis/analysis.h \
	analyzer/analysis/charge.c \
	analyzer/analysis/charge.h \
	analyzer/analysis/comm_activity.c \
	analyzer/analysis/comm_activity.h \
	analyzer/analysis/comm_findings.c \
	analyzer/analysis/comm_findings.h \
	analyzer/analysis/comm_selection.c \
	analyzer/analysis/comm_selection.h \
	analyzer/analysis/comm_timeline.c \
	analyzer/analysis/comm_timeline.h \
	analyzer/analysis/comm_tree.c \
	analyzer/analysis/comm_tree.h \
	analyzer/analysis/comms.c \
	analyzer/analysis/comms.h \
	analyzer/analysis/counters.c \
	analyzer/analysis/counters.h \
	analyzer/analysis/exchanges.c \
	analyzer/analysis/exchanges.h \
	analyzer/analysis/critical_path.c \
	analyzer/analysis/critical_path.h \
	analyzer/analysis/dependence.c \
	analyzer/analysis/dependence.h \
	analyzer/analysis/ideal.c \
	analyzer/analysis/ideal.h \
	analyzer/analysis/imbalance.c \
	analyzer/analysis/imbalance.h \
	analyzer/analysis/message_levels.c \
	analyzer/analysis/message_levels.h \
	analyzer/analysis/path_tree.c \
	analyzer/analysis/path_tree.h \
	analyzer/analysis/pop.c \
	analyzer/analysis/pop.h \
	analyzer/analysis/profile.c \
	analyzer/analysis/profile.h \
	analyzer/analysis/queueing.c \
	analyzer/analysis/queueing.h \
	analyzer/analysis/rank_states.c \
	analyzer/analysis/rank_states.h \
	analyzer/analysis/regions.c \
	analyzer/analysis/regions.h \
	analyzer/analysis/registrations.c \
	analyzer/analysis/registrations.h \
	analyzer/analysis/timeline.c \
	analyzer/analysis/timeline.h \
	analyzer/analysis/replay.c \
	analyzer/analysis/replay.h \
	analyzer/analysis/replay_finish.c \
	analyzer/analysis/replay_internal.h \
	analyzer/analysis/replay_receivers.c \
	analyzer/analysis/tally.c \
	analyzer/analysis/tally.h \
	analyzer/analysis/tracks.c \
	analyzer/analysis/tracks.h \
	analyzer/analysis/traffic.c \
	analyzer/analysis/traffic.h \
	analyzer/analysis/window.c \
	analyzer/analysis/window.h \
	analyzer/analysis/collect.c \
	analyzer/analysis/collect.h \
	analyzer/cli/command.h \
	analyzer/cli/progress.c \
	analyzer/cli/progress.h \
	analyzer/cli/tracks.c \
	analyzer/cli/tracks.h \
	analyzer/export/chrome.c \
	analyzer/export/chrome.h \
	analyzer/export/cut.c \
	analyzer/export/cut.h \
	analyzer/export/cut_crossings.c \
	analyzer/export/cut_definitions.c \
	analyzer/export/cut_events.c \
	analyzer/export/cut_internal.h \
	analyzer/export/otf2_records.def \
	analyzer/export/output.c \
	analyzer/export/output.h \
	analyzer/export/perfetto.c \
	analyzer/export/perfetto.h \
	analyzer/export/protobuf.c \
	analyzer/export/protobuf.h \
	analyzer/export/selection.c \
	analyzer/export/selection.h \
	analyzer/export/tables.c \
	analyzer/export/tables.h \
	analyzer/export/walk.c \
	analyzer/export/walk.h \
	analyzer/load/anchor.c \
	analyzer/load/anchor.h \
	analyzer/load/channels.c \
	analyzer/load/channels.h \
	analyzer/load/communicators.c \
	analyzer/load/communicators.h \
	analyzer/load/cursor.c \
	analyzer/load/cursor.h \
	analyzer/load/definition_records.c \
	analyzer/load/definitions.c \
	analyzer/load/definitions.h \
	analyzer/load/definitions_internal.h \
	analyzer/load/event_mark.c \
	analyzer/load/event_mpi.c \
	analyzer/load/event_reader.c \
	analyzer/load/event_reader_internal.h \
	analyzer/load/event_window.c \
	analyzer/load/exchange.c \
	analyzer/load/exchange.h \
	analyzer/load/exchange_collectives.c \
	analyzer/load/exchange_groups.c \
	analyzer/load/exchange_sources.c \
	analyzer/load/exchange_internal.h \
	analyzer/load/exchange_steps.c \
	analyzer/load/files.c \
	analyzer/load/files.h \
	analyzer/load/held_sends.c \
	analyzer/load/held_sends.h \
	analyzer/load/input.c \
	analyzer/load/input.h \
	analyzer/load/input_internal.h \
	analyzer/load/lookahead.c \
	analyzer/load/lookahead.h \
	analyzer/load/matching.c \
	analyzer/load/matching.h \
	analyzer/load/matching_internal.h \
	analyzer/load/matching_receives.c \
	analyzer/load/matching_sends.c \
	analyzer/load/matching_tell.h \
	analyzer/load/member.c \
	analyzer/load/member.h \
	analyzer/load/metadata.c \
	analyzer/load/metadata.h \
	analyzer/load/metric_definitions.c \
	analyzer/load/ordering.c \
	analyzer/load/ordering.h \
	analyzer/load/otf2_error.c \
	analyzer/load/otf2_error.h \
	analyzer/load/pass.c \
	analyzer/load/pass.h \
	analyzer/load/positions.c \
	analyzer/load/positions.h \
	analyzer/load/pass_internal.h \
	analyzer/load/read_ahead.c \
	analyzer/load/read_ahead.h \
	analyzer/load/share_out.c \
	analyzer/load/references.c \
	analyzer/load/references.h \
	analyzer/load/zip.c \
	analyzer/load/zip.h \
	analyzer/load/variables.c \
	analyzer/load/variables.h \
	analyzer/model/event.h \
	analyzer/model/exchange.h \
	analyzer/model/waypoint.h \
	analyzer/model/metric.c \
	analyzer/model/metric.h \
	analyzer/model/pool.c \
	analyzer/model/pool.h \
	analyzer/model/ranges.c \
	analyzer/model/ranges.h \
	analyzer/model/table.c \
	analyzer/model/table.h \
	analyzer/model/trace.c \
	analyzer/model/trace.h \
	analyzer/render/comm_timeline.c \
	analyzer/render/comm_timeline.h \
	analyzer/render/comm_timeline_json.c \
	analyzer/page/html.c \
	analyzer/page/html.h \
	analyzer/page/image.c \
	analyzer/page/image.h \
	analyzer/page/page.c \
	analyzer/page/page.h \
	analyzer/page/plot.c \
	analyzer/page/section_calls.c \
	analyzer/page/section_comms.c \
	analyzer/page/section_counters.c \
	analyzer/page/section_data.c \
	analyzer/page/section_messages.c \
	analyzer/page/section_pop.c \
	analyzer/page/section_ranks.c \
	analyzer/page/section_settings.c \
	analyzer/page/section_timeline.c \
	analyzer/page/section_verdict.c \
	analyzer/page/section_waits.c \
	analyzer/page/sections.h \
	analyzer/render/comms.c \
	analyzer/render/comms.h \
	analyzer/render/comms_json.c \
	analyzer/render/csv.c \
	analyzer/render/csv.h \
	analyzer/render/compare.c \
	analyzer/render/compare.h \
	analyzer/render/critical_path.c \
	analyzer/render/critical_path.h \
	analyzer/render/imbalance.c \
	analyzer/render/imbalance.h \
	analyzer/render/json.c \
	analyzer/render/json.h \
	analyzer/render/host_pairs.c \
	analyzer/render/host_pairs.h \
	analyzer/render/line.c \
	analyzer/render/line.h \
	analyzer/render/paths.c \
	analyzer/render/paths.h \
	analyzer/render/pop.c \
	analyzer/render/pop.h \
	analyzer/render/rank_states.c \
	analyzer/render/rank_states.h \
	analyzer/render/report.c \
	analyzer/render/report.h \
	analyzer/render/report_tables.c \
	analyzer/render/report_tables.h \
	analyzer/render/results.h \
	analyzer/render/summary.c \
	analyzer/render/summary.h \
	analyzer/render/text.c \
	analyzer/render/text.h \
	analyzer/render/text_traffic.c \
	analyzer/analysis/waits.c \
	analyzer/analysis/waits.h \
	analyzer/analysis/waits_collective.c \
	analyzer/analysis/waits_neighbor.c \
	analyzer/analysis/waits_internal.h \
	analyzer/analysis/waits_p2p.c \
	analyzer/analysis/watermarks.c \
	analyzer/analysis/watermarks.h \
	analyzer/render/tracks.c \
	analyzer/render/tracks.h \
	analyzer/render/units.c \
	analyzer/render/units.h \
	analyzer/render/values.c \
	analyzer/render/values.h \
	analyzer/render/verdict.c \
	analyzer/render/verdict.h \
	analyzer/render/waits.c \
	analyzer/render/waits.h \
	analyzer/validate/block_index.c \
	analyzer/validate/block_index.h \
	analyzer/validate/comm_lives.c \
	analyzer/validate/comm_lives.h \
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
	analyzer/validate/validate.c \
	analyzer/validate/validate.h

# The page's own sources go into the program.
page_sources = analyzer/page/formulas.html analyzer/page/page.css analyzer/page/page.html \
	analyzer/page/page.js
nodist_libmwanalyzer_la_SOURCES = analyzer/page/sources.inc
EXTRA_DIST += analyzer/page/embed.sh $(page_sources)
BUILT_SOURCES += analyzer/page/sources.inc
CLEANFILES += analyzer/page/sources.inc
$(libmwanalyzer_la_OBJECTS): | analyzer/page/sources.inc
analyzer/page/sources.inc: analyzer/page/embed.sh $(page_sources)
	@$(MKDIR_P) $(@D)
	$(AM_V_GEN)$(SHELL) $(srcdir)/analyzer/page/embed.sh $(srcdir)/analyzer/page >$@.new && \
		mv $@.new $@

# libotf2 is linked statically, so that its fopen and stat can be led to analyzer/load/files.
MWA_WRAP = -Wl,--wrap=fopen -Wl,--wrap=stat
MWA_LIBS = libmwanalyzer.la libmwformats.la $(OTF2_STATIC) $(JANSSON_LIBS) $(PNG_LIBS) \
	$(ZLIB_LIBS) -lm

bin_PROGRAMS += mpiwatch-analyze
mpiwatch_analyze_CPPFLAGS = $(AM_CPPFLAGS) $(OTF2_CFLAGS) $(JANSSON_CFLAGS)
mpiwatch_analyze_LDFLAGS = $(AM_LDFLAGS) $(MWA_WRAP)
mpiwatch_analyze_LDADD = $(MWA_LIBS)
mpiwatch_analyze_SOURCES = \
	analyzer/cli/argument.c \
	analyzer/cli/argument.h \
	analyzer/cli/comm_options.c \
	analyzer/cli/comm_options.h \
	analyzer/cli/command_calls.c \
	analyzer/cli/command_check.c \
	analyzer/cli/command_comms.c \
	analyzer/cli/command_compare.c \
	analyzer/cli/command_counters.c \
	analyzer/cli/command_critical_path.c \
	analyzer/cli/command_dump.c \
	analyzer/cli/command_export.c \
	analyzer/cli/command_imbalance.c \
	analyzer/cli/command_info.c \
	analyzer/cli/command_messages.c \
	analyzer/cli/command_pop.c \
	analyzer/cli/command_ranks.c \
	analyzer/cli/command_report.c \
	analyzer/cli/command_timeline.c \
	analyzer/cli/command_waits.c \
	analyzer/cli/command_watermarks.c \
	analyzer/cli/command_validate.c \
	analyzer/cli/main.c \
	analyzer/cli/memory.c \
	analyzer/cli/memory.h \
	analyzer/cli/options.c \
	analyzer/cli/options.h

dist_man_MANS += analyzer/man/mpiwatch-analyses.7 analyzer/man/mpiwatch-analyze.1
