# mpif.h, use mpi and use mpi_f08 programs get a right sum in place (or stop with 1) and
# have each call in the archive once.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

archives_of inplace_mpif.f inplace_usempi.f90 inplace_f08.f90
finish
