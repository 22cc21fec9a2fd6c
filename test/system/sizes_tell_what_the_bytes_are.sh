# info --sizes: each kind of event as often as otf2-print has it, and bytes that add up to the
# files' own, as unzip has them; of an archive in a directory the same.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
need otf2-print unzip
mpi=$(built_mpis | head -n 1)

run_mpi "$mpi" 2 "$record" -q -o run.otf2.zip "$(example halo "$mpi")" >out 2>err ||
    fail "halo: $(cat err)"
unzip -q run.otf2.zip -d run
unzip -v run.otf2.zip >listed
otf2-print run/traces.otf2 >printed 2>/dev/null || fail "otf2-print: $(tail -n 1 printed)"
for archive in run.otf2.zip run; do
    "$analyze" info --sizes --json "$archive" >sizes.json
    "$python" - sizes.json listed printed $archive <<'PYTHON' || wrong "$archive"
import collections, json, re, sys
sizes = json.load(open(sys.argv[1]))
files = collections.Counter()
for line in open(sys.argv[2]):
    word = line.split()
    if len(word) == 8 and word[0].isdigit():
        kind = "event" if word[7].endswith(".evt") else "other"
        files[kind + "_bytes"] += int(word[0])
        files[kind + "_stored_bytes"] += int(word[2 if sys.argv[4].endswith(".zip") else 0])
told = {key: sizes[key] for key in files}
assert told == files, f"{told}, and unzip says {files}"
events = collections.Counter(line.split()[0] for line in open(sys.argv[3]) if line.split())
kinds = {row["name"]: row for row in sizes["records"]}
for name, row in kinds.items():
    if name not in ("times", "attributes"):
        printed = events[re.sub("(?<!^)(?=[A-Z])", "_", name).upper()]
        assert row["count"] == printed > 0, f"{name}: {row['count']}, and otf2-print has {printed}"
assert {"Enter", "Leave", "MpiIsend", "MpiIrecv", "MpiIrecvRequest", "MpiIsendComplete",
        "times"} <= set(kinds), kinds
assert kinds["times"]["bytes"] == 9 * kinds["times"]["count"], kinds["times"]
known = sum(row["bytes"] for row in kinds.values())
assert known + sizes["event_rest_bytes"] == sizes["event_bytes"], sizes
assert sizes["event_rest_bytes"] < 100, "two heads of 18 bytes and two ends"
PYTHON
done
"$analyze" info --sizes run.otf2.zip >sizes.txt
assert_matches "$(cat sizes.txt)" "records +bytes +share  of events"
assert_equal 2 "$(status_of "$analyze" calls --sizes run.otf2.zip)" "an option of info only"
finish
