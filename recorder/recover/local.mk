# mpiwatch-recover: archives of runs that did not finish.
bin_PROGRAMS += mpiwatch-recover
mpiwatch_recover_CPPFLAGS = $(AM_CPPFLAGS) $(OTF2_CFLAGS) $(ZLIB_CFLAGS)
mpiwatch_recover_LDADD = libmwformats.la $(OTF2_LIBS) $(ZLIB_LIBS)
mpiwatch_recover_SOURCES = \
	recorder/recover/main.c \
	recorder/recover/run_file.c \
	recorder/recover/run_file.h \
	recorder/recover/runs.c \
	recorder/recover/runs.h \
	recorder/recover/spool_info.c \
	recorder/recover/spool_info.h
