# Workers of mpi4py.futures ask for a task and sleep in between: where the master hands tasks out
# slowly, the report says that they wait, and nothing of it where they have work all the time. Its
# main thread sleeps while another one hands them out, which is told of the workers, and not of it.
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

cat >tiny.py <<'PYTHON'
import sys
import time

from mpi4py.futures import MPIPoolExecutor


def square(number):
    return number * number


if __name__ == "__main__":
    with MPIPoolExecutor() as pool:
        pool.bootup()
        begin = time.time()
        assert len(list(pool.map(square, range(3000), chunksize=int(sys.argv[1])))) == 3000
        print(time.time() - begin)
PYTHON

# What nearly all of the time of tasks by the piece is, is known by larger pieces.
whole=$(run_openmpi 2 "$python" -m mpi4py.futures tiny.py 1) || fail "tiny.py 1"
pieces=$(run_openmpi 2 "$python" -m mpi4py.futures tiny.py 50) || fail "tiny.py 50"
awk "BEGIN { exit !($pieces < $whole / 2) }" || fail "3000 tasks: $whole s, by 50: $pieces s"
run_openmpi 2 "$record" -q --force -o tiny.otf2.zip "$python" -m mpi4py.futures tiny.py 1 \
    >out 2>err || fail "tiny.py: $(cat err)"
"$analyze" report --json tiny.otf2.zip >report.json || fail "report: exit $?"
said=$(json report.json '[[c["id"], c["ranks"], c["advice"]] for c in d["causes"]]')
assert_contains "$said" '["asleep_polling", [1], '
assert_contains "$said" "if it has the work, send more with each of the 3.00 k messages"
assert_lacks "$said" '"not_running"'
assert_lacks "$said" '"threads_idle"'

# A thread that only keeps the MPI going is not what the main thread waits for.
cat >progress.py <<'PYTHON'
import threading
import time

from mpi4py import MPI

world = MPI.COMM_WORLD
done = threading.Event()


def progress():
    while not done.is_set():
        world.Iprobe()
        time.sleep(0.0001)


if world.rank == 0:
    thread = threading.Thread(target=progress)
    thread.start()
for each in range(10):
    if world.rank == 0:
        time.sleep(0.05)
        world.send(each, 1)
    else:
        world.recv(source=0)
done.set()
if world.rank == 0:
    thread.join()
PYTHON
run_openmpi 2 "$record" -q --force -o progress.otf2.zip "$python" progress.py >out 2>err ||
    fail "progress.py: $(cat err)"
"$analyze" report --json progress.otf2.zip >report.json || fail "report: exit $?"
assert_contains "$(json report.json '[[c["id"], c["ranks"]] for c in d["causes"]]')" \
    '["not_running", [0]]'
