#include "recorder/state/lineage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/dispatch/chain.h"
#include "recorder/recorder.h"
#include "recorder/state/own_mpi.h"

/*
 * NONCE:UID:PATH, of the parent's archive and of the communicator with the parent. No user's
 * variable, so without the usual prefix.
 */
#define VARIABLE "_MPIWATCH_PARENT"
#define KEY "env"
#define NONCE_DIGITS 16
#define UID_DIGITS 32

/* Written in MPI_Init. */
static struct mw_uid uid_with_parent;
static bool has_uid;

/* What info says of the environment already, and the word; false if it is too long. */
static bool compose(MPI_Info info, struct mw_uid uid, char value[MPI_MAX_INFO_VAL + 1])
{
    int flag = 0;
    size_t used;
    int length;

    value[0] = '\0';
    MWR_PMPI(Info_get)(info, KEY, MPI_MAX_INFO_VAL, value, &flag);
    used = flag ? strlen(value) : 0;
    length = snprintf(value + used, MPI_MAX_INFO_VAL + 1 - used,
                      "%s" VARIABLE "=%016llx:%016llx%016llx:%s", used > 0 ? "\n" : "",
                      (unsigned long long)mwr_recorder.nonce, (unsigned long long)uid.high,
                      (unsigned long long)uid.low, mwr_recorder.output);
    return used + (size_t)length < MPI_MAX_INFO_VAL;
}

/* A copy of info with the word; info itself if that can't be. */
static MPI_Info with_parent(MPI_Info info, struct mw_uid uid)
{
    char value[MPI_MAX_INFO_VAL + 1];
    MPI_Info made = MPI_INFO_NULL;
    int result = info == MPI_INFO_NULL ? MWR_PMPI(Info_create)(&made)
                                       : MWR_PMPI(Info_dup)(info, &made);

    if (result != MPI_SUCCESS) {
        return info;
    }
    if (!compose(made, uid, value) || MWR_PMPI(Info_set)(made, KEY, value) != MPI_SUCCESS) {
        MWR_PMPI(Info_free)(&made);
        return info;
    }
    return made;
}

const MPI_Info *mwr_lineage_begin(struct mwr_lineage *lineage, const struct mwr_creation *creation,
                                  MPI_Comm comm, int root, const MPI_Info *infos, int count)
{
    int rank = -1;

    *lineage = (struct mwr_lineage){NULL, 0};
    if ((mwr_recorder.phase != MWR_RECORDING && mwr_recorder.phase != MWR_PAUSED) || !infos ||
        count < 1 || comm == MPI_COMM_NULL || !mwr_mpi_is_openmpi() ||
        MWR_PMPI(Comm_rank)(comm, &rank) != MPI_SUCCESS || rank != root) {
        return infos;
    }
    /* What is made, then what was given, to know what is to be freed. */
    lineage->infos = malloc(2 * (size_t)count * sizeof *lineage->infos);
    if (!lineage->infos) {
        return infos;
    }
    lineage->count = count;
    for (int i = 0; i < count; i++) {
        lineage->infos[i] = with_parent(infos[i], mwr_comm_spawned(creation));
        lineage->infos[count + i] = infos[i];
    }
    return lineage->infos;
}

void mwr_lineage_end(struct mwr_lineage *lineage)
{
    for (int i = 0; i < lineage->count; i++) {
        if (lineage->infos[i] != lineage->infos[lineage->count + i]) {
            MWR_PMPI(Info_free)(&lineage->infos[i]);
        }
    }
    free(lineage->infos);
}

static void define(const char *name, const char *value)
{
    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_SETTING,
        .of.setting = {.name = name, .value = value},
    });
}

static bool has_digits(const char *text, size_t count)
{
    return strspn(text, "0123456789abcdef") == count && text[count] == ':';
}

static uint64_t number_of(const char *digits)
{
    char text[NONCE_DIGITS + 1] = "";

    memcpy(text, digits, NONCE_DIGITS);
    return strtoull(text, NULL, 16);
}

void mwr_lineage_define(void)
{
    const char *word = getenv(VARIABLE);
    char nonce[NONCE_DIGITS + 1] = "";
    MPI_Comm parent = MPI_COMM_NULL;
    const char *uid;

    /* Who runs a job of its own in a spawned one has the variable, too, and no parent. */
    if (!word || !has_digits(word, NONCE_DIGITS) ||
        !has_digits(word + NONCE_DIGITS + 1, UID_DIGITS) ||
        mwr_recorder.world != MPI_GROUP_NULL ||
        MWR_PMPI(Comm_get_parent)(&parent) != MPI_SUCCESS || parent == MPI_COMM_NULL) {
        return;
    }
    memcpy(nonce, word, NONCE_DIGITS);
    uid = word + NONCE_DIGITS + 1;
    uid_with_parent = (struct mw_uid){number_of(uid), number_of(uid + NONCE_DIGITS)};
    has_uid = true;
    define("parent", uid + UID_DIGITS + 1);
    define("parent-nonce", nonce);
}

const struct mw_uid *mwr_lineage_uid(void)
{
    return has_uid ? &uid_with_parent : NULL;
}
