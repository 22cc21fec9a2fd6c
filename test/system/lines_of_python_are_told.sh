# Calls by mpi4py have the line and the function of Python that they come from: of methods,
# generators, threads, deep recursion and texts that are compiled one after the other, also of a run
# that was killed, and with --sites=stack the frames around it. The report names them. Python's
# names need not be ASCII.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need_mpi openmpi # Debian's mpi4py is made for it
"$python" -c 'import mpi4py' 2>/dev/null || skip "no python3-mpi4py here"
"$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' ||
    skip "this Python's frames are not known"
[ "$(uname -m)" = x86_64 ] || [ "$(uname -m)" = aarch64 ] || skip "not on this machine"
program=$TOP_SRCDIR/test/system/lines_of_python.py

# told ARCHIVE RANKS LINES: what sites says of the program, held against its text.
told() {
    "$analyze" sites --json "$1" >sites.json || [ $? -eq 4 ] || fail "sites of $1"
    "$python" - "$program" "$2" "$3" <<'PYTHON' || fail "$1: lines"
import json
import re
import sys
wanted = {}
for number, line in enumerate(open(sys.argv[1], encoding="utf-8"), 1):
    found = re.search(r"# site (\S+) (\d+)$", line)
    if found:
        wanted[number, found[1]] = int(found[2]) * int(sys.argv[2])
if sys.argv[3] == "finalized":
    del wanted[max(wanted)]
found, texts = {}, {}
for site in json.load(open("sites.json"))["sites"]:
    if (site["file"] or "").endswith("lines_of_python.py"):
        key = site["line"], site["function"]
        found[key] = found.get(key, 0) + site["count"]
    elif site["file"] == "<string>":
        texts[site["line"]] = site["count"]
assert found == wanted, (found, wanted)
assert texts == {number: int(sys.argv[2]) for number in range(1, 21)}, texts
PYTHON
}

run_openmpi 2 "$record" -q -o run.zip "$python" "$program" >out 2>err || fail "$(cat err)"
told run.zip 2 finalized
assert_contains "$("$analyze" calls --sites run.zip)" "lines_of_python.py:"
assert_equal '[[], true]' "$(unzip -p run.zip mpiwatch.json >all.json; json all.json '[
    [s["addresses"] for s in d["sites"] if s["file"].endswith(".py") and s["addresses"]],
    any(m["path"].endswith("lines_of_python.py") for m in d["modules"])]')" "modules"

run_openmpi 2 "$record" -q --paths base -o base.zip "$python" "$program" >out 2>err ||
    fail "$(cat err)"
"$analyze" sites --json base.zip >sites.json
assert_equal true "$(json sites.json \
    'any(s["file"] == "lines_of_python.py" for s in d["sites"])')" "without directories"

run_openmpi 2 "$record" -q -o killed.zip "$python" "$program" die >out 2>err || true
ranks_have_ended
assert_equal 4 "$(status_of "$TOP_BUILDDIR/mpiwatch-recover" killed.zip.run --remove)" \
    "killed: $(cat stderr)"
told killed.zip 2 killed

# With --sites=stack the frames of Python around it, too, as many as are asked for.
for frames in 16 3; do
    rm -f truth.*
    run_openmpi 2 "$record" -q --force --sites="stack:$frames" -o stacks.zip "$python" \
        "$TOP_SRCDIR/test/system/stacks_of_python.py" truth >out 2>err || fail "$(cat err)"
    "$analyze" dump --json stacks.zip >dump.json
    "$python" - "$frames" <<'PYTHON' || fail "stacks of $frames frames"
import json
import sys
most = int(sys.argv[1])
told = [[], []]
for event in map(json.loads, open("dump.json")):
    if event.get("region") == "MPI_Barrier" and event["event"] == "enter":
        told[event["rank"]].append(event["stack"])
for rank in range(2):
    wanted = []
    for line in open("truth.%d" % rank):
        stack = ["%s (%s:%d)" % tuple(frame) for frame in json.loads(line)]
        wanted.append(stack[:most])
    assert len(wanted) == 48
    for one, other in zip(wanted, told[rank], strict=True):
        assert one == other, (one, other)
PYTHON
    "$analyze" validate stacks.zip >out 2>err || fail "validate: $(cat out err)"
    rm -rf x
    unzip -q stacks.zip -d x
    assert_equal "$((frames == 3))" "$(otf2-print -G x/traces.otf2 | grep -c 'Name: .*\[cut\]')" \
        "more than $frames"
done
run_openmpi 2 "$record" -q --force --sites=stack -o run.zip "$python" "$program" >out 2>err ||
    fail "$(cat err)"
told run.zip 2 finalized

# Other extension modules: of one that is stripped nothing but an address would be told, which is
# so where no Python calls; of others there are names, or lines of C.
modules_are_told() {
    local include kind
    include=$("$python" -c 'import sysconfig; print(sysconfig.get_path("include"))')
    [ -f "$include/Python.h" ] || return 0
    cat >extension.c <<'C'
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <mpi.h>

__attribute__((visibility("default"))) int exported_meeting(void)
{
    return MPI_Barrier(MPI_COMM_WORLD) + 1;
}

static PyObject *meet(PyObject *self, PyObject *nothing)
{
    return PyLong_FromLong(MPI_Barrier(MPI_COMM_WORLD) + (ask_exported ? exported_meeting() : 0));
}

static PyMethodDef methods[] = { { "meet", meet, METH_NOARGS, "" }, { NULL } };
static struct PyModuleDef module = { PyModuleDef_HEAD_INIT, MODULE, "", -1, methods };

PyMODINIT_FUNC INIT(void)
{
    return PyModule_Create(&module);
}
C
    cat >modules.py <<'PYTHON'
from mpi4py import MPI

import exporting
import lined
import named
import stripped


def work(module):
    return module.meet()  # the line of all four


for module in exporting, lined, named, stripped:
    work(module)
PYTHON
    for kind in "stripped -s" "exporting -s -Dask_exported=1" "named" "lined -g"; do
        # shellcheck disable=SC2086 # words
        set -- $kind
        "$(mpicc_of openmpi)" -O1 -fPIC -fno-inline -fvisibility=hidden -shared -I"$include" \
            -DMODULE="\"$1\"" -DINIT="PyInit_$1" \
            $([ "$1" = exporting ] || echo -Dask_exported=0) \
            "${@:2}" extension.c -o "$1.cpython-3.so" || fail "the module $1"
        mv "$1.cpython-3.so" "$1$("$python" -c \
            'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')"
    done
    for kind in line stack; do
        run_openmpi 2 "$record" -q --force --sites=$kind -o modules.zip "$python" modules.py \
            >out 2>err || fail "modules: $(cat err)"
        "$analyze" sites --json modules.zip >sites.json
        assert_equal '[["", "exported_meeting", 2], ["", "meet", 2], ["extension.c", "meet", 2],
["modules.py", "work", 4]]' "$(json sites.json 'sorted([(s["file"] or "").split("/")[-1],
            s["function"].split("+0x")[0], s["count"]] for s in d["sites"]
            if s["call"] == "MPI_Barrier")' | sed 's/, \["modules/,\n["modules/')" "$kind: modules"
        assert_equal "[10]" "$(json sites.json '[s["line"] for s in d["sites"]
            if (s["file"] or "").endswith("modules.py") and s["function"] == "work"]')" \
            "$kind: line"
    done
}
modules_are_told

# Of a library below such a module the same holds with --sites=line, if a thread of Python calls:
# not of its function that has a name, of a thread of its own, in a program without Python, before
# there is one or when it has ended. By default and with --sites=stack its callers are told.
cat >library.c <<'C'
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>

#define EXPORTED __attribute__((visibility("default")))

static int meet(int factor)
{
    return factor * MPI_Barrier(MPI_COMM_WORLD) + 1;
}

static void *meet_in_thread(void *nothing)
{
    return MPI_Allreduce(MPI_IN_PLACE, &(int){1}, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) ? "" : NULL;
}

EXPORTED int library_meet(void)
{
    return meet(2) + meet(3);
}

EXPORTED int library_meet_by_name(void)
{
    return MPI_Bcast(&(int){1}, 1, MPI_INT, 0, MPI_COMM_WORLD) + 1;
}

EXPORTED int library_meet_in_thread(void)
{
    pthread_t thread;

    return pthread_create(&thread, NULL, meet_in_thread, NULL) || pthread_join(thread, NULL);
}
C
cat >library.py <<'PYTHON'
import ctypes
library = ctypes.PyDLL("./liblibrary.so")


def work():
    library.library_meet()  # the line of both
    library.library_meet_by_name()
    library.library_meet_in_thread()


work()
PYTHON
cat >embeds.c <<'C'
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>

int library_meet(void);

/*
 * Meets; where a library of Python is named, before, in and after what that runs. Without one it
 * has to find the message of what it could not open.
 */
int main(int argc, char **argv)
{
    void *python;
    int ignored;

    MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &ignored);
    python = dlopen(argc > 1 ? argv[1] : "./there-is-none.so", RTLD_NOW | RTLD_GLOBAL);
    library_meet();
    if (!python && !dlerror()) {
        return 1;
    }
    if (python) {
        ((void (*)(void))dlsym(python, "Py_Initialize"))();
        ((int (*)(const char *))dlsym(python, "PyRun_SimpleString"))(
            "exec(compile(open('library.py').read(), 'library.py', 'exec'))");
        ((int (*)(void))dlsym(python, "Py_FinalizeEx"))();
        library_meet();
    }
    MPI_Finalize();
    return argc > 1 && !python;
}
C
"$(mpicc_of openmpi)" -s -O1 -fPIC -fno-inline -fvisibility=hidden -shared library.c -pthread \
    -o liblibrary.so || fail "the library"
"$(mpicc_of openmpi)" embeds.c -L. -llibrary -Wl,-rpath,"$PWD" -o embeds || fail "embeds"

# places ARCHIVE CALL: from where it is made (a file and a line, or a library) in what, how often.
places() {
    "$analyze" sites --json "$1" >sites.json || fail "sites of $1"
    json sites.json "sorted([(s['file'] or '').split('/')[-1], s['line'],
        s['function'].split('+0x')[0], s['count']] for s in d['sites'] if s['call'] == '$2')"
}

run_openmpi 2 "$record" -q -o alone.zip ./embeds >out 2>err || fail "alone: $(cat err)"
assert_equal '[["", null, "liblibrary.so", 4]]' "$(places alone.zip MPI_Barrier)" "without Python"
embedded=$("$python" -c 'import sysconfig; print(sysconfig.get_config_var("INSTSONAME"))')
if "$python" -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "$embedded" 2>/dev/null; then
    run_openmpi 2 "$record" -q --sites=line -o embedded.zip ./embeds "$embedded" >out 2>err ||
        fail "embedded: $(cat err)"
    assert_equal \
        '[["", null, "liblibrary.so", 8], ["library.py", 6, "liblibrary.so < work", 4]]' \
        "$(places embedded.zip MPI_Barrier)" "a library's call"
    assert_equal '[["", null, "library_meet_by_name", 2]]' "$(places embedded.zip MPI_Bcast)" \
        "a function with a name"
    assert_equal '[["", null, "liblibrary.so", 2]]' "$(places embedded.zip MPI_Allreduce)" \
        "a thread of the library's own"
    # By default it is the library's place, and who led there, the program or the line of Python, by
    # each of the two calls in library_meet; the program calls that twice.
    if tells_stacks; then
        run_openmpi 2 "$record" -q -o led.zip ./embeds "$embedded" >out 2>err ||
            fail "led: $(cat err)"
        "$analyze" sites --stacks --json led.zip >sites.json
        assert_equal '[[6, "work", 2, 2], [null, "main", 4, 2]]' "$(json sites.json '[
            [line, name, all_ways.count([name, line, 2]), 2] for all_ways in [[
                [f["function"].split("+")[0], f["line"], c["count"]] for s in d["sites"]
                for c in s["callers"] for f in c["stack"][:1] if s["call"] == "MPI_Barrier"]]
            for name, line in (("work", 6), ("main", None))]')" "who led to a library"
        assert_equal '[["work", 7]]' "$(json sites.json '[[s["called_from"]["function"],
            s["called_from"]["line"]] for s in d["sites"] if s["call"] == "MPI_Bcast"]')" \
            "to a function with a name"
        assert_equal '[false]' "$(json sites.json '["called_from" in s for s in d["sites"]
            if s["call"] == "MPI_Allreduce"]')" "to a thread of the library's own"
    fi
    run_openmpi 2 "$record" -q --sites=stack -o callers.zip ./embeds "$embedded" >out 2>err ||
        fail "callers: $(cat err)"
    assert_equal '[["", null, "liblibrary.so", 12]]' "$(places callers.zip MPI_Barrier)" "stacks"
    assert_contains "$("$analyze" sites --stacks --width=200 callers.zip)" "library_meet+"
fi

# What the verdict says of a program whose rank 1 comes late.
cat >late.py <<'PYTHON'
import time
from mpi4py import MPI
for i in range(20):
    time.sleep(0.02 * MPI.COMM_WORLD.rank)
    MPI.COMM_WORLD.Bcast(bytearray(8), root=1)
PYTHON
run_openmpi 2 "$record" -q -o late.zip "$python" late.py >out 2>err || fail "$(cat err)"
"$analyze" report --json late.zip >report.json || fail "report"
assert_contains "$(json report.json '"; ".join(c["sentence"] for c in d["causes"])')" \
    "before MPI_Bcast, late.py:5: "
finish
