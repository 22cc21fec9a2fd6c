# mpi4py's own tests on 2 ranks, each ends alike with the recorder and without: nearly all of them
# with MPI_THREAD_MULTIPLE, those of windows without threads. make check-long has the rest.
precedence=-5 # it is long, and others wait meanwhile
. "$TOP_SRCDIR/test/system/served_first.sh"
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/long/programs.sh"
need_mpi openmpi # Debian's mpi4py is made for it

find_mpi4py_tests
test_timeout=300
mpi4py_with_threads
mpi4py_without_threads 60 --include='test_rma$' --include=test_rma_nb --include=test_win
finish
