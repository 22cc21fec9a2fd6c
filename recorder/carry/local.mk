# mpiwatch-carry: mpiwatch-top runs it, and no user, so that it lies beside the libraries.
mpiwatchprivate_PROGRAMS += mpiwatch-carry
mpiwatch_carry_LDADD = libmwcommandline.a libmwformats.a $(OTF2_LIBS) $(ZLIB_LIBS) -ldl
mpiwatch_carry_SOURCES = \
	recorder/carry/carry.h \
	recorder/carry/main.c
