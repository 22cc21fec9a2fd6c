# mpiwatch-recover: archives of runs that did not finish.
bin_PROGRAMS += mpiwatch-recover
mpiwatch_recover_LDADD = libmwcommandline.a libmwformats.a $(OTF2_LIBS) $(ZLIB_LIBS) -ldl
mpiwatch_recover_SOURCES = \
	$(MWR_SETTINGS_FILES) \
	recorder/recover/main.c \
	recorder/recover/share.c \
	recorder/recover/share.h \
	recorder/recover/together.c \
	recorder/recover/together.h \
	recorder/sites/loaded.c \
	recorder/sites/loaded.h \
	recorder/sites/resolver.c \
	recorder/sites/resolver.h
