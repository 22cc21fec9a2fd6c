/*
 * An MPI ignores hints that it does not know, without a word: so what it has of them is asked
 * afterwards. (Open MPI has them all. Hints that are too long would end the program, since an
 * info object has no error handler of its own: --io-hints has none.)
 */
#include "recorder/finalize/output_hints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/dispatch/chain.h"
#include "recorder/io_hints.h"
#include "recorder/recorder.h"
#include "recorder/state/own_mpi.h"

#define AGGREGATORS "cb_nodes"
#define COLLECTING  "cb_buffer_size"
/* A collective call writes no more (transport_mpi.c); ROMIO would take 16 MiB to open a file. */
#define COLLECTED_BYTES 1048576ull

/* What collects what all write takes that much memory, unless the user has said otherwise. */
static void set_collecting(MPI_Info info)
{
    char value[24];

    snprintf(value, sizeof value, "%llu", COLLECTED_BYTES);
    MWR_PMPI(Info_set)(info, COLLECTING, value);
}

uint64_t mwr_output_hints_memory(void)
{
    const char *list = mwr_recorder.settings.io_hints;
    struct mwr_io_hint hint;
    uint64_t bytes = COLLECTED_BYTES;

    while (mwr_io_hint_next(&list, &hint)) {
        if (strcmp(hint.key, COLLECTING) == 0) {
            bytes = strtoull(hint.value, NULL, 10);
        }
    }
    return bytes;
}

/*
 * Open MPI before 5.0.6 writes wrong bytes without an error when more than one process aggregates
 * collective writes (ompi PR 12756): there one aggregator, whatever the user says.
 */
static bool is_kept_from(const struct mwr_io_hint *hint)
{
    return mwr_mpi_is_openmpi() && strcmp(hint->key, AGGREGATORS) == 0;
}

#define PRINTING "ROMIO_PRINT_HINTS="

/* What stands in the environment in the place of what has ROMIO print (null: nothing does): changed
 * by who opens the archive, in MPI_Finalize. */
static char nothing[] = "MPIWATCH_" PRINTING;
static char *printing;

/* Not by unsetenv, which moves what other threads may be looking at. */
static void put_in_place(const char *begin, char *variable)
{
    for (char **at = environ; at && *at; at++) {
        if (strncmp(*at, begin, strlen(begin)) == 0) {
            printing = *at;
            __atomic_store_n(at, variable, __ATOMIC_RELEASE);
            return;
        }
    }
}

void mwr_output_hints_be_silent(void)
{
    if (!mwr_recorder.settings.verbose) {
        put_in_place(PRINTING, nothing);
    }
}

void mwr_output_hints_be_told(void)
{
    if (printing) {
        put_in_place(nothing, printing);
        printing = NULL;
    }
}

MPI_Info mwr_output_hints(void)
{
    const char *list = mwr_recorder.settings.io_hints;
    struct mwr_io_hint hint;
    MPI_Info info = MPI_INFO_NULL;

    if (MWR_PMPI(Info_create)(&info) != MPI_SUCCESS) {
        return MPI_INFO_NULL;
    }
    MWR_PMPI(Info_set)(info, AGGREGATORS, "1");
    if (!mwr_mpi_is_openmpi()) { /* whose OMPIO allocates when it writes, and can fail */
        set_collecting(info);
    }
    while (mwr_io_hint_next(&list, &hint)) {
        if (!is_kept_from(&hint)) {
            MWR_PMPI(Info_set)(info, hint.key, hint.value);
        }
    }
    return info;
}

static void tell_hint(MPI_Info taken, const struct mwr_io_hint *hint)
{
    char value[MPI_MAX_INFO_VAL + 1] = "";
    int is_there = 0;

    MWR_PMPI(Info_get)(taken, hint->key, MPI_MAX_INFO_VAL, value, &is_there);
    if (is_there && strcmp(value, hint->value) == 0) {
        mwr_say_verbose("hint %s=%s: the MPI has it", hint->key, hint->value);
    } else if (is_there) {
        mwr_say_verbose("hint %s=%s: the MPI has %s", hint->key, hint->value, value);
    } else {
        mwr_say_verbose("hint %s=%s: the MPI does not have it", hint->key, hint->value);
    }
}

void mwr_output_hints_tell(MPI_File file)
{
    const char *list = mwr_recorder.settings.io_hints;
    struct mwr_io_hint hint;
    MPI_Info taken = MPI_INFO_NULL;

    if (mwr_recorder.rank != 0 || !*list || !mwr_recorder.settings.verbose ||
        MWR_PMPI(File_get_info)(file, &taken) != MPI_SUCCESS) {
        return;
    }
    while (mwr_io_hint_next(&list, &hint)) {
        tell_hint(taken, &hint);
    }
    MWR_PMPI(Info_free)(&taken);
}
