# Callbacks that call MPI, MPI in constructors and after MPI_Finalize, types with holes.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

archives_of callbacks.c
finish
