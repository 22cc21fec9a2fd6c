# A program that calls MPI by functions of its own that do nothing else (my_MPI_Barrier) has one
# place for each of them: the program's lines are those which call them, each a place, also where
# they are inlined, and of one that is called by another the line that calls that. Without stacks
# the report says that they make the calls, and what tells who calls them. The same of what stands
# in headers of the system; of templates the caller is known by default. Nothing is said where other
# functions make half of the calls or more.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

cat >program.c <<'PROGRAM'
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static void my_MPI_Barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static __attribute__((always_inline)) inline void my_mpi_allreduce_(int *number)
{
    MPI_Allreduce(MPI_IN_PLACE, number, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

/* Which is named as another function of MPI than it calls. */
static void my_MPI_Recv(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

static void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

#line 1 "/usr/include/no/such/header.h"
static void meet_in_header(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}
#line 32 "program.c"

static void wait_for_one(int rank, void (*how)(void))
{
    if (rank == 1) {
        nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
    }
    how();
}

/* These do something behind the call, or it would be a jump that leaves no frame. */
static int mp_meet(int number)
{
    my_MPI_Barrier();
    return number + 1;
}

static int agree(int number)
{
    my_mpi_allreduce_(&number); /* inlined */
    return mp_meet(number);     /* two wrappers */
}

int main(int argc, char **argv)
{
    int rank, number = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    number = agree(number);
    for (int i = 0; i < atoi(argv[1]); i++) {
        wait_for_one(rank, argc == 3             ? my_MPI_Barrier
                           : argv[3][0] == 'h' ? meet_in_header
                                               : my_MPI_Recv);
    }
    for (int i = 0; i < atoi(argv[2]); i++) {
        wait_for_one(rank, meet);
    }
    MPI_Finalize();
    return number < 0;
}
PROGRAM

# told OPTION WRAPPED OWN [header|other]: the report of so many waits.
told() {
    run_mpi "$mpi" 2 "$record" -q --force $1 -o run.zip ./program "${@:2}" >out 2>err ||
        fail "$*: $(cat err)"
    "$analyze" report run.zip | tr -s ' \n' ' '
}

mpi=$(built_mpis | head -1)
"$(mpicc_of "$mpi")" -g -O1 -fno-inline -o program program.c

# 30 of 33 waits of 5 ms, all MPI that there is but a few us.
assert_matches "$(told --sites=line 30 3)" \
    "places [5-9][0-9]\.[0-9]% of the time [a-zA-Z ]* by wrappers, as my_MPI_Barrier; .*=stack"
"$analyze" report --html=page.html run.zip >out
assert_contains "$(cat page.html)" "by wrappers, as my_MPI_Barrier"
assert_lacks "$(told --sites=line 3 30)" "wrappers"
assert_matches "$(told --sites=line 30 3 other)" " by wrappers, as my_MPI_Recv; .*=stack"
assert_matches "$(told "" 30 3 header)" " by functions in headers, as meet_in_header; .*=stack"
assert_lacks "$(told --sites=off 30 3)" "wrappers"

# line CODE [FILE]: where it stands in the program.
line() {
    grep -n -F "$1" "${2:-program.c}" | head -1 | cut -d: -f1
}

# called FILE: of calls by others, the call, how many, by what, the caller, its line, and how many
# more of them, and the library's name.
called() {
    "$python" - "$1" <<'PYTHON'
import json
import sys
for site in sorted(json.load(open(sys.argv[1]))["sites"], key=lambda site: -site["count"]):
    caller = site.get("called_from")
    if caller:
        print(site["call"], site["count"], site["function"], caller["function"], caller["line"],
              caller["others"], caller["library"])
PYTHON
}

# A template of an installed header, as those of Boost.MPI, that is not inlined; and a function of a
# namespace with the name of MPI's, as AMReX has them.
cat >template.cc <<'PROGRAM'
#include <mpi.h>

#line 1 "/usr/include/no/such/communicator.hpp"
namespace mpi {
template <typename Comm> struct communicator {
    Comm comm;
    int left;
    void barrier()
    {
        MPI_Barrier(comm);
        left++;
    }
};
}
#line 16 "template.cc"

namespace lab {
void IBarrier(int *left)
{
    MPI_Request request;

    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    ++*left;
}
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    mpi::communicator<MPI_Comm> world{MPI_COMM_WORLD, 0};
    world.barrier();
    lab::IBarrier(&world.left);
    MPI_Finalize();
    return world.left - 2;
}
PROGRAM

# Ranks that call a wrapper from lines of their own: rank 0 comes 5 ms late to its line each time.
cat >apart.c <<'PROGRAM'
#include <mpi.h>
#include <time.h>

static void my_MPI_Barrier(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 30; i++) {
        if (rank == 0) {
            nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
            my_MPI_Barrier(); /* late */
        } else {
            my_MPI_Barrier(); /* waiting */
        }
    }
    MPI_Finalize();
    return 0;
}
PROGRAM

tells_stacks || finish
for mpi in $(built_mpis); do
    "$(mpicc_of "$mpi")" -g -O1 -fno-inline -o program program.c
    for sites in auto stack; do
        assert_lacks "$(told --sites=$sites 30 3)" "by wrappers"
        "$analyze" sites --json run.zip >sites.json
        assert_equal "MPI_Barrier 60 my_MPI_Barrier wait_for_one $(line "how();") 0 None
MPI_Barrier 2 my_MPI_Barrier agree $(line "mp_meet(number);") 0 None" \
            "$(called sites.json)" "$mpi, $sites"
        "$analyze" sites run.zip >sites
        assert_matches "$(cat sites)" "MPI_Barrier +program.c:$(line "how();") via my_MPI_B.* 60 "
        assert_matches "$(cat sites)" "MPI_Allreduce +program.c:$(line "(&number); /*") +2 "
    done
    assert_contains "$("$analyze" sites --stacks run.zip)" "my_MPI_Barrier < mp_meet < agree"
    "$(mpicc_of "$mpi")" -g -O1 -fno-inline -o apart apart.c
    run_mpi "$mpi" 2 "$record" -q --force -o run.zip ./apart
    "$analyze" sites --json run.zip >sites.json
    assert_equal "$(line "/* late" apart.c) $(line "/* waiting" apart.c)" "$(json sites.json \
        '"%d %d" % tuple(s["called_from"]["line"] for s in sorted((s for s in d["sites"]
            if s["call"] == "MPI_Barrier"), key=lambda s: -s["caused_ns"]))')" \
        "$mpi: who is waited for, and who waits"
    "mpicxx.$mpi" -g -O0 -o template template.cc 2>/dev/null || continue # no C++ here
    run_mpi "$mpi" 2 "$record" -q --force -o run.zip ./template
    "$analyze" sites --json run.zip >sites.json
    assert_equal \
        "MPI_Barrier 2 mpi::communicator<MPI_COMM>::barrier() main $(line "world.barrier()" \
            template.cc) 0 None
MPI_Ibarrier 2 lab::IBarrier(int*) main $(line "lab::IBarrier(&" template.cc) 0 None" \
        "$(called sites.json | sed 's/<.*>/<MPI_COMM>/' | sort)" "$mpi, a template"
done
finish
