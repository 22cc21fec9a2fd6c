# Each field of mpiwatch-counters/1 and mpiwatch-watermarks/1, of an archive that python3-otf2 has
# written (variables_in_fields.py) and whose numbers were worked out on paper.
. "$TOP_SRCDIR/test/system/lib.sh"
"$python" -c 'import otf2' 2>/dev/null || skip "no python3-otf2"

"$python" "$TOP_SRCDIR/test/system/variables_in_fields.py" archive >expected.json
for command in counters watermarks; do
    "$analyze" "$command" --json archive/traces.otf2 >"$command.json"
    "$analyze" "$command" --csv archive/traces.otf2 >"$command.csv"
done
"$analyze" counters --series --json archive/traces.otf2 >series.json
"$analyze" counters --series --csv archive/traces.otf2 >series.csv
"$python" - <<'PY'
import csv, json, math

expected = json.load(open("expected.json"))
problems = []


def compare(where, wanted, found):
    """All that is expected must be there, and be it."""
    if isinstance(wanted, dict):
        for key in wanted:
            compare(f"{where}.{key}", wanted[key], found.get(key, "missing"))
    elif isinstance(wanted, list):
        if len(wanted) != len(found):
            problems.append(f"{where}: {len(found)} elements, {len(wanted)} expected")
        for at, pair in enumerate(zip(wanted, found)):
            compare(f"{where}[{at}]", *pair)
    elif isinstance(wanted, float):
        if not isinstance(found, (int, float)) or not math.isclose(wanted, found, rel_tol=1e-9):
            problems.append(f"{where}: {found}, {wanted} expected")
    elif wanted != found or isinstance(wanted, bool) != isinstance(found, bool):
        problems.append(f"{where}: {found}, {wanted} expected")


for schema, lists in (("counters", ["pvars"]), ("watermarks", ["watermarks", "across_ranks"])):
    document = json.load(open(schema + ".json"))
    compare(schema, f"mpiwatch-{schema}/1", document["schema"])
    for name in lists:
        compare(name, expected[name], document[name])
    table = list(csv.DictReader(open(schema + ".csv", newline="")))
    if [row["name"] for row in table] != [row["name"] for row in expected[lists[0]]]:
        problems.append(f"{schema}.csv has other rows")
values = [row["high_value"] for row in csv.DictReader(open("watermarks.csv", newline=""))]
document = json.load(open("series.json"))
compare("series", "mpiwatch-series/1", document["schema"])
compare("series", expected["series"], document["series"])
flat = [[str(value["t_ns"]), str(value["value"]), str(row["rank"]), row["name"],
         value["state"] or "",
         *("" if value[end] is None else str(value[end]) for end in ("lower", "upper"))]
        for row in expected["series"] for value in row["values"]]
compare("series.csv", flat, [[row[key] for key in ("t_ns", "value", "rank", "name", "state",
                                                   "lower", "upper")]
                             for row in csv.DictReader(open("series.csv", newline=""))])
compare("high_value", [str(row["high"]["value"]) for row in expected["watermarks"]], values)
if problems:
    raise SystemExit("\n".join(problems))
PY

# The same in all that people and other programs read: exact integers, words of states, objects.
"$analyze" counters --series archive/traces.otf2 >series
for line in "800 18446744073709551614 0 big - before: 9007199254740993 to 18446744073709551614" \
    "0 9007199254740993 0 big -" "400 1 0 phase halo busy before: unknown" \
    "800 -1 0 phase halo -1 before: unknown" "1800 21 0 count - before: 16 to 21" \
    "200 2 1 depth - before: 0 to 2" "600 1 1 depth - before: 1 to 4" "800 1 1 depth -"; do
    grep -q "^ *${line// / *} *$" series || fail "no \"$line\" in $(cat series)"
done
assert_contains "$("$analyze" counters archive/traces.otf2)" "idle: 400 ns, busy: 400 ns, -1: 0 ns"
"$analyze" dump archive/traces.otf2 >dump
assert_contains "$(cat dump)" "object=halo values=phase:1 flags=0 states=phase:busy"
assert_contains "$(cat dump)" "values=big:18446744073709551614 flags=4"
"$analyze" export --chrome chrome.json archive/traces.otf2
assert_contains "$(cat chrome.json)" \
    '"name":"phase (0=idle;1=busy)","id":"halo","args":{"value":1}'
assert_contains "$(cat chrome.json)" '"name":"big","args":{"value":18446744073709551614}'

# An archive that has sums modulo 2^32 is exported with what they sum up to.
"$python" - <<'PY'
import json
values = [event["args"]["value"] for event in json.load(open("chrome.json"))["traceEvents"]
          if event["ph"] == "C" and event["name"] == "count"]
assert values == [0, 6, 16, 21], values
PY
"$analyze" export --otf2 part.zip archive/traces.otf2
assert_equal "count 0 6 16 21" "$("$python" "$TOP_SRCDIR/test/system/sums_of.py" part.zip count)" \
    "the sums in an exported archive"
assert_equal 21 "$("$analyze" counters --json part.zip >part.json &&
    json part.json '[row["total"] for row in d["pvars"] if row["name"] == "count"][0]')" \
    "the total that its analysis tells"

# The page's charts over time show the run, and nothing else.
"$analyze" --html page.html archive/traces.otf2 >/dev/null
assert_contains "$(cat page.html)" "phase<small>state 0=idle;1=busy</small>"
assert_contains "$(cat page.html)" 'data-from="0" data-to="2400"'

# A table without rows has the header of one with rows: these archives have calls, counters, sizes
# and the like in some of them only.
for archive in names empty; do
    "$TOP_BUILDDIR/test/data/make_archive" "$archive" "$archive"
    status_of "$analyze" export --csv "tables_$archive" "$archive" >/dev/null
done
"$analyze" export --csv tables archive/traces.otf2
for table in tables/*.csv; do
    table=$(basename "$table")
    header=$(head -n 1 "tables/$table")
    [ -n "$header" ] || fail "$table has no header"
    for archive in names empty; do
        assert_equal "$header" "$(head -n 1 "tables_$archive/$table")" "header of $table, $archive"
    done
done
for command in calls counters critical-path imbalance watermarks; do
    status_of "$analyze" "$command" --csv empty >/dev/null
    assert_equal 1 "$(wc -l <stdout)" "lines of $command without a record"
    "$analyze" "$command" --csv archive/traces.otf2 >with_rows
    [ "$(wc -l <with_rows)" -gt 1 ] || fail "$command has no rows"
    assert_equal "$(head -n 1 with_rows)" "$(cat stdout)" "header of $command"
done
