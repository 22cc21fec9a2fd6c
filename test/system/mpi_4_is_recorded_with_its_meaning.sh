# Persistent collectives, partitioned messages, sessions: what MPICH has and Open MPI 4 has not.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need_mpi mpich
[ -x "$TOP_BUILDDIR/examples/ring-mpich" ] || skip "the examples were not built for MPICH"

archives_with mpich persistent_collectives.c partitioned.c sessions.c

# How much MPI_Isendrecv received, MPICH 4.0 does not say.
recorded mpich 2 isendrecv
as_expected mpich 2 isendrecv.c --only analyze

# Without MPI_Init there is nothing to record, and one process says so.
recorded mpich 2 sessions only
assert_equal 0 "$status" "exit status of a program without MPI_Init"
assert_equal 2 "$(grep -c done sessions.out)" "ranks that ended well"
assert_equal 1 "$(grep -c 'never calls MPI_Init' sessions.err)" "sentences about it"
[ ! -e sessions.otf2.zip ] || wrong "there is an archive of nothing"
finish
