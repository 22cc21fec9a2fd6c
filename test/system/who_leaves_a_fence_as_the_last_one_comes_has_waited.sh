# A fence that some leave at the tick at which the last one comes is waited in by all, whoever is
# read first: that he comes is not known before all has been read that happened at that tick.
. "$TOP_SRCDIR/test/system/lib.sh"
"$python" -c 'import otf2' 2>/dev/null || skip "python3-otf2 is not installed"

# 200 fences of 70 ranks, to each of which another rank comes last, when the others leave it. So the
# critical path goes through each of these, and rank 0 has its end.
PYTHONPATH=$TOP_SRCDIR/test/system "$python" -B - fences <<'PYTHON'
import sys
import otf2
from otf2.enums import CollectiveOp, Paradigm, RmaSyncLevel
from ranks_of_mpi import define_ranks

RANKS = 70
with otf2.writer.open(sys.argv[1], timer_resolution=10**9) as archive:
    define = archive.definitions
    node = define.system_tree_node("one", class_name="node")
    _, threads, world = define_ranks(define, node, RANKS)
    window = define.rma_win("window", comm=world)
    regions = {name: define.region("MPI_" + name, paradigm=Paradigm.MPI)
               for name in ("Init", "Win_create", "Win_fence", "Win_free", "Comm_rank", "Finalize")}
    for rank, thread in enumerate(threads):
        writer = archive.event_writer_from_location(thread)

        def call(name, enter, leave):
            writer.enter(enter, regions[name])
            writer.leave(leave, regions[name])

        def meet(name, enter, leave, operation):
            writer.enter(enter, regions[name])
            writer.rma_collective_begin(enter)
            if name == "Win_create":
                writer.rma_win_create(leave, window)
            writer.rma_collective_end(leave, operation, RmaSyncLevel.MEMORY, window, 2**32 - 1,
                                      0, 0)
            if name == "Win_free":
                writer.rma_win_destroy(leave, window)
            writer.leave(leave, regions[name])

        call("Init", 0, 900)
        for more in range(rank % 11):
            call("Comm_rank", 910 + 2 * more, 911 + 2 * more)
        meet("Win_create", 1000, 1100, CollectiveOp.CREATE_HANDLE)
        for begin in range(2000, 42000, 200):
            meet("Win_fence", begin + (50 if rank == begin // 200 % RANKS else rank % 40),
                 begin + (60 if rank == begin // 200 % RANKS else 50), CollectiveOp.BARRIER)
            for more in range(begin % 7):
                call("Comm_rank", begin + 100 + 2 * more, begin + 101 + 2 * more)
        meet("Win_free", 50000, 50100, CollectiveOp.DESTROY_HANDLE)
        call("Finalize", 51000, 51100)
PYTHON

hops_of() {
    "$@" critical-path --json -q -j 1 --no-cache fences/traces.otf2 >path.json
    json path.json 'd["hops"]'
}

assert_equal 200 "$(hops_of "$analyze")" "hops of the path"
for seed in 1 2 3 4; do
    assert_equal 200 "$(MPIWATCH_SCHEDULE=$seed hops_of "$TOP_BUILDDIR/test/system/any_order")" \
        "hops of the path, if ranks are read in another order ($seed)"
done
