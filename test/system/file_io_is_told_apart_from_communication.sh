# Time in MPI's file I/O is in MPI, but no communication: the report, pop, the page and the JSON of
# ranks say how much of the run it is.
. "$TOP_SRCDIR/test/system/lib.sh"

# test/data/archives_comms.c: of two runs of 900, rank 0 writes for 40 and closes for 3: 2.4%.
"$TOP_BUILDDIR/test/data/make_archive" comm_objects files
"$analyze" files >out
grep -q '^time .* (waiting 0.6%, file I/O 2.4%) of 1.80 us' out || fail "the report: $(cat out)"
"$analyze" pop files >out
grep -q '^MPI.s file I/O takes 2.4% of the ranks. run: .* communication efficiency' out ||
    fail "pop: $(cat out)"
"$analyze" report --html page.html files
tr -d '\n' <page.html | grep -q 'file I/O.\{1,200\}2\.4%' || fail "the page does not say it"
"$analyze" ranks --json files >ranks.json
assert_equal "[43, 0]" "$(json ranks.json '[r["io_ns"] for r in d["ranks"]]')" "ranks"
"$analyze" ranks --json --comm beta files >ranks.json
assert_equal "[null, null]" "$(json ranks.json '[r["io_ns"] for r in d["ranks"]]')" "ranks --comm"

# Where there is none, nothing is said of it.
"$TOP_BUILDDIR/test/data/make_archive" plain plain
for command in report pop; do
    "$analyze" $command plain >out
    ! grep -q 'file I/O' out || fail "$command of no file: $(cat out)"
done
