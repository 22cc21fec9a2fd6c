/*
 * mpirun within a job of Slurm starts processes that have Slurm's variables as well, those of the
 * step that mpirun is in: so its own come first.
 */
#include "formats/base/launched_job.h"

#include <stdlib.h>
#include <string.h>

static const char *first_of(const char *const *variables)
{
    const char *value = NULL;

    while (!value && *variables) {
        value = getenv(*variables++);
    }
    return value;
}

bool mw_launched_first(void)
{
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                        "SLURM_PROCID", NULL};
    const char *rank = first_of(ranks);

    return !rank || strcmp(rank, "0") == 0;
}

static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS",
                                    NULL};

const char *mw_launched_by(void)
{
    static const char *const launchers[] = {"mpirun of Open MPI", "mpirun of MPICH", "srun", ""};
    size_t which = 0;

    while (sizes[which] && !getenv(sizes[which])) {
        which++;
    }
    /* PMI's are srun's, too. */
    return which == 1 && getenv("SLURM_STEP_NUM_TASKS") ? "srun" : launchers[which];
}

/* The number that one of the variables begins with; 1: there is none. */
static uint32_t number_of(const char *const *variables)
{
    const char *text = first_of(variables);
    long number = text ? strtol(text, NULL, 10) : 1;

    return number > 1 && number <= INT32_MAX ? (uint32_t)number : 1;
}

uint32_t mw_launched_size(void)
{
    return number_of(sizes);
}

uint32_t mw_launched_here(void)
{
    static const char *const here[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS",
                                       "SLURM_STEP_TASKS_PER_NODE", NULL};

    return number_of(here);
}

bool mw_launched_for_mpi(void)
{
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", NULL};

    return first_of(ranks) && mw_launched_size() > 1;
}

const char *mw_launched_mpi(void)
{
    if (getenv("OMPI_COMM_WORLD_RANK")) {
        return "openmpi";
    }
    return getenv("MPI_LOCALRANKID") || (getenv("PMI_RANK") && !getenv("SLURM_STEP_ID")) ? "mpich"
                                                                                        : NULL;
}

const char *mw_launched_mpi_at_all(void)
{
    const char *mpi = mw_launched_mpi();

    if (!mpi && getenv("PMIX_RANK")) {
        return "openmpi";
    }
    return mpi || !getenv("PMI_RANK") ? mpi : "mpich";
}
