# A registration is an interval: that of MPI_COMM_WORLD begins in MPI_Init like any other, unless
# --no-world says otherwise; to register under the same name once more begins no second one, under
# another name it does. Variables of registered communicators are those of MPI_COMM_WORLD, too.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >twice.c <<'C'
#include <mpiwatch.h>

static void step(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    step();
    if (argc > 1) {
        mpiwatch_comm_register(MPI_COMM_WORLD, argv[1]);
    }
    step();
    mpiwatch_comm_unregister(MPI_COMM_WORLD);
    step();
    mpiwatch_comm_register(MPI_COMM_WORLD, "one");
    step();
    mpiwatch_comm_register(MPI_COMM_WORLD, "one");
    step();
    mpiwatch_comm_register(MPI_COMM_WORLD, "other");
    step();
    MPI_Finalize();
    return 0;
}
C
cat >check.py <<'PYTHON'
import json
import sys

def intervals(communicator):
    return [(each["rank"], each["name"], each["to_ns"] is None)
            for each in communicator["registered"]]

world = json.load(open("comms.json"))["communicators"][0]
ranks, first = int(sys.argv[1]), sys.argv[2:]
expected = [(rank, name, name == "other")
            for rank in range(ranks) for name in first + ["one", "other"]]
if intervals(world) != expected:
    sys.exit("%s, not %s" % (intervals(world), expected))
times = [time for each in world["registered"] if each["rank"] == 0
         for time in (each["from_ns"], each["to_ns"]) if time is not None]
if times != sorted(times) or len(set(times)) != len(times) - 1:
    sys.exit("times %s: only 'other' begins where 'one' ends" % times)
PYTHON
for mpi in $(mpis); do
    mpicc=$(mpicc_of "$mpi")
    $mpicc -I"$TOP_SRCDIR/recorder/include" -o twice twice.c "$TOP_BUILDDIR/libmpiwatch.a"
    for option in "" --no-world; do
        name=$([ -n "$option" ] || echo MPI_COMM_WORLD)
        run_mpi "$mpi" 2 "$record" -q --force $option -o twice.otf2.zip ./twice $name
        "$analyze" comms --json twice.otf2.zip >comms.json
        "$python" check.py 2 $name || fail "$mpi, option '$option'"
        "$analyze" validate -q twice.otf2.zip >validate.txt 2>&1 ||
            fail "$mpi, option '$option': $(cat validate.txt)"
    done
    # The name that MPI_Comm_set_name gives counts more than the one from the start.
    cat >named.c <<'C'
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_name(MPI_COMM_WORLD, "everyone");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
C
    $mpicc -o named named.c
    run_mpi "$mpi" 2 "$record" -q --force -o named.otf2.zip \
        --pvars='pml_ob1_unexpected_msgq_length@comm=registered' ./named
    "$analyze" comms --json named.otf2.zip >comms.json
    assert_equal everyone "$(json comms.json 'd["communicators"][0]["name"]')" "name with $mpi"
    [ "$mpi" = openmpi ] || continue
    "$analyze" counters --json named.otf2.zip >counters.json
    assert_equal '["everyone"]' "$(json counters.json \
        'sorted({row["comm"] for row in d["pvars"]})')" "whose variables are recorded"
done
