# The n-th allocation of the recorder fails, in one rank of two: the program's output and
# status are the same every time, nobody hangs, and what was lost is said. All n with
# TORTURE=all; otherwise some forty of them, and some ten with MPICH.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
failing=$scratch/libfailing.so
$CC -shared -fPIC -O1 -o "$failing" "$TOP_SRCDIR/test/system/failing_malloc.c"
test_timeout=40

# tortured RANK AT ON: a run in which the allocation number AT of RANK fails.
tortured() {
    rm -rf "${spools:?}"/* run.otf2.zip* count
    status=0
    run_mpi "$mpi" 2 env LD_PRELOAD="$failing" FAIL_COUNT="$PWD/count" FAIL_RANK="$1" \
        FAIL_AT="$2" FAIL_ON="$3" "$record" -o run.otf2.zip "$program" >out 2>err || status=$?
}

# said: what was lost is said, or nothing is: the archive has all that it has without failures.
said() {
    if [ -e run.otf2.zip ] && [ "$(status_of "$analyze" calls --json run.otf2.zip)" = 0 ]; then
        [ "$(json stdout 'sorted((c["name"], c["count"]) for c in d["calls"])')" = "$whole" ]
    else
        grep -q '^mpiwatch: .' err
    fi
}

# held RANK AT ON: such a run is as it should be.
held() {
    local what="$mpi, rank $1, allocation $2, $3"
    tortured "$@"
    runs=$((runs + 1))
    [ "$status" -eq 0 ] || wrong "$what: status $status: $(tail -3 err)"
    cmp -s out expected || wrong "$what: the output differs"
    said || wrong "$what: the loss is not said: $(cat err)"
}

failed_on() {
    local mpi=$1 program whole most share step runs rank at
    program=$(example comms "$mpi")
    tortured -1 0 one
    assert_equal 0 "$status" "$mpi, without a failure: $(cat err)"
    cp out expected
    assert_equal 0 "$(status_of "$analyze" calls --json run.otf2.zip)" "$mpi: the archive"
    whole=$(json stdout 'sorted((c["name"], c["count"]) for c in d["calls"])')
    most=$(sort -n count | tail -1)
    [ "$most" -gt 100 ] || fail "$mpi: the recorder allocates only $most times: is it seen?"

    # Of each rank's allocations, the share that is enough.
    share=$(if [ "$mpi" = mpich ]; then echo 5; else echo 20; fi)
    step=$((most / share + 1))
    [ "${TORTURE-}" != all ] || step=1
    runs=0
    for rank in 0 1; do
        for at in $(seq $((1 + rank * 3 % step)) $step "$most"); do
            held $rank "$at" one
        done
    done
    for at in 1 20 60; do
        held 1 $at all
    done
    echo "$mpi: $runs runs, up to $most allocations in a rank"
    finish
}
beside failed_on $(built_mpis)
