# MPI_Finalize deletes the attributes of MPI_COMM_SELF before all else, the last one that was set
# first, by functions of the program, which may call MPI: send, say, what another rank receives
# before it calls MPI_Finalize. The recorder, for which ranks wait for each other there, does it
# before that: with the same order, each once, and what fails there ends no run.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >self.c <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>

static int rank, fails, keyvals[5];

static int delete(MPI_Comm comm, int keyval, void *value, void *extra)
{
    int result, got = 0;

    MPI_Comm_compare(comm, MPI_COMM_SELF, &result);
    if (rank == 0) {
        printf("%d of %s\n", *(int *)value, result == MPI_IDENT ? "MPI_COMM_SELF" : "another");
        fflush(stdout);
    }
    if (*(int *)value == 2 && rank == 0 && !fails) {
        MPI_Send(value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    }
    if (*(int *)value == 0 && !fails) {
        MPI_Allreduce(value, &got, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    return *(int *)value == 4 ? MPI_ERR_OTHER : MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    static int values[] = {0, 1, 2, 3, 4};
    int got;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fails = argc > 1;
    for (int i = 0; i < 4 + fails; i++) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete, &keyvals[i], NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, keyvals[i], &values[i]);
    }
    MPI_Comm_delete_attr(MPI_COMM_SELF, keyvals[3]);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyvals[1], &values[1]); /* which deletes the old one */
    MPI_Comm_free_keyval(&keyvals[2]);
    if (rank == 1 && !fails) {
        MPI_Recv(&got, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
PROGRAM

# deleted MPI: 3 by the program, 1 when it is set again, and the rest by MPI_Finalize, where that 1
# is the last one for one MPI and has its place between 0 and 2 for the other.
deleted() {
    local mpi=$1
    "$(mpicc_of "$mpi")" -o self self.c
    run_mpi "$mpi" 2 ./self >native 2>err || fail "$mpi, not recorded: $(cat err)"
    run_mpi "$mpi" 2 "$record" -q -o self.otf2.zip ./self >recorded 2>err ||
        fail "$mpi: status $?: $(cat err)"
    assert_equal "0 1 1 2 3" "$(sed 's/ .*//' recorded | sort | tr '\n' ' ' | sed 's/ $//')" "$mpi"
    assert_equal "$(cat native)" "$(cat recorded)" "$mpi: what is deleted, as without mpiwatch"
    "$analyze" report self.otf2.zip >report || fail "$mpi: report: $?"
    # A function that fails is for MPI to deal with, which may call it again.
    status=$(status_of run_mpi "$mpi" 2 ./self fails)
    was=$(cat stdout)
    assert_equal "$status" "$(status_of run_mpi "$mpi" 2 "$record" -q -o f.otf2.zip ./self fails)" \
        "$mpi: status where one fails: $(cat stderr)"
    assert_equal "$(echo "$was" | sort -u)" "$(sort -u stdout)" "$mpi: what is deleted then"
}
for mpi in $(mpis); do
    rm -f *.otf2.zip
    deleted "$mpi"
done
