# mpiwatch-vars, and the program of each MPI that it becomes.
bin_PROGRAMS += mpiwatch-vars
mpiwatch_vars_CPPFLAGS = $(AM_CPPFLAGS) -DPKGLIBDIR='"$(pkglibdir)"' \
	-DPKGLIBEXECDIR='"$(pkglibexecdir)"'
mpiwatch_vars_LDADD = libmwcommandline.la libmwformats.la
mpiwatch_vars_SOURCES = \
	recorder/launcher/preload.c \
	recorder/launcher/preload.h \
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

pkglibexec_PROGRAMS =
if HAVE_OPENMPI
pkglibexec_PROGRAMS += mpiwatch-vars-openmpi
mpiwatch_vars_openmpi_SOURCES = $(MWR_VARS_FILES)
nodist_mpiwatch_vars_openmpi_SOURCES = recorder/openmpi/mpi_has.h
mpiwatch_vars_openmpi_CPPFLAGS = $(AM_CPPFLAGS) -Irecorder/openmpi $(JANSSON_CFLAGS) \
	$(MWR_OPENMPI_CPPFLAGS)
mpiwatch_vars_openmpi_LDADD = libmwformats.la $(JANSSON_LIBS) $(OPENMPI_LIBS)
endif
if HAVE_MPICH
pkglibexec_PROGRAMS += mpiwatch-vars-mpich
mpiwatch_vars_mpich_SOURCES = $(MWR_VARS_FILES)
nodist_mpiwatch_vars_mpich_SOURCES = recorder/mpich/mpi_has.h
mpiwatch_vars_mpich_CPPFLAGS = $(AM_CPPFLAGS) -Irecorder/mpich $(JANSSON_CFLAGS) \
	$(MWR_MPICH_CPPFLAGS)
mpiwatch_vars_mpich_LDADD = libmwformats.la $(JANSSON_LIBS) -lmpich
endif

dist_man_MANS += recorder/man/mpiwatch-vars.1
