# The schema says of each key of JSON what it means, and not only its unit or why it may be null; of
# keys that mean another thing in another place each says its own. Each row of the meanings is of
# some key.
. "$TOP_SRCDIR/test/system/lib.sh"

"$analyze" schema >schema.json
"$python" - "$TOP_SRCDIR" <<'PYTHON' || fail "meanings"
import glob, json, re, sys

def keys(schema, way):
    """The way to each key and its description; below a document of its own its name is the way."""
    const = schema.get("properties", {}).get("schema", {}).get("const")
    if const:
        way = const.split("/")[0][len("mpiwatch-"):]
    for key, each in schema.get("properties", {}).items():
        yield way + "." + key, each.get("description", "")
        yield from keys(each, way + "." + key)
    if "items" in schema:
        yield from keys(schema["items"], way)

found = {}
for document in json.load(open("schema.json"))["anyOf"]:
    found.update(keys(document, "dump"))
# From 24 documents; the report alone has hundreds.
assert len(found) > 700, len(found)
silent = [way for way, said in found.items()
          if re.match(r"(count|ns|bytes|of 1|ratio)?(; |$)|null: ", said)]
assert not silent, silent

rows = []
for name in glob.glob(sys.argv[1] + "/analyzer/table/meanings*.def"):
    rows += re.findall(r'^MEANING\("([^"]+)",', open(name).read(), re.M)
assert len(rows) == len(set(rows)), [row for row in rows if rows.count(row) > 1]
ends = {way: next((end for end in (way.split(".", n)[-1] for n in range(way.count(".") + 1))
                   if end in rows), None) for way in found}
unused = set(rows) - set(ends.values())
assert not unused, unused

# By the comments and formulas of what computes them.
for way, said in {
    "waits.patterns.worst.rank": "rank in MPI_COMM_WORLD that waited",
    "waits.delays.worst.rank": "rank in MPI_COMM_WORLD that caused it",
    "imbalance.rows.max_ns": "greatest time of one that takes part; ns",
    "calls.calls.max_ns": "longest of these calls; ns",
    "info.ranks": "number of MPI ranks",
}.items():
    assert found[way] == said, (way, found[way])
PYTHON
