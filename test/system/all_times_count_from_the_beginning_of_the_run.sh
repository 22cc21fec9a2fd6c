# The first rank leaves MPI_Init: all times that a user reads or types count from there, in every
# command, on the page, in CSV and in what is exported, and one that was read finds its event.
. "$TOP_SRCDIR/test/system/lib.sh"

"$TOP_BUILDDIR/test/data/make_archive" origin origin # test/data/archives_page.c has its times

said() { # COMMAND EXPRESSION: of the command's JSON
    "$analyze" $1 --json origin >said.json || fail "$1: exit $?"
    json said.json "$2"
}

csv_of() { # FILE COLUMN
    "$python" -c 'import csv, sys
print(*[row[sys.argv[2]] for row in csv.DictReader(open(sys.argv[1]))])' "$1" "$2"
}

# --- the same moment everywhere ---------------------------------------------------------------

assert_equal '["MPI_Init", 2000, 1000000000]' "$(said info \
    '[d["origin"], d["origin_timestamp"], d["timestamps_per_second"]]')" "info"
assert_equal '[[5000, "late_sender"]]' "$(said waits \
    '[[w["t_ns"], p["name"]] for p in d["patterns"] for w in p["worst"] if p["role"] == "wait"]')" \
    "waits"
assert_equal "[4100]" "$(said comms '[c["created_ns"] for c in d["communicators"]
    if c["name"] == "half"]')" "comms"
assert_equal "[[4100, 4200], 4100]" "$(said "timeline --comms" '[[i["created_ns"]
    for c in d["communicators"] if c["name"] == "half" for i in c["intervals"]],
    d["alive"][1][0]]')" "timeline --comms"
assert_equal "[0, 8000]" "$(said timeline '[d["edges_ns"][0], d["edges_ns"][-1]]')" "timeline"
assert_equal "[[5000], [5000], 4100]" "$(said report '[[m["time_ns"] for m in d["markers"]],
    [w["t_ns"] for p in d["waits"]["patterns"] for w in p["worst"]
     if p["role"] == "wait"],
    [c["created_ns"] for c in d["comms"]["communicators"] if c["name"] == "half"][0]]')" "report"
assert_equal "[6000]" "$(said watermarks 'list({w["high"]["t_ns"] for w in d["watermarks"]
    if w["name"] == "bytes in flight" and w["rank"] == 0})')" "watermarks"

"$analyze" dump --json origin >events.json
assert_equal '[[-2000, 0], [-1500, 500], [0, 2000], [3000, 5000], [5000, 7000]]' "$(
    "$python" - <<'PYTHON'
import json
events = [json.loads(line) for line in open("events.json")]
print([[e["time_ns"], e["timestamp"]] for e in sorted(events, key=lambda e: e["time_ns"])
       if e.get("region") == "MPI_Init" or e["event"] == "marker"])
PYTHON
)" "dump --json"
"$analyze" dump origin | grep -q '^ *5000 *0 marker' || fail "dump: $("$analyze" dump origin)"
"$analyze" waits origin | grep -q '^late sender *5.00 us *1.00 us' || fail "waits as text"
"$analyze" comms origin | grep -q ' 4.10 us .*half' || fail "comms as text"
"$analyze" timeline origin | grep -q '^from 0 ns to 8.00 us' || fail "timeline as text"

"$analyze" export --csv tables origin
assert_equal "5000" "$(csv_of tables/longest_waits.csv t_ns)" "longest_waits.csv"
assert_equal "5000" "$(csv_of tables/markers.csv time_ns)" "markers.csv"

"$analyze" report --html page.html origin
for text in 'data-from="0" data-to="7000"' 'class="window" data-from="5000" data-to="6000"' \
    '<td><data value="5000">5.00 us' '<td><data value="4100">4.10 us'; do
    grep -q "$text" page.html || fail "the page lacks $text"
done

# What other viewers show: they know no time below 0, so MPI_Init stands there with its true one.
"$analyze" export --perfetto it.pftrace --chrome it.json origin
for kind in perfetto chrome; do
    case $kind in perfetto) file=it.pftrace ;; *) file=it.json ;; esac
    "$python" -B "$TOP_SRCDIR/test/system/exported.py" $kind $file >$kind.read
    assert_equal '[0, 7100, [5000], 3000, [-2000, -1500]]' "$(json $kind.read \
        '[d["first_ns"], d["last_ns"], [m[0] for m in d["markers"]], d["time_ns"]["MPI_Init"],
          d["began_ns"]]')" "$kind"
done

# --- a time that was read finds its event -----------------------------------------------------

"$analyze" export --otf2 part --from 5000ns --to 5us origin
assert_equal "1" "$("$analyze" dump part | grep -c marker)" "the marker by its time"
"$analyze" export --otf2 before --to -1ns origin || fail "up to before the beginning"
assert_equal "0" "$("$analyze" dump before | grep -c 'marker\|leave .*MPI_Init.$')" "before 0"
assert_equal "[1000]" "$(said "waits --from 5us --to 6us" '[p["total_ns"]
    for p in d["patterns"] if p["name"] == "late_sender"]')" "waits --from --to"
assert_equal "[0]" "$(said "waits --from 6us" '[p["total_ns"]
    for p in d["patterns"] if p["name"] == "late_sender"]')" "waits --from its end"
assert_equal "[-2000, -1000]" "$(said "timeline --from -2us --to -1us" \
    '[d["edges_ns"][0], d["edges_ns"][-1]]')" "timeline before the run"
assert_equal "[6000]" "$(said "watermarks --from 6us --to 6us" 'list({w["high"]["t_ns"]
    for w in d["watermarks"] if w["name"] == "bytes in flight" and w["rank"] == 0})')" \
    "watermarks --from --to"
# A part behind the end is none: a mistyped unit must not look like a run without waits. The archive
# ends at 8 us, which is in it.
for command in calls ranks dump waits watermarks timeline "timeline --comms" \
    "export --perfetto behind --otf2 nothing"; do
    # shellcheck disable=SC2086 # words
    assert_equal 2 "$(status_of "$analyze" $command --from 8001ns origin)" "$command behind"
    assert_equal "mpiwatch-analyze: there is nothing from --from on: the archive ends at 8.00 us" \
        "$(cat stderr)" "$command behind"
    assert_empty stdout
done
[ ! -e behind ] && [ ! -e nothing ] || fail "an export of nothing"
assert_equal 0 "$(status_of "$analyze" calls --from 8us origin)" "at the end: $(cat stderr)"
status=0
"$analyze" timeline --from -1us --to -2us origin 2>error || status=$?
assert_equal "2" "$status" "--to before --from"

# --- where no rank leaves MPI_Init, the archive's first moment ---------------------------------

"$analyze" export --otf2 late --from 4us origin
"$analyze" info --json late >late.json || true
assert_equal '["first event", 6000]' "$(json late.json '[d["origin"], d["origin_timestamp"]]')" \
    "of a part without MPI_Init"
assert_equal "[[1000]]" "$("$analyze" report --json late | "$python" -c '
import json, sys
print([[m["time_ns"] for m in json.load(sys.stdin)["markers"]]])')" "its marker"
