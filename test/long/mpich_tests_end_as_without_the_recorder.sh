# MPICH's own test suite with both MPIs: each test ends alike with the recorder and without.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
. "$TOP_SRCDIR/test/long/programs.sh"
need otf2-print

find_mpich_tests
for mpi in $(mpis); do
    build_mpich_tests "$mpi"
    if [ "$mpi" = mpich ]; then
        same_mpich_outcomes mpich 3 450 # where there is no core for a rank, it spins
        grep -q "^init/session_self 1: 'passed'" outcomes || wrong "init/session_self did not pass"
    else
        same_mpich_outcomes openmpi 4 500
    fi
done
finish
