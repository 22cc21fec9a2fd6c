# What a function does last is a jump at -O2: a call of MPI there is told at its own line where the
# compiler tells that there was one way to it, through functions of several files. Where there are
# two, one that nobody knows, or a library's function that a program may have instead, it is told at
# the line that calls the first of them, as it is of wrappers. Frames that lead to other calls stay.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

resolver=$TOP_BUILDDIR/mpiwatch-resolve
[ -x "$resolver" ] || skip "lines are not looked up here (libdw)"

cat >steps.h <<'PROGRAM'
#include <mpi.h>
#define LAST __attribute__((noinline))
extern volatile int left;
extern int number;
void last(int step);
void two_ways(int step);
void by_pointer(int step);
void comes_again(int step);
void by_wrapper(int step);
void several(int step);
int my_MPI_Barrier(void);
void in_library(int step);
void of_library(int step);
PROGRAM
cat >steps.c <<'PROGRAM'
#include "steps.h"
int number;

LAST int my_MPI_Barrier(void)
{
    return MPI_Barrier(MPI_COMM_WORLD);
}

static LAST void finish(int step)
{
    left += step;
    MPI_Barrier(MPI_COMM_WORLD); /* last */
}

LAST void last(int step)
{
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD); /* before it */
    finish(step + left);
}

LAST void two_ways(int step)
{
    if (step > left) {
        MPI_Barrier(MPI_COMM_SELF);
        return;
    }
    finish(step);
}

LAST void by_pointer(int step)
{
    static void (*volatile how)(int) = finish;

    how(step);
}

LAST void comes_again(int step)
{
    left++;
    if (step > 1) {
        finish(step);
        return;
    }
    by_pointer(step);
}

LAST void by_wrapper(int step)
{
    left += step;
    my_MPI_Barrier(); /* wrapper */
}

LAST void several(int step)
{
    left++;
    if (step & 1) {
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD); /* one */
        return;
    }
    MPI_Barrier(MPI_COMM_WORLD); /* other */
}
PROGRAM
cat >library.c <<'PROGRAM'
#include "steps.h"

static LAST void of_its_own(int step)
{
    left += step;
    MPI_Barrier(MPI_COMM_WORLD); /* in a library */
}

LAST void of_library(int step)
{
    left += step;
    MPI_Barrier(MPI_COMM_WORLD);
}

void in_library(int step)
{
    of_its_own(step); /* first */
    left++;
    of_library(step); /* exported */
    left++;
}
PROGRAM
cat >program.c <<'PROGRAM'
#include "steps.h"
volatile int left;

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    last(argc);
    left++;
    two_ways(argc); /* two ways */
    left++;
    by_pointer(argc); /* pointer */
    left++;
    comes_again(argc); /* open */
    left++;
    by_wrapper(argc);
    left++;
    several(1);
    left++;
    several(2);
    left++;
    my_MPI_Barrier(); /* its own wrapper */
    left++;
    in_library(argc);
    left++;
    MPI_Finalize();
    return 0;
}
PROGRAM

# at WHAT: "program.c:12", where it stands.
at() {
    grep -n -F "/* $1 */" program.c steps.c library.c | cut -d: -f1,2
}

mpi=$(mpis | head -1)
[ -n "$mpi" ] || skip "no MPI here"
wrapper=$(mpicc_of "$mpi")
tried=0
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    export OMPI_CC=$compiler MPICH_CC=$compiler
    for how in "-O2 -g" "-O2 -g -no-pie" "-O2 -gdwarf-4 -flto" "-O2 -g -gsplit-dwarf"; do
        # shellcheck disable=SC2086
        "$wrapper" $how -fPIC -shared -o libsteps.so library.c 2>err &&
            "$wrapper" $how -o program program.c steps.c -L. -lsteps -Wl,-rpath,"$PWD" 2>err ||
            { head -3 err; continue; }
        readelf --debug-dump=info program 2>/dev/null | grep -q -i 'call_site)' ||
            readelf --debug-dump=info ./*.dwo 2>/dev/null | grep -q -i 'call_site)' || continue
        run_mpi "$mpi" 2 "$record" -q --force --sites=stack -o run.otf2.zip ./program >out 2>err ||
            fail "$compiler $how: $(cat err)"
        "$analyze" sites --json run.otf2.zip >sites.json
        json sites.json '"\n".join("%s %s:%s" % (s["call"], s["file"].split("/")[-1], s["line"])
            for s in d["sites"] if s["call"] in ("MPI_Barrier", "MPI_Bcast"))' | sort >told
        for each in last "two ways" pointer open wrapper other "its own wrapper" \
            "in a library" exported; do
            echo "MPI_Barrier $(at "$each")"
        done >wanted
        for each in "before it" one; do
            echo "MPI_Bcast $(at "$each")"
        done >>wanted
        if [ "$how" = "-O2 -gdwarf-4 -flto" ]; then # what is inlined then is a matter of taste
            for each in $(sed 's/.* //' told); do
                grep -q -F "${each%:*}:" wanted || fail "$compiler $how: $each"
            done
        else
            assert_equal "$(sort wanted)" "$(cat told)" "$compiler $how"
        fi
        tried=$((tried + 1))
    done
done
[ $tried -gt 0 ] || skip "the compilers here tell no calls"
if [ "$(uname -m)" = x86_64 ]; then
    assert_contains "$("$analyze" sites --stacks run.otf2.zip)" "last < main"
fi
