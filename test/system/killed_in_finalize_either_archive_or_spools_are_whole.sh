# A rank killed at each point of what MPI_Finalize does (MPIWATCH_TEST_DIE_AT): afterwards
# the archive is there and whole, or the spools make a whole one; never neither. The rank
# that dies takes turns.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
recover=$TOP_BUILDDIR/mpiwatch-recover
kill_at_once
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
        assert_equal "$calls" "$(calls_in run.otf2.zip)" "$mpi, point $1: calls in the archive"
        by_archive=$((by_archive + 1))
        return
    fi
    rm -f back.otf2.zip
    status_of "$recover" run.otf2.zip.run -o back.otf2.zip --remove >recovered
    case $(cat recovered) in
    0 | 4) ;;
    *) wrong "$mpi, point $1: nothing to recover: $(cat stderr)" ;;
    esac
    assert_equal "$calls" "$(calls_in back.otf2.zip)" "$mpi, point $1: calls in what was recovered"
    [ -z "$(ls -A "$spools")" ] || wrong "$mpi, point $1: --remove has left $(ls -A "$spools")"
    [ -z "$(ls -d run.otf2.zip* 2>/dev/null)" ] ||
        wrong "$mpi, point $1: left: $(ls -d run.otf2.zip*)"
    by_spools=$((by_spools + 1))
}

# A launcher may say nothing of a rank that is killed late (MPICH 4.2): it says so itself.
tell='"$@" || { echo >died; kill -KILL $$; }'

# die_at POINT RANK: false if the run has ended before.
die_at() {
    rm -rf "${spools:?}"/* run.otf2.zip* count.* died
    status=0
    MPIWATCH_TEST_DIE_AT=$1:$2 run_mpi "$mpi" $ranks sh -c "$tell" sh "$record" \
        -o run.otf2.zip "$TOP_BUILDDIR/test/system/dies-$mpi" finalize 0 $rounds >out 2>err ||
        status=$?
    [ "$status" -ne 124 ] || wrong "$mpi: point $1: a rank hangs"
    [ -e died ] || return 1
    check "$1"
}

killed() {
    local mpi=$1 step by_archive by_spools point last
    step=$(if [ "$mpi" = mpich ]; then echo 4; else echo 1; fi) # a share is enough of the other
    by_archive=0
    by_spools=0
    point=0
    while :; do
        point=$((point + step))
        die_at $point $((point / step % ranks)) || break
    done
    # The archive is there for the last few points only, which a share may have passed over.
    for last in $(seq $((point - step + 1)) $((point - 1))); do
        die_at "$last" 0 || break
    done
    echo "$mpi: up to point $point: $by_spools left the spools, $by_archive the archive"
    [ "$by_spools" -ge $((20 / step)) ] ||
        wrong "$mpi: only $by_spools points before the archive was there"
    [ "$by_archive" -ge 1 ] || wrong "$mpi: only $by_archive points after the archive was there"
    [ "$point" -le 200 ] || wrong "$mpi: the points don't end"
    finish
}
beside killed $(built_mpis)
