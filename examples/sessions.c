/*
 * Communicators without a parent (MPI 4): made from groups of a session, in a program that
 * also calls MPI_Init (init = 1). With the argument "only" it does not (init = 0), and with
 * "alone" it makes no communicator of all processes either: then nothing can be recorded.
 *
 * Expected in the archive of n ranks:
 *     MPI_Init                     n * init
 *     MPI_Finalize                 n * init
 *     MPI_Session_init             n
 *     MPI_Comm_create_from_group   2 * n
 *     MPI_Sendrecv                 2 * n
 *     MPI_Comm_free                2 * n
 *     MPI_Session_finalize         n
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

/* A communicator of this process alone. */
static void be_alone(MPI_Session session)
{
    MPI_Group group;
    MPI_Comm comm;

    MPI_Group_from_session_pset(session, "mpi://SELF", &group);
    MPI_Comm_create_from_group(group, "alone", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
}

static void be_together(MPI_Session session)
{
    MPI_Group group;
    MPI_Comm comm, other;

    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "examples/sessions", MPI_INFO_NULL, MPI_ERRORS_RETURN,
                               &comm);
    MPI_Comm_create_from_group(group, "another", MPI_INFO_NULL, MPI_ERRORS_RETURN, &other);
    ring(comm);
    ring(other);
    MPI_Comm_free(&comm);
    MPI_Comm_free(&other);
    MPI_Group_free(&group);
}

int main(int argc, char **argv)
{
    int is_without_init = argc > 1;
    MPI_Session session;

    if (!is_without_init) {
        MPI_Init(&argc, &argv);
    }
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
    if (argc > 1 && strcmp(argv[1], "alone") == 0) {
        be_alone(session);
    } else {
        be_together(session);
    }
    MPI_Session_finalize(&session);
    puts("done");
    if (!is_without_init) {
        MPI_Finalize();
    }
    return 0;
}
