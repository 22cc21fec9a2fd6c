# Of more than 64 ranks the text of ranks and imbalance has those that have least and most useful
# time and time in MPI, as sorting the JSON finds them, however many there are.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >check.py <<'PYTHON'
import json, re, sys

rows = json.load(open("json"))["ranks"]
expected = set()
for key in ("useful_ns", "mpi_ns"):
    for sign in (1, -1):
        expected |= {row["rank"] for row in sorted(
            rows, key=lambda row: (sign * row[key], row["rank"]))[:8]}
if len(rows) <= 64 or sys.argv[1] == "all":
    expected = {row["rank"] for row in rows}
for name in ("ranks", "imbalance"):
    text = open(name).read()
    text = text[re.search(r"^ *rank +(host|useful) .*$", text, re.M).end():] # behind all groups
    shown = [int(line.split()[0]) for line in text.splitlines() if re.match(r" +\d+ ", line)]
    assert shown == sorted(expected), (name, len(rows), shown)
    said = re.search(r"^and (\d+) more: .*--all-ranks has all$", text, re.M)
    assert (int(said[1]) if said else 0) == len(rows) - len(expected), (name, text)
text = open("ranks").read()
for name in ("useful", "mpi"):
    said = re.search(r"^%s from .* \(rank (\d+)\) to .* \(rank (\d+)\)" % name, text, re.M)
    assert bool(said) == (len(expected) < len(rows)), text
    if said:
        times = [row[name + "_ns"] for row in rows]
        assert [int(rank) for rank in said.groups()] == [
            times.index(min(times)), times.index(max(times))], said[0]
PYTHON

for ranks in 64 65 400; do
    "$TOP_BUILDDIR/test/bench/generate" made$ranks $ranks $((ranks * 200)) >truth.json
    "$analyze" ranks --json made$ranks >json
    for option in "" --all-ranks; do
        for command in ranks imbalance; do
            "$analyze" -q $command $option made$ranks >$command
        done
        "$python" check.py "${option:+all}" || fail "$ranks ranks $option"
    done
    "$analyze" -q ranks made$ranks >lines
    [ "$(wc -l <lines)" -le 66 ] || fail "$ranks ranks take $(wc -l <lines) lines"
done
assert_equal 401 "$("$analyze" ranks --csv made400 | wc -l)" "lines of CSV"
