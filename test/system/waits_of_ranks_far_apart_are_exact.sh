# Waits of uneven ranks that get far ahead of each other are those that were put in, to the
# nanosecond (test/bench/generate_box.c), whoever reads, and in whatever order; also where the
# clocks of some are ahead of the others' by more than the run takes.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

# waits_are_exact PROGRAM THREADS: of the archive box, as truth.json has it.
waits_are_exact() {
    "$1" waits --json -j "$2" box >waits.json
    python_check "$ranks ranks, ${1##*/}, $2 threads" <<'PYTHON'
import json

truth, waits = json.load(open("truth.json")), json.load(open("waits.json"))
found = {p["name"]: p["total_ns"] for p in waits["patterns"]}
assert len(truth["waits"]) == 4 and all(truth["waits"].values()), truth
for name, ns in truth["waits"].items():
    assert found[name] == ns, (name, found[name], ns)
assert waits["calls_unresolved"] == 0, waits["calls_unresolved"]
# Of the wrong order are some that are late senders as well; all others are of the standard's.
rest = set(found) - set(truth["waits"])
rest -= {"wrong_order_same_source", "wrong_order_different_source", "wait_at_finalize"}
rest -= {"init_completion"} # by clocks that disagree
assert not any(found[name] for name in rest), found
PYTHON
}

for ranks in 27 343; do # cubes of 3 and of 7
    rm -rf box
    "$TOP_BUILDDIR/test/bench/generate_box" box $ranks 12 >truth.json
    waits_are_exact "$analyze" 1
    waits_are_exact "$analyze" 3
    for seed in 2 7; do
        export MPIWATCH_SCHEDULE=$seed
        waits_are_exact "$TOP_BUILDDIR/test/system/any_order" 1
    done
done

# By clocks that are a second apart, of a run of 7 ms in which more calls are made ahead than any
# queue holds. Locations are read as far as others have come, and not as far as their clocks have.
ranks=64
rm -rf box
"$TOP_BUILDDIR/test/bench/generate_box" box 64 200 1000000000 >truth.json
for threads in 1 3; do
    waits_are_exact "$analyze" $threads
    "$analyze" info --full --json -j $threads box >info.json
    assert_equal "$(json truth.json 'd["clock_violations"]')" \
        "$(json info.json 'd["clock_violations"]')" "clock violations"
done
[ "$(json info.json 'd["clock_violations"]')" -gt 1000 ] || fail "clocks agree"
MPIWATCH_SCHEDULE=5 waits_are_exact "$TOP_BUILDDIR/test/system/any_order" 1

# All else is doubtful then. The host that is behind is moved as a whole by --clc, and all waits are
# what they are by clocks that agree.
"$analyze" report --width=200 box >text
assert_contains "$(cat text)" "clocks disagree: 3200 messages (6%) came up to 1.00 s before being"
assert_contains "$(cat text)" "advice    read the archive with --clc, which moves its times; "
"$analyze" waits --clc --json box >moved.json
"$analyze" info --clc --json box >info.json
assert_equal "1000000000 0 0 [1000000000, 0]" "$(json info.json '"%d %d %d %s" % (
    d["clc"]["offset_ns"], d["clc"]["violations_after"], d["clc"]["jumps"],
    [h["offset_ns"] for h in d["clc"]["hosts"]])')" "hosts that are moved"
"$TOP_BUILDDIR/test/bench/generate_box" agreed 64 200 >truth.json
"$analyze" waits --json agreed >waits.json
for keep in 'd["patterns"]' 'd["total_ns"]' 'd["ranks_run_ns"]'; do
    assert_equal "$(json waits.json "$keep")" "$(json moved.json "$keep")" "waits with --clc"
done
# The run ends where it does: the end that was recorded is by the clock that is ahead.
"$analyze" timeline agreed >expected
"$analyze" timeline --clc box | cmp expected - || fail "a timeline with --clc"
"$analyze" export -q --clc --otf2 moved.zip box
"$analyze" timeline moved.zip | cmp expected - || fail "a timeline of the new archive"
assert_lacks "$("$analyze" report --width=200 agreed)" "clocks disagree"
assert_lacks "$("$analyze" report --clc --width=200 box)" "clocks disagree"

# Of more locations than files can be open.
rm -rf box
"$TOP_BUILDDIR/test/bench/generate_box" box 343 12 >truth.json
"$analyze" waits --json box >expected.json
for threads in 1 2; do
    (ulimit -n 60 && "$analyze" waits --json -j $threads box >waits.json) ||
        fail "60 files, $threads threads: exit $?"
    cmp expected.json waits.json || fail "60 files, $threads threads: other waits"
done
finish
