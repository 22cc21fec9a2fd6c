# Topologies and their collectives, MPI-IO, one-sided communication, the calls of MPI 4
# with large counts: each call is in the archive once, and nothing that MPI does inside.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

archives_of topologies.c files_and_windows.c mpi4.c
finish
