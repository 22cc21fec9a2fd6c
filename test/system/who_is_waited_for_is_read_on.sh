# Of a whole archive all calls are followed, however far apart ranks are (test/data/make_apart.c):
# by clocks of which each is off by another amount; where ranks that have nothing to do with those
# that wait have much to tell; where one rank tells as much as all others. What a rank waits for
# that was lost takes no more memory in a longer run.
. "$TOP_SRCDIR/test/system/lib.sh"
make_apart=$TOP_BUILDDIR/test/data/make_apart

# waits_of_shape SHAPE STEPS AHEAD LATE_SENDER: so long, in ns, and no call is unresolved.
waits_of_shape() {
    rm -rf "$1"
    "$make_apart" "$1" "$2" "$3" "$1" || fail "make_apart $1"
    "$analyze" waits --json -q -j 1 "$1" >waits.json
    assert_equal "0 $4" "$(json waits.json \
        'next("%d %d" % (d["calls_unresolved"], p["total_ns"]) for p in d["patterns"]
              if p["name"] == "late_sender")')" "calls unresolved of $1, $3 ns ahead, late senders"
    for seed in 1 3; do
        MPIWATCH_SCHEDULE=$seed "$TOP_BUILDDIR/test/system/any_order" waits --json -q -j 2 "$1" \
            >found.json
        cmp waits.json found.json || fail "$1, seed $seed says something else"
    done
}

# Who waits for a rank whose clock is ahead waits for all of its receive.
waits_of_shape ring 3000 0 0
waits_of_shape ring 3000 1000000000 "$("$python" -c '
off = [7919 * rank % 64 for rank in range(64)]
print(40 * sum(off[rank - 1 - step % 3] > off[rank]
               for step in range(3000) for rank in range(64)))')"

waits_of_shape jumps 12000 1000000 "$("$python" -c '
off = [[step // (300 + 37 * (5 * rank % 24)) for step in range(12000)] for rank in range(24)]
print(40 * sum(off[rank - 1 - step % 3][step] > off[rank][step]
               for step in range(12000) for rank in range(24)))')"

# All send before they receive: in each third step, to every other rank, in two circles of 32 ranks.
for seed in none 1 3; do
    program=$TOP_BUILDDIR/test/system/any_order
    [ $seed != none ] || program=$analyze
    MPIWATCH_SCHEDULE=$seed "$program" mistakes --json -q ring >mistakes.json
    assert_equal "sends in a circle 1000, sends in a circle 1000" "$(json mistakes.json \
        '", ".join("%s %d" % (m["kind"], m["count"]) for m in d["mistakes"])')" \
        "mistakes of ring, seed $seed"
done

# Each first one of a pair waits for 10, or for all of its receive where the second one is ahead.
waits_of_shape strangers 45000 0 $((10 * (2 * 45000 + 41 * 2000)))
waits_of_shape strangers 45000 1000000000 $((40 * 2 * 45000 + 10 * 41 * 2000))

# So does the master; whom it asks waits for its turn, but by clocks that are ahead.
waits_of_shape master 90000 0 $((10 * 90000 + 39 * 100 + 100 * 38 * 39 / 2 +
    (90000 - 39) * (3900 - 60)))
waits_of_shape master 90000 1000000000 $((40 * 90000))

# Of what nobody has sent any more 9 of 10 steps are told as they are.
for steps in 20000 60000; do
    "$make_apart" deaf $steps 0 "deaf-$steps"
    for command in waits report; do
        "$python" - "$analyze" $command deaf-$steps <<'PYTHON' >"peak-$command-$steps"
import resource, subprocess, sys

with open("deaf.json", "w") as out:
    subprocess.run([sys.argv[1], sys.argv[2], "--json", "-q", "-j", "1", sys.argv[3]], stdout=out,
                   check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
PYTHON
        [ $command = report ] ||
            assert_equal $((steps - steps / 10)) "$(json deaf.json 'd["calls_unresolved"]')" \
                "calls unresolved of deaf, $steps steps"
    done
done
for command in waits report; do
    short=$(cat peak-$command-20000) long=$(cat peak-$command-60000)
    [ "$long" -le $((short + short / 3)) ] ||
        fail "$command takes $long KiB for 60,000 steps, $short for 20,000"
done
