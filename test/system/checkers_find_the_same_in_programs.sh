# Programs that are checked by AddressSanitizer or valgrind print what they print without the
# recorder, once, and end likewise: with a mistake, without one, and where AddressSanitizer is in a
# library alone, which it refuses by a sentence of its own. Of those that run, calls by libraries
# have the program's line, for which stacks are gone through. On both MPIs.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

cat >library.c <<'PROGRAM'
#include <mpi.h>
#include <stdlib.h>

/* The sum over the ranks of 1 to count. */
int sum_up(int count)
{
    int *values = malloc(count * sizeof *values);
    int sum = 0;

    for (int i = 0; i < count; i++) {
        values[i] = i + 1;
    }
    MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++) {
        sum += values[i];
    }
    free(values);
    return sum;
}
PROGRAM
cat >program.c <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int sum_up(int count);

int main(int argc, char **argv)
{
    volatile char *text = calloc(4, 1);
    int rank, sum = 0;

    setvbuf(stdout, NULL, _IOFBF, 4096); /* as a file is, which the launcher may not be */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++) {
        volatile char room[40] = {0};

        sum += sum_up(4) + room[i]; /* leads */
    }
    if (rank == 0) {
        printf("sum %d\n", sum); /* stays in the stream until the program ends */
    }
    MPI_Finalize();
    sum = text[argc + 2]; /* beyond its end, with an argument */
    free((void *)text);
    return sum == 4711;
}
PROGRAM

# compared WHAT COMMAND...: with the recorder the program prints and ends as without; of sanitizers'
# and valgrind's reports what they found and where is looked at.
compared() {
    local what=$1 how status
    shift
    for how in native recorded; do
        status=0
        run_mpi "$mpi" 1 $([ $how = native ] || echo "$record" -q --force --mpi "$mpi" -o run.zip) \
            "$@" >$how.out 2>err || status=$?
        echo "exit $status" >>$how.out
        sed -n -e 's/^==[0-9]*== *\(Invalid\|Conditional\|Use of\)/\1/p' \
            -e 's/.*SUMMARY: \(AddressSanitizer.*\)/\1/p' -e 's/^==[0-9]*==\(ASan\)/\1/p' err |
            sort -u >>$how.out
    done
    assert_equal "$(cat native.out)" "$(cat recorded.out)" "$mpi, $what"
}

# has_leader: the library's calls have the line.
has_leader() {
    tells_stacks || return 0
    "$analyze" sites --json run.zip >sites.json
    assert_equal "[[3, $(sed -n '/leads/=' program.c)]]" "$(json sites.json '[[s["count"],
        s["called_from"]["line"]] for s in d["sites"] if s["call"] == "MPI_Allreduce"]')" \
        "$mpi, $1: who leads to the library"
}

export HWLOC_COMPONENTS=-opencl # which drivers of cards do not bear AddressSanitizer
export ASAN_OPTIONS=detect_leaks=0
for mpi in $(built_mpis); do
    compiler=$(mpicc_of "$mpi")
    "$compiler" -O1 -g -fPIC -shared -g0 -o libplain.so library.c
    "$compiler" -O1 -g -o plain program.c -L. -lplain "-Wl,-rpath,$PWD"
    if command -v valgrind >/dev/null; then
        compared "valgrind" valgrind --error-exitcode=7 ./plain
        assert_equal "sum 30" "$(head -n 1 recorded.out)" "$mpi: what is printed"
        has_leader "valgrind"
        compared "valgrind, a mistake" valgrind --error-exitcode=7 ./plain 1
        assert_contains "$(cat recorded.out)" "Invalid read"
    fi
    "$compiler" -O1 -g0 -fsanitize=address -fPIC -shared -o libchecked.so library.c 2>err &&
        "$compiler" -O1 -g -fsanitize=address -o checked program.c -L. -lchecked \
            "-Wl,-rpath,$PWD" 2>err || continue
    if run_mpi "$mpi" 1 ./checked >out 2>err; then
        compared "AddressSanitizer" ./checked
        has_leader "AddressSanitizer"
        compared "AddressSanitizer, a mistake" ./checked 1
        assert_contains "$(cat recorded.out)" "heap-buffer-overflow"
    fi
    "$compiler" -O1 -g -o half program.c -L. -lchecked "-Wl,-rpath,$PWD" 2>err
    compared "AddressSanitizer in the library alone" ./half
    assert_contains "$(cat recorded.out)" "does not come first"
done
finish
