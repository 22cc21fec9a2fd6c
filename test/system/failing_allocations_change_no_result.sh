# The n-th allocation of the recorder fails, in one rank of two: the program's output and
# status are the same every time, nobody hangs, and what was lost is said. All n with
# TORTURE=all; otherwise some forty of them.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need_mpi openmpi
program=$(example comms openmpi)
failing=$scratch/libfailing.so
"$CC" -shared -fPIC -O1 -o "$failing" "$TOP_SRCDIR/test/system/failing_malloc.c"
test_timeout=40

# tortured RANK AT ON: a run in which the allocation number AT of RANK fails.
tortured() {
    rm -rf "${spools:?}"/* run.otf2.zip* count
    status=0
    run_openmpi 2 env LD_PRELOAD="$failing" FAIL_COUNT="$scratch/count" FAIL_RANK="$1" \
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

tortured -1 0 one
assert_equal 0 "$status" "without a failure: $(cat err)"
cp out expected
assert_equal 0 "$(status_of "$analyze" calls --json run.otf2.zip)" "the archive"
whole=$(json stdout 'sorted((c["name"], c["count"]) for c in d["calls"])')
most=$(sort -n count | tail -1)
[ "$most" -gt 100 ] || fail "the recorder allocates only $most times: is it seen?"

step=$((most / 20 + 1))
[ "${TORTURE-}" != all ] || step=1
runs=0
for rank in 0 1; do
    for at in $(seq $((1 + rank * 3 % step)) $step "$most"); do
        tortured $rank "$at" one
        runs=$((runs + 1))
        [ "$status" -eq 0 ] || wrong "rank $rank, allocation $at: status $status: $(tail -3 err)"
        cmp -s out expected || wrong "rank $rank, allocation $at: the output differs"
        said || wrong "rank $rank, allocation $at: the loss is not said: $(cat err)"
    done
done
for at in 1 20 60; do
    tortured 1 $at all
    runs=$((runs + 1))
    [ "$status" -eq 0 ] || wrong "all from allocation $at on: status $status: $(tail -3 err)"
    cmp -s out expected || wrong "all from allocation $at on: the output differs"
    said || wrong "all from allocation $at on: the loss is not said: $(cat err)"
done
echo "$runs runs, up to $most allocations in a rank"
finish
