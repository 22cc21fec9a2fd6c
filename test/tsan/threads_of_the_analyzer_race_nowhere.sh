# With ThreadSanitizer: analyses that another thread tells what the engine has told read nothing
# that the engine changes meanwhile, a few things at a time; nor do threads that print events change
# what the one that reads them does. Part of make check-tsan, which builds the programs.
. "$TOP_SRCDIR/test/system/lib.sh"

any_order=$TOP_BUILDDIR/test/system/any_order
irregular=$TOP_BUILDDIR/test/data/make_irregular
generate=$TOP_BUILDDIR/test/bench/generate
[ -x "$any_order" ] && nm "$any_order" 2>/dev/null | grep -q __tsan_init ||
    skip "make check-tsan builds the program"

# Three ranks leave 400 fences that others come to later: whoever waits is told so while these come.
mkdir fences
PYTHONPATH=$TOP_SRCDIR/test/system "$python" -B - fences <<'PYTHON'
import random, sys
import otf2
from otf2.enums import CollectiveOp, Paradigm, RmaSyncLevel
from ranks_of_mpi import define_ranks

chance = random.Random(1)
with otf2.writer.open(sys.argv[1] + "/fences", timer_resolution=10**9) as archive:
    define = archive.definitions
    node = define.system_tree_node("one", class_name="node")
    groups, threads, world = define_ranks(define, node, 3)
    window = define.rma_win("window", comm=world)
    init, fence, finalize = (define.region(name, paradigm=Paradigm.MPI)
                             for name in ("MPI_Init", "MPI_Win_fence", "MPI_Finalize"))
    for thread in threads:
        writer = archive.event_writer_from_location(thread)
        writer.enter(0, init)
        writer.leave(100, init)
        time = 1000
        for _ in range(400):
            time += chance.randrange(10, 400)
            writer.enter(time, fence)
            writer.rma_collective_begin(time)
            time += chance.randrange(5, 60)
            writer.rma_collective_end(time, CollectiveOp.BARRIER, RmaSyncLevel.PROCESS, window,
                                      2**32 - 1, 0, 0)
            writer.leave(time, fence)
        writer.enter(200000, finalize)
        writer.leave(200100, finalize)
PYTHON

# Older sanitizers can't place their memory where addresses are randomized by much.
fixed=
status=$(status_of "$any_order" info fences/fences)
if [ "$status" != 0 ] && grep -q "unexpected memory mapping" stderr; then
    setarch -R true 2>/dev/null || skip "ThreadSanitizer can't run here: $(head -1 stderr)"
    fixed="setarch -R"
fi

# look ARCHIVE: of every third seed (test/system/any_order.c), in rounds and in one.
look() {
    local seed status
    for seed in 3 6 9; do
        # shellcheck disable=SC2086 # none, or two words
        status=$(MPIWATCH_SCHEDULE=$seed status_of $fixed "$any_order" -q report --json -j 2 "$1")
        case $status in
        0 | 4) ;; # 4: something of the run is missing
        *) fail "$1, seed $seed: $status: $(head -c 4000 stderr)" ;;
        esac
        assert_empty stderr
    done
}

look fences/fences
for shape in threads windows requests probers; do
    "$irregular" $shape none $shape
    look $shape
done

"$generate" wide 2 160000 >/dev/null
for how in "" "--json" "--rank=1"; do
    # shellcheck disable=SC2086 # none, or two words
    status=$(status_of $fixed "$any_order" dump -q -j 3 $how wide)
    [ "$status" = 0 ] || fail "dump $how: $status: $(head -c 4000 stderr)"
done
