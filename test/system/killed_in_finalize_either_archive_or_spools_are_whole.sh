# A rank killed at each point of what MPI_Finalize does (MPIWATCH_TEST_DIE_AT): afterwards
# the archive is there and whole, or the spools make a whole one; never neither. The rank
# that dies takes turns.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
recover=$TOP_BUILDDIR/mpiwatch-recover
need_mpi openmpi
[ -x "$TOP_BUILDDIR/examples/ring-openmpi" ] || skip "examples were not built"
ranks=2
rounds=10
calls=$((ranks * (2 + 3 * rounds + 2))) # with Init and Finalize

# calls_in ARCHIVE: all that a whole archive of this run has.
calls_in() {
    unzip -tqq "$1" && "$analyze" calls --json "$1" 2>/dev/null >calls.json || true
    json calls.json 'sum(row["count"] for row in d["calls"])'
}

# check POINT: what a kill there has left.
check() {
    if [ -e run.otf2.zip ]; then
        assert_equal "$calls" "$(calls_in run.otf2.zip)" "point $1: calls in the archive"
        by_archive=$((by_archive + 1))
        return
    fi
    rm -f back.otf2.zip
    status_of "$recover" run.otf2.zip.run -o back.otf2.zip --remove >recovered
    case $(cat recovered) in
    0 | 4) ;;
    *) wrong "point $1: nothing to recover: $(cat stderr)" ;;
    esac
    assert_equal "$calls" "$(calls_in back.otf2.zip)" "point $1: calls in what was recovered"
    [ -z "$(ls -A "$spools")" ] || wrong "point $1: --remove has left $(ls -A "$spools")"
    [ -z "$(ls -d run.otf2.zip* 2>/dev/null)" ] || wrong "point $1: left: $(ls -d run.otf2.zip*)"
    by_spools=$((by_spools + 1))
}

by_archive=0
by_spools=0
point=0
while :; do
    point=$((point + 1))
    rm -rf "${spools:?}"/* run.otf2.zip* count.*
    status=0
    MPIWATCH_TEST_DIE_AT=$point:$((point % ranks)) run_openmpi $ranks "$record" -o run.otf2.zip \
        "$TOP_BUILDDIR/test/system/dies-openmpi" finalize 0 $rounds >out 2>err || status=$?
    [ "$status" -ne 124 ] || wrong "point $point: a rank hangs"
    [ "$status" -ne 0 ] || break
    check "$point"
done
echo "$((point - 1)) points: $by_spools left the spools, $by_archive the archive"
[ "$by_spools" -ge 20 ] || wrong "only $by_spools points before the archive was there"
[ "$by_archive" -ge 2 ] || wrong "only $by_archive points after the archive was there"
[ "$point" -le 200 ] || wrong "the points don't end"
finish
