# Of a variable that counts what arrives, nobody can tell the recorder's messages from the program's
# where both may come: while a rank is in MPI_Init and others have left it, and while others are in
# MPI_Finalize and it has not come there. The total is an interval then, which holds what the
# program sent, also where a rank reads its variables late; one of what the rank itself sends, and
# one that messages don't move, is exact.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >user.c <<'C'
#include <mpi.h>
#include <unistd.h>

unsigned arrivals_await(int rank, unsigned count);

int main(int argc, char **argv)
{
    int rank, size, word = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5; i++) {
        if (rank == 0) {
            MPI_Send(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        } else if (rank == 2) {
            MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    if (rank == 1) {
        arrivals_await(2, 4 + 5);
        usleep(20000); /* rank 0 has left its last MPI_Send, but not read its variables */
    } else if (rank == 2) {
        arrivals_await(2, 4 + 5 + 2); /* the others are in MPI_Finalize */
        MPI_Send(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Recv(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Comm_size(MPI_COMM_WORLD, &size);
    }
    MPI_Finalize();
    return 0;
}
C
cat >check.py <<'PYTHON'
import json

rows = {(row["name"], row["rank"]): row for row in json.load(open("counters.json"))["pvars"]}
# What the program's own messages are: five from 0 to 2, one from 2 to itself.
truth = {("arrivals", 0): 0, ("arrivals", 1): 0, ("arrivals", 2): 6,
         ("pml_monitoring_departures", 0): 5, ("pml_monitoring_departures", 1): 0,
         ("pml_monitoring_departures", 2): 1,
         ("apart", 0): 0, ("apart", 1): 0, ("apart", 2): 1}
assert set(rows) == set(truth), rows.keys()
for key, value in truth.items():
    row = rows[key]
    assert row["total_lower"] <= value <= row["total_upper"], (value, row)
    assert row["total_lower"] <= row["total"] <= row["total_upper"], row
    assert row["open_end"] is False, row
    if key[0] != "arrivals":
        assert row["total_lower"] == row["total"] == row["total_upper"] == value, row
# Rank 2 found its five first messages when MPI_Init ended, two of the last barrier and two of the
# one before, unless they were there already: these are in doubt. Behind that came its last message
# and, if they were not there yet, two of the others' MPI_Finalize.
row = rows["arrivals", 2]
assert 1 <= row["total"] <= 3 and row["total_lower"] == 0, row
assert row["total"] + 7 <= row["total_upper"] <= 12, row
PYTHON
for mpi in $(mpis); do
    mpicc=$(mpicc_of "$mpi")
    $mpicc -w -shared -fPIC -I"$TOP_SRCDIR/test/system" -o libarrivals.so \
        "$TOP_SRCDIR/test/system/fake_arrivals.c" -ldl
    $mpicc -o user user.c -L. -larrivals -Wl,-rpath,"$scratch"
    head -c 4096 /dev/zero >memory
    code=$(ARRIVALS=$scratch/memory LD_PRELOAD=$scratch/libarrivals.so status_of run_mpi "$mpi" 3 \
        "$record" -q --force --pvars=all --pvar-probe=off -o arrivals.otf2.zip ./user)
    assert_equal 0 "$code" "status with $mpi: $(tail -3 stderr)"
    "$analyze" counters --json arrivals.otf2.zip >counters.json
    "$python" check.py || fail "$mpi"
    "$analyze" counters arrivals.otf2.zip | grep -Eq '^arrivals +2 .* 0 to ([89]|1[012]) ' ||
        fail "no interval in the text, with $mpi"
done
