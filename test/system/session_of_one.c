/*
 * A single process that uses MPI sessions and never calls MPI_Init: a communicator of the process
 * set that is named, messages to itself on it, and MPI_Isendrecv with nobody on one side.
 *
 *     session_of_one SET [quiet]    quiet: no message at all
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void talk(MPI_Comm comm)
{
    MPI_Request requests[2];
    int out = 5, in = 0;

    MPI_Irecv(&in, 1, MPI_INT, 0, 2, comm, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, 0, 2, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Isendrecv(&out, 1, MPI_INT, 0, 3, &in, 1, MPI_INT, MPI_PROC_NULL, 3, comm, &requests[0]);
    MPI_Isendrecv(&out, 1, MPI_INT, MPI_PROC_NULL, 3, &in, 1, MPI_INT, 0, 3, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;

    if (argc < 2) {
        return 2;
    }
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, argv[1], &group);
    MPI_Comm_create_from_group(group, "of one", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    if (argc == 2) {
        talk(comm);
    }
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
    puts("done");
    return 0;
}
