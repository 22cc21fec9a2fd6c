/*
 * mpirun within a job of Slurm starts processes that have Slurm's variables as well, those of the
 * step that mpirun is in: so its own come first.
 */
#include "recorder/launched.h"

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

bool mwr_launched_first(void)
{
    static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                        "SLURM_PROCID", NULL};
    const char *rank = first_of(ranks);

    return !rank || strcmp(rank, "0") == 0;
}

uint32_t mwr_launched_size(void)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                        "SLURM_STEP_NUM_TASKS", NULL};
    const char *size = first_of(sizes);
    long number = size ? strtol(size, NULL, 10) : 1;

    return number > 1 && number <= INT32_MAX ? (uint32_t)number : 1;
}
