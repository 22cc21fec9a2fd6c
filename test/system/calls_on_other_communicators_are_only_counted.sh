# --comms and --no-world: what is not recorded is in mpiwatch.json, call by call and byte by
# byte, the archive shrinks by as much, and what is left of requests and messages matches.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

# A helper for the checks below: what is recorded by otf2-print, what is filtered.
cat >counts.py <<'PYTHON'
import collections, json, re, subprocess, sys, zipfile
name, n = sys.argv[1], int(sys.argv[2])
with zipfile.ZipFile(name + ".otf2.zip") as archive:
    archive.extractall("unzipped")
    about = json.loads(archive.read("mpiwatch.json"))
names = {c["id"]: c["name"] for c in about["communicators"]}
text = subprocess.run(["otf2-print", "unzipped/traces.otf2"], capture_output=True, text=True,
                      check=True)
assert not text.stderr, text.stderr
events = [line for line in text.stdout.splitlines() if re.match(r"[A-Z_]+ +\d+ +\d+  ", line)]
recorded = collections.Counter(re.findall(r'^ENTER .*Region: "(MPI_\w+)"', text.stdout, re.M))
filtered = collections.Counter()
sent, received = collections.Counter(), collections.Counter()
for one in about["filtered"]:
    key = names[one["communicator"]], one["call"]
    assert key not in filtered, one
    filtered[key] = one["calls"]
    sent[key], received[key] = one["bytes_sent"], one["bytes_received"]
of_ranks = [rank["filtered"] for rank in about["ranks"]]
for what, sums in ("calls", filtered), ("bytes_sent", sent), ("bytes_received", received):
    assert sum(rank[what] for rank in of_ranks) == sum(sums.values()), (what, of_ranks)

def expect(what, have, want):
    if have != want:
        sys.exit(f"{what}: {have}, expected {want}")
PYTHON

# record_with MPI RANKS NAME OPTION...
record_with() {
    local mpi=$1 ranks=$2 name=$3
    shift 3
    rm -rf "$name.otf2.zip"
    run_mpi "$mpi" "$ranks" "$record" --pvars none --cpu=off -o "$name.otf2.zip" "$@" \
        "$(example "$name" "$mpi")" >out.txt 2>err.txt ||
        wrong "$name, $mpi, $*: exit $?: $(head -3 err.txt)"
    "$analyze" validate "$name.otf2.zip" >validate.txt 2>&1 ||
        wrong "$name, $mpi, $*: $(cat validate.txt)"
}

the_library_of() {
    archives_with "$1" library_traffic.c
    record_with "$1" "$2" library_traffic --comms=registered
    python_check "library_traffic, $1" library_traffic "$2" <<'PYTHON'
exec(open("counts.py").read())
# By hand: begin and end of the run, of two communicators with an event each, of a window
# with three, the registration; and 20 times 2 + 1 of the receive and of the send, 2 + 2 of
# MPI_Waitall and of MPI_Allreduce.
expect("events", len(events), (2 * 2 + 4 * 3 + 2 * 5 + 1 + 20 * 14) * n)
expect("calls", recorded, dict(MPI_Init=n, MPI_Finalize=n, MPI_Comm_dup=2 * n,
                               MPI_Comm_free=2 * n, MPI_Win_create=n, MPI_Win_free=n,
                               MPI_Isend=20 * n, MPI_Irecv=20 * n, MPI_Waitall=20 * n,
                               MPI_Allreduce=20 * n))
library = {call: (filtered[c, call], sent[c, call], received[c, call])
           for c, call in filtered if c == "MPI_COMM_WORLD/dup#2"}
expect("communicators", {c for c, _ in filtered}, {"MPI_COMM_WORLD/dup#2"})
k = 200 * n
expect("filtered", library, {
    "MPI_Isend": (220 * n, 220 * n * 8, 0), "MPI_Irecv": (220 * n, 0, 0),
    "MPI_Wait": (3 * k, 0, 8 * k), "MPI_Waitall": (0, 0, 20 * n * 8),
    "MPI_Sendrecv": (k, 16 * k, 16 * k), "MPI_Send_init": (n, 0, 0), "MPI_Recv_init": (n, 0, 0),
    "MPI_Startall": (k, 8 * k, 0), "MPI_Waitsome": (k, 0, 8 * k), "MPI_Request_free": (2 * n, 0, 0),
    "MPI_Allreduce": (k, 8 * n * k, 8 * n * k), "MPI_Ibarrier": (k, 0, 0),
    "MPI_Waitany": (k, 0, 0), "MPI_Send": (k, 4 * k, 0), "MPI_Mprobe": (k, 0, 0),
    "MPI_Mrecv": (k, 0, 4 * k), "MPI_Win_fence": (2 * n, 0, 0), "MPI_Put": (n, 4 * n, 0)})
PYTHON
}

names_of() {
    record_with "$1" "$2" comm_life --comms='evens,[lm]eak'
    python_check "comm_life by names, $1" comm_life "$2" <<'PYTHON'
exec(open("counts.py").read())
expect("barriers", (recorded["MPI_Barrier"], filtered["half", "MPI_Barrier"]),
       (3 * ((n + 1) // 2), 3 * (n // 2)))
expect("broadcasts", recorded["MPI_Bcast"], n)
expect("reductions", (recorded["MPI_Allreduce"], filtered["workers, again", "MPI_Allreduce"]),
       (0, 15 * n))
expect("communicators made", recorded["MPI_Comm_dup"] + recorded["MPI_Comm_split"], 6 * n)
PYTHON
    record_with "$1" "$2" comm_life --comms=registered
    python_check "comm_life by registration, $1" comm_life "$2" <<'PYTHON'
exec(open("counts.py").read())
expect("reductions", (recorded["MPI_Allreduce"], filtered["workers, again", "MPI_Allreduce"]),
       (10 * n, 5 * n))
expect("messages", text.stdout.count("MPI_SEND "), n)
PYTHON
}

the_world_of() {
    record_with "$1" "$2" ring --comms=registered
    python_check "ring with the world, $1" ring "$2" <<'PYTHON'
exec(open("counts.py").read())
expect("calls", (recorded["MPI_Send"], recorded["MPI_Recv"], about["filtered"]),
       (10 * n, 10 * n, []))
PYTHON
    record_with "$1" "$2" ring --no-world
    python_check "ring without the world, $1" ring "$2" <<'PYTHON'
exec(open("counts.py").read())
expect("recorded", recorded, {"MPI_Init": n, "MPI_Finalize": n})
expect("sends", (filtered["MPI_COMM_WORLD", "MPI_Send"], sent["MPI_COMM_WORLD", "MPI_Send"]),
       (10 * n, 10 * n * 400))
expect("bytes received", received["MPI_COMM_WORLD", "MPI_Recv"], 10 * n * 400)
expect("settings", (about["settings"]["comms"], about["settings"]["no-world"]), ("all", "1"))
PYTHON
}

for mpi in $(built_mpis); do
    ranks=$(ranks_of "$mpi")
    the_library_of "$mpi" "$ranks"
    names_of "$mpi" "$ranks"
    the_world_of "$mpi" "$ranks"
done
finish
