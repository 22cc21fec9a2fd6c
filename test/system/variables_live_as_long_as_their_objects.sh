# Variables bound to windows, files and communicators (fake_objects.c, which stands for the
# MPI) are recorded from the making of their object to its end, no handle outlives it, and
# the number of handles has a limit. What can't be recorded is said.
. "$TOP_SRCDIR/test/system/lib.sh"

for mpi in $(mpis); do
    mpicc=$MPICC_OPENMPI
    [ "$mpi" = openmpi ] || mpicc=$MPICC_MPICH
    [ -n "$mpicc" ] || continue
    mkdir "$mpi"
    cd "$mpi"
    "$mpicc" -shared -fPIC -o libfake.so "$TOP_SRCDIR/test/system/fake_objects.c"
    "$mpicc" -o user "$TOP_SRCDIR/test/system/fake_objects_user.c" -L. -lfake -Wl,-rpath,"$PWD"

    # recorded WHAT OPTION...: runs the program, into WHAT.zip, out and err.
    recorded() {
        local what=$1
        shift
        LD_PRELOAD=$PWD/libfake.so run_mpi "$mpi" 1 "$record" -o "$what.zip" --force "$@" \
            ./user "$what" >out 2>err || fail "$mpi, $what: $(tail -3 err)"
        "$analyze" counters --json "$what.zip" >counters.json
    }

    recorded objects --pvars='fake_*' --pvar-interval=0
    assert_equal "alive 0 wrong 0" "$(cut -d' ' -f3- out)" "handles after their objects, $mpi"
    assert_equal '[55, 1070]' "$(json counters.json \
        'sorted(row["total"] for row in d["pvars"] if row["name"] == "fake_window")')" \
        "what the windows count, $mpi"
    assert_equal '["MPI_FILE", "used", null, 4, 0]' "$(json counters.json '[[row["bind"],
        row["object"].split("/")[-1], row["comm"], row["max"], row["min"]]
        for row in d["pvars"] if row["name"] == "fake_file"][0]')" "the file's level, $mpi"
    assert_contains "$(cat err)" "2 selected variables can't be recorded: fake_request: "

    # The last sample of each window is inside its MPI_Win_free, and there is none later.
    "$analyze" dump --json objects.zip >events
    cat >check.py <<'PYTHON'
import json
call, ended, frees = None, 0, 0
for line in open("events"):
    event = json.loads(line)
    if event["event"] == "enter":
        call = event["region"]
    frees += event["event"] == "leave" and event["region"] == "MPI_Win_free"
    if event["event"] == "metric" and event["flags"] & 4 and call == "MPI_Win_free":
        ended += 1
        assert ended == frees + 1, "a last sample in another window's end"
print(ended, frees)
PYTHON
    assert_equal "2 2" "$("$python" check.py)" "last samples, and windows freed, $mpi"

    # A thousand communicators: as many as the limit says, besides WORLD and SELF.
    recorded comms --pvars='fake_comm@comm=all' --pvar-objects=20
    assert_equal "most 22 alive 0 wrong 0" "$(cat out)" "handles, $mpi"
    assert_contains "$(cat err)" "not recorded of 980 communicators"

    # By name: globs.
    recorded comms --pvars='fake_comm@comm=halo*'
    assert_equal "most 2 alive 0 wrong 0" "$(cat out)" "handles of named communicators, $mpi"
    assert_equal '[["halo x", 2], ["halo y", 501]]' "$(json counters.json \
        'sorted([row["comm"], row["last"]] for row in d["pvars"])')" "named ones, $mpi"

    # A name that is not wanted any more: the last sample is in the call that gives it.
    recorded renames --pvars='fake_comm@comm=halo*' --pvar-interval=0
    assert_equal "most 1 alive 0 wrong 0" "$(cat out)" "handles of a renamed communicator, $mpi"
    assert_equal '[6]' "$(json counters.json '[row["last"] for row in d["pvars"]]')" \
        "the last value before it was renamed, $mpi"
    "$analyze" dump --json renames.zip | tac |
        sed -n '/"event":"metric"/,/"event":"enter"/p' | head -2 >last
    assert_matches "$(tr -d '\n' <last)" '"flags":4.*"MPI_Comm_set_name"' \
        "the last sample, $mpi"

    # Communicators that are never used are never asked; of the others nothing is missed, and the
    # first sample is of the end of the call that made them, or of one that freed another.
    recorded waits --pvars='fake_comm@comm=all' --pvar-interval=0
    assert_equal "most 3 alive 0 wrong 0" "$(cat out)" "handles of communicators not used yet, $mpi"
    assert_equal '[0, 1, 2, 3]' "$(json counters.json 'sorted(row["total"] for row in d["pvars"]
        if not row["comm"].startswith("MPI_COMM_") or "/" in row["comm"])')" \
        "what each counts from its first call on, $mpi"
    "$analyze" dump --json waits.zip >events
    cat >check.py <<'PYTHON'
import json
made, first, freed = {}, {}, set()
for line in open("events"):
    event = json.loads(line)
    if event["event"] == "leave" and event["region"] == "MPI_Comm_dup":
        made[comm] = event["time_ns"]
    if event["event"] == "comm_create":
        comm = event["comm_id"]
    if event["event"] == "metric" and event["comm_id"] in made:
        first.setdefault(event["comm_id"], event["time_ns"])
    if event["event"] == "leave" and event["region"] == "MPI_Comm_free":
        freed |= {comm for comm in first if first[comm] == event["time_ns"]}
print(len(made), [first[comm] == made[comm] or comm in freed for comm in first])
PYTHON
    assert_equal "10 [True, True, True, True]" "$("$python" check.py)" \
        "times of first samples, $mpi"

    # 40 elements, v, 2 v … 40 v for v up to 4: more than are read at each call.
    FAKE_ELEMENTS=40 recorded objects --pvars='fake_file' --pvar-interval=0
    assert_equal '[["argmax", 39], ["max", 160], ["nonzero", 40], ["sum", 3280]]' \
        "$(json counters.json 'sorted([row["name"].split(".")[1], row["max"]]
        for row in d["pvars"])')" "statistics of 40 elements, $mpi"
    FAKE_ELEMENTS=40 recorded objects --pvars='fake_file'
    assert_equal '[["argmax", 39], ["max", 160], ["nonzero", 40], ["sum", 3280]]' \
        "$(json counters.json 'sorted([row["name"].split(".")[1], row["last"]]
        for row in d["pvars"])')" "the same at the end, by rounds, $mpi"
    "$analyze" watermarks --json objects.zip >watermarks.json
    assert_equal '[[false, 3280, null]]' "$(json watermarks.json '[[row["high"][key]
        for key in ("exact", "lower", "upper")] for row in d["watermarks"]
        if row["name"] == "fake_file.sum"]')" "a bound, $mpi"
    cd ..
done

# Open MPI's own variables of windows, where its other components for windows can't mix them up.
mpis | grep -qx openmpi || exit 0
cat >windows.c <<'C'
#include <mpi.h>

int main(int argc, char **argv)
{
    int memory[4] = {0}, one = 1, rank;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++) {
        MPI_Win_create(memory, sizeof memory, sizeof memory[0], MPI_INFO_NULL, MPI_COMM_WORLD,
                       &window);
        MPI_Win_fence(0, window);
        MPI_Put(&one, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window);
        MPI_Win_fence(0, window);
        MPI_Win_free(&window);
    }
    MPI_Finalize();
    return 0;
}
C
$MPICC_OPENMPI -o windows windows.c
run_openmpi 2 "$record" -o no.zip --pvars='osc_rdma_*' ./windows 2>err
assert_contains "$(cat err)" "can't be recorded: osc_rdma_"
OMPI_MCA_osc=rdma run_openmpi 2 ./windows >/dev/null 2>&1 || exit 0 # no osc/rdma here
OMPI_MCA_osc=rdma run_openmpi 2 "$record" -q -o yes.zip --pvars='osc_rdma_put*' ./windows
"$analyze" counters --json yes.zip >counters.json
assert_equal '[3, 3]' "$(json counters.json '[len(set(row["object"] for row in d["pvars"]
    if row["rank"] == rank)) for rank in (0, 1)]')" "windows with variables on each rank"
