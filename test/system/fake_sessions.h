#ifndef TEST_SYSTEM_FAKE_SESSIONS_H
#define TEST_SYSTEM_FAKE_SESSIONS_H

#include <mpi.h>
#include <stddef.h>

/*
 * Sessions of a fake MPI_T, which have nothing of their own: for the libraries of variables that
 * tests preload.
 */
int PMPI_T_pvar_session_create(MPI_T_pvar_session *session)
{
    static int place;

    *session = (MPI_T_pvar_session)&place;
    return MPI_SUCCESS;
}

int PMPI_T_pvar_session_free(MPI_T_pvar_session *session)
{
    *session = MPI_T_PVAR_SESSION_NULL;
    return MPI_SUCCESS;
}

#endif
