/*
 * Some variables crash their MPI when they are read. So child processes read them
 * first, and what they came to see is what is told: to read again here may meet
 * memory of a component that is no longer mapped.
 */
#include "recorder/variables/cvars.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "recorder/dispatch/chain.h"
#include "recorder/recorder.h"
#include "recorder/variables/categories.h"
#include "recorder/variables/probe.h"
#include "recorder/variables/pvars.h"
#include "recorder/variables/trial.h"

#define VALUE_BYTES 4096u

struct cvar {
    char name[256];
    int verbosity;
    int bind;
    int scope;
    MPI_Datatype datatype;
};

static bool get_info(int index, struct cvar *cvar)
{
    int length = sizeof cvar->name;
    int none = 0;
    int result;

    memset(cvar, 0, sizeof *cvar);
    result = MWR_PMPI(T_cvar_get_info)(index, cvar->name, &length, &cvar->verbosity,
                                       &cvar->datatype, NULL, NULL, &none, &cvar->bind,
                                       &cvar->scope);
    cvar->name[sizeof cvar->name - 1] = '\0';
    return result == MPI_SUCCESS && cvar->name[0];
}

/* --- values ---------------------------------------------------------------------- */

struct number_type {
    MPI_Datatype datatype;
    const char *name;
    size_t bytes;
    char kind; /* 'd' signed, 'u' unsigned, 'f' floating */
};

static const struct number_type *number_type(MPI_Datatype datatype)
{
    static const struct number_type types[] = {
        {MPI_INT, "int", sizeof(int), 'd'},
        {MPI_UNSIGNED, "unsigned", sizeof(unsigned), 'u'},
        {MPI_UNSIGNED_LONG, "unsigned long", sizeof(unsigned long), 'u'},
        {MPI_UNSIGNED_LONG_LONG, "unsigned long long", sizeof(unsigned long long), 'u'},
        {MPI_COUNT, "MPI_Count", sizeof(MPI_Count), 'd'},
        {MPI_C_BOOL, "bool", sizeof(bool), 'u'}, /* Open MPI's; no type of MPI_T */
        {MPI_DOUBLE, "double", sizeof(double), 'f'},
    };

    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i].datatype == datatype) {
            return &types[i];
        }
    }
    return NULL;
}

static void print_number(const struct number_type *type, const char *raw, char *text, size_t size)
{
    uint64_t bits = 0; /* of a machine that stores the low byte first */
    double real;

    memcpy(&bits, raw, type->bytes);
    if (type->kind == 'f') {
        memcpy(&real, raw, sizeof real);
        snprintf(text, size, "%.17g", real);
    } else if (type->kind == 'd') {
        int64_t number = type->bytes == sizeof(int) ? (int64_t)(int32_t)bits : (int64_t)bits;

        snprintf(text, size, "%" PRId64, number);
    } else {
        snprintf(text, size, "%" PRIu64, bits);
    }
}

/* Prints count elements, with blanks between. */
static void print_value(const struct number_type *type, const char *raw, int count, char *text,
                        size_t size)
{
    size_t used = 0;

    if (!type) {
        snprintf(text, size, "%.*s", count, raw);
        return;
    }
    text[0] = '\0';
    for (int i = 0; i < count && used + 64 < size; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s", i > 0 ? " " : "");
        print_number(type, raw + (size_t)i * type->bytes, text + used, size - used);
        used += strlen(text + used);
    }
}

/* Reads the variable at index as text; false when it can't be. */
static bool read_value(int index, const struct number_type *type, char *text, size_t size)
{
    MPI_T_cvar_handle handle;
    size_t bytes = type ? type->bytes : 1;
    bool is_read = false;
    int count = 0;
    char *raw;

    if (MWR_PMPI(T_cvar_handle_alloc)(index, NULL, &handle, &count) != MPI_SUCCESS) {
        return false;
    }
    raw = count > 0 && count <= 65536 ? calloc((size_t)count + 1, bytes) : NULL;
    if (raw && MWR_PMPI(T_cvar_read)(handle, raw) == MPI_SUCCESS) {
        print_value(type, raw, count, text, size);
        is_read = true;
    }
    free(raw);
    MWR_PMPI(T_cvar_handle_free)(&handle);
    return is_read;
}

/* --- who set it ---------------------------------------------------------------------- */

static bool is_in_environment(const char *prefix, const char *name)
{
    char variable[320];

    snprintf(variable, sizeof variable, "%s%s", prefix, name);
    return getenv(variable) != NULL;
}

/* mpirun hands its --mca options on in the environment, too. */
static bool is_set_by_user(const char *name)
{
    static const char mpich[] = "MPIR_CVAR_";

    if (strncmp(name, mpich, strlen(mpich)) == 0) {
        return is_in_environment("", name) ||
               is_in_environment("MPICH_", name + strlen(mpich)) ||
               is_in_environment("MPIR_PARAM_", name + strlen(mpich));
    }
    return is_in_environment("OMPI_MCA_", name);
}

static void define(const struct cvar *cvar, const char *value)
{
    const struct number_type *type = number_type(cvar->datatype);

    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_CVAR,
        .of.cvar = {.name = cvar->name,
                    .value = value,
                    .type = type ? type->name : "char",
                    .scope = mwr_scope_word(cvar->scope),
                    .verbosity = mwr_verbosity_of(cvar->verbosity),
                    .set_by_user = is_set_by_user(cvar->name)},
    });
}

static bool is_in_category(const struct mwr_candidate *candidate, const char *pattern)
{
    return mwr_category_has(MWR_CONTROL_VARIABLE, candidate->index, pattern);
}

/* Fills indices with those that are selected and no danger. \return how many. */
static uint32_t select_all(const struct mwr_selection *selection, int count, int *indices)
{
    struct cvar cvar;
    uint32_t selected = 0;

    for (int i = 0; i < count; i++) {
        if (!get_info(i, &cvar) || mwr_cvar_danger(cvar.name)) {
            continue;
        }
        struct mwr_candidate candidate = {.name = cvar.name,
                                          .class = MW_CLASS_COUNT,
                                          .verbosity = mwr_verbosity_of(cvar.verbosity),
                                          .bind = mwr_bind_word(cvar.bind),
                                          .is_in_category = is_in_category,
                                          .index = i,
                                          .scope = mwr_scope_word(cvar.scope)};

        if (mwr_selection_takes(selection, &candidate)) {
            indices[selected++] = i;
        }
    }
    return selected;
}

/*
 * What a child process reads is the value that is told: what belonged to a component that
 * was unloaded may be mapped in the child by chance, and no longer in the parent.
 */
struct reading {
    bool is_read;
    char value[VALUE_BYTES];
};

/* For what runs in child processes; set just before these are started. */
static struct {
    const int *indices;
    struct reading *readings; /* shared with child processes */
} read_apart;

static void read_one(int at)
{
    struct reading *reading = &read_apart.readings[at];
    struct cvar cvar;

    if (get_info(read_apart.indices[at], &cvar) && cvar.bind == MPI_T_BIND_NO_OBJECT &&
        (number_type(cvar.datatype) || cvar.datatype == MPI_CHAR)) {
        reading->is_read = read_value(read_apart.indices[at], number_type(cvar.datatype),
                                      reading->value, sizeof reading->value);
    }
}

/* Sets signals as mwr_probe does. */
static void read_all(uint32_t count, int *signals)
{
    if (!mwr_trial_is_wanted(true)) {
        for (uint32_t i = 0; i < count; i++) {
            read_one((int)i);
        }
    } else if (!mwr_probe((int)count, read_one, MWR_TRIAL_SECONDS, signals) &&
               mwr_recorder.rank == 0 && !mwr_recorder.settings.quiet) {
        mwr_say("control variables are left out: no child process could read them all");
    }
}

static void define_those_that_were_read(uint32_t count, const int *signals)
{
    struct cvar cvar;

    for (uint32_t i = 0; i < count; i++) {
        if (!get_info(read_apart.indices[i], &cvar)) {
            continue;
        }
        if (signals[i] == 0 && read_apart.readings[i].is_read) {
            define(&cvar, read_apart.readings[i].value);
        } else if (signals[i] != 0 && mwr_recorder.rank == 0 && !mwr_recorder.settings.quiet) {
            mwr_say("control variable %s is left out: a child process that read it died",
                    cvar.name);
        }
    }
}

static void read_and_define(const int *indices, uint32_t count)
{
    size_t bytes = count * sizeof *read_apart.readings;
    int *signals = calloc(count, sizeof *signals);
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (signals && shared != MAP_FAILED) {
        read_apart.indices = indices;
        read_apart.readings = shared;
        read_all(count, signals);
        define_those_that_were_read(count, signals);
    }
    if (shared != MAP_FAILED) {
        munmap(shared, bytes);
    }
    free(signals);
}

unsigned mwr_cvars_define(const struct mwr_selection *selection)
{
    int count = 0;
    uint32_t selected;
    int *indices;

    if (MWR_PMPI(T_cvar_get_num)(&count) != MPI_SUCCESS || count <= 0) {
        return 0;
    }
    indices = selection->count > 0 ? malloc((size_t)count * sizeof *indices) : NULL;
    selected = indices ? select_all(selection, count, indices) : 0;
    if (selected > 0) {
        read_and_define(indices, selected);
    }
    free(indices);
    return (unsigned)count;
}
