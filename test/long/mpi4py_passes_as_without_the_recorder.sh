# mpi4py's own test suite on 2 ranks: the same passes and failures with the recorder.
# The suite comes with its sources: MPI4PY_TESTS names the folder test/ of them, or they
# are fetched by `apt-get source` (which needs a deb-src line and the network).
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need_mpi openmpi
"$python" -c 'import mpi4py' 2>/dev/null || skip "no mpi4py here"

tests=${MPI4PY_TESTS-}
if [ -z "$tests" ]; then
    (apt-get source mpi4py >fetched 2>&1) || skip "the sources of mpi4py can't be fetched"
    tests=$(echo "$scratch"/mpi4py-*/test)
fi
[ -f "$tests/runtests.py" ] || skip "$tests has no runtests.py"

# suite COMMAND...: runs it and prints test, outcome; spawning needs a job of its own.
suite() {
    (cd "$tests" && timeout -k 10 1500 "$MPIRUN_OPENMPI" -n 2 "$@" "$python" runtests.py \
        --verbose --no-builddir --exclude=test_spawn </dev/null) >suite.out 2>&1 || true
    grep -aoE '^[a-z_A-Z0-9]+ \([A-Za-z_0-9.]+\) \.\.\. (ok|FAIL|ERROR|skipped)' suite.out |
        sort | uniq -c
}

suite >plain.outcomes
suite "$record" -o "$scratch/mpi4py.otf2.zip" >outcomes
[ "$(grep -c ok outcomes)" -ge 500 ] || wrong "few tests ran: $(tail -5 suite.out)"
cmp -s plain.outcomes outcomes || wrong "outcomes differ: $(diff plain.outcomes outcomes | head)"
[ -e mpi4py.otf2.zip ] || wrong "there is no archive"
finish
