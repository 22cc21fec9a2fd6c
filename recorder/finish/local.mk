# mpiwatch-finish: the recorder runs it for mpiwatch-record --on-term, and no user.
mpiwatchprivate_PROGRAMS += mpiwatch-finish
mpiwatch_finish_LDADD = libmwcommandline.a libmwformats.a $(OTF2_LIBS) $(ZLIB_LIBS)
mpiwatch_finish_SOURCES = \
	recorder/finish/gathering.c \
	recorder/finish/gathering.h \
	recorder/finish/main.c
