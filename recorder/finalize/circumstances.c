/*
 * An archive that is read a year later, or by somebody else, has to say on what it was recorded:
 * most of that is gone with the job.
 */
#include "recorder/finalize/circumstances.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "recorder/finalize/names.h"
#include "recorder/recorder.h"
#include "recorder/state/checkout.h"
#include "recorder/state/cores.h"
#include "recorder/state/kernel_counts.h"

#define VALUE_BYTES 1024

static void define(enum mw_circumstance_of of, uint32_t thread, const char *name,
                   const char *value)
{
    if (*value) {
        mwr_recorder_define(&(struct mw_definition){
            .kind = MW_DEFINE_CIRCUMSTANCE,
            .of.circumstance = {.of = of, .thread = thread, .name = name, .value = value},
        });
    }
}

void mwr_circumstances_define_thread(uint32_t thread)
{
    char cores[VALUE_BYTES];

    mwr_cores_allowed(cores, sizeof cores);
    define(MW_CIRCUMSTANCE_OF_THREAD, thread, "affinity", cores);
}

static void define_number(const char *name, uint64_t number)
{
    char text[32];

    snprintf(text, sizeof text, "%" PRIu64, number);
    define(MW_CIRCUMSTANCE_OF_PROCESS, 0, name, number > 0 ? text : "");
}

static void define_cores(void)
{
    char groups[4096];
    char text[VALUE_BYTES];
    long cores = sysconf(_SC_NPROCESSORS_ONLN);

    define_number("cores", cores > 0 ? (uint64_t)cores : 0);
    mwr_cores_model(text, sizeof text);
    define(MW_CIRCUMSTANCE_OF_PROCESS, 0, "cpu_model", text);
    mwr_cores_read("/proc/self/cgroup", groups, sizeof groups);
    define_number("cgroup_millicores",
                  mwr_cores_limit("/sys/fs/cgroup", groups, text, sizeof text));
    define(MW_CIRCUMSTANCE_OF_PROCESS, 0, "cgroup", text);
}

/* Only where it is not what most machines have: page faults are told by it. */
static void define_pages(void)
{
    const uint64_t bytes = mwr_kernel_page_bytes();

    define_number("page_bytes", bytes != 4096 ? bytes : 0);
}

/* --- the environment ------------------------------------------------------------------ */

static bool begins_with_one(const char *name, const char *const *words)
{
    while (*words && strncmp(name, *words, strlen(*words)) != 0) {
        words++;
    }
    return *words != NULL;
}

/* Whether the name of a variable is that of something to be kept secret, or of an address. */
static bool looks_secret(const char *name, size_t length)
{
    static const char *const words[] = {"KEY",  "TOKEN", "COOKIE", "PASS", "SECRET", "CRED",
                                        "AUTH", "JWT",   "MUNGE",  "URI",  "URL",
                                        "PRECONDITION_TRANSPORTS" /* a key of Open MPI's */};

    for (size_t at = 0; at < length; at++) {
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            if (length - at >= strlen(words[i]) &&
                strncasecmp(name + at, words[i], strlen(words[i])) == 0) {
                return true;
            }
        }
    }
    return false;
}

static void define_variable(const char *variable)
{
    static const char *const job[] = {"SLURM_", "PBS_", "LSB_", NULL};
    static const char *const mpi[] = {"OMPI_", "PRTE_", "MPIR_", "I_MPI_", "UCX_", NULL};
    const char *equals = strchr(variable, '=');
    char name[128];
    char value[VALUE_BYTES];
    bool is_job = begins_with_one(variable, job);

    if (!equals || (size_t)(equals - variable) >= sizeof name ||
        (!is_job && !begins_with_one(variable, mpi)) ||
        looks_secret(variable, (size_t)(equals - variable))) {
        return;
    }
    snprintf(name, sizeof name, "%.*s", (int)(equals - variable), variable);
    snprintf(value, sizeof value, "%s", equals + 1);
    define(is_job ? MW_CIRCUMSTANCE_OF_JOB : MW_CIRCUMSTANCE_OF_MPI, 0, name, value);
}

void mwr_circumstances_define(void)
{
    char program[MWR_PATH_BYTES];
    char commit[80];

    define_cores();
    define_pages();
    if (mwr_recorder.rank != 0) {
        return;
    }
    for (char *const *variable = environ; *variable; variable++) {
        define_variable(*variable);
    }
    mwr_name_program(program, sizeof program);
    mwr_checkout_commit(program, commit, sizeof commit);
    define(MW_CIRCUMSTANCE_OF_RUN, 0, "git_commit", commit);
}
