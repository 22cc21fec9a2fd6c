# A library goes, and another one comes: of the same name, at the same place, with a call that
# returns to the same address, and without a build-id that would tell them apart. Its frame is
# larger or smaller, so that the way of the one is not that of the other: calls of both have the
# program's line. On both MPIs.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

tells_stacks || skip "stacks are not told on this machine"

cat >plugin.c <<'PROGRAM'
#include <mpi.h>

int enter(void)
{
    volatile char room[SIZE];
    int rank;

    room[3] = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank + room[3];
}
PROGRAM
cat >program.c <<'PROGRAM'
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static int (*enter)(void);

static void *load(const char *file)
{
    void *library;

    rename(file, "plugin.so");
    library = dlopen("./plugin.so", RTLD_NOW);
    enter = (int (*)(void))dlsym(library, "enter");
    rename("plugin.so", file);
    return library;
}

static void *use_small(void)
{
    void *library = load("small.so");

    enter(); /* small */
    dlclose(library);
    return (void *)enter;
}

static void *use_large(void)
{
    void *library = load("large.so");

    enter(); /* large */
    dlclose(library);
    return (void *)enter;
}

int main(int argc, char **argv)
{
    int moved = 0;

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 3; i++) {
        moved |= use_small() != use_large();
    }
    MPI_Finalize();
    return moved ? 3 : 0; /* 3: the loader has not put the one where the other was */
}
PROGRAM

# Three calls at each of the two lines, and no others.
cat >check.py <<'PYTHON'
import collections, json, re

marks = {each.group(1): number for number, text in enumerate(open("program.c"), 1)
         for each in [re.search(r"/\* (small|large) \*/", text)] if each}
told = collections.Counter()
for site in json.load(open("stacks.json"))["sites"]:
    for caller in site["callers"] if site["call"] == "MPI_Comm_rank" else []:
        told[tuple(each["line"] for each in caller["stack"] if each["line"])] += caller["count"]
expected = {(marks["small"],): 3, (marks["large"],): 3}
assert told == expected, (told, expected)
PYTHON

for mpi in $(built_mpis); do
    compiler=$(mpicc_of "$mpi")
    for size in small=400 large=1000; do
        "$compiler" -O1 -shared -fPIC -Wl,--build-id=none "-DSIZE=${size#*=}" \
            -o "${size%=*}.so" plugin.c
    done
    "$compiler" -g -O1 -o program program.c -ldl
    status=0
    run_mpi "$mpi" 1 "$record" -q --force -e all -o run.zip ./program >out 2>err || status=$?
    [ "$status" != 3 ] || skip "the loader puts each library elsewhere"
    assert_equal 0 "$status" "$mpi: $(cat err)"
    "$analyze" sites --stacks --json run.zip >stacks.json 2>err || true
    "$python" check.py >out 2>&1 || wrong "$mpi: $(cat out)"
done

finish
