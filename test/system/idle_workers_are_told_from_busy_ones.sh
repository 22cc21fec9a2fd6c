# Workers of mpi4py.futures ask for a task and sleep in between: where the master hands tasks out
# slowly, the report says that they wait, and nothing of it where they have work all the time.
. "$TOP_SRCDIR/test/system/served_first.sh"
. "$TOP_SRCDIR/test/system/lib.sh"
need_mpi openmpi
"$python" -c 'import mpi4py.futures' 2>/dev/null || skip "no mpi4py here"

cat >pool.py <<'PYTHON'
import sys
import time

from mpi4py.futures import MPIPoolExecutor


def work(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
    return 1


if __name__ == "__main__":
    tasks, seconds, pause, backoff = int(sys.argv[1]), *map(float, sys.argv[2:])
    with MPIPoolExecutor(backoff=backoff) as pool:
        done = []
        for each in range(tasks):
            time.sleep(pause)
            done.append(pool.submit(work, seconds))
        assert sum(each.result() for each in done) == tasks
PYTHON

# causes TASKS SECONDS PAUSE BACKOFF: those of a run with one worker that say something of it, as
# JSON. Who looks for a task sleeps for up to BACKOFF seconds in between.
causes() {
    run_openmpi 2 "$record" -q --force -o pool.otf2.zip "$python" -m mpi4py.futures pool.py "$@" \
        >out 2>err || fail "pool.py $*: $(cat err)"
    "$analyze" report --json pool.otf2.zip >report.json || fail "report: exit $?"
    json report.json '[[c["id"], c["call"], c["sentence"]] for c in d["causes"]
        if c["ranks"] == [1] and c["id"] in ("asleep_polling", "polling", "not_running")]'
}

said=$(causes 5 0.01 0.3 0.005)
assert_contains "$said" '["asleep_polling", "MPI_Iprobe", "the main thread of rank 1 does not run'
assert_contains "$said" "as nothing has; what comes is from rank 0"
assert_equal "[]" "$(causes 100 0.02 0 0.0001)" "a worker that is busy"
