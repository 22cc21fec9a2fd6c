# Regions of the program with the file and the line that their definitions have, so that two of one
# name are told apart. What is expected is what regions in foreign.py says.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
"$python" "$TOP_SRCDIR/test/system/foreign.py" regions traces
for command in imbalance pop critical-path; do
    "$analyze" "$command" --json -o "$command.json" traces
    "$analyze" "$command" traces >"$command"
    for place in 'solve (solve.c:88)' 'solve (other.c:7)' 'exchange (exchange.c:30)'; do
        grep -q "$place$" "$command" || fail "$command does not say $place: $(cat "$command")"
    done
    ! grep -q 'main (' "$command" || fail "$command says where main is: $(cat "$command")"
done
"$analyze" export --csv=csv traces
"$analyze" report --html=page.html traces
grep -q 'solve (other.c:7)' page.html || fail "the page does not say where regions are"
"$python" - <<'PYTHON'
import csv
import json

# All ranks together are in a region and in none inside, without the barriers.
expected = {("solve", "/app/solve.c", 88): 1900 + 3900, ("solve", "/app/other.c", 7): 2 * 100,
            ("exchange", "/app/exchange.c", 30): 1500 + 1800,
            ("main", "/app/program", None): 2 * 1000}
place = lambda row: (row["name"], row["file"], row["line"])

rows = json.load(open("imbalance.json"))["rows"]
assert {place(row): row["total_ns"] for row in rows if row["kind"] == "region"} == expected, rows
assert all(row["file"] is row["line"] is None for row in rows if row["kind"] != "region"), rows
regions = json.load(open("pop.json"))["regions"]
assert {place(row): row["runtime_ns"] for row in regions} == {
    ("solve", "/app/solve.c", 88): 4000, ("solve", "/app/other.c", 7): 100,
    ("exchange", "/app/exchange.c", 30): 2000, ("main", "/app/program", None): 7000}, regions
# Nobody waits on it: it is rank 1's to the last barrier, and rank 1 comes last to all of them.
rows = json.load(open("critical-path.json"))["rows"]
path = {place(row): row["path_ns"] for row in rows if not row["mpi"] and row["name"] != "useful"}
assert path == {("solve", "/app/solve.c", 88): 3900, ("solve", "/app/other.c", 7): 100,
                ("exchange", "/app/exchange.c", 30): 1800,
                ("main", "/app/program", None): 1000}, path
for table in "imbalance", "pop", "critical_path":
    lines = [(row["file"], row["line"]) for row in csv.DictReader(open("csv/%s.csv" % table))
             if row["name"] == "solve"]
    assert sorted(lines) == [("/app/other.c", "7"), ("/app/solve.c", "88")], (table, lines)
PYTHON

# Of regions alone it is said that they are, and what shows them; where MPI was there, what lacks.
for archive in regions_alone ends_alone; do
    "$python" "$TOP_SRCDIR/test/system/foreign.py" $archive $archive
    "$analyze" report --json $archive >$archive.json || fail "report of $archive"
    "$analyze" --width=200 $archive >$archive.txt || fail "report of $archive as text"
    "$analyze" report --html=$archive.html $archive || fail "page of $archive"
done
none="no MPI call was recorded"
only="$none, only regions of the program: timeline, imbalance and critical-path show these"
assert_equal "$only" "$(json regions_alone.json 'd["verdict"]')" "regions alone"
assert_contains "$(cat regions_alone.html)" "$only"
grep -qx " *$none" regions_alone.txt || fail "the calls: $(cat regions_alone.txt)"
assert_equal "no calls between MPI_Init and MPI_Finalize were recorded" \
    "$(json ends_alone.json 'd["verdict"]')" "MPI_Init and MPI_Finalize"
! grep -q "$none" ends_alone.txt || fail "there are calls: $(cat ends_alone.txt)"
for command in timeline imbalance critical-path; do
    "$analyze" "$command" regions_alone >shown || fail "$command"
    [ "$command" = timeline ] || assert_contains "$(cat shown)" "work"
done
