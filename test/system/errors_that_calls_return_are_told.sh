# Errors that calls returned: their class, how often, on how many ranks, which rank first and when,
# with their lines, by mistakes, the report, export and dump; of archives of each MPI, whose numbers
# of classes are those of its mpi.h. A program that has none is told of none. What a callback of the
# program returned need be no code of the MPI's, and to ask for its class may end the program.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >live.c <<'PROGRAM'
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, in[2], out[10] = {0};
    int last = argc > 1 ? 3 : 0; /* of what is sent to nobody */

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (argc > 2) {
        MPI_File file;

        MPI_File_open(MPI_COMM_WORLD, "missing", MPI_MODE_RDONLY, MPI_INFO_NULL, &file);
        last = 0;
    }
    if (rank == 0) {
        usleep(100000); /* rank 1 is first */
    }
    for (int i = 0; i < last; i++) {
        MPI_Send(out, 10, MPI_INT, 1000, 0, MPI_COMM_WORLD); /* nobody */
    }
    if (rank == 0) {
        MPI_Send(out, 10, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(argc > 1 ? in : out, argc > 1 ? 2 : 10, MPI_INT, 0, 0, MPI_COMM_WORLD, /* short */
                 MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
PROGRAM
cat >own.c <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>

static int added; /* a code */

static int copy(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    return 999999;
}

static int query(void *extra, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return added;
}

static int done(void *extra)
{
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int key, added_class, error_class;
    MPI_Comm comm, other;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Add_error_class(&added_class);
    MPI_Add_error_code(added_class, &added);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Grequest_start(query, done, cancel, NULL, &request);
    MPI_Grequest_complete(request);
    MPI_Error_class(MPI_Wait(&request, MPI_STATUS_IGNORE), &error_class); /* added */
    printf("%d %d\n", added_class, error_class);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(comm, key, &key);
    printf("%d\n", MPI_Comm_dup(comm, &other) != MPI_SUCCESS); /* copied */
    MPI_Finalize();
    return 0;
}
PROGRAM

# line_of WORD: where it is the comment of a line of own.c.
line_of() {
    grep -n "/. $1 ./" own.c | cut -d: -f1
}
nobody=$(grep -n '/. nobody ./' live.c | cut -d: -f1)
short=$(grep -n '/. short ./' live.c | cut -d: -f1)

for mpi in $(mpis); do
    # The numbers of all classes that both know.
    echo '#include <mpi.h>' | "$(mpicc_of "$mpi")" -E -dM -x c - >numbers
    "$python" - "$TOP_SRCDIR/analyzer/model/error_classes.def" "$mpi" <<'PYTHON' ||
import re
import sys

there = {name: int(number) for name, number in
         re.findall(r"^#define (MPI_ERR_\w+)\s+\(?(\d+)\)?\s*$", open("numbers").read(), re.M)}
told = {name: int(openmpi if sys.argv[2] == "openmpi" else mpich) for name, openmpi, mpich in
        re.findall(r"^ERROR_CLASS\((\w+), (\d+), (\d+)\)$", open(sys.argv[1]).read(), re.M)}
told = {name: number for name, number in told.items() if number > 0}
both = told.keys() & there.keys()
assert len(both) > 50 and {name: told[name] for name in both} == \
    {name: there[name] for name in both}, (told, there)
PYTHON
        fail "$mpi: numbers of classes"
    "$(mpicc_of "$mpi")" -g -o "live-$mpi" live.c 2>err || fail "$mpi: $(cat err)"
    run_mpi "$mpi" 2 "$record" -q --force -o run.otf2.zip "./live-$mpi" errors >out 2>err ||
        fail "$mpi: $(head -5 err)"
    "$analyze" mistakes --width=200 run.otf2.zip >said || fail "$mpi: mistakes"
    assert_matches "$(cat said)" "^MPI_Send at live\\.c:$nobody returned MPI_ERR_RANK 6 times on 2 \
ranks, first on rank 1 at [0-9.]+ [um]s\$"
    assert_matches "$(cat said)" "^MPI_Recv at live\\.c:$short returned MPI_ERR_TRUNCATE once, on \
rank 1 at [0-9.]+ ms\$"
    assert_equal 3 "$(wc -l <said)" "$mpi: $(cat said)"

    "$analyze" report --json run.otf2.zip >report.json || fail "$mpi: report"
    assert_equal "MPI_Send, live.c:$nobody returned MPI_ERR_RANK 6 times, of 7 errors in all" \
        "$(json report.json '[c["sentence"] for c in d["causes"]
            if c["id"] == "errors_returned"][0]')" "$mpi: the report"
    "$analyze" export --force --csv tables run.otf2.zip || fail "$mpi: export"
    assert_equal "MPI_Send,MPI_ERR_RANK,6,2,1,$nobody
MPI_Recv,MPI_ERR_TRUNCATE,1,1,1,$short" \
        "$(sed 1d tables/call_errors.csv | cut -d, -f1,2,4-6,9)" "$mpi: call_errors.csv"
    class=$(sed -n 's/^#define MPI_ERR_TRUNCATE *(*\([0-9]*\).*/\1/p' numbers)
    assert_equal 1 "$("$analyze" dump run.otf2.zip | grep -c "MPI_Recv.* error_class=$class")" \
        "$mpi: dump"
    for way in -j1 -j2 --no-cache; do
        "$analyze" mistakes --width=200 $way run.otf2.zip | diff said - || fail "$mpi: $way"
    done
    "$analyze" mistakes --json run.otf2.zip >one.json
    run_mpi "$mpi" 2 "$analyze" mistakes --json run.otf2.zip 2>err | diff one.json - ||
        fail "$mpi: two processes"

    # Whether a file is there was asked, and no fault.
    run_mpi "$mpi" 2 "$record" -q --force -o asks.otf2.zip "./live-$mpi" no file >out 2>err ||
        fail "$mpi: $(head -5 err)"
    assert_matches "$("$analyze" mistakes --width=200 asks.otf2.zip)" \
        "^MPI_File_open at live\\.c:[0-9]+ returned MPI_ERR_NO_SUCH_FILE 2 times on 2 ranks, first"
    "$analyze" report --json asks.otf2.zip >report.json || fail "$mpi: report of a question"
    assert_equal "MPI_Recv, live.c:$short returned MPI_ERR_TRUNCATE once" \
        "$(json report.json '[c["sentence"] for c in d["causes"]
            if c["id"] == "errors_returned"][0]')" "$mpi: the report of a question"

    run_mpi "$mpi" 2 "$record" -q --force -o none.otf2.zip "./live-$mpi" >out 2>err ||
        fail "$mpi: $(head -5 err)"
    assert_lacks "$("$analyze" mistakes none.otf2.zip)" returned
    assert_equal "[]" "$("$analyze" mistakes --json none.otf2.zip | "$python" -c \
        'import json, sys; print(json.load(sys.stdin)["errors"])')" "$mpi: no errors"
    "$analyze" report --json none.otf2.zip >report.json || fail "$mpi: report of none"
    assert_lacks "$(json report.json '[c["id"] for c in d["causes"]]')" errors_returned

    # Errors of the program's own making.
    "$(mpicc_of "$mpi")" -g -o "own-$mpi" own.c 2>err || fail "$mpi: $(cat err)"
    run_mpi "$mpi" 1 "./own-$mpi" >alone 2>err || fail "$mpi: without the recorder: $(cat err)"
    run_mpi "$mpi" 1 "$record" -q --force -o own.otf2.zip "./own-$mpi" >out 2>err ||
        fail "$mpi: callbacks: $(head -5 err)"
    diff alone out || fail "$mpi: with the recorder"
    "$analyze" mistakes --width=200 own.otf2.zip >said || fail "$mpi: mistakes of callbacks"
    assert_matches "$(cat said)" "^MPI_Wait at own\\.c:$(line_of added) returned an error of class \
$(sed -n '1s/ .*//p' out) once, on rank 0 at"
    class='an error of class 999999'
    [ "$mpi" = openmpi ] || class='.*' # it makes a code of its own of it
    assert_matches "$(cat said)" "^MPI_Comm_dup at own\\.c:$(line_of copied) returned $class once"
done
