/*
 * In a process of its own, so that an MPI that stands still, or ends the process, takes neither
 * screen nor keys with it; the launcher takes it for the process that it started.
 */
#include "config.h"

#include "recorder/carry/carry.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "recorder/carry/carry_ways.h"
#include "recorder/dispatch/chain.h"

#define LENT __attribute__((visibility("default")))

double mwr_carry_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* --- together ------------------------------------------------------------------------------ */

/* The first process ends when its mpiwatch-top has seen enough, the others with it. */
bool mwr_carry_together(struct mwr_packets *packets, MPI_Comm comm)
{
    struct mwr_company company = {.packets = packets};
    char message[MW_LIVE_BYTES_MAX];
    bool all_have_ended = false;

    if (mwr_company_init(&company, comm)) {
        bool is_there = true;

        while (company.rank == 0 ? is_there : !company.first_has_ended) {
            uint32_t to = 0;
            size_t bytes = 0;

            if (is_there) {
                is_there = mwr_packets_take(packets, MWR_CARRY_LOOK, &to, message, &bytes);
            } else {
                usleep(1000 * MWR_CARRY_LOOK);
            }
            mwr_company_look(&company, to == MW_CARRY_WATCHERS ? 0 : to, message, bytes);
        }
        all_have_ended = mwr_company_end(&company);
    }
    mwr_company_fini(&company);
    return all_have_ended;
}

/* --- all ways -------------------------------------------------------------------------------- */

static enum mw_status start(bool needs_threads, MPI_Comm *comm, struct mw_diagnostic *diagnostic)
{
    const int wanted = needs_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
    int level = MPI_THREAD_SINGLE;

    mwr_chain_prepare(MW_CALL_MPI_Comm_rank);
    if (MWR_PMPI(Init_thread)(NULL, NULL, wanted, &level) != MPI_SUCCESS ||
        MWR_PMPI(Comm_dup)(MPI_COMM_WORLD, comm) != MPI_SUCCESS) {
        return mw_fail(diagnostic, MW_ERROR_MPI, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "MPI can't be started");
    }
    MWR_PMPI(Comm_set_errhandler)(*comm, MPI_ERRORS_RETURN);
    MWR_PMPI(Comm_set_errhandler)(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MWR_PMPI(Comm_set_errhandler)(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    return level >= wanted ? MW_OK
                           : mw_fail(diagnostic, MW_ERROR_MPI, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                                     "this MPI was built without threads (MPI_THREAD_MULTIPLE), "
                                     "which meeting at ports needs");
}

/* MPICH ends a process that asks for what its device has not. */
static enum mw_status look_for_ports(struct mw_diagnostic *diagnostic)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;

    MWR_PMPI(Get_library_version)(version, &length);
    return strstr(version, "MPICH") && strstr(version, "ch4:ucx")
               ? mw_fail(diagnostic, MW_ERROR_MPI, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "this MPICH has no ports: it is built with the device ch4:ucx")
               : MW_OK;
}

void mwr_carry_hello(struct mwr_packets *packets, MPI_Comm comm)
{
    char text[16];
    int rank = 0;
    int size = 0;

    MWR_PMPI(Comm_rank)(comm, &rank);
    MWR_PMPI(Comm_size)(comm, &size);
    snprintf(text, sizeof text, "%d", rank);
    mwr_packets_put(packets, MW_CARRY_HELLO, (uint32_t)size, text, strlen(text));
}

static enum mw_status carry(const struct mwr_carry_job *job, struct mwr_packets *packets,
                            MPI_Comm comm, bool *may_finalize, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    if (job->way == MWR_CARRY_TOGETHER) {
        mwr_carry_hello(packets, comm);
        *may_finalize = mwr_carry_together(packets, comm);
        return MW_OK;
    }
    status = look_for_ports(diagnostic);
    if (status != MW_OK) {
        return status;
    }
    return job->way == MWR_CARRY_CONNECT
               ? mwr_carry_connect(packets, job->place, may_finalize, diagnostic)
               : mwr_carry_serve(packets, comm, job->place, may_finalize, diagnostic);
}

LENT enum mw_status mpiwatch_carry(const struct mwr_carry_job *job, const char *version,
                                   struct mw_diagnostic *diagnostic)
{
    static struct mwr_packets packets; /* threads that still wait in MPI may look at it */
    bool may_finalize = true;
    MPI_Comm comm;
    enum mw_status status;

    if (strcmp(version, PACKAGE_STRING) != 0) {
        return mw_fail(diagnostic, MW_ERROR_VERSION, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "the library is of %s, the program of %s", PACKAGE_STRING, version);
    }
    status = start(job->way != MWR_CARRY_TOGETHER, &comm, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    mwr_packets_init(&packets, job->socket);
    status = carry(job, &packets, comm, &may_finalize, diagnostic);
    mwr_packets_fini(&packets);
    if (!may_finalize) {
        MWR_PMPI(Abort)(MPI_COMM_WORLD, 0);
    }
    alarm(2 * MWR_CARRY_PATIENCE); /* who is connected, and has died, is waited for in there */
    MWR_PMPI(Finalize)();
    return status;
}
