# mpiwatch.h: registered communicators, regions, markers and counters of C and Fortran
# programs, which do the same without the recorder.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

archives_of comm_life.c halo_columns.f90
finish
