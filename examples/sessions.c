/*
 * Communicators without a parent (MPI 4): made from groups of a session, in a program that
 * also calls MPI_Init. With the argument "only", it does not: such a program runs as ever
 * and is not recorded.
 *
 * Expected in the archive of n ranks:
 *     MPI_Comm_create_from_group   2 * n
 *     MPI_Sendrecv                 2 * n
 *     MPI_Comm_free                2 * n
 *     messages                     2 * n
 *     bytes                        2 * n * 4
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void ring(MPI_Comm comm)
{
    int rank, size, in, out = 1;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Sendrecv(&out, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT,
                 (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int is_without_init = argc > 1 && strcmp(argv[1], "only") == 0;
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm, other;

    if (!is_without_init) {
        MPI_Init(&argc, &argv);
    }
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "examples/sessions", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                               &comm);
    MPI_Comm_create_from_group(group, "another", MPI_INFO_NULL, MPI_ERRORS_RETURN, &other);
    ring(comm);
    ring(other);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&other);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
    puts("done");
    if (!is_without_init) {
        MPI_Finalize();
    }
    return 0;
}
