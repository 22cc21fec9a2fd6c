# Two ranks that have a core each, which other programs take half of the time. They work in MPI's
# calls, where nobody waits: for how long they had no core is what the kernel says, and the verdict
# says it. Then one computes and the other waits for it on the core that is taken: that one loses
# nothing, and nothing is said of it. Then nobody takes any, but a thread of each rank computes,
# too: that is what the verdict says, as of no other run here. And a rank that asks the kernel for
# nothing while it computes, so that it loses its core when the recorder does, as it enters a call,
# is not told to have been in that call meanwhile.
. "$TOP_SRCDIR/test/system/served_first.sh"
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need taskset
[ -r /proc/thread-self/schedstat ] || skip "the kernel does not count what lacks a core"
allowed=$("$python" -c 'import os; print(*sorted(os.sched_getaffinity(0))[:2])')
first=${allowed% *}
second=${allowed#* }
[ "$first" != "$second" ] || skip "two ranks need two cores"

others=()
end_others() {
    [ ${#others[@]} -eq 0 ] || kill -KILL "${others[@]}" 2>/dev/null || true
    wait "${others[@]}" 2>/dev/null || true
    others=()
}
trap 'end_others; clean_up' EXIT

# others_take CORE...: programs that compute on them, each on one, two minutes at most.
others_take() {
    local core
    for core; do
        taskset -c "$core" "$python" -c 'import time
end = time.monotonic() + 120
while time.monotonic() < end:
    sum(range(100000))' &
        others+=($!)
    done
}

cat >bound <<BOUND
#!/bin/bash
rank=\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}
[ "\$rank" = 0 ] && exec taskset -c $first "\$@"
exec taskset -c $second "\$@"
BOUND
chmod +x bound

cat >calls.py <<'PYTHON'
import json
import sys

without = {int(line.split()[0]): int(line.split()[3]) for line in open("said")}
report = json.load(open("report.json"))
cause = sys.argv[1]
for row in json.load(open("ranks.json"))["ranks"]:
    told = row["no_core_ns"] + row["mpi_no_core_ns"]
    if not 0.75 * without[row["rank"]] - 10e6 < told < 1.25 * without[row["rank"]] + 10e6:
        sys.exit("rank %d had no core for %d ns, told are %d" % (
            row["rank"], without[row["rank"]], told))
lost = [each for each in report["causes"] if each["id"] in ("no_core", "own_threads")]
if len(lost) != 1 or sorted(lost[0]["ranks"]) != [0, 1]:
    sys.exit("not said of both: %s" % report["causes"])
if not 0.75 * max(without.values()) < lost[0]["up_to_ns"] < 1.25 * max(without.values()):
    sys.exit("%s, not %d" % (lost[0], max(without.values())))
if " have no core for up to " not in lost[0]["sentence"]:
    sys.exit(lost[0]["sentence"])
# A thread has as much of the core as the main one, which works for 400 ms; programs that run beside
# this test may have some, too.
threads = [row["other_threads_ns"] for row in json.load(open("ranks.json"))["ranks"]]
if any((ns > 200e6) != (cause == "own_threads") for ns in threads):
    sys.exit("other threads ran for %s" % threads)
if lost[0]["id"] != cause and (cause == "no_core" or
                               all(ns > 0.8 * without[rank] for rank, ns in enumerate(threads))):
    sys.exit("not who takes it: %s" % lost)
PYTHON
cat >waits.py <<'PYTHON'
import json
import sys

without = {int(line.split()[0]): int(line.split()[3]) for line in open("said")}
report = json.load(open("report.json"))
if any(1 in cause["ranks"] for cause in report["causes"] if cause["id"] == "no_core"):
    sys.exit("rank 1, without a core for %d ns of waiting: %s" % (without[1], report["causes"]))
PYTHON

cat >enters.py <<'PYTHON'
import json
import sys

row = json.load(open("ranks.json"))["ranks"][0]
without = int(open("said").read().split()[3])
if row["mpi_ns"] > 0.02 * row["run_ns"]:
    sys.exit("%d ns of %d in calls that do next to nothing, for %d without a core" % (
        row["mpi_ns"], row["run_ns"], row["mpi_no_core_ns"]))
if row["no_core_ns"] + row["mpi_no_core_ns"] < 0.93 * without:
    sys.exit("no core for %d ns, told are %d and %d in calls" % (
        without, row["no_core_ns"], row["mpi_no_core_ns"]))
PYTHON

# held PROGRAM CORES PIECES...: records it while others take the cores, and looks at what is said,
# of no_core, or of own_threads where nobody does.
held() {
    # shellcheck disable=SC2086
    others_take $2
    run_mpi "$mpi" 2 $foremost ./bound "$record" -q --force -o run.otf2.zip \
        "$TOP_BUILDDIR/test/system/crowd-$mpi" "${@:3}" >said
    end_others
    "$analyze" ranks --json -o ranks.json run.otf2.zip
    "$analyze" report --json run.otf2.zip >report.json
    "$python" "$1" $([ -n "$2" ] && echo no_core || echo own_threads) ||
        wrong "$mpi, $1: $(cat said)"
}
for mpi in $(built_mpis); do
    held calls.py "$first $second" 20000 20 calls
    held waits.py "$second" 300000 4 waits
    held calls.py "" 20000 20 threads
    others_take "$first"
    run_mpi "$mpi" 1 $foremost ./bound "$record" -q --force -o run.otf2.zip \
        "$TOP_BUILDDIR/test/system/crowd-$mpi" 12000 250 silently >said
    end_others
    "$analyze" ranks --json -o ranks.json run.otf2.zip
    "$python" enters.py || wrong "$mpi, enters.py: $(cat said)"
done
finish
