# Locations read in any order, a few events at a time or all at once, and told of in any order, by
# this thread or another one, say the same byte by byte.
#
# Archives that are whole are also read in one round: any number of events of a location before any
# of another one. What is left of a run may then be matched otherwise where limits of memory decide
# what is given up, which they do at the end of rounds: so there order is random within rounds.
# SCHEDULES=all takes all commands and ten seeds for each archive.
. "$TOP_SRCDIR/test/system/lib.sh"
any_order=$TOP_BUILDDIR/test/system/any_order
make=$TOP_BUILDDIR/test/data/make_archive
irregular=$TOP_BUILDDIR/test/data/make_irregular
ordered="report waits pop critical-path messages mistakes watermarks imbalance hang"
all="$ordered info calls sites ranks comms timeline counters check validate"

# compare ARCHIVE SEEDS COMMANDS
compare() {
    local command seed status options
    for command in $3; do
        [ "$command" = check ] && options="--limit wait_share<0.5" || options=
        status=$(status_of "$analyze" "$command" $options --json -j 1 "$1")
        cp stdout expected
        for seed in $2; do
            assert_equal "$status" "$(MPIWATCH_SCHEDULE=$seed status_of "$any_order" "$command" \
                $options --json -j 2 "$1")" "$command of $1, seed $seed: status"
            cmp expected stdout || fail "$command of $1: seed $seed says something else"
        done
    done
}

# compare_pages ARCHIVE SEED: an odd one, for archives that are not whole.
compare_pages() {
    "$analyze" report --html=expected.html -j 1 "$1" >stdout 2>stderr
    MPIWATCH_SCHEDULE=$2 "$any_order" report --html=page.html -j 2 "$1" >stdout 2>stderr
    cmp expected.html page.html || fail "page of $1: seed $2 says something else"
}

# Small archives: each with a seed, all of them with ten.
number=0
for name in $("$make" 2>&1 | sed -n 's/^  //p'); do
    number=$((number + 1))
    "$make" "$name" "$name"
    if [ "${SCHEDULES:-}" = all ]; then
        compare "$name" "1 2 3 4 5 6 7 8 9 10" "$all"
    else
        compare "$name" $((number % 10 + 1)) "report waits"
    fi
    rm -rf "$name"
done
[ $number -gt 40 ] || fail "$number archives only"

for shape in halo grid ahead workers tree threads windows flood masters probers; do
    for loss in none hole tail head filter; do
        name=$shape-$loss
        number=$((number + 1))
        "$irregular" $shape $loss "$name"
        [ $loss = none ] && seeds="1 2 3 4 5 6 7 8 9 10" || seeds="1 3 5 7 9 11 13 15 17 19"
        if [ "${SCHEDULES:-}" = all ]; then
            compare "$name" "$seeds" "$all"
        elif [ $loss = none ]; then
            compare "$name" "$seeds" waits
            compare "$name" "2 $((number % 5 * 2 + 3))" "report critical-path"
        else
            compare "$name" "$((number % 10 * 2 + 1)) $((number % 7 * 2 + 3))" "report waits"
            compare "$name" $((number % 5 * 2 + 1)) mistakes
        fi
        case $loss in none | hole) compare_pages "$name" $((number % 6 * 2 + 1)) ;; esac
        rm -rf "$name"
    done
done

# Of two threads' messages on one channel that nobody receives the last one's call is told, in time.
"$irregular" pools none pools
compare pools "1 2 3 4 5 6 7 8 9 10" mistakes
"$analyze" mistakes --json pools >mistakes.json
assert_equal "2 MPI_Send" "$(json mistakes.json \
    '"%d %s" % (d["mistakes"][0]["count"], d["mistakes"][0]["call"])')" "mistakes of pools"

# A message is told behind the call that has posted its receive, though another thread, which may be
# read first, completes that: to that call the critical path leads 40 times, and 39 times from a
# meeting to the last one that came, where it leads from.
"$irregular" hands none hands
compare hands "1 2 3 4 5 6 7 8 9 10" "critical-path report mistakes"
"$analyze" mistakes --json hands >mistakes.json
assert_equal 0 "$(json mistakes.json 'len(d["mistakes"])')" "mistakes of hands"
"$analyze" critical-path --json hands >path.json
assert_equal 79 "$(json path.json 'd["hops"]')" "hops to who comes last, and posts late"

# A hole is one that the engine gives up on, so that limits were tried, too.
"$irregular" flood hole hole
"$analyze" waits --json hole >waits.json
[ "$(json waits.json 'd["calls_unresolved"]')" -gt 10000 ] || fail "nothing was given up"

# A receive or a send that is not over for long holds nobody back: each of 13 receives 3,000 times,
# of a sender that is 10 to 50 late.
for loss in none hole; do
    "$irregular" listeners $loss listeners-$loss
    compare listeners-$loss 3 waits
done
"$analyze" waits --json listeners-none >waits.json
assert_equal 0 "$(json waits.json 'd["calls_unresolved"]')" "of listeners"
assert_equal "39000 1170000" "$(json waits.json \
    'next("%d %d" % (p["instances"], p["total_ns"]) for p in d["patterns"]
          if p["name"] == "late_sender")')" "late senders of listeners"

# So does a non-blocking operation that is complete in the end, while 40,000 others are.
for mpi in $(mpis | head -n 1); do
    cat >long.c <<'PROGRAM'
#include <mpi.h>

int main(int argc, char **argv)
{
    int one = 1, all;
    MPI_Request last, next;

    MPI_Init(&argc, &argv);
    MPI_Iallreduce(&one, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &last);
    for (int i = 0; i < 40000; i++) {
        MPI_Iallreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &next);
        MPI_Wait(&next, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&last, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
PROGRAM
    "$(mpicc_of "$mpi")" -o long long.c
    run_mpi "$mpi" 2 "$record" -q -o long.otf2.zip ./long >out 2>err ||
        fail "long under $mpi: $(cat err)"
    "$analyze" waits --json long.otf2.zip >waits.json
    assert_equal 0 "$(json waits.json 'd["calls_unresolved"]')" "of long under $mpi"
    compare long.otf2.zip 3 waits
done

# One call makes several communicators, which only a recorded run's archive says. They differ in
# who is there first.
for mpi in $(mpis | head -n 1); do
    cat >split.c <<'PROGRAM'
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm made;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 6; i++) {
        usleep(2000 * ((rank + i) % 3));
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &made);
        MPI_Barrier(made);
        MPI_Comm_free(&made);
    }
    MPI_Finalize();
    return 0;
}
PROGRAM
    "$(mpicc_of "$mpi")" -o split split.c
    run_mpi "$mpi" 3 "$record" -q -o split.otf2.zip ./split >out 2>err ||
        fail "split under $mpi: $(cat err)"
    compare split.otf2.zip "1 2 3 4 5 6 7 8" "waits comms"
done
