# mpiwatch-vars, and the program of each MPI that it becomes.
bin_PROGRAMS += mpiwatch-vars
mpiwatch_vars_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPKGLIBEXECDIR='"$(pkglibexecdir)"'
mpiwatch_vars_LDADD = libmwcommandline.a libmwformats.a
mpiwatch_vars_SOURCES = \
	recorder/launcher/preload.c \
	recorder/launcher/preload.h \
	recorder/mpis.c \
	recorder/mpis.h \
	recorder/vars/main.c

MWR_VARS_FILES = \
	recorder/variables/probe.c \
	recorder/variables/probe.h \
	recorder/variables/pvars.h \
	recorder/variables/pvar_selection.c \
	recorder/variables/pvar_selection.h \
	recorder/variables/mpi_t_words.c \
	recorder/vars/inventory.c \
	recorder/vars/inventory.h \
	recorder/vars/list.c

dist_man_MANS += recorder/man/mpiwatch-vars.1
