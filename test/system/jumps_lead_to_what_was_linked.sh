# Whom a call leads to is the linker's to say, and not the compiler's: a strong function in place of
# a weak one that is there, too, one that --wrap has put before another, and one of several whose
# code is the same, of which the linker kept one. No call is told at the line of another function.
# Of a function whose cold part is elsewhere the line is known. Looked up later in the debug file
# alone, when the program is gone, jumps are told as they were in the program.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

resolver=$TOP_BUILDDIR/mpiwatch-resolve
[ -x "$resolver" ] || skip "lines are not looked up here (libdw)"

cat >program.c <<'PROGRAM'
#include <mpi.h>
#include <stdlib.h>
#define LAST __attribute__((noinline)) void
volatile int left;
void wrapped(int step);
LAST __attribute__((cold)) bad(int step) { left -= step; }

LAST __attribute__((weak)) weak(int step)
{
    left += step;
    MPI_Barrier(MPI_COMM_WORLD); /* wrong: weak */
}

LAST one(int step)
{
    left += 3 * step;
    MPI_Barrier(MPI_COMM_WORLD); /* wrong where it is folded: one */
}

LAST other(int step)
{
    left += 3 * step;
    MPI_Barrier(MPI_COMM_WORLD); /* wrong where it is folded: other */
}

LAST split(int step)
{
    if (__builtin_expect(step == 77, 0)) {
        bad(step);
        abort();
    }
    left += step;
    MPI_Barrier(MPI_COMM_WORLD); /* split */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    weak(argc); /* calls weak */
    left++;
    wrapped(argc); /* calls wrapped */
    left++;
    one(argc); /* calls one */
    left++;
    other(argc); /* calls other */
    left++;
    split(argc); /* calls split */
    left++;
    MPI_Finalize();
    return 0;
}
PROGRAM
cat >others.c <<'PROGRAM'
#include <mpi.h>
#define LAST __attribute__((noinline)) void
extern volatile int left;

LAST weak(int step)
{
    left += 5 * step;
    MPI_Barrier(MPI_COMM_WORLD); /* strong */
}

LAST wrapped(int step)
{
    left += 7 * step;
    MPI_Barrier(MPI_COMM_WORLD); /* wrong: wrapped */
}
PROGRAM
cat >wraps.c <<'PROGRAM'
#include <mpi.h>
extern volatile int left;

void __wrap_wrapped(int step)
{
    left += 9 * step;
    MPI_Barrier(MPI_COMM_WORLD); /* wraps */
}
PROGRAM

# at WHAT...: "program.c:12", where each stands.
at() {
    local each
    for each in "$@"; do
        grep -n -F "/* $each */" program.c others.c wraps.c | cut -d: -f1,2
    done
}

# told OPTION...: where the archive tells the barriers, in their order.
told() {
    "$analyze" dump "$@" run.otf2.zip |
        sed -n 's/.* enter  *location=0 region=MPI_Barrier place=\([^ ]*\).*/\1/p'
}

# recorded WHAT: records the program.
recorded() {
    run_mpi "$mpi" 2 "$record" -q --force -o run.otf2.zip ./program >out 2>err ||
        fail "$1: $(cat err)"
}

mpi=$(mpis | head -1)
[ -n "$mpi" ] || skip "no MPI here"
wrapper=$(mpicc_of "$mpi")
tried=0
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    export OMPI_CC=$compiler MPICH_CC=$compiler
    for how in "-g" "-g -no-pie" "-gdwarf-4 -fno-pie -no-pie" "-g -fuse-ld=gold -Wl,--icf=all" \
        "-g -fuse-ld=lld -Wl,--icf=all"; do
        # gcc itself takes functions that do the same for one, unless told otherwise.
        copies=$([ $compiler = clang ] || echo -fno-ipa-icf)
        # shellcheck disable=SC2086
        "$wrapper" -O2 $copies -ffunction-sections $how -Wl,--wrap=wrapped -o program program.c \
            others.c wraps.c 2>err || { head -3 err; continue; }
        readelf --debug-dump=info program | grep -q -i 'call_site)' || continue
        recorded "$compiler $how"
        case $how in
        *icf*) at strong "calls wrapped" "calls one" "calls other" split >wanted ;;
        *) at strong "calls wrapped" "wrong where it is folded: one" \
            "wrong where it is folded: other" split >wanted ;;
        esac
        assert_equal "$(cat wanted)" "$(told)" "$compiler $how"
        id=$(readelf -n program | sed -n 's/.*Build ID: //p')
        if [ -n "$id" ]; then
            mkdir -p "kept/.build-id/${id:0:2}"
            objcopy --only-keep-debug program "kept/.build-id/${id:0:2}/${id:2}.debug"
            strip program
            recorded "$compiler $how, stripped"
            assert_lacks "$(told)" ".c:"
            rm program
            assert_equal "$(cat wanted)" "$(told --debug-dir kept)" "$compiler $how, later"
        fi
        tried=$((tried + 1))
    done
done
[ $tried -gt 0 ] || skip "the compilers here tell no calls"
