# What the recorder itself gives to the MPI and takes from it in MPI_Init is in the archive, as a
# library counts it behind the recorder (counts_traffic.c), and it is little: the settings, which
# rank 0 tells the others, go without the room behind their texts.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >user.c <<'C'
#include <mpi.h>

void traffic_print(void);

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    traffic_print();
    MPI_Finalize();
    return 0;
}
C
cat >check.py <<'PYTHON'
import json
import sys

ranks = json.load(open("about.json"))["ranks"]
counted = sorted(list(map(int, line.split()[1:])) for line in open("stdout")
                 if line.startswith("traffic "))
told = [[rank["rank"], *(rank["own_traffic"][key]
                         for key in ("calls", "bytes_sent", "bytes_received"))]
        for rank in ranks]
if counted != told or len(told) != 3:
    sys.exit("counted %s, told %s" % (counted, told))
most = max(max(sent, received) for _, _, sent, received in told)
if most > 6000:
    sys.exit("%d bytes, where some hundred are settings" % most)
shown = json.load(open("counters.json"))
if [shown["recorder_calls"], shown["recorder_bytes_sent"], shown["recorder_bytes_received"]] != [
        max(values) for values in list(zip(*told))[1:]]:
    sys.exit("counters says something else: %s" % shown)
PYTHON
for mpi in $(mpis); do
    mpicc=$(mpicc_of "$mpi")
    $mpicc -w -shared -fPIC -o libcounts.so "$TOP_SRCDIR/test/system/counts_traffic.c" -ldl
    $mpicc -o user user.c -L. -lcounts -Wl,-rpath,"$scratch"
    code=$(LD_PRELOAD=$scratch/libcounts.so status_of run_mpi "$mpi" 3 "$record" -q --force \
        -o traffic.otf2.zip ./user)
    assert_equal 0 "$code" "status with $mpi: $(tail -3 stderr)"
    unzip -qp traffic.otf2.zip mpiwatch.json >about.json
    "$analyze" counters --json traffic.otf2.zip >counters.json
    "$python" check.py || fail "$mpi"
    "$analyze" counters traffic.otf2.zip | grep -q '^The recorder itself, in MPI_Init' ||
        fail "nothing of it in text, with $mpi"
done
