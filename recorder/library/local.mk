# What programs link with that speak to the recorder: knows no MPI, and is position-independent
# and without sanitizers, whatever is built else.
lib_LIBRARIES += libmpiwatch.a
libmpiwatch_a_CFLAGS = -std=gnu11 $(MW_WARNINGS) -O2 -fPIC
libmpiwatch_a_SOURCES = \
	recorder/include/mpiwatch.h \
	recorder/library/interface.h \
	recorder/library/mpiwatch.c

# The Fortran module is compiled by whoever uses it: modules are each compiler's own.
dist_pkgdata_DATA += recorder/library/mpiwatch.f90

# One page, found by the name of every function.
dist_man_MANS += recorder/man/mpiwatch.h.3 \
	recorder/man/mpiwatch_comm_is_registered.3 \
	recorder/man/mpiwatch_comm_register.3 \
	recorder/man/mpiwatch_comm_unregister.3 \
	recorder/man/mpiwatch_counter_add.3 \
	recorder/man/mpiwatch_counter_set.3 \
	recorder/man/mpiwatch_counter_set_double.3 \
	recorder/man/mpiwatch_is_recording.3 \
	recorder/man/mpiwatch_marker.3 \
	recorder/man/mpiwatch_pause.3 \
	recorder/man/mpiwatch_region_begin.3 \
	recorder/man/mpiwatch_region_end.3 \
	recorder/man/mpiwatch_resume.3 \
	recorder/man/mpiwatch_snapshot.3
