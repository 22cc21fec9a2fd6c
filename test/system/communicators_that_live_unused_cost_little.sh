# Communicators that are made and freed and not used: what each adds to the archive, that none
# calls the system, and that all are told with their whole lives, also in a part cut out.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"
few=500
many=3000

# made MPI RANKS KIND COUNT: records the benchmark's program, into made.otf2.zip; what it says
# is in out, with its writes in $writes, and the archive's size in $bytes. What comes by time, and
# not by communicator, is left out.
made() {
    rm -rf made.otf2.zip
    run_mpi "$1" "$2" "$record" --cpu=off --pvars=none -o made.otf2.zip "./comms-$1" "$3" "$4" \
        >out 2>err || wrong "$1, $3: $(head -3 err)"
    writes=$(sed -n 's/^writes //p' out)
    bytes=$(stat -c %s made.otf2.zip)
}

for mpi in $(built_mpis); do
    compiler=MPICC_$(echo "$mpi" | tr a-z A-Z)
    "${!compiler}" -O2 -o "comms-$mpi" "$TOP_SRCDIR/test/bench/comms.c"
    for kind in dup split inter; do
        made "$mpi" 2 $kind $few
        fewer=$bytes
        made "$mpi" 2 $kind $many
        each=$(((bytes - fewer) / (many - few)))
        [ $kind != split ] || each=$((each / 2)) # each makes two
        echo "$mpi, $kind: $each bytes for a communicator"
        [ "$each" -lt 100 ] || wrong "$mpi, $kind: $each bytes for a communicator, not below 100"
    done
    made "$mpi" 1 dup $many
    run_mpi "$mpi" 1 "./comms-$mpi" dup $many >plain
    added=$((writes - $(sed -n 's/^writes //p' plain)))
    [ "$added" -lt $((many / 10)) ] || wrong "$mpi: $added writes for $many communicators"

    # The truth of the last archive: one split, which lives on, then the dups, one at a time.
    "$analyze" validate made.otf2.zip >validated 2>&1 || wrong "$mpi: $(cat validated)"
    "$analyze" comms --json -o whole.json made.otf2.zip
    "$analyze" timeline --comms --json -o timeline.json made.otf2.zip
    python_check "$mpi: lives" $((many + 100)) <<'PYTHON'
import json, sys
count = int(sys.argv[1])
whole = json.load(open("whole.json"))
dups = sorted((c for c in whole["communicators"] if c["created_by"] == "MPI_Comm_dup"),
              key=lambda c: c["created_ns"])
assert [c["name"] for c in dups] == ["MPI_COMM_WORLD/dup#%d" % i for i in range(2, count + 2)]
assert all(c["created_ns"] <= c["freed_ns"] for c in dups)
assert all(a["freed_ns"] <= b["created_ns"] for a, b in zip(dups, dups[1:]))
assert all(c["default_name"] == c["name"] and len(c["uid"]) == 32 for c in dups)
assert len({c["uid"] for c in dups}) == count
assert {f["kind"] for f in whole["findings"]} <= {"unused", "creation_rate"}, whole["findings"]
lanes = json.load(open("timeline.json"))["communicators"]
assert sum(len(c["intervals"]) for c in lanes if c["created_by"] == "MPI_Comm_dup") == count
# Half of them have their creation before this, and the middle one its whole life.
middle = dups[count // 2]
print(middle["created_ns"], middle["freed_ns"])
PYTHON
    read -r from to <python.out
    "$analyze" export --otf2 part.otf2.zip --from "${from}ns" --to "${to}ns" made.otf2.zip
    "$analyze" validate part.otf2.zip >validated 2>&1 || wrong "$mpi, part: $(cat validated)"
    unzip -p part.otf2.zip mpiwatch.json >part.json
    unzip -p made.otf2.zip mpiwatch.json >made.json
    python_check "$mpi: lives in a part" <<'PYTHON'
import json
whole = {c["uid"]: c for c in json.load(open("whole.json"))["communicators"]}
made, part = (json.load(open(name))["communicators"] for name in ("made.json", "part.json"))
assert all("groups" not in c for c in made if c["created_by"] == "MPI_Comm_dup")
assert len(made) == len(part)
base = None
for comm in part:
    if comm["created_by"] == "MPI_Comm_dup":
        group, = comm["groups"]
        assert group["members"] == [0], comm
        times = group["created_ns"] + group["freed_ns"]
        known = [whole[comm["uid"]][key] for key in ("created_ns", "freed_ns")]
        base = times[0] - known[0] if base is None else base
        assert [time - base for time in times] == known, (comm, known)
PYTHON
done
finish
