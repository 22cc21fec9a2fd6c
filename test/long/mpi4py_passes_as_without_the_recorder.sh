# mpi4py's own test suite on 2 ranks, all of it: each test ends alike with the recorder and without.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/long/programs.sh"
need_mpi openmpi # Debian's mpi4py is made for it

find_mpi4py_tests
test_timeout=900
mpi4py_with_threads
mpi4py_without_threads 1200
mpi4py_spawns TestSpawnSelf TestSpawnSelfMany TestSpawnWorld TestSpawnWorldMany
finish
