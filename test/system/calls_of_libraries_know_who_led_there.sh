# By default a call that a library makes has the frames up to the first one of the program's own
# file: through other libraries, from a callback, by Fortran's bindings, by a library that comes and
# goes, from a stack that has grown beyond its first limit. Calls of the program's own have their
# place alone. Where no frame of the program is found among 64, there are more stacks than are told,
# or frames in them than there is memory for, or it runs on a stack of its own, there is the
# library's place. A run that was killed has all of it, too, and of one that hangs the line is said
# while it does. On both MPIs.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

tells_stacks || skip "stacks are not told on this machine"

cat >inner.c <<'PROGRAM'
#include <mpi.h>

void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

void stand(void)
{
    int rank, got;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Recv(&got, 1, MPI_INT, 1 - rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* As deep as depth; each step by one of two ways, as the bits of path say. */
void descend(int depth, unsigned path)
{
    int rank;

    if (depth == 0) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    } else if (path & 1) {
        descend(depth - 1, path >> 1);
    } else {
        descend(depth - 1, path >> 1);
    }
}
PROGRAM
cat >outer.c <<'PROGRAM'
void meet(void);

void through(void)
{
    meet();
}

void call_back(void (*what)(void))
{
    what();
}
PROGRAM
cat >program.c <<'PROGRAM'
#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <ucontext.h>

void meet(void);
void stand(void);
void through(void);
void call_back(void (*what)(void));
void descend(int depth, unsigned path);
#ifdef FORTRAN
void fortran_(void);
#endif

static ucontext_t here, there;
static char room[1 << 18];

static void called_back(void)
{
    meet(); /* callback */
}

static void elsewhere(void)
{
    descend(2, 0); /* other stack */
}

/* Below where the stack could have been when the library called for the first time. */
static void far_down(void)
{
    volatile char room[12 << 20];

    room[0] = 1;
    meet(); /* grown */
    room[1] = 1;
}

static void let_grow(void)
{
    struct rlimit limit;

    getrlimit(RLIMIT_STACK, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_STACK, &limit);
    far_down();
    far_down();
}

static void loaded(void)
{
    for (int i = 0; i < 3; i++) {
        void *library = dlopen("./loaded.so", RTLD_NOW);
        void (*enter)(void) = (void (*)(void))dlsym(library, "enter");

        enter(); /* loaded */
        dlclose(library);
    }
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* its own */
    if (strcmp(argv[1], "many") == 0) {
        for (unsigned path = 0; path < 1u << 15; path++) {
            descend(15, path); /* many */
        }
        meet(); /* behind many */
    } else if (strcmp(argv[1], "deep") == 0) {
        struct rusage before, behind; /* in KiB */

        getrusage(RUSAGE_SELF, &before);
        for (unsigned path = 0; path < 1u << 14; path++) {
            descend(58, path); /* deep */
        }
        getrusage(RUSAGE_SELF, &behind);
        if (behind.ru_maxrss - before.ru_maxrss > 32 << 10) {
            return 3;
        }
    } else if (strcmp(argv[1], "hangs") == 0) {
        stand(); /* stands */
    } else {
        for (int i = 0; i < 4; i++) {
            through(); /* through */
        }
        call_back(called_back);
        descend(100, 0); /* too deep */
        loaded();
        getcontext(&there);
        there.uc_stack.ss_sp = room;
        there.uc_stack.ss_size = sizeof room;
        there.uc_link = &here;
        makecontext(&there, elsewhere, 0);
        swapcontext(&here, &there);
#ifdef GROWN
        let_grow();
#endif
#ifdef FORTRAN
        fortran_(); /* fortran */
#endif
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1 && strcmp(argv[1], "dies") == 0) {
        raise(SIGKILL);
    }
    MPI_Finalize();
    return 0;
}
PROGRAM
cat >fortran.f90 <<'PROGRAM'
subroutine fortran
    include 'mpif.h'
    integer ierr
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
end subroutine
PROGRAM

# stacks: of the calls of both ranks in the place's list, by call and functions from the outermost
# one on, with the line of the program's: how often. A place without a stack has its line, if any.
cat >check.py <<'PYTHON'
import collections, json, re, sys

lines = list(enumerate(open("program.c"), 1))
marks = {each.group(1): number for number, text in lines
         for each in [re.search(r"/\* ([a-z ]*) \*/", text)] if each}
told = collections.Counter()
for site in json.load(open("stacks.json"))["sites"]:
    if site["call"] not in ("MPI_Barrier", "MPI_Comm_rank"):
        continue
    for caller in site["callers"]:
        names = [each["function"].split("+")[0] for each in caller["stack"]]
        of_program = [each["line"] for each in caller["stack"] if each["line"]]
        if len(names) > 1:
            assert caller["is_cut"], caller
            assert all(each in marks.values() for each in of_program), caller
        names = names or ["at " + site["function"].split("+")[0]]  # the place alone
        names = "descend, too deep" if names == ["descend"] * 64 else " ".join(names)
        told[site["call"], names, of_program[0] if of_program else site["line"]] += caller["count"]
told = {(call, names, line or 0): count for (call, names, line), count in told.items()}
barrier = [number for number, text in lines if "MPI_Barrier(" in text][0]
expected = {("MPI_Comm_rank", "at main", marks["its own"]): 2,
            ("MPI_Barrier", "at main", barrier): 2}
if sys.argv[1] == "many":
    many = {key: told.pop(key) for key in list(told) if "descend" in key[1]}
    assert sum(many.values()) == 2 << 15, sum(many.values())
    with_stack = {key: count for key, count in many.items() if "main" in key[1]}
    assert all(line == marks["many"] for _, _, line in with_stack), with_stack
    # Of each rank 16,384 stacks at most are told, all of which but few are of these.
    assert 2 * 16000 < sum(with_stack.values()) <= 2 * 16384, sum(with_stack.values())
    expected["MPI_Barrier", "at meet", 0] = 2
elif sys.argv[1] == "deep":
    # Steps differ outside: of the 60 frames of a stack at least 44, behind 14 steps, are its own,
    # and all are new at most. Of each rank 131,072 frames are told, and those of one stack more.
    deep = {key: told.pop(key) for key in list(told) if "descend" in key[1]}
    assert sum(deep.values()) == 2 << 14, sum(deep.values())
    with_stack = {key: count for key, count in deep.items() if "main" in key[1]}
    assert all(line == marks["deep"] for _, _, line in with_stack), with_stack
    assert 2 * 131072 // 60 <= sum(with_stack.values()) <= 2 * 131132 // 44, with_stack
else:
    expected["MPI_Barrier", "main through meet", marks["through"]] = 8
    expected["MPI_Barrier", "called_back meet", marks["callback"]] = 2
    expected["MPI_Barrier", "loaded enter", marks["loaded"]] = 6
    expected["MPI_Comm_rank", "descend, too deep", 0] = 2
    expected["MPI_Comm_rank", "descend", 0] = 2  # on a stack of its own
    if "grown" in sys.argv:
        expected["MPI_Barrier", "far_down meet", marks["grown"]] = 4
    if "fortran" in sys.argv:
        expected["MPI_Barrier", "main fortran_", marks["fortran"]] = 2
assert told == expected, (told, expected)
PYTHON

# look WHAT ARCHIVE: whether the archive has what the program did.
look() {
    "$analyze" sites --stacks --json "$2" >stacks.json 2>err || true
    "$python" check.py "$1" "$with_fortran" "$with_growth" >out 2>&1 || fail "$mpi, $1: $(cat out)"
    "$analyze" report "$2" >out 2>/dev/null || true
    assert_lacks "$(tr -s ' \n' ' ' <out)" "places are left out"
}

# The limit of the stack, in KiB, and whether programs may raise it.
ulimit -Ss 8192 2>/dev/null || true
with_growth=
case $(ulimit -Hs) in
unlimited) with_growth=grown ;;
*) [ "$(ulimit -Hs)" -lt 32768 ] || with_growth=grown ;;
esac

# top_says LINE: both ranks are in calls that this line leads to.
top_says() {
    "$TOP_BUILDDIR/mpiwatch-top" --json --count 2 hung.zip.run >lines 2>top.err &&
        tail -n 1 lines >last &&
        [ "$(json last '" ".join(str(each["line"]) for each in d["threads"])')" = "$1 $1" ]
}

for mpi in $(built_mpis); do
    compiler=$(mpicc_of "$mpi")
    optimised="-O1 -fno-inline -fno-optimize-sibling-calls -fno-tree-tail-merge -fno-crossjumping"
    "$compiler" $optimised -shared -fPIC -o libinner.so.1 inner.c
    "$compiler" $optimised -shared -fPIC -Dmeet=enter -o loaded.so inner.c
    "$compiler" $optimised -shared -fPIC -o libouter.so.1 outer.c
    with_fortran=
    libraries="-L. -l:libouter.so.1 -l:libinner.so.1"
    if command -v "mpifort.$mpi" >/dev/null; then
        with_fortran=fortran
        "mpifort.$mpi" -shared -fPIC -o libfortran.so fortran.f90
        libraries="$libraries -l:libfortran.so"
    fi
    "$compiler" -g $optimised ${with_fortran:+-DFORTRAN} ${with_growth:+-DGROWN} \
        -o program program.c $libraries \
        "-Wl,-rpath,$PWD" -ldl
    for what in ends many deep; do
        run_mpi "$mpi" 2 "$record" -q --force -e all -o run.zip ./program $what >out 2>err ||
            fail "$mpi, $what: $(cat err)"
        look $what run.zip
    done
    run_mpi "$mpi" 2 "$record" -q --force -e all -o killed.zip ./program dies >out 2>err || true
    ranks_have_ended
    assert_equal 4 "$(status_of "$TOP_BUILDDIR/mpiwatch-recover" killed.zip.run --remove)" \
        "$mpi, killed: $(cat stderr)"
    look dies killed.zip
    [ -x "$TOP_BUILDDIR/mpiwatch-resolve" ] || continue
    rm -rf hung.zip*
    run_mpi "$mpi" 2 "$record" --hang=1s -o hung.zip ./program hangs >out 2>err &
    await "$mpi: the lines of mpiwatch-top" top_says "program.c:$(sed -n '/stands/=' program.c)"
    await "$mpi: word of the hang" grep -qs '"hang"' hung.zip.run
    kill_ranks hung.zip.run
    wait $! || true
    line=$(sed -n '/stands/=' program.c)
    assert_matches "$(cat err)" "deadlock: rank 0 in MPI_Recv from 1 \(tag 3, MPI_COMM_WORLD\) at\
 program\.c:$line via libinner\.so\.1 for [0-9.]+ s <- rank 1 in "
done

finish
