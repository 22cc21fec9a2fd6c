# A rank that called MPI at more places than can be numbered says so (ARCHIVE.md), and the report
# tells how many ranks did; of an archive that has all places it says nothing.
. "$TOP_SRCDIR/test/system/lib.sh"

mpi=$(mpis | head -1)
mpi=${mpi%% *}
run_mpi "$mpi" 2 "$record" -q -o run.otf2.zip "$(example ring "$mpi")" >log 2>&1 ||
    fail "$(cat log)"
"$analyze" report run.otf2.zip >out || fail "report"
tr -s " \n" " " <out | grep -q "places are left out" && fail "all are there: $(cat out)"
mkdir run
(cd run && unzip -q ../run.otf2.zip) || fail "unzip"
"$python" - <<'PYTHON' || fail "mpiwatch.json"
import json
about = json.load(open("run/mpiwatch.json"))
ranks = [each for each in about["ranks"] if each["rank"] == 1]
assert len(ranks) == 1
ranks[0].setdefault("circumstances", {})["sites_left_out"] = "more places than numbers"
json.dump(about, open("run/mpiwatch.json", "w"))
PYTHON
"$analyze" report run >out || fail "report"
assert_contains "$(tr -s " \n" " " <out)" "ranks with calls whose places are left out 1"
