# With --clc nothing is received before it is sent. Of a run on hosts whose clocks are off by 1.7
# ms, and of which the truth is known (make_skewed), waits are nearer to that than without, and
# efficiencies stay. Whatever order locations are read in, and by how many threads, the same comes
# out. Without the option no key says anything of it; with it, what was in order is told as without.
. "$TOP_SRCDIR/test/system/lib.sh"
make=$TOP_BUILDDIR/test/data/make_archive
skewed=$TOP_BUILDDIR/test/data/make_skewed
any_order=$TOP_BUILDDIR/test/system/any_order
apart=$TOP_BUILDDIR/test/data/make_apart

"$skewed" 0 true
"$skewed" 1700000 skewed

# says NAME OPTION... ARCHIVE: its info, waits and efficiencies.
says() {
    local name=$1 command
    shift
    for command in info waits pop; do
        "$analyze" "$command" --json -o "$name.$command" "$@"
    done
}
says true true
says without skewed
says with --clc skewed
"$python" - <<'PYTHON' || fail "waits and efficiencies"
import json

def read(name, command):
    with open(name + "." + command) as file:
        return json.load(file)

def waits(name):
    return {p["name"]: p["total_ns"] for p in read(name, "waits")["patterns"]}

true, without, moved = waits("true"), waits("without"), waits("with")
for pattern, worse, better in (("late_sender", 0.3, 0.05), ("wait_at_nxn", 0.15, 0.1)):
    off = [abs(w[pattern] / true[pattern] - 1) for w in (without, moved)]
    assert off[0] > worse and off[1] < better, (pattern, off)
assert abs(moved["nxn_completion"] - true["nxn_completion"]) < \
    abs(without["nxn_completion"] - true["nxn_completion"])

clc = read("with", "info")["clc"]
assert clc["violations_before"] == read("without", "info")["clock_violations"] > 5000, clc
assert clc["violation_max_before_ns"] == read("without", "info")["clock_violation_max_ns"]
assert clc["collective_violations_before"] > 500 and clc["rounds"] >= 1, clc
assert clc["violations_after"] == clc["collective_violations_after"] == 0, clc
assert read("with", "info")["clock_violations"] == 0
assert read("with", "waits")["clock_violations"] == read("true", "waits")["clock_violations"]
assert "clc" not in read("without", "info")
# The clock is off by 1.7 ms at most, and a location is behind for no longer than it has to be.
assert 1.6e6 < clc["shift_max_ns"] < 1.8e6 and clc["interval_change_max_ns"] < 1e5, clc
assert sum(h["events_moved"] for h in clc["hosts"]) == clc["events_moved"], clc
for key in ("parallel_efficiency", "load_balance", "communication_efficiency"):
    assert abs(read("with", "pop")[key] - read("true", "pop")[key]) < 0.001, key
PYTHON
assert_contains "$("$analyze" report --clc --width=200 skewed)" \
    "clock violations 0 (5598 before --clc, and 576 of"
assert_contains "$("$analyze" info --clc --width=200 skewed)" "(up to 1.68 ms), with --clc 0"

# Of a probe that is left before what it found is sent. test/data/archives_clocks.c
"$make" clock_probes probes
"$analyze" info --clc --json -o info.json probes
assert_equal "[0, 1, 5000, 0, 1]" "$(json info.json '[d["clc"][key] for key in (
    "violations_before", "probe_violations_before", "probe_violation_max_before_ns",
    "probe_violations_after", "jumps")]')" "a probe that is left too early"
assert_contains "$("$analyze" info --clc probes)" "1 (up to 5.00 us), with --clc 0"
assert_contains "$("$analyze" report --clc --width=200 probes)" \
    "clock violations 0 (0 before --clc, 1 of probes and 0 of"

# Ranks that tell each other nothing but in operations of all: who comes last by the clocks is on
# the host that is ahead. The other one is moved as a whole, and all waits are what they are.
"$apart" reduce 100 0 agreed
"$apart" reduce 100 1000000000 ahead
"$analyze" info --clc --json -o info.json ahead
assert_equal "[1000000000, 0, 0]" "$(json info.json '[d["clc"][key] for key in (
    "offset_ns", "jumps", "collective_violations_after")]')" "of operations of all"
for options in agreed ahead "--clc ahead"; do
    "$analyze" waits --json -o waits.json $options
    json waits.json '[p["total_ns"] for p in d["patterns"] if p["name"] == "wait_at_nxn"]'
done >nxn
# In five steps 90, 70, 60, 80 and 60 ns; by the clocks even ranks wait until they leave, and odd
# ones for each other: 90, 110, 120, 60 and 100.
assert_equal "[7200] [9600] [7200]" "$(paste -sd ' ' nxn)" "waits at NxN"

# What is exported has these times.
"$analyze" export --clc --otf2 moved.zip --perfetto moved.perfetto --csv tables skewed
assert_equal 0 "$("$analyze" info --json moved.zip | "$python" -c \
    'import json, sys; print(json.load(sys.stdin)["clock_violations"])')" "of the new archive"
"$analyze" dump --clc skewed >expected
"$analyze" dump moved.zip | cmp - expected || fail "the new archive has other times"
"$python" - <<'PYTHON' || fail "the tables' messages"
import csv

with open("tables/message_records.csv") as file:
    rows = list(csv.DictReader(file))
assert len(rows) == 12000 and all(int(r["received_ns"]) >= int(r["sent_ns"]) for r in rows)
PYTHON

for name in violated clock_jump clock_probes clock_collectives waits_threads; do
    "$make" "$name" "$name"
done
for name in skewed violated clock_jump clock_probes clock_collectives waits_threads; do
    "$analyze" report --json --clc -j 1 "$name" >expected 2>err || true
    for seed in 1 2 3 4 5 6; do
        MPIWATCH_SCHEDULE=$seed "$any_order" report --json --clc -j 1 "$name" >seen 2>err || true
        cmp expected seen || fail "$name: seed $seed says something else"
    done
    "$analyze" report --json --clc -j 3 "$name" 2>err | cmp - expected ||
        fail "$name: three threads say something else"
done

# The same but for what says so: of the object clc, and a line of the screen.
"$make" plain plain
for name in true plain; do
    for command in info report calls ranks waits messages comms pop critical-path imbalance \
        timeline counters sites mistakes; do
        full=
        [ $command != info ] || full=--full # which moving them takes anyway
        "$analyze" "$command" $full "$name" >without 2>err || true
        "$analyze" "$command" --clc "$name" >with 2>err || true
        case $command in
        info) sed -i '/^received too early \|^collectives left so \|^moved /d' with ;;
        report)
            assert_contains "$(cat with)" "nothing to be moved by --clc"
            sed -i '/^trust/,/^[a-su-z]/{/^[a-z]/!d;/^trust/d}' with without
            ;;
        esac
        cmp without with || fail "$command of $name is another one"
        "$analyze" "$command" --json "$name" >without 2>err || true
        "$analyze" "$command" --json --clc "$name" >with 2>err || true
        "$python" - <<'PYTHON' || fail "$command --json of $name is another one"
import json

without, moved = json.load(open("without")), json.load(open("with"))
for part in (moved, moved.get("info", {})):
    assert part.pop("clc", {"rounds": 0})["rounds"] == 0
assert without == moved and list(without) == list(moved)
PYTHON
    done
    "$analyze" export -q --perfetto "$name.1" --chrome "$name.2" --paraver "$name.prv" --csv \
        "$name.3" "$name"
    "$analyze" export -q --clc --perfetto "$name.clc.1" --chrome "$name.clc.2" --paraver \
        "$name.clc.prv" --csv "$name.clc.3" "$name"
    for number in 1 2 3; do
        diff -r "$name.$number" "$name.clc.$number" || fail "export of $name is another one"
    done
done
"$analyze" check --clc --max info.clock_violations=0 skewed >out || fail "$(cat out)"
assert_equal 1 "$(status_of "$analyze" check --max info.clock_violations=0 skewed)" "without"
"$analyze" compare --clc --json true skewed >out
assert_equal 2 "$(status_of "$analyze" validate --clc skewed)" "an option that it does not take"
