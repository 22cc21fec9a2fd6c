# The module mpiwatch for Python: documents, tables, single calls and messages are what the program
# says, with and without pandas; what it refuses is an exception with its sentence; the example says
# what the waits of test/data/archives_page.c are; types hold for mypy --strict where that is there.
. "$TOP_SRCDIR/test/system/lib.sh"

"$TOP_BUILDDIR/test/data/make_archive" names names
export PYTHONPATH=$TOP_SRCDIR/python MPIWATCH_ANALYZE=$analyze PYTHONDONTWRITEBYTECODE=1

cat >use.py <<'PYTHON'
import csv, json, subprocess, sys
import mpiwatch

analyze = mpiwatch.find_analyzer()
archive = mpiwatch.Archive("names")
assert archive.is_complete is None
for command in "report", "waits", "calls":
    said = subprocess.run([analyze, command, "--json", "names"], stdout=subprocess.PIPE)
    assert archive.document(command) == json.loads(said.stdout), command
assert archive.report()["verdict"] and archive.is_complete is (said.returncode == 0)

tables = archive.tables()
assert "call_records" not in tables and len(tables) > 20
assert [row["count"] for row in tables["messages"]] == [20] * 4, tables["messages"]
assert archive.tables("--comm=<script>*")["messages"][0]["count"] == 5

# Step 1: five calls of two ranks, and the message between them (test/data/archives_page.c).
calls = archive.calls("5.7us", "10.499us", "0-1")
assert len(calls) == 10 and {row["rank"] for row in calls} == {0, 1}, calls
assert calls[0]["file"] is None and isinstance(calls[0]["enter_ns"], int), calls[0]
message, = archive.messages(start="5.7us", end="10.499us", ranks="0-1")
assert (message["from"], message["to"], message["tag"], message["bytes"]) == (0, 1, 1, 2), message
assert len(archive.calls(most=3)) == 3 and archive.calls(most=0) == []
waits = ("wait_ns", "send_wait_ns", "progress_wait_ns", "send_progress_wait_ns")
assert sum(row[wait] for row in archive.messages() for wait in waits) == \
    archive.document("waits")["total_ns"] == 20 * 590 + 3 * 10

for bad, status in ((lambda: mpiwatch.Archive("none.zip").report(), 3),
                    (lambda: archive.calls(ranks="7"), 2)):
    try:
        bad()
        raise SystemExit("no exception")
    except mpiwatch.MpiwatchError as refusal:
        assert refusal.status == status and "mpiwatch-analyze: " in str(refusal), refusal

framed = mpiwatch.frame(calls)
if "pandas" in sys.modules:
    assert framed.shape == (10, 16) and framed["enter_ns"].dtype == "Int64", framed.dtypes
    assert framed["bytes_sent"].sum() == sum(row["bytes_sent"] for row in calls)
else:
    assert framed is calls
PYTHON
"$python" use.py || fail "the module"
echo 'import sys; sys.modules["pandas"] = None; exec(open("use.py").read())' >without.py
sed -i 's/"pandas" in sys.modules/sys.modules.get("pandas")/' use.py
"$python" without.py || fail "the module without pandas"

# 20 waits of 590 ns in rank 0's MPI_Wait for rank 3; this archive tells no lines.
"$python" "$TOP_SRCDIR/examples/python/lines_that_wait.py" names >said || fail "the example"
assert_equal "       11800 ns  MPI_Wait at ?:? for rank 3" "$(sed 1d said)" "what the example says"

if "$python" -m mypy --version >/dev/null 2>&1; then
    "$python" -m mypy --strict --cache-dir=/dev/null --ignore-missing-imports \
        "$TOP_SRCDIR/python/mpiwatch.py" \
        "$TOP_SRCDIR/examples/python/lines_that_wait.py" >said || fail "mypy: $(cat said)"
fi
