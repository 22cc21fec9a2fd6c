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
    cd ..
done
