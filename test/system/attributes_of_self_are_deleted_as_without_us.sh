# MPI_Finalize deletes the attributes of MPI_COMM_SELF before all else, the last one that was set
# first, by functions of the program, which may call MPI: send, say, what another rank receives
# before it calls MPI_Finalize. The recorder, for which ranks wait for each other there, does so
# behind them: they are called as without it, in C and Fortran, each once, and where one fails,
# makes an error, sets another or calls MPI_Finalize itself, the same comes of it.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

cat >self.c <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, keyvals[6];
static const char *what;

static int is(const char *word)
{
    return strcmp(what, word) == 0;
}

static void say(const char *words, long value)
{
    char line[64];

    write(1, line, sprintf(line, "%d: %s %ld\n", rank, words, value));
}

static int delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    int result, got = 0;

    MPI_Comm_compare(comm, MPI_COMM_SELF, &result);
    say(result == MPI_IDENT ? "of MPI_COMM_SELF" : "of another", *(int *)value);
    if (*(int *)value == 2 && rank == 0 && (is("well") || is("sets"))) {
        MPI_Send(value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    }
    if (*(int *)value == 0 && is("well")) {
        MPI_Allreduce(value, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    return MPI_SUCCESS;
}

/* What the other cases do, in the function that is called first. */
static int behave(MPI_Comm comm, int keyval, void *value, void *extra)
{
    static int times, four = 4;

    say("behaves", ++times);
    if (is("sets") && times < 3) {
        MPI_Comm_set_attr(MPI_COMM_SELF, keyvals[4], &four);
    }
    if ((is("errs") && rank == 0) || is("returned")) {
        say("error", MPI_Send(NULL, 0, MPI_INT, 99, 0, MPI_COMM_SELF) != MPI_SUCCESS);
    }
    if (is("fails")) {
        free(value);
        return MPI_ERR_OTHER;
    }
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    static int values[] = {0, 1, 2, 3};
    int got;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    what = argv[1];
    for (int i = 0; i < 5; i++) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &keyvals[i], NULL);
    }
    for (int i = 0; i < 4; i++) {
        MPI_Comm_set_attr(MPI_COMM_SELF, keyvals[i], &values[i]);
    }
    MPI_Comm_delete_attr(MPI_COMM_SELF, keyvals[3]);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyvals[1], &values[1]); /* which deletes the old one */
    MPI_Comm_free_keyval(&keyvals[2]);
    if (is("returned")) {
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    }
    if (!is("well")) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, behave, &keyvals[5], NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, keyvals[5], malloc(8));
    }
    if (rank == 1 && (is("well") || is("sets"))) {
        MPI_Recv(&got, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    say("finalized", MPI_Finalize() == MPI_SUCCESS);
    return 0;
}
PROGRAM
cat >fortran.f90 <<'PROGRAM'
subroutine delete(comm, keyval, value, extra, ierror)
    use mpi
    integer comm, keyval, ierror, rank
    integer(MPI_ADDRESS_KIND) value, extra
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    if (rank == 0) call MPI_Send(rank, 1, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierror)
end subroutine

program fortran
    use mpi
    external delete
    integer ierror, rank, keyval
    integer(MPI_ADDRESS_KIND) :: zero = 0
    call MPI_Init(ierror)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, keyval, zero, ierror)
    call MPI_Comm_set_attr(MPI_COMM_SELF, keyval, zero, ierror)
    if (rank == 1) then
        call MPI_Recv(keyval, 1, MPI_INTEGER, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    end if
    call MPI_Finalize(ierror)
end program
PROGRAM

# of_rank RANK: what it said last, one after the other.
of_rank() { grep "^$1:" stdout | tr '\n' ';'; }

# like_native MPI PROGRAM WORD: how the run ends, and what ranks say, is what it is without us.
like_native() {
    local mpi=$1 program=$2 word=$3 status native
    status=$(status_of run_mpi "$mpi" 2 "./$program" "$word")
    native=$(of_rank 0; of_rank 1)
    assert_equal "$status" "$(status_of run_mpi "$mpi" 2 "$record" -q -o "$word.otf2.zip" \
        "./$program" "$word")" "$mpi, $program, $word: status: $(cat stderr)"
    assert_equal "$native" "$(of_rank 0; of_rank 1)" "$mpi, $program, $word: what ranks say"
    "$analyze" report "$word.otf2.zip" >report || wrong "$mpi, $program, $word: report: $?"
}

# ends_by_error MPI: an error in a function ends the run; what else is said, and with what status
# the launcher ends, is a matter of chance in both MPIs.
ends_by_error() {
    status=$(status_of run_mpi "$1" 2 "$record" -q -o errs.otf2.zip ./self errs)
    assert_lacks "$(cat stdout)" error
    assert_lacks "$(cat stdout)" "0: finalized"
    [ ! -e errs.otf2.zip ] || wrong "$1: a run that ends by an error has made its archive"
}

# deleted MPI: 3 by the program, 1 when it is set again, and the rest by MPI_Finalize, where that 1
# is the last one for one MPI and has its place between 0 and 2 for the other.
deleted() {
    local mpi=$1 word
    "$(mpicc_of "$mpi")" -o self self.c
    for word in well sets returned fails; do
        like_native "$mpi" self "$word"
        [ "$word" != well ] ||
            assert_equal "0 1 1 2 3" "$(sed -n 's/^0: of.* //p' stdout | sort | tr '\n' ' ' |
                sed 's/ $//')" "$mpi: each value"
    done
    ends_by_error "$mpi"
    if command -v "mpifort.$mpi" >/dev/null; then
        "mpifort.$mpi" -w -o fortran fortran.f90 || fail "$mpi: no program in Fortran"
        like_native "$mpi" fortran fortran
    fi
}
for mpi in $(mpis); do
    rm -f *.otf2.zip
    deleted "$mpi"
done
finish
