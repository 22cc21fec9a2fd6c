# What programs link with that speak to the recorder: knows no MPI, and is position-independent
# and without sanitizers, whatever is built else.
lib_LIBRARIES += libmpiwatch.a
libmpiwatch_a_CPPFLAGS = $(AM_CPPFLAGS)
libmpiwatch_a_CFLAGS = -std=gnu11 $(MW_WARNINGS) -O2 -fPIC
libmpiwatch_a_SOURCES = \
	recorder/include/mpiwatch.h \
	recorder/library/interface.h \
	recorder/library/mpiwatch.c

# The Fortran module is compiled by whoever uses it: modules are each compiler's own.
dist_pkgdata_DATA += recorder/library/mpiwatch.f90
