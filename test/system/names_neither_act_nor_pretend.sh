# Names in an archive are anybody's. No output brings a control character, a turned direction or
# broken UTF-8 of theirs to a terminal or a page; no cell of a table is a formula to a spreadsheet;
# JSON and pages stay well-formed.
. "$TOP_SRCDIR/test/system/lib.sh"

"$TOP_BUILDDIR/test/data/make_archive" names names # test/data/archives_page.c says what is in it

# Other names of the same length, in the definitions; and mpiwatch.json with the like.
cat >hostile.py <<'PYTHON'
import json, os, sys
PATH = "names/traces.def"
NAMES = {
    b"<script>window.hostile=1</script>": b"=cmd|' /C x'!A0\x1b]0;x\x07\xc2\x9b31m\r\n,;\"",
    b"\"'><img src=x onerror=\"window.hostile=1\">":
        b"@SUM(1;2)\x1b[2J\xe2\x80\xae\xe2\x81\xa6\x7f\t,\"",
    b"]]></script><!--<script>window.hostile=1//":
        b"-1+1\xff\xc0\x80\xed\xa0\x80</script>{{verdict}}",
    b"solve\0": b"+1\x1b[m\0",
    b"MPI_Wait\0": b"MPI_\x1b[m\x7f\0",
    b"one\0": b"=1\x1b\0",
    b"two\0": b"\xc2\x9bx\0",
    b"half way": b"\x1b[2J\x1b[H\n",
}
text = open(PATH, "rb").read()
for old, new in NAMES.items():
    new = new[:len(old)] if old.endswith(b"\0") else new.ljust(len(old), b"x")
    assert len(new) == len(old) and text.count(old) >= 1, (old, len(old), len(new))
    text = text.replace(old, new)
open(PATH, "wb").write(text)
BAD = "=1+1\x1b[31m\u009b31m\u202e\u2066\x7f\r\n\t,;\""
json.dump({"schema": "mpiwatch-archive/1", "complete": True, "ranks_expected": 4,
           "arguments": BAD, "recorder": BAD, "mpi_library": BAD, "ended": BAD,
           "settings": {BAD: BAD, "parent": BAD},
           "ranks": [{"rank": rank, "recorded": True, "ended": True, "host": BAD, "lost": {}}
                     for rank in range(4)],
           "communicators": [{"id": 2, "uid": BAD, "name": BAD, "created_by": BAD,
                              "default_name": BAD,
                              "names": [{"name": BAD, "source": "mpi", "rank": 0, "time_ns": 1}]}],
           "variables": {"note": BAD, "cvars": [
               {"name": BAD, "value": BAD, "set_by_environment": True}]}},
          open("names/mpiwatch.json", "w"))
PYTHON
"$python" hostile.py || fail "the archive was not made"

# print FORMAT COMMAND...: into a file for each, out-FORMAT-NUMBER, with the messages.
number=0
print() {
    local format=$1
    shift
    number=$((number + 1))
    status_of "$analyze" "$@" >code
    [ "$(cat code)" != 2 ] || return 0 # not all have all formats
    case $(cat code) in 0 | 1 | 3 | 4) ;; *) fail "$*: exit $(cat code)" ;; esac
    mv stdout "out-$format-$number"
    mv stderr "out-messages-$number"
}
for words in report info calls ranks messages comms dump pop imbalance critical-path timeline \
    "timeline --comms" waits counters "counters --series" watermarks "check --max x=1" \
    "check --max info.ranks=1" validate; do
    # shellcheck disable=SC2086 # words
    print text $words names
    # shellcheck disable=SC2086
    print json --json $words names
    # shellcheck disable=SC2086
    print csv --csv $words names
done
print text compare names names
print csv compare --csv names names
print page report --html - names
print json export --chrome - names
"$analyze" -q check --keys names >out-text-keys
"$analyze" check --max x=1 names 2>out-messages-keys && fail "there is no number x"
"$analyze" export --csv tables -q names || true
for table in tables/*; do
    mv "$table" "out-csv-$(basename "$table")"
done
[ "$(ls out-csv-* | wc -l)" -ge 20 ] || fail "few tables: $(ls out-csv-*)"

"$python" - out-* <<'PYTHON' || fail "see above"
import csv, io, json, re, sys

wrong = 0
DECEPTIVE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
FORMULA = re.compile("[=+@\uff1d\uff0b\uff0d\uff20]|-(?![0-9.]+(e[-+]?[0-9]+)?$)")

def complain(path, what, where):
    global wrong
    wrong += 1
    print("%s: %s: %r" % (path, what, where[:200]))

for path in sys.argv[1:]:
    kind = path.split("-")[1]
    raw = open(path, "rb").read()
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        complain(path, "no UTF-8", raw[max(0, error.start - 40):error.start + 40])
        continue
    if kind == "json":
        for each in text.splitlines() if text.startswith('{"time_ns"') else [text]:
            if each.strip():
                json.loads(each)
        continue
    found = DECEPTIVE.search(text if kind != "page" else text.replace("\t", ""))
    if found:
        complain(path, "a control character", text[max(0, found.start() - 60):found.end() + 20])
    if kind == "page" and text.count("</script>") != 2:
        complain(path, "%d ends of scripts" % text.count("</script>"), "")
    if kind == "csv":
        rows = list(csv.reader(io.StringIO(text)))
        for row in rows:
            if len(row) != len(rows[0]):
                complain(path, "fields", str(row))
            for cell in row:
                if FORMULA.match(cell):
                    complain(path, "a formula", cell)
sys.exit(wrong != 0)
PYTHON

# What it looks like: a name with its formula disarmed, and numbers as they are.
assert_contains "$(cat out-csv-comms.csv)" "\"'=1+1?[31m?31m"
assert_contains "$(cat out-csv-calls.csv)" ",80,168000,2100,2100,"
