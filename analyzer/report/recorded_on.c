#include "analyzer/report/recorded_on.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/summary.h"

#define BINDINGS_MAX 8u
#define TEXT_BYTES   512

/* What Open MPI's and MPICH's launchers tell each process, and no user sets. */
static const char *const launchers[] = {
    "OMPI_APP_CTX_",  "OMPI_ARGV",           "OMPI_COMMAND",   "OMPI_COMM_WORLD_",
    "OMPI_FILE_LOC",  "OMPI_FIRST_RANKS",    "OMPI_MCA_ess",   "OMPI_MCA_initial_wdir",
    "OMPI_MCA_orte_", "OMPI_MCA_mpi_overs",  "OMPI_MCA_pmix",  "OMPI_MCA_shmem_RUNTIME",
    "OMPI_NUM_APP_",  "OMPI_UNIVERSE_SIZE",  "PRTE_LAUNCHED",
};

static bool is_of_launcher(const char *name)
{
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++) {
        if (strncmp(name, launchers[i], strlen(launchers[i])) == 0) {
            return true;
        }
    }
    return false;
}

static void put_bindings(const struct mwa_trace *trace, mwa_recorded_on_put put, FILE *out)
{
    char text[TEXT_BYTES];
    uint64_t others = 0;
    uint32_t shown = 0;

    for (uint32_t first = 0, last; first < trace->rank_count; first = last + 1) {
        const struct mwa_rank *rank = &trace->ranks[first];
        char ranks[48];

        last = mwa_last_bound_alike(trace, first);
        if (!rank->affinity) {
            continue;
        }
        if (shown == BINDINGS_MAX) {
            others += last - first + 1;
            continue;
        }
        if (first == last) {
            snprintf(ranks, sizeof ranks, "rank %" PRIu32, first);
        } else {
            snprintf(ranks, sizeof ranks, "ranks %" PRIu32 " to %" PRIu32, first, last);
        }
        snprintf(text, sizeof text, "%s: cores %.200s of %.200s", ranks, rank->affinity,
                 rank->host);
        put(shown++ == 0 ? "may run on" : "", text, out);
    }
    if (others > 0) {
        snprintf(text, sizeof text, "%" PRIu64 " more ranks: info --json", others);
        put("", text, out);
    }
}

static void put_if_known(const char *name, const char *value, mwa_recorded_on_put put, FILE *out)
{
    if (value) {
        put(name, value, out);
    }
}

void mwa_recorded_on(const struct mwa_trace *trace, mwa_recorded_on_put put, FILE *out)
{
    static const char *const told[] = { "cpu_model", "cores", "cgroup", "cgroup_millicores",
                                        "git_commit" };
    const char *allowed = mwa_circumstance(trace, "cgroup_millicores");
    uint64_t of_launcher = 0;
    char text[TEXT_BYTES];

    put_if_known("CPU", mwa_circumstance(trace, "cpu_model"), put, out);
    put_if_known("cores of a host", mwa_circumstance(trace, "cores"), put, out);
    if (allowed) {
        snprintf(text, sizeof text, "%.3g of the control group %.200s",
                 strtod(allowed, NULL) / 1000,
                 mwa_circumstance(trace, "cgroup") ? mwa_circumstance(trace, "cgroup") : "");
        put("cores allowed", text, out);
    }
    put_bindings(trace, put, out);
    put_if_known("commit of program", mwa_circumstance(trace, "git_commit"), put, out);
    for (uint64_t i = 0; i + 1 < trace->circumstance_count; i += 2) {
        const char *name = trace->circumstances[i];
        bool is_told = false;

        for (size_t k = 0; k < sizeof told / sizeof told[0]; k++) {
            is_told |= strcmp(name, told[k]) == 0;
        }
        if (is_of_launcher(name)) {
            of_launcher++;
        } else if (!is_told) {
            snprintf(text, sizeof text, "%.100s=%.400s", name, trace->circumstances[i + 1]);
            put("environment", text, out);
        }
    }
    if (of_launcher > 0) {
        snprintf(text, sizeof text, "%" PRIu64 " more, from the launcher: info --json",
                 of_launcher);
        put("environment", text, out);
    }
}
