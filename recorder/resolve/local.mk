# mpiwatch-resolve: lines of call sites. Recorder and mpiwatch-recover run it, and no user, so that
# it lies beside the libraries.
mpiwatchprivatedir = $(pkglibdir)
mpiwatchprivate_PROGRAMS = mpiwatch-resolve
mpiwatch_resolve_LDADD = libmwformats.a $(LIBDW_LIBS) -lstdc++
mpiwatch_resolve_SOURCES = \
	recorder/resolve/defined_functions.c \
	recorder/resolve/defined_functions.h \
	recorder/resolve/function_calls.c \
	recorder/resolve/function_calls.h \
	recorder/resolve/inlined_at.c \
	recorder/resolve/inlined_at.h \
	recorder/resolve/inlined_calls.c \
	recorder/resolve/inlined_calls.h \
	recorder/resolve/main.c \
	recorder/resolve/source.c \
	recorder/resolve/source.h \
	recorder/resolve/symbols.c \
	recorder/resolve/symbols.h \
	recorder/resolve/tail_calls.c \
	recorder/resolve/tail_calls.h \
	recorder/resolve/source_units.c \
	recorder/resolve/source_units.h
