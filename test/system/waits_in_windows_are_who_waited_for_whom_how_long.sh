# Programs that sleep a known time before one-sided synchronization: the analyzer finds the pattern,
# the ranks and the time, and nothing else, in whichever call the MPI library waits.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/waits.sh"

# in_calls NAME CALL...: the longest wait of the last archive of NAME was in one of these.
in_calls() {
    local name=$1 call
    shift
    call=$("$python" -c 'import json, sys
found = json.load(open(sys.argv[1] + ".json"))["patterns"]
longest = max((w for p in found if p["role"] == "wait" for w in p["worst"]),
              key=lambda w: w["wait_ns"])
print(longest["call"])' "$name")
    case " $* " in
    *" $call "*) ;;
    *) fail "$name: waits in $call, not in $*" ;;
    esac
}

need_mpi openmpi
export OMPI_MCA_osc=^ucx # whose windows do not work everywhere
waits_are_found openmpi 3 rma_fence_wait rma_late_post rma_early_wait rma_lock_contention
in_calls rma_early_wait MPI_Win_wait
in_calls rma_late_post MPI_Win_start
in_calls rma_lock_contention MPI_Win_lock
if ompi_info --param osc pt2pt --level 9 2>/dev/null | grep -q "osc: pt2pt"; then
    export OMPI_MCA_osc=pt2pt # which gets posts and locks as late as it can
    waits_are_found openmpi 3 rma_late_post rma_lock_contention
    in_calls rma_late_post MPI_Win_complete
    in_calls rma_lock_contention MPI_Win_unlock
fi
if mpis | grep -qx mpich; then
    waits_are_found mpich 3 rma_late_post rma_early_wait rma_lock_contention
fi
