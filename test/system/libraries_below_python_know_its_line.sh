# By default a call that a library makes in a thread of Python has, behind the functions by which it
# comes, the line of Python that led to the library: also where it goes through ctypes, whose frames
# can't be gone through, from a callback, from a thread of Python's, in a module that is imported,
# whether the library has names or is stripped, and by what Python writes itself (the constructor of
# a dataclass). Where packages are between that are installed, as h5py is, the line is the program's
# that uses them; of a program that is installed itself its own, too, and not that of the script in
# bin that starts it, unless there is no other. A thread of the library's own has no line.
# --sites=line tells the library's place as before. A run that was killed has all of it, too, and
# of one that hangs the line is said while it does. On both MPIs.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

tells_stacks || skip "stacks are not told on this machine"
"$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' ||
    skip "this Python's frames are not known"

cat >given.c <<'PROGRAM'
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED int meet(void)
{
    return MPI_Barrier(MPI_COMM_WORLD) + 1;
}

static int meet_without_name(void)
{
    return MPI_Barrier(MPI_COMM_WORLD) + 1;
}

EXPORTED int meet_inside(void)
{
    return meet_without_name() + 1;
}

EXPORTED int call_back(int (*what)(void))
{
    return what() + 1;
}

static void *meet_in_thread(void *nothing)
{
    return MPI_Allreduce(MPI_IN_PLACE, &(int){1}, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) ? "" : NULL;
}

EXPORTED int meet_elsewhere(void)
{
    pthread_t thread;

    return pthread_create(&thread, NULL, meet_in_thread, NULL) || pthread_join(thread, NULL);
}

EXPORTED int stand(void)
{
    int rank, got;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return MPI_Recv(&got, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE) + 1;
}

EXPORTED void begin(void)
{
    int provided;

    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
}

EXPORTED void end(void)
{
    MPI_Finalize();
}
PROGRAM
mkdir -p site-packages/given site-packages/app bin
cat >site-packages/given/__init__.py <<'PYTHON'
import ctypes
import dataclasses

library = ctypes.CDLL("./libgiven.so.1")
library.begin()


@dataclasses.dataclass
class Field:
    cells: int

    def __post_init__(self):
        library.meet()


def meet():
    library.meet()


def meet_inside():
    call_later(library.meet_inside)


def call_later(what):
    what()


def end():
    library.end()
PYTHON
cat >program.py <<'PYTHON'
import ctypes
import os
import signal
import sys
import threading

sys.path.insert(0, "site-packages")
import given


class Solver:
    def step(self, module):
        module.meet()  # site meet Solver.step 4
        module.meet_inside()  # site meet_inside Solver.step 4


def called_back():
    given.library.meet()  # site meet called_back 1
    return 1


def in_thread():
    given.meet()  # site meet in_thread 1


if sys.argv[1] == "hangs":
    given.library.stand()  # stands
for turn in range(2):
    Solver().step(given)
    Solver().step(given.library)
given.library.call_back(ctypes.CFUNCTYPE(ctypes.c_int)(called_back))
thread = threading.Thread(target=in_thread)
thread.start()
thread.join()
import imported  # imports
exec("\n\ngiven.meet()")  # a text, whose lines are its own
given.Field(8)  # site meet <module> 1
given.library.meet_elsewhere()
if sys.argv[1] == "dies":
    os.kill(os.getpid(), signal.SIGKILL)
given.end()
PYTHON
cat >imported.py <<'PYTHON'
import given
given.meet()  # site meet <module> 1
PYTHON
cat >site-packages/app/main.py <<'PYTHON'
import given


def main():
    given.meet()  # site meet main 1
    given.end()
PYTHON
cat >bin/alone <<'PYTHON'
import sys
sys.path.insert(0, "site-packages")
import given
given.meet()  # site meet <module> 1
given.end()
PYTHON
cat >bin/app <<'PYTHON'
import sys
sys.path.insert(0, "site-packages")
from app.main import main
main()
PYTHON

# Which Barriers the archive has, by line and function of Python and functions of the library, held
# against the texts, of two ranks. What is stripped has the names of exported functions only.
cat >check.py <<'PYTHON'
import collections, json, re, sys

kind, files = sys.argv[1], sys.argv[2:]
wanted = collections.Counter()
for file in files:
    for number, line in enumerate(open(file), 1):
        found = re.search(r"# site (\S+) (\S+) (\d+)$", line)
        if found:
            inside = found[1] == "meet_inside"
            frames = ["meet_inside", "meet_without_name"] if inside else ["meet"]
            if kind == "stripped" and inside:
                frames[1] = "libgiven.so.1"
            key = file.split("/")[-1], number, found[2], " ".join(frames)
            wanted[key] = 2 * int(found[3])
if "program.py" in files:
    wanted["<string>", 3, "<module>", "meet"] = 2
found, led = collections.Counter(), set()
for site in json.load(open("sites.json"))["sites"]:
    if site["call"] == "MPI_Allreduce":  # by a thread of the library's own
        assert "called_from" not in site, site
        assert all(each["line"] is None for one in site["callers"] for each in one["stack"]), site
    if site["call"] != "MPI_Barrier":
        continue
    leader = site.get("called_from")  # of several that which costs most, if any does
    assert site["line"] is None and (leader or len(site["callers"]) > 1), site
    if leader:
        assert leader["library"] == "libgiven.so.1", site
        led.add(leader["line"])
    for caller in site["callers"]:
        outermost, *frames = caller["stack"]
        assert caller["is_cut"] and all(each["line"] is None for each in frames), caller
        names = [each["function"].split("+")[0] for each in frames]
        # Before those of ours are ctypes and what it calls by.
        names = names[-2:] if names[-1] != "meet" else names[-1:]
        found[(outermost["file"] or "").split("/")[-1], outermost["line"], outermost["function"],
              " ".join(names)] += caller["count"]
assert found == wanted, (found, wanted)
assert led <= {key[1] for key in wanted}, led
PYTHON

# look ARCHIVE KIND FILE...
look() {
    "$analyze" sites --stacks --json "$1" >sites.json 2>err || [ $? -eq 4 ] || fail "$(cat err)"
    "$python" check.py "${@:2}" >out 2>&1 || fail "$mpi, $*: $(cat out)"
}

# top_says LINE: both ranks are in calls that this line leads to.
top_says() {
    "$TOP_BUILDDIR/mpiwatch-top" --json --count 2 hung.zip.run >lines 2>top.err &&
        tail -n 1 lines >last &&
        [ "$(json last '" ".join(str(each["line"]) for each in d["threads"])')" = "$1 $1" ]
}

hang_is_told() {
    local line
    rm -rf hung.zip*
    run_mpi "$mpi" 2 "$record" --hang=1s -o hung.zip "$python" program.py hangs >out 2>err &
    line=$(sed -n '/stands/=' program.py)
    await "$mpi: the lines of mpiwatch-top" top_says "program.py:$line"
    await "$mpi: word of the hang" grep -qs '"hang"' hung.zip.run
    kill_ranks hung.zip.run
    wait $! || true
    assert_matches "$(cat err)" "deadlock: rank 0 in MPI_Recv from 1 \(tag 3, MPI_COMM_WORLD\) at\
 program\.py:$line via libgiven\.so\.1 for [0-9.]+ s <- rank 1 in "
}

for mpi in $(built_mpis); do
    for kind in named stripped; do
        "$(mpicc_of "$mpi")" -O1 -fPIC -fno-inline -fno-optimize-sibling-calls \
            -fvisibility=hidden -shared $([ $kind = named ] || echo -s) -o libgiven.so.1 \
            given.c -pthread
        run_mpi "$mpi" 2 "$record" -q --force -o run.zip "$python" program.py ends >out 2>err ||
            fail "$mpi, $kind: $(cat err)"
        look run.zip $kind program.py imported.py
    done
    for started in "app site-packages/app/main.py" "alone bin/alone"; do
        run_mpi "$mpi" 2 "$record" -q --force -o app.zip "$python" "bin/${started% *}" >out 2>err ||
            fail "$mpi, $started: $(cat err)"
        look app.zip $kind "${started#* }"
    done

    run_mpi "$mpi" 2 "$record" -q --force --sites=line -o line.zip "$python" bin/app >out 2>err ||
        fail "$mpi, line: $(cat err)"
    "$analyze" sites --json line.zip >sites.json
    assert_equal '[["meet", null, false]]' "$(json sites.json '[[s["function"].split("+")[0],
        s["line"], "called_from" in s] for s in d["sites"] if s["call"] == "MPI_Barrier"]')" "line"

    run_mpi "$mpi" 2 "$record" -q --force -o killed.zip "$python" program.py dies >out 2>err || true
    ranks_have_ended
    assert_equal 4 "$(status_of "$TOP_BUILDDIR/mpiwatch-recover" killed.zip.run --remove)" \
        "$mpi, killed: $(cat stderr)"
    look killed.zip $kind program.py imported.py
    [ ! -x "$TOP_BUILDDIR/mpiwatch-resolve" ] || hang_is_told
done

finish
