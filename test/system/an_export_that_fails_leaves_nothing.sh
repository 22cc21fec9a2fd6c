# An exported archive that does not come about, because the times of the source go backwards,
# because more calls are inside of each other than may be, or because somebody stops it, leaves
# neither a part of it nor temporary files; what is said names the archive that is at fault.
. "$TOP_SRCDIR/test/system/lib.sh"
"$python" -c 'import otf2' 2>/dev/null || skip "no python3-otf2"

mkdir scratch
export TMPDIR=$PWD/scratch

"$TOP_BUILDDIR/test/data/make_archive" backwards source
assert_equal 3 "$(status_of "$analyze" export --otf2 part.zip source)" "$(cat stderr)"
assert_contains "$(cat stderr)" "source/traces/0.evt: "
assert_contains "$(cat stderr)" "time goes backwards near event "
assert_equal " " "$(ls scratch) $(ls | grep part || true)" "what is left of an export that failed"

# A source that takes a while: 400,000 events; and one of calls inside of each other.
"$python" - <<'PY'
import otf2
from otf2.enums import LocationGroupType, LocationType, Paradigm


def write(name, tell):
    with otf2.writer.open(name, timer_resolution=10**9) as trace:
        define = trace.definitions
        node = define.system_tree_node("machine", class_name="node")
        group = define.location_group("MPI Rank 0", system_tree_parent=node,
                                      location_group_type=LocationGroupType.PROCESS)
        place = define.location("Master thread", type=LocationType.CPU_THREAD, group=group)
        tell(trace.event_writer_from_location(place),
             define.region("step", paradigm=Paradigm.USER))


def steps(writer, region):
    for step in range(200000):
        writer.enter(2 * step, region)
        writer.leave(2 * step + 1, region)


def calls(count):
    def tell(writer, region):
        for time in range(count):
            writer.enter(time, region)
    return tell


write("long", steps)
write("deep", calls(100001))
write("allowed", calls(100000))
PY
assert_equal 3 "$(status_of "$analyze" export --otf2 part.zip deep)" "$(cat stderr)"
assert_matches "$(cat stderr)" \
    "deep/traces/0.evt: offset [0-9]+: calls are nested too deeply near event 100001 of location 0$"
assert_equal " " "$(ls scratch) $(ls | grep part || true)" "what is left of calls too deep"

# What reads it says of which event, too, by one thread and by several.
for command in "calls -j1" "calls -j2" "waits -j1" "waits -j2" hang validate \
    "export --chrome part.json"; do
    # shellcheck disable=SC2086 # words
    assert_equal 3 "$(status_of "$analyze" $command deep)" "$command: $(cat stderr)"
    assert_matches "$(cat stdout stderr)" "deep/traces/0.evt: offset [0-9]+: calls are nested \
deeper than 100000 near event 100001 of location 0" "$command"
done
assert_equal " " "$(ls scratch) $(ls | grep part || true)" "what is left of them"
assert_equal 0 "$(status_of "$analyze" calls -q allowed)" "100000: $(cat stderr)"
for signal in INT TERM HUP; do
    # A background job of a script ignores INT, and one of nohup HUP, unless somebody sets it back.
    "$python" -c 'import os, signal, sys
for number in signal.SIGINT, signal.SIGHUP:
    signal.signal(number, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$analyze" export --otf2 part.zip long/traces.otf2 \
        >log 2>&1 &
    job=$!
    until [ -n "$(ls scratch)" ] || ! kill -0 $job 2>/dev/null; do :; done
    kill -$signal $job || fail "it was through before it could be stopped: $(cat log)"
    status=0
    wait $job || status=$?
    assert_equal $((128 + $(kill -l $signal))) $status "status after $signal: $(cat log)"
    assert_equal " " "$(ls scratch) $(ls | grep part || true)" "what is left after $signal"
done
