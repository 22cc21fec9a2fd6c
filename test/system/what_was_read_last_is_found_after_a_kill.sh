# A program that is killed while it computes leaves the values of variables that were read after its
# last call, with the default settings, though no sample of them was written yet. Of a counter,
# which is read now and then, what came since is not there: its row says that it is at least so
# much, and that its end is open, as nothing of a program that ends by itself is.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >last.py <<'PYTHON'
import json, sys
series = [line.split() for line in open("series") if line.split()[3] == "truth_level"]
# The last call's is 3, after a 5 that was the highest before, and so was written at once or not.
assert float(series[-1][1]) == 3, series[-3:]
row, = [row for row in json.load(open("counters.json"))["pvars"] if row["name"] == "truth_level"]
assert row["last"] == 3 and row["max"] == 5, row
assert row["mean_lower"] is not None and row["mean_upper"] - row["mean_lower"] <= 0.05, row
assert row["open_end"] is True and row["total_lower"] is row["total_upper"] is None, row
PYTHON
cat >counter.py <<'PYTHON'
import array, json, sys
log = array.array("Q", open("log", "rb").read())
last = log[-9 + 4]  # a row's last nine words are values; count is the fifth
row, = [row for row in json.load(open("counters.json"))["pvars"] if row["name"] == "truth_count"]
if sys.argv[1] == "killed":
    assert row["open_end"] is True and row["total_upper"] is None, row
    assert row["total_lower"] == row["total"] <= last, (last, row)
else:
    assert row["open_end"] is False, row
    assert row["total_lower"] == row["total"] == row["total_upper"] == last, (last, row)
PYTHON
for mpi in $(mpis); do
    mpicc=$(mpicc_of "$mpi")
    $mpicc -shared -fPIC -o libtruth.so "$TOP_SRCDIR/test/system/truth_mpi_t.c" -lpthread
    $mpicc -o truth "$TOP_SRCDIR/test/system/truth_user.c" -L. -ltruth -lpthread \
        -Wl,-rpath,"$scratch"
    for threads in 1 2; do
        rm -f killed.*
        LD_PRELOAD=$scratch/libtruth.so status_of run_mpi "$mpi" 1 "$record" -q -o killed.zip \
            --pvars='truth_level;truth_count' ./truth killed log $threads >/dev/null
        "$TOP_BUILDDIR/mpiwatch-recover" killed.zip.run >/dev/null 2>&1 || :
        "$analyze" -q counters --series killed.zip >series || :
        "$analyze" -q counters --json killed.zip >counters.json || :
        "$python" last.py || fail "$mpi, $threads threads"
        "$python" counter.py killed || fail "a counter, $mpi, $threads threads"
        "$analyze" -q counters killed.zip >text || :
        grep -Eq '^truth_count .* >=[0-9]+' text && grep -q '^ *end open: ' text ||
            fail "no open end in the text"
        LD_PRELOAD=$scratch/libtruth.so run_mpi "$mpi" 1 "$record" -q --force -o whole.zip \
            --pvars='truth_count' ./truth gaps log $threads
        "$analyze" -q counters --json whole.zip >counters.json
        "$python" counter.py whole || fail "a counter to its end, $mpi, $threads threads"
    done
done
