# Metrics as Score-P writes them: several values of a kind each in one class, in units of their own,
# of each thread by itself, and instances, whose values are of something else than the location
# that they are with. What is expected is worked out by hand from what foreign.py writes.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
"$python" "$TOP_SRCDIR/test/system/foreign.py" metrics traces
"$analyze" counters --json -o counters.json traces
"$analyze" counters traces >text
"$analyze" traces >report
"$analyze" dump --json traces >dump.json

"$python" - <<'PYTHON'
import json

rows = {(each["name"], each["rank"], each["object"]): each
        for each in json.load(open("counters.json"))["pvars"]}
assert len(rows) == 16, sorted(map(str, rows))


def expect(name, rank, bound, kind, samples, **values):
    row = rows[name, rank, bound]
    assert row["effective_class"] == kind, row
    assert row["samples"] == samples, row
    for key, value in values.items():
        assert abs(row[key] - value) < 1e-9 * max(abs(value), 1), (name, bound, key, row[key])


for rank in 0, 1:
    expect("PAPI_TOT_CYC", rank, None, "COUNTER", 10, total=900)
    expect("temperature", rank, None, "LEVEL", 10, last=41.5, min=40.5, max=41.5)
    # 20000 us to 20000 + 9 * 637 us
    expect("ru_utime", rank, None, "COUNTER", 10, total=9 * 637e-6, last=0.025733, first=0.02)
    expect("steps", rank, None, "COUNTER", 10, total=70)
expect("PAPI_TOT_CYC", 0, "OMP thread 1", "COUNTER", 5, total=20)
expect("temperature", 0, "OMP thread 1", "LEVEL", 5, last=30)
expect("steps", 0, "OMP thread 1", "COUNTER", 5, total=5)
expect("GPU memory", 0, "GPU context 3", "LEVEL", 3, last=2048, min=1024, max=3072, mean=2048)
expect("GPU memory", 0, "node7", "LEVEL", 3, last=8192)
# each value is of the 1000 ns before it: (10 + 50) / 2
expect("load", 0, "recorder", "LEVEL", 3, last=50, mean=30)
# It is said to accumulate, and goes up and down.
expect("power", 0, "recorder", "LEVEL", 6, min=20, max=90, last=20)
assert rows["power", 0, "recorder"]["reclassified"]
PYTHON
grep -q '^ru_utime .* COUNTER  *0.005733 ' text || fail "the text has another ru_utime: $(cat text)"
grep -q '^counters  8 metrics of another tool: ' report || fail "the report: $(cat report)"
