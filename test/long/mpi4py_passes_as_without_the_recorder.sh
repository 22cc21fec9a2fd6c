# mpi4py's own test suite on 2 ranks: the same passes and failures with the recorder. Spawning
# needs a job of its own, and is left out.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/long/programs.sh"
need_mpi openmpi

find_mpi4py_tests
test_timeout=1500
same_mpi4py_outcomes 500 --exclude=test_spawn
finish
