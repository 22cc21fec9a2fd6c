# Two ranks on one core, which compute in pieces of 50 us, much shorter than the time between two
# looks at their clocks, and of 500 us: how long they computed on the core is what their own clocks
# say, while the MPI gives the core away in most of its calls.
. "$TOP_SRCDIR/test/system/served_first.sh"
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need taskset

cat >check.py <<'PYTHON'
import json
import sys

truth = {int(rank): (int(took), int(ran))
         for rank, took, ran, without in map(str.split, open("said"))}
ranks = json.load(open("ranks.json"))["ranks"]
if len(ranks) != len(truth):
    sys.exit("%d ranks in the archive, %d ran" % (len(ranks), len(truth)))
for row in ranks:
    took, ran = truth[row["rank"]]
    told = row["outside_ns"] - row["off_core_ns"]
    around = row["outside_ns"] - took  # what else is between two calls
    if not 0.75 * ran < told < 1.25 * ran + max(around, 0):
        sys.exit("rank %d computed %d ns in %d, told are %d in %d" % (
            row["rank"], ran, took, told, row["outside_ns"]))
PYTHON
for mpi in $(built_mpis); do
    rounds=6000
    [ "$mpi" = openmpi ] || rounds=1500 # who waits keeps the core until the kernel takes it: 4 ms
    for pieces in "50 $rounds" "500 600"; do
        # shellcheck disable=SC2086
        run_mpi "$mpi" 2 $foremost taskset -c "$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')" \
            "$record" -q --force -o run.otf2.zip "$TOP_BUILDDIR/test/system/crowd-$mpi" $pieces \
            >said
        "$analyze" ranks --json -o ranks.json run.otf2.zip
        "$python" check.py || wrong "$mpi, pieces of $pieces"
    done
done
finish
