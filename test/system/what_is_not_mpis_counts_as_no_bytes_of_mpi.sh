# Copies to a GPU are Rma events, and POSIX writes are Io events, as MPI's are: by their paradigms
# they are told apart. What is expected is what others_bytes in foreign.py says.
. "$TOP_SRCDIR/test/system/lib.sh"

"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"
"$python" "$TOP_SRCDIR/test/system/foreign.py" others_bytes traces
for command in ranks comms calls dump; do
    "$analyze" "$command" --json -o "$command.json" traces
done
"$analyze" validate traces >out || fail "validate: $(cat out)"
"$python" - <<'PYTHON'
import json

rank = json.load(open("ranks.json"))["ranks"][0]
assert rank["bytes_sent"] == 1000 + 61000000, rank
calls = {each["name"]: each for each in json.load(open("calls.json"))["calls"]}
assert calls["MPI_Put"]["bytes_sent"] == 1000, calls["MPI_Put"]
assert calls["MPI_File_write"]["bytes_sent"] == 61000000, calls["MPI_File_write"]
assert "CUDA" not in [each["name"] for each in json.load(open("comms.json"))["communicators"]]
PYTHON
