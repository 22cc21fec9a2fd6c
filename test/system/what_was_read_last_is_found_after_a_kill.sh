# A program that is killed while it computes leaves the values of variables that were read after its
# last call, with the default settings, though no sample of them was written yet.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >last.py <<'PYTHON'
import json, sys
series = [line.split() for line in open("series") if line.split()[3] == "truth_level"]
# The last call's is 3, after a 5 that was the highest before, and so was written at once or not.
assert float(series[-1][1]) == 3, series[-3:]
row, = [row for row in json.load(open("counters.json"))["pvars"] if row["name"] == "truth_level"]
assert row["last"] == 3 and row["max"] == 5, row
assert row["mean_lower"] is not None and row["mean_upper"] - row["mean_lower"] <= 0.05, row
PYTHON
for mpi in $(mpis); do
    mpicc=$(mpicc_of "$mpi")
    $mpicc -shared -fPIC -o libtruth.so "$TOP_SRCDIR/test/system/truth_mpi_t.c" -lpthread
    $mpicc -o truth "$TOP_SRCDIR/test/system/truth_user.c" -L. -ltruth -lpthread \
        -Wl,-rpath,"$scratch"
    for threads in 1 2; do
        rm -f killed.*
        LD_PRELOAD=$scratch/libtruth.so status_of run_mpi "$mpi" 1 "$record" -q -o killed.zip \
            --pvars='truth_level' ./truth killed log $threads >/dev/null
        "$TOP_BUILDDIR/mpiwatch-recover" killed.zip.run >/dev/null 2>&1 || :
        "$analyze" -q counters --series killed.zip >series || :
        "$analyze" -q counters --json killed.zip >counters.json || :
        "$python" last.py || fail "$mpi, $threads threads"
    done
done
