# What is on disk: calls, records, spools, the archive. No MPI, no printing.
EXTRA_DIST += formats/ARCHIVE.md
noinst_LTLIBRARIES += libmwformats.la
libmwformats_la_CPPFLAGS = $(AM_CPPFLAGS) $(OTF2_CFLAGS) $(ZLIB_CFLAGS)
libmwformats_la_SOURCES = \
	formats/archive.c \
	formats/archive.h \
	formats/archive_finish.c \
	formats/archive_json.c \
	formats/archive_json.h \
	formats/archive_json_user.c \
	formats/archive_json_user.h \
	formats/archive_json_variables.c \
	formats/archive_json_variables.h \
	formats/archive_plan.c \
	formats/archive_steps.c \
	formats/archive_steps.h \
	formats/archive_words.c \
	formats/archive_words.h \
	formats/array.h \
	formats/buffer.c \
	formats/buffer.h \
	formats/calls.c \
	formats/call_kinds.def \
	formats/calls.def \
	formats/calls.h \
	formats/clock.c \
	formats/clock.h \
	formats/definition.h \
	formats/definition_layout.c \
	formats/definition_layout.h \
	formats/definition_reader.c \
	formats/definition_writer.c \
	formats/deflate.c \
	formats/deflate.h \
	formats/file.c \
	formats/file.h \
	formats/global_definitions.c \
	formats/global_definitions.h \
	formats/global_metrics.c \
	formats/global_metrics.h \
	formats/index_table.c \
	formats/index_table.h \
	formats/json_writer.c \
	formats/json_writer.h \
	formats/known.c \
	formats/known.h \
	formats/local_definitions.c \
	formats/merge.c \
	formats/merge.h \
	formats/merge_groups.c \
	formats/merge_groups.h \
	formats/merge_names.c \
	formats/merge_names.h \
	formats/merge_user.c \
	formats/merge_user.h \
	formats/merge_variables.c \
	formats/merge_variables.h \
	formats/merge_objects.c \
	formats/merge_objects.h \
	formats/nearest.c \
	formats/nearest.h \
	formats/object_definitions.c \
	formats/object_definitions.h \
	formats/otf2_output.c \
	formats/otf2_output.h \
	formats/output_name.c \
	formats/output_name.h \
	formats/own_file.c \
	formats/own_file.h \
	formats/pack.c \
	formats/pack.h \
	formats/pack_directory.c \
	formats/pack_zip.c \
	formats/record.h \
	formats/printable.c \
	formats/printable.h \
	formats/region_role.c \
	formats/region_role.h \
	formats/replay.c \
	formats/replay.h \
	formats/replay_metric.c \
	formats/replay_metric.h \
	formats/replay_objects.c \
	formats/replay_objects.h \
	formats/replay_user.c \
	formats/replay_user.h \
	formats/request_slots.c \
	formats/request_slots.h \
	formats/scratch.c \
	formats/scratch.h \
	formats/shell_word.c \
	formats/shell_word.h \
	formats/spool.h \
	formats/spool_directory.c \
	formats/spool_directory.h \
	formats/spool_reader.c \
	formats/spool_writer.c \
	formats/status.c \
	formats/status.h \
	formats/tallies.c \
	formats/tallies.h \
	formats/thread_definitions.c \
	formats/thread_definitions.h \
	formats/transport.c \
	formats/transport.h \
	formats/user_definitions.c \
	formats/user_definitions.h \
	formats/utf8.c \
	formats/utf8.h \
	formats/zip_writer.c \
	formats/zip_writer.h

# What the programs have in common, and no library that is preloaded.
noinst_LTLIBRARIES += libmwcommandline.la
libmwcommandline_la_SOURCES = \
	formats/command_line.c \
	formats/command_line.h
