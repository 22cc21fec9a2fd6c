# MPI_THREAD_MULTIPLE: what one thread has completed, the library gives to another at once, while
# the call that completed it has not returned. Each request is recorded as the one it is, in
# whatever way it is completed, while communicators are left out and while recording pauses.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

need otf2-print
rounds=40

# lingering MPI MODE OPTION...: records thread_handles above a library that lingers.
lingering() {
    local mpi=$1 mode=$2 program=$TOP_BUILDDIR/test/system/thread_handles-$1 status=0
    shift 2
    [ -x "$program" ] || skip "test/system/thread_handles-$mpi was not built"
    rm -rf run.otf2.zip
    LD_PRELOAD=$TOP_BUILDDIR/test/system/lingers-$mpi.so run_mpi "$mpi" 1 "$record" -q \
        --pvars none -o run.otf2.zip "$@" "$program" "$mode" $rounds >run.out 2>run.err ||
        status=$?
    [ "$status" -eq 0 ] || wrong "$mpi, $mode: exit $status: $(head -5 run.err)"
    "$analyze" dump --json run.otf2.zip >events.json || wrong "$mpi, $mode: no events"
    "$analyze" info --json run.otf2.zip >info.json || wrong "$mpi, $mode: no info"
}

# Helpers of the checks: events by thread, in their order.
cat >threads.py <<'PYTHON'
import collections, json, sys
mode, rounds = sys.argv[1], int(sys.argv[2])
info = json.load(open("info.json"))
threads = collections.defaultdict(list)
for line in open("events.json"):
    event = json.loads(line)
    threads[event["location"]].append(event)

def expect(what, have, want):
    if have != want:
        sys.exit(f"{what}: {have}, expected {want}")

tags = {}  # what each receive was posted for: the send that follows it says so
ends = {"irecv": {}, "isend_complete": {}}
begun = {"irecv_post": {}, "isend": {}}
for location, events in threads.items():
    latest = None
    for event in events:
        kind, request = event["event"], event.get("request")
        if kind in begun:
            expect("twice begun", request in begun[kind], False)
            begun[kind][request] = location
        if kind == "irecv_post":
            latest = request
        elif kind == "isend" and latest is not None:
            tags[latest] = event["tag"]
            latest = None
        if kind in ends:
            expect(f"{kind} twice", request in ends[kind], False)
            ends[kind][request] = event | {"location": location}
for request, event in ends["irecv"].items():
    if mode != "probed" and request in tags:
        expect("tag", event["tag"], tags[request])
    expect("bytes", event["bytes"], event["tag"] // 1000 + 1)
    if mode != "free":
        expect("thread of a receive", event["location"], begun["irecv_post"][request])
for request, event in ends["isend_complete"].items():
    expect("thread of a send", event["location"], begun["isend"][request])
PYTHON

# All of 4 threads: every message has both ends, every request its own.
for mpi in $(built_mpis); do
    for mode in wait waitall waitany waitsome test testall testany testsome status free cancel \
        idup barrier rput write persistent probed; do
        lingering "$mpi" $mode
        python_check "$mpi, $mode" $mode $rounds <<'PYTHON'
exec(open("threads.py").read())
all = 4 * rounds
expect("sends", (len(begun["isend"]), len(ends["isend_complete"])), (all, all))
expect("receives", (len(begun["irecv_post"]), len(ends["irecv"])),
       (2 * all if mode == "cancel" else all, all))
expect("unmatched", (info["unmatched_sends"], info["unmatched_receives"]), (0, 0))
expect("lost, cancelled", (info["lost_events"], info["cancelled"]),
       (0, all if mode == "cancel" else 0))
counts = collections.Counter(
    (location, event["event"], event.get("step"), event.get("bytes_written"))
    for location, events in threads.items() for event in events
    if event["event"] in ("onesided", "file") and
    event.get("step") not in ("request", "lock", "unlock"))
if mode == "rput":
    expect("puts", sorted(key[2] for key in counts), ["access"] * 4 + ["done_locally"] * 4)
    expect("of each thread", set(counts.values()), {rounds})
if mode == "write":
    expect("transfers", sorted(key[3] for key in counts), [1, 2, 3, 4])
    expect("of each thread", set(counts.values()), {rounds})
if mode == "idup":
    expect("communicators", info["communicators"], 2 + 4 + all)
PYTHON
    done

    # Of other groups of calls nothing is recorded, whose requests have the same handles.
    for mode in barrier idup rput write; do
        lingering "$mpi" $mode --events=p2p
        python_check "$mpi, $mode, p2p only" $mode $rounds <<'PYTHON'
exec(open("threads.py").read())
all = 4 * rounds
expect("sends", (len(begun["isend"]), len(ends["isend_complete"])), (all, all))
expect("receives", (len(begun["irecv_post"]), len(ends["irecv"])), (all, all))
expect("unmatched", (info["unmatched_sends"], info["unmatched_receives"]), (0, 0))
expect("lost", info["lost_events"], 0)
PYTHON
    done

    # Two of the four threads' communicators are only counted, to the last byte.
    for mode in wait waitall test persistent probed; do
        lingering "$mpi" $mode --comms=kept
        rm -rf unzipped && mkdir unzipped && (cd unzipped && unzip -q ../run.otf2.zip)
        python_check "$mpi, $mode, counted" $mode $rounds <<'PYTHON'
exec(open("threads.py").read())
half = 2 * rounds
expect("sends", (len(begun["isend"]), len(ends["isend_complete"])), (half, half))
expect("receives", (len(begun["irecv_post"]), len(ends["irecv"])), (half, half))
expect("unmatched", (info["unmatched_sends"], info["unmatched_receives"]), (0, 0))
about = json.load(open("unzipped/mpiwatch.json"))
sums = [sum(one[what] for one in about["filtered"]) for what in ("bytes_sent", "bytes_received")]
expect("bytes sent, received", sums, [rounds * (3 + 4)] * 2)
PYTHON
    done

    # What was received on a communicator that is free already, and whose handle is another's.
    # MPICH hangs by itself when two threads make and free communicators.
    [ "$mpi" = mpich ] || lingering "$mpi" renewed
    [ "$mpi" = mpich ] || python_check "$mpi, renewed" renewed $rounds <<'PYTHON'
exec(open("threads.py").read())
ends = {kind: sorted(event["comm_id"] for events in threads.values() for event in events
                     if event["event"] == kind) for kind in ("send", "recv")}
expect("sends", len(set(ends["send"])), 2 * rounds)
expect("communicators of receives", ends["recv"], ends["send"])
expect("unmatched", (info["unmatched_sends"], info["unmatched_receives"]), (0, 0))
expect("communicators", info["communicators"], 2 + 4 + 4 * rounds)
PYTHON

    # Each operation on a window is completed by a flush that was entered after it, and before
    # its own thread's flush is over. By otf2-print.
    lingering "$mpi" flush
    rm -rf unzipped && mkdir unzipped && (cd unzipped && unzip -q ../run.otf2.zip)
    otf2-print unzipped/traces.otf2 >printed
    python_check "$mpi, flush" flush $rounds <<'PYTHON'
import re, sys
all = 4 * int(sys.argv[2])
puts, ends, entered, before = {}, {}, {}, {}
for line in open("printed"):
    found = re.match(r"([A-Z_]+) +(\d+) +(\d+)  (.*)", line)
    if not found:
        continue
    kind, thread, time, rest = found[1], int(found[2]), int(found[3]), found[4]
    number = re.search(r"Matching: (\d+)", rest)
    if kind == "ENTER":
        entered[thread] = time
    elif kind == "RMA_PUT":
        before.setdefault(thread, []).append((number[1], time))
    elif kind == "RMA_OP_COMPLETE_REMOTE":
        assert number[1] not in ends, "completed twice: " + line
        ends[number[1]] = entered[thread], time
    elif kind == "LEAVE" and "MPI_Win_flush\"" in rest:
        for id, put in before.pop(thread, []):
            puts.setdefault(id, []).append((put, time))
assert sum(len(each) for each in puts.values()) == all, puts
for id, each in puts.items():
    assert id in ends, "never completed"
    for put, own_end in each:
        assert put < ends[id][0], ("completed by a flush entered before it", id)
        assert ends[id][1] <= own_end, ("completed after its own flush", id)
PYTHON

    # Of what began in a pause nothing is recorded, and what did not has its own end.
    lingering "$mpi" paused
    python_check "$mpi, paused" paused $rounds <<'PYTHON'
exec(open("threads.py").read())
for kind, end in ("isend", "isend_complete"), ("irecv_post", "irecv"):
    for request in ends[end]:
        expect("an end of nothing", request in begun[kind], True)
expect("some are recorded", 0 < len(ends["irecv"]) < 4 * rounds, True)
PYTHON
done
finish
