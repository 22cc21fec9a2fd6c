# What is on disk: calls, records, spools, the archive. No MPI, no printing.
noinst_LTLIBRARIES += libmwformats.la
libmwformats_la_CPPFLAGS = $(AM_CPPFLAGS) $(OTF2_CFLAGS) $(ZLIB_CFLAGS)
libmwformats_la_SOURCES = \
	formats/calls.c \
	formats/calls.def \
	formats/calls.h \
	formats/definition.h \
	formats/definition_layout.c \
	formats/definition_layout.h \
	formats/definition_reader.c \
	formats/definition_writer.c \
	formats/record.h \
	formats/spool.h \
	formats/spool_reader.c \
	formats/spool_writer.c \
	formats/status.c \
	formats/status.h
