# Where a library that the program calls makes the calls that take most of the time, its places say
# nothing of the program: without stacks the report names the library, and what tells the lines that
# lead there. Nothing is said where the program makes half of the calls itself, where none of its
# lines are known either, and where stacks are told: then places are those of the program.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

cat >library.c <<'PROGRAM'
#include <mpi.h>

/* The time of a call of MPI that a sleep of rank 1 makes long. */
void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}
PROGRAM
cat >program.c <<'PROGRAM'
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

void meet(void);

static void wait_for_one(int rank, void (*how)(void))
{
    if (rank == 1) {
        nanosleep(&(struct timespec){ .tv_nsec = 5000000 }, NULL);
    }
    how();
}

static void by_itself(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < atoi(argv[1]); i++) {
        wait_for_one(rank, meet);
    }
    for (int i = 0; i < atoi(argv[2]); i++) {
        wait_for_one(rank, by_itself);
    }
    MPI_Finalize();
    return 0;
}
PROGRAM

# told OPTION LIBRARY OWN: what the report of so many waits says of the library.
told() {
    run_mpi "$mpi" 2 "$record" -q --force $1 -o run.zip ./program "$2" "$3" >out 2>err ||
        fail "$*: $(cat err)"
    "$analyze" report --json run.zip >report.json
    "$analyze" report run.zip | tr -s ' \n' ' ' >report
    "$analyze" sites run.zip | tr -s ' \n' ' ' >sites
    json report.json 'd["library_calls"] and d["library_calls"]["library"]'
}

# assert_named PLACE: on the first screen, unless that is of a lack of cores.
assert_named() {
    grep -q "ha[sv]e* no core for" report && mv sites report
    assert_contains "$(cat report)" "$1"
}

# hottest: where most of the time in MPI_Barrier is.
hottest() {
    "$analyze" calls --json run.zip >calls.json
    json calls.json '{each["name"]: each["hottest_place"] for each in d["calls"]}["MPI_Barrier"]'
}

mpi=$(built_mpis | head -1)
"$(mpicc_of "$mpi")" -O1 -shared -fPIC -o libmeet.so.7 library.c
"$(mpicc_of "$mpi")" -g -O1 -o program program.c -L. -l:libmeet.so.7 "-Wl,-rpath,$PWD"

# 30 of 33 waits of 5 ms, all MPI that there is but a few us.
assert_equal "libmeet.so.7" "$(told --sites=line 30 3)" "most of the time"
assert_matches "$(cat report)" \
    "places [5-9][0-9]\.[0-9]% of the time [a-zA-Z ]* by libmeet.so.7; .*--sites=stack"
assert_equal true "$(json report.json 'd["library_calls"]["time_ns"] > 30 * 4.9e6')" "time"
"$analyze" report --html=page.html run.zip >out
assert_contains "$(cat page.html)" "by libmeet.so.7"

assert_equal null "$(told --sites=line 3 30)" "a part of the time"
assert_lacks "$(cat report)" "libmeet"
assert_equal null "$(told --sites=off 30 3)" "no places"
if tells_stacks; then
    assert_equal null "$(told --sites=stack 30 3)" "stacks"
    assert_matches "$("$analyze" sites --stacks run.zip | tr -s ' \n' ' ')" \
        'meet(\+0x[0-9a-f]+)? < wait_for_one'
    # wait_for_one calls both by the same line.
    line=$(sed -n '/how();/=' program.c)
    assert_equal "program.c:$line via libmeet.so.7" "$(hottest)" "the program's line"
    assert_named "program.c:$line via libmeet.so.7"
    # By default calls of libraries have what leads there, up to the program.
    assert_equal null "$(told "" 30 3)" "default"
    assert_equal "program.c:$line via libmeet.so.7" "$(hottest)" "the program's line by default"
    assert_named "program.c:$line via libmeet.so.7"
    assert_matches "$("$analyze" sites --stacks run.zip | tr -s ' \n' ' ')" \
        'meet(\+0x[0-9a-f]+)? < wait_for_one < \.\.\. '
    # Calls of its own have their place as ever.
    assert_equal null "$(told --sites=stack 3 30)" "stacks"
    assert_equal "program.c:$(sed -n '/MPI_Barrier(/=' program.c)" "$(hottest)" "its own line"
    # A library whose lines are known is as good as the program.
    "$(mpicc_of "$mpi")" -g -O1 -shared -fPIC -o libmeet.so.7 library.c
    assert_equal null "$(told --sites=stack 30 3)" "stacks"
    assert_equal "library.c:$(sed -n '/MPI_Barrier(/=' library.c)" "$(hottest)" "the library's line"
    "$(mpicc_of "$mpi")" -O1 -shared -fPIC -o libmeet.so.7 library.c
    "$(mpicc_of "$mpi")" -fno-inline -rdynamic -O1 -o program program.c -L. -l:libmeet.so.7 \
        "-Wl,-rpath,$PWD"
    assert_equal null "$(told --sites=stack 30 3)" "stacks"
    assert_matches "$(hottest)" '^wait_for_one\+0x[0-9a-f]+ via libmeet\.so\.7$'
fi
strip program
assert_equal null "$(told --sites=line 30 3)" "no line is known"
finish
