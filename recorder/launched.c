/*
 * mpirun within a job of Slurm starts processes that have Slurm's variables as well, those of the
 * step that mpirun is in: so its own come first.
 */
#include "recorder/launched.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *first_of(const char *const *variables)
{
    const char *value = NULL;

    while (!value && *variables) {
        value = getenv(*variables++);
    }
    return value;
}

bool mwr_launched_first(void)
{
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                        "SLURM_PROCID", NULL};
    const char *rank = first_of(ranks);

    return !rank || strcmp(rank, "0") == 0;
}

static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS",
                                    NULL};

const char *mwr_launched_by(void)
{
    static const char *const launchers[] = {"mpirun of Open MPI", "mpirun of MPICH", "srun", ""};
    size_t which = 0;

    while (sizes[which] && !getenv(sizes[which])) {
        which++;
    }
    /* PMI's are srun's, too. */
    return which == 1 && getenv("SLURM_STEP_NUM_TASKS") ? "srun" : launchers[which];
}

uint32_t mwr_launched_size(void)
{
    const char *size = first_of(sizes);
    long number = size ? strtol(size, NULL, 10) : 1;

    return number > 1 && number <= INT32_MAX ? (uint32_t)number : 1;
}

void mwr_launched_becomes(const char *library)
{
    char value[128];

    snprintf(value, sizeof value, "%ld:%s", (long)getpid(), library);
    setenv(MWR_LAUNCHED_VARIABLE, value, 1);
}

bool mwr_launched_as(char *library, size_t size)
{
    const char *value = getenv(MWR_LAUNCHED_VARIABLE);
    char *end;

    if (!value || strtol(value, &end, 10) != (long)getpid() || *end != ':') {
        return false;
    }
    if (library) {
        snprintf(library, size, "%s", end + 1);
    }
    return true;
}
