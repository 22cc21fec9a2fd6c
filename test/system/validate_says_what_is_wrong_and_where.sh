# mpiwatch-analyze validate: sound archives pass, and what is changed in them is found, with the
# file and the offset, in text and in JSON; a directory by its sums, a ZIP file by its index.
. "$TOP_SRCDIR/test/system/lib.sh"

make_archive=$TOP_BUILDDIR/test/data/make_archive

# validate STATUS ARCHIVE: its findings are in out and, as JSON, in json.
validate() {
    local status=0
    "$analyze" validate "$2" >out 2>err || status=$?
    [ "$status" = "$1" ] || fail "$2: exit $status, not $1: $(cat out err)"
    "$analyze" validate -q --json "$2" >json 2>err || true
    "$python" - "$1" <<'PYTHON' || fail "$2: JSON: $(cat json)"
import json, sys
found = json.load(open("json"))
assert found["schema"] == "mpiwatch-validate/1", found
assert found["verdict"] == {"0": "sound", "3": "corrupt", "4": "incomplete"}[sys.argv[1]], found
assert ("corrupt" in [each["severity"] for each in found["findings"]]) == (sys.argv[1] == "3")
assert all(set(each) == {"severity", "member", "offset", "text"} for each in found["findings"])
PYTHON
}

# finding SEVERITY MEMBER FRAGMENT: there is a line that begins so.
finding() {
    grep -Eq "^$1 +$2.*$3" out || fail "no finding $1 $2 $3 in: $(cat out)"
}

# 2 ranks, 16 events, a message: test/data/archives.c.
"$make_archive" plain plain
validate 0 plain
assert_contains "$(cat out)" "plain: sound; 2 locations, 16 events, 1 messages matched"

# --- what the run was like ----------------------------------------------------------

"$make_archive" violated violated
validate 0 violated
finding note "" "2 messages were received before they were sent, by up to 50 ns"
"$make_archive" open open
validate 4 open
finding incomplete traces/1.evt "regions entered and never left: 1"
"$make_archive" empty empty
validate 4 empty
finding incomplete "" "rank 1 has no events"

# Neighbours: test/data/archives_neighbors.c.
"$make_archive" waits_neighbors waits_neighbors
validate 0 waits_neighbors
"$make_archive" outside outside
validate 3 outside
finding corrupt traces/0.evt "event [0-9]+: rank 1, that something comes from, is not in Comm 2"
finding corrupt traces/2.evt "event [0-9]+: rank 1, that something comes from, is not in Comm 2"

# Communicators: test/data/archives_comms.c.
"$make_archive" comm_lives comm_lives
validate 0 comm_lives
assert_lacks "$(cat out)" "communicator"
"$make_archive" comm_mistakes comm_mistakes
validate 3 comm_mistakes
finding corrupt "" "communicator \"twice\" \(Comm 2\): rank 0 creates it more than once; 1 such"
finding note "" "communicator \"twice\" \(Comm 2\): rank 1 uses or frees it without having created"
finding note "" "communicator \"twice\" \(Comm 2\): rank 0 uses it after it was freed; 1 such"

# --- a directory with sums ------------------------------------------------------------

sums() {
    (cd "$1" && "$python" - <<'PYTHON'
import os, zlib
lines = []
for folder, _, files in os.walk("."):
    for name in files:
        path = os.path.relpath(os.path.join(folder, name))
        if path != "mpiwatch.sums":
            data = open(path, "rb").read()
            lines.append("%08x %d %s\n" % (zlib.crc32(data), len(data), path))
open("mpiwatch.sums", "w").writelines(sorted(lines))
PYTHON
    )
}
cp -r plain summed
sums summed
validate 0 summed
cp -r summed longer
printf x >>longer/traces/0.def
validate 3 longer
finding corrupt traces/0.def "it has [0-9]+ bytes; [0-9]+ were written"
cp -r summed missing
rm missing/traces/1.def
validate 3 missing
finding corrupt "mpiwatch.sums: offset [0-9]+: " "traces/1.def is missing"
cp -r summed other
sed -i '1s/^......../00000000/' other/mpiwatch.sums
validate 3 other
finding corrupt "" "its CRC is [0-9a-f]{8}; it was written with 00000000"
cp -r summed outside
echo '00000000 0 ../plain/traces.otf2' >>outside/mpiwatch.sums
validate 3 outside
finding corrupt mpiwatch.sums "a line is not CRC, size and name"

cp -r summed more
cp more/traces/0.evt more/traces/7.evt
touch more/notes.txt
validate 3 more
finding corrupt traces/7.evt "mpiwatch.sums does not list it"
finding note notes.txt "mpiwatch.sums does not list it"

# --- mpiwatch.json against the definitions ------------------------------------------------

# described PYTHON: plain with a mpiwatch.json that is right but for what the statement does.
described() {
    rm -rf described
    cp -r plain described
    "$python" - "$1" <<'PYTHON'
import json, sys
d = {"schema": "mpiwatch-archive/1", "complete": True, "ranks_expected": 2, "settings": {},
     "ranks": [{"rank": r, "recorded": True, "ended": True, "lost": {}, "events": n,
                "threads": [{"thread": 0, "events": n}]} for r, n in ((0, 9), (1, 7))],
     "communicators": [{"id": 0, "name": "MPI_COMM_WORLD", "inter": False,
                        "groups": [{"size": 2, "members": [0, 1]}]},
                       {"id": 1, "name": "MPI_COMM_SELF", "inter": False, "groups": []}]}
exec(sys.argv[1])
json.dump(d, open("described/mpiwatch.json", "w"))
PYTHON
    sums described
}
described 'pass'
validate 0 described
while IFS='|' read -r statement sentence; do
    described "$statement"
    validate 3 described
    finding corrupt mpiwatch.json "$sentence"
done <<'LIES'
d["ranks"][1]["events"] = 9|ranks.1..events is 9, its Locations have 7
d["ranks"][0]["threads"][0]["events"] = 7|ranks.0..threads.0..events is 7, its Location has 9
d["ranks"][1]["threads"][0]["thread"] = 1|ranks.1..threads.0. is thread 1, which has no Location
d["ranks"][0]["rank"] = 1|ranks.0. is rank 1
d["ranks_expected"] = 1|ranks_expected is 1, and there are 2 ranks
d["communicators"][0]["name"] = "x"|communicator 0 is called "x", its Comm "MPI_COMM_WORLD"
d["communicators"][0]["inter"] = True|communicator 0 is an inter-communicator, its Comm is none
d["communicators"][0]["id"] = 5|communicators.0. has id 5, which is no Comm
d["communicators"][0]["groups"][0]["members"] = [1, 0]|group 0: member 0 is 1, in its Group 0
d["communicators"] = []|it has 0 communicators, the definitions have 2
d["variables"] = {"metrics": [{"id": 4}]}|variables.metrics.0. has id 4, which is no MetricClass
LIES

# --- a ZIP file, and what the report says of losses ------------------------------------

cat >plain/mpiwatch.json <<'JSON'
{"schema": "mpiwatch-archive/1", "complete": false, "recorder": "mpiwatch test",
 "arguments": "./program with-a-name-that-is-much-too-long-for-the-first-line --and=options",
 "ranks_expected": 2, "settings": {"events": "all", "one": "ooooooooooooooooooooooooooooooooooo",
 "two": "pppppppppppppppppppppppppppppppppppppppp", "three": "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq",
 "four": "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr", "five": "ssssssssssssssssssssssssssssssssssss"},
 "ranks": [{"rank": 0, "lost": {"space": 123456789012}, "ended": true},
           {"rank": 1, "lost": {}, "ended": false}]}
JSON
"$python" -c 'import shutil; shutil.make_archive("plain", "zip", "plain")'
validate 4 plain.zip
finding incomplete mpiwatch.idx "it is missing"
finding incomplete mpiwatch.json "rank 0 lost 123456789012 events"
finding incomplete mpiwatch.json "rank 1 is incomplete"
for command in report info; do
    assert_equal 4 "$(status_of "$analyze" -q $command plain.zip)" "$command with losses"
done
"$analyze" -q plain.zip >out || true
[ "$(wc -l <out)" -le 24 ] || fail "more than 24 lines: $(cat out)"
! LC_ALL=C.UTF-8 grep '.\{101\}' out || fail "more than 100 columns"
trust=$(tr '\n' ' ' <out | tr -s ' ')
for each in "lost 123456789012" "incomplete ranks 1" "ranks with losses 1" "events missing 0" \
    "ended inside a call 0"; do
    assert_contains "$trust" "$each"
done
grep -q 'program with.*…' out || fail "the program's name is not cut visibly: $(head -1 out)"

# --- memory ---------------------------------------------------------------------------------

assert_equal 2 "$(status_of "$analyze" --max-memory=15M plain.zip)" "too little memory"
assert_equal 2 "$(status_of "$analyze" --max-memory=1X plain.zip)" "no unit"
assert_equal 4 "$(status_of "$analyze" --max-memory=1g plain.zip)" "enough memory"
"$python" - <<'PYTHON'
open("plain/mpiwatch.json", "w").write("[" + "[]," * 1000000 + "1]")
PYTHON
assert_equal 3 "$(status_of "$analyze" --max-memory=16M plain)" "mpiwatch.json that needs more"
assert_matches "$(cat stderr)" 'plain/mpiwatch.json: offset [0-9]+: .'
