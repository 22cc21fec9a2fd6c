# A tool that skips, repeats, alters and replaces calls and makes calls of its own: the
# program sees what the tool did; the recorder below it records what reached MPI, above it
# what the program called, and never what the tool called for itself.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/system/qmpi.sh"

# meddled MPI LIST OUTPUT: the program's output is this and the archive's calls those on stdin.
meddled() {
    MPIWATCH_TOOLS=$2 chained "$1" 2 -e all "$(program meddler "$1")"
    [ "$status" -eq 0 ] || wrong "$1, $2: exit $status: $(head -5 run.err)"
    [ "$(grep size run.out)" = "$3" ] || wrong "$1, $2: $(cat run.out)"
    diff <(calls_of run.otf2.zip) - >calls.diff || wrong "$1, $2: $(cat calls.diff)"
}

for mpi in $(built_mpis); do
    meddled "$mpi" mpiwatch 'size 2, numbers 1 2 3 4' <<'CALLS'
MPI_Allreduce 2
MPI_Barrier 2
MPI_Bcast 2
MPI_Comm_rank 2
MPI_Comm_size 2
MPI_Finalize 2
MPI_Init 2
MPI_Recv 1
MPI_Send 1
CALLS
    meddled "$mpi" meddler 'size 42, numbers 1 2 0 0' <<'CALLS'
MPI_Allreduce 2
MPI_Barrier 6
MPI_Bcast 2
MPI_Comm_rank 2
MPI_Finalize 2
MPI_Init 2
MPI_Recv 1
MPI_Ssend 1
CALLS
    assert_equal 2 "$(grep -c '^the tool sees 2$' run.out)" "calls of the tool's own"
    meddled "$mpi" mpiwatch,meddler 'size 42, numbers 1 2 0 0' <<'CALLS'
MPI_Allreduce 2
MPI_Barrier 2
MPI_Bcast 2
MPI_Comm_rank 2
MPI_Comm_size 2
MPI_Finalize 2
MPI_Init 2
MPI_Recv 1
MPI_Send 1
CALLS
done
finish
