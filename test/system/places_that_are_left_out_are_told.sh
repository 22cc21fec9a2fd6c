# A rank that called MPI at more places than can be numbered (ARCHIVE.md) says so, and the report
# tells how many ranks did: those with numbers have their lines, the others are counted without, and
# none of it takes much memory. Of an archive that has all places nothing is said.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

mpi=$(built_mpis | head -1)
mpi=${mpi%% *}
cat >places.c <<'CODE'
#include <mpi.h>
#include <stdio.h>
#include <sys/resource.h>
#define CALL MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#define CALLS_4 CALL CALL CALL CALL
#define CALLS_16 CALLS_4 CALLS_4 CALLS_4 CALLS_4
#define CALLS_256 CALLS_16 CALLS_16 CALLS_16 CALLS_16 CALLS_16 CALLS_16 CALLS_16 CALLS_16 \
    CALLS_16 CALLS_16 CALLS_16 CALLS_16 CALLS_16 CALLS_16 CALLS_16 CALLS_16
#define CALLS_4096 CALLS_256 CALLS_256 CALLS_256 CALLS_256 CALLS_256 CALLS_256 CALLS_256 \
    CALLS_256 CALLS_256 CALLS_256 CALLS_256 CALLS_256 CALLS_256 CALLS_256 CALLS_256 CALLS_256
int main(int count, char **words)
{
    struct rusage usage;
    int rank;
    MPI_Init(&count, &words);
    CALL
    if (rank == 1) {
        CALLS_4096 CALLS_4096 CALLS_4096 CALLS_4096 CALLS_4096 CALLS_4096 CALLS_4096 CALLS_4096
        CALLS_4096 CALLS_4096 CALLS_4096 CALLS_4096 CALLS_4096 CALLS_4096 CALLS_4096 CALLS_4096
        CALLS_256
        CALLS_256
    }
    MPI_Finalize();
    getrusage(RUSAGE_SELF, &usage);
    if (count == 1 && rank == 1) {
        printf("%ld\n", usage.ru_maxrss); /* KiB */
    }
    return 0;
}
CODE
"$(mpicc_of "$mpi")" -g -O0 -w -o places places.c
for sites in off line; do
    run_mpi "$mpi" 2 "$record" -q --force --sites=$sites -e all -o run.otf2.zip ./places \
        >$sites 2>err || fail "$(cat err)"
done
[ "$(cat line)" -lt $(($(cat off) + 65536)) ] ||
    fail "$(cat line) KiB with places, $(cat off) without"
"$analyze" report run.otf2.zip >out || fail "report"
assert_contains "$(tr -s " \n" " " <out)" "ranks with calls whose places are left out 1"
"$analyze" sites --json run.otf2.zip >sites.json || fail "sites"
"$python" - <<'PYTHON' || fail "the places: $(cat sites.json)"
import json
calls = [each for each in json.load(open("sites.json"))["sites"] if each["call"] == "MPI_Comm_rank"]
# 16 times 4,096 calls and twice 256, and the one of both ranks. Numbers are for functions, too.
assert sum(each["count"] for each in calls) == 65536 + 512 + 2
told = sum(each["count"] for each in calls if each["line"])
assert 64000 < told < 65536, told
PYTHON

run_mpi "$mpi" 2 "$record" -q --force -o run.otf2.zip "$(example ring "$mpi")" >log 2>&1 ||
    fail "$(cat log)"
"$analyze" report run.otf2.zip >out || fail "report"
assert_lacks "$(tr -s " \n" " " <out)" "places are left out"
