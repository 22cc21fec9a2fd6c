# Programs that sleep a known time before one-sided synchronization: the analyzer finds the pattern,
# the ranks and the time, and nothing else, in whichever call the MPI library waits.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/waits.sh"

# same WHAT FOUND EXPECTED
same() {
    [ "$2" = "$3" ] || fail "$1: $2, not $3"
}

# in_calls NAME CALLS [OTHERS]: what the ranks waited in, in the last archive of NAME: "0 CALL,
# 1 CALL,", or these others. Waits under half a second are those of the machine.
in_calls() {
    local calls
    calls=$("$python" -c 'import json, sys
found = json.load(open(sys.argv[1] + ".json"))["patterns"]
waits = (w for p in found if p["role"] == "wait" for w in p["worst"] if w["wait_ns"] > 5e8)
print(*sorted("%d %s" % (w["rank"], w["call"]) for w in waits), sep=",", end=",")' "$1")
    [ "$calls" = "${3-}" ] || same "$1" "$calls" "$2"
}

# records NAME EVENT: its events, as rank, type and the rank that they are about, by otf2-print.
records() {
    rm -rf unpacked
    "$python" -m zipfile -e "$1.otf2.zip" unpacked
    otf2-print unpacked/traces.otf2 2>/dev/null |
        sed -n "s/^$2 *\([0-9]*\) .*Remote: \([0-9]*\) .*Type: \(.*\)/\1 \3 \2/p" | sort | tr '\n' ,
}

need otf2-print
need_mpi openmpi # in which calls it waits is known; MPICH, below, is held to the waits alone
export OMPI_MCA_osc=^ucx # whose windows do not work everywhere
waits_are_found openmpi 3 rma_fence_wait rma_late_post rma_early_wait rma_lock_contention
in_calls rma_early_wait "0 MPI_Win_wait,1 MPI_Win_wait,"
# Where one rank can't read another's memory, Open MPI waits as late as it can, as below.
in_calls rma_late_post "0 MPI_Win_start,1 MPI_Win_start," \
    "0 MPI_Win_complete,1 MPI_Win_complete,"
in_calls rma_lock_contention "0 MPI_Win_lock,1 MPI_Win_lock," "0 MPI_Win_lock,1 MPI_Win_unlock,"
# The verdict's rule on locks, and a run of which it may not be said.
causes_of() {
    "$analyze" report --json "$1.otf2.zip" >report.json || fail "report of $1"
    json report.json '" ".join("%s %s:%s" % (c["id"], c["file"], c["line"]) for c in d["causes"])'
}
assert_matches "$(causes_of rma_lock_contention)" \
    'lock_contention [^ ]*rma_lock_contention\.c:[0-9]+'
assert_lacks "$(causes_of rma_fence_wait)" lock_contention
# The same program with locks that do not contend. What a busy machine adds to waits it adds once.
for try in 1 2 3 4 5 6 7 8; do
    run_mpi openmpi 3 "$record" --force -q -o shared.otf2.zip \
        "$(example rma_lock_contention openmpi)" not >out 2>err || fail "shared: $(cat err)"
    case $(causes_of shared) in *"lock_contention "*) ;; *) break ;; esac
    [ $try -lt 8 ] || fail "shared locks: $(causes_of shared)"
done
# Ranks 0 and 1 start and complete, rank 2 posts and waits; who has which lock.
same "notices" "$(records rma_late_post RMA_SYNC)" "0 NOTIFY_IN 2,0 NOTIFY_OUT 2,1 NOTIFY_IN 2,\
1 NOTIFY_OUT 2,2 NOTIFY_IN 0,2 NOTIFY_IN 1,2 NOTIFY_OUT 0,2 NOTIFY_OUT 1,"
for event in RMA_REQUEST_LOCK RMA_ACQUIRE_LOCK; do
    same "$event" "$(records rma_lock_contention $event)" "0 SHARED 0,1 SHARED 0,2 EXCLUSIVE 0,"
done
if ompi_info --param osc pt2pt --level 9 2>/dev/null | grep -q "osc: pt2pt"; then
    export OMPI_MCA_osc=pt2pt # which gets posts and locks as late as it can
    waits_are_found openmpi 3 rma_late_post rma_lock_contention
    in_calls rma_late_post "0 MPI_Win_complete,1 MPI_Win_complete,"
    # Open MPI waits at once for a lock of the own window, and for others when it has to.
    in_calls rma_lock_contention "0 MPI_Win_lock,1 MPI_Win_unlock,"
fi
if mpis | grep -qx mpich; then
    export OTHERS=0.15 # its three ranks poll, and keep each other from two processors
    waits_are_found mpich 3 rma_fence_wait rma_late_post rma_lock_contention
fi
