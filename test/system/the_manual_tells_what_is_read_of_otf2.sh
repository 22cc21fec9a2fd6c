# The table of OTF2 records in the manual against the sources and libotf2: all records are in it,
# those are used that events are made of or that the reader of definitions has callbacks for, and
# those copied that export knows.
. "$TOP_SRCDIR/test/system/lib.sh"

headers=$(pkg-config --variable=includedir otf2 2>/dev/null || true)
[ -n "$headers" ] || headers=/usr/include
[ -f "$headers/otf2/OTF2_EvtReaderCallbacks.h" ] || skip "OTF2's headers are not found"

"$python" - "$headers/otf2" "$TOP_SRCDIR" <<'PYTHON'
import glob
import re
import sys

headers, sources = sys.argv[1:]


def setters(reader, path):
    return set(re.findall(r"OTF2_%sCallbacks_Set(\w+)Callback\(" % reader, open(path).read()))


known, used = set(), set()
for reader in "EvtReader", "GlobalDefReader":
    known |= setters(reader, "%s/OTF2_%sCallbacks.h" % (headers, reader)) - {"Unknown"}
layout = open(sources + "/analyzer/load/event_records.def").read()
events = dict(re.findall(r"^MWA_RECORD\(\d+, (\w+), (\w+),", layout, re.M))
assert set(events.values()) == setters("EvtReader", headers + "/OTF2_EvtReaderCallbacks.h") - {
    "Unknown"}, events
for path in glob.glob(sources + "/analyzer/load/*.c"):
    used |= setters("GlobalDefReader", path)
    used |= {events[name] for name in re.findall(r"^    case MWA_RECORD_(\w+):",
                                                 open(path).read(), re.M)}
rows = open(sources + "/analyzer/export/otf2_records.def").read()
copied = set(re.findall(r"^(?:EVENT|DEFINITION)\((\w+)", rows, re.M))

manual = open(sources + "/analyzer/man/mpiwatch-analyze.1.in").read()
table = {}
for name, reports, export in re.findall(r"^(\w+) +(used|ignored) +(copied|left out)\b",
                                        manual.split("\n.SS Archives of other tools\n", 1)[1],
                                        re.M):
    assert name not in table, name
    table[name] = (reports, export)

for name in sorted(known | set(table)):
    expected = ("used" if name in used else "ignored",
                "copied" if name in copied else "left out")
    assert table.get(name) == expected, (name, table.get(name), expected)
assert len(table) > 100 and used <= set(table), used - set(table)
PYTHON
