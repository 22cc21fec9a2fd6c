# What is on disk: calls, records, spools, the archive. No MPI, no printing.
EXTRA_DIST += formats/ARCHIVE.md
noinst_LTLIBRARIES += libmwformats.la
libmwformats_la_CPPFLAGS = $(AM_CPPFLAGS) $(OTF2_CFLAGS) $(ZLIB_CFLAGS)
libmwformats_la_SOURCES = \
	formats/archive/archive.c \
	formats/archive/archive.h \
	formats/archive/archive_finish.c \
	formats/archive/archive_json.c \
	formats/archive/archive_json.h \
	formats/archive/archive_json_user.c \
	formats/archive/archive_json_user.h \
	formats/archive/archive_json_variables.c \
	formats/archive/archive_json_variables.h \
	formats/archive/archive_plan.c \
	formats/archive/archive_steps.c \
	formats/archive/archive_steps.h \
	formats/archive/archive_words.c \
	formats/archive/archive_words.h \
	formats/base/array.h \
	formats/base/buffer.c \
	formats/base/buffer.h \
	formats/table/calls.c \
	formats/table/call_kinds.def \
	formats/table/calls.def \
	formats/table/calls.h \
	formats/base/clock.c \
	formats/base/clock.h \
	formats/spool/definition.h \
	formats/spool/definition_layout.c \
	formats/spool/definition_layout.h \
	formats/spool/definition_reader.c \
	formats/spool/definition_writer.c \
	formats/zip/deflate.c \
	formats/zip/deflate.h \
	formats/base/file.c \
	formats/base/file.h \
	formats/archive/global_definitions.c \
	formats/archive/global_definitions.h \
	formats/archive/global_metrics.c \
	formats/archive/global_metrics.h \
	formats/base/index_table.c \
	formats/base/index_table.h \
	formats/base/json_writer.c \
	formats/base/json_writer.h \
	formats/spool/known.c \
	formats/spool/known.h \
	formats/archive/local_definitions.c \
	formats/merge/merge.c \
	formats/merge/merge.h \
	formats/merge/merge_groups.c \
	formats/merge/merge_groups.h \
	formats/merge/merge_names.c \
	formats/merge/merge_names.h \
	formats/merge/merge_user.c \
	formats/merge/merge_user.h \
	formats/merge/merge_variables.c \
	formats/merge/merge_variables.h \
	formats/merge/merge_objects.c \
	formats/merge/merge_objects.h \
	formats/base/nearest.c \
	formats/base/nearest.h \
	formats/archive/object_definitions.c \
	formats/archive/object_definitions.h \
	formats/archive/otf2_output.c \
	formats/archive/otf2_output.h \
	formats/base/output_name.c \
	formats/base/output_name.h \
	formats/base/own_file.c \
	formats/base/own_file.h \
	formats/archive/pack.c \
	formats/archive/pack.h \
	formats/archive/pack_directory.c \
	formats/archive/pack_zip.c \
	formats/spool/record.h \
	formats/base/printable.c \
	formats/base/printable.h \
	formats/table/region_role.c \
	formats/table/region_role.h \
	formats/archive/replay.c \
	formats/archive/replay.h \
	formats/archive/replay_metric.c \
	formats/archive/replay_metric.h \
	formats/archive/replay_objects.c \
	formats/archive/replay_objects.h \
	formats/archive/replay_user.c \
	formats/archive/replay_user.h \
	formats/spool/request_slots.c \
	formats/spool/request_slots.h \
	formats/base/scratch.c \
	formats/base/scratch.h \
	formats/base/shell_word.c \
	formats/base/shell_word.h \
	formats/spool/spool.h \
	formats/spool/spool_directory.c \
	formats/spool/spool_directory.h \
	formats/spool/spool_reader.c \
	formats/spool/spool_writer.c \
	formats/base/status.c \
	formats/base/status.h \
	formats/spool/tallies.c \
	formats/spool/tallies.h \
	formats/archive/thread_definitions.c \
	formats/archive/thread_definitions.h \
	formats/archive/transport.c \
	formats/archive/transport.h \
	formats/archive/user_definitions.c \
	formats/archive/user_definitions.h \
	formats/base/utf8.c \
	formats/base/utf8.h \
	formats/zip/zip_writer.c \
	formats/zip/zip_writer.h

# What the programs have in common, and no library that is preloaded.
noinst_LTLIBRARIES += libmwcommandline.la
libmwcommandline_la_SOURCES = \
	formats/base/command_line.c \
	formats/base/command_line.h
