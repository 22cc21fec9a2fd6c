#include "recorder/finalize/hosts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/base/host_key.h"
#include "recorder/dispatch/chain.h"
#include "recorder/recorder.h"

#define ROUND_TRIPS 32        /* at least */
#define QUICK_NS 50000        /* an error that needs no further ones … */
#define PATIENCE_NS 50000000  /* … for which there is this time */
#define NO_TIME UINT64_MAX    /* nothing more is asked */
#define TAG_CLOCK 2

struct host_place {
    uint32_t host;
    uint32_t hosts;  /* of all ranks */
    uint32_t leader; /* the lowest rank of the host */
};

void mwr_host_name(char *name, size_t size)
{
    if (gethostname(name, size) != 0) {
        name[0] = '\0';
    }
    name[size - 1] = '\0';
}

/* A rank and its key, to sort by. */
struct keyed_rank {
    const char *key;
    uint32_t rank;
};

static int compare_keys(const void *left, const void *right)
{
    const struct keyed_rank *a = left;
    const struct keyed_rank *b = right;
    int order = memcmp(a->key, b->key, sizeof(struct mw_host_key));

    return order != 0 ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

/* Fills places (one per rank) from everyone's key; false: no memory. */
static bool number_hosts(const struct mw_parts *keys, struct host_place *places)
{
    struct keyed_rank *ranks = calloc(keys->count, sizeof *ranks);
    uint32_t hosts = 0;
    uint32_t leader = 0;

    if (!ranks) {
        return false;
    }
    for (uint32_t i = 0; i < keys->count; i++) {
        ranks[i] = (struct keyed_rank){.key = keys->parts[i], .rank = i};
    }
    qsort(ranks, keys->count, sizeof *ranks, compare_keys);
    for (uint32_t i = 0; i < keys->count; i++) {
        if (i == 0 || memcmp(ranks[i].key, ranks[i - 1].key, sizeof(struct mw_host_key)) != 0) {
            leader = ranks[i].rank;
        }
        places[ranks[i].rank].leader = leader;
    }
    free(ranks);
    for (uint32_t i = 0; i < keys->count; i++) {
        /* The leader is the lowest rank, so it has been numbered when the others come. */
        places[i].host = places[i].leader == i ? hosts++ : places[places[i].leader].host;
    }
    for (uint32_t i = 0; i < keys->count; i++) {
        places[i].hosts = hosts;
    }
    return true;
}

/* Rank 0 answers; places become the parts of a scatter. */
static enum mw_status place_all(const struct mw_parts *keys, struct mw_parts *places,
                                struct mw_diagnostic *diagnostic)
{
    struct host_place *place;

    places->count = keys->count;
    places->sizes = calloc(keys->count, sizeof *places->sizes);
    places->parts = calloc(keys->count, sizeof *places->parts);
    places->data = calloc(keys->count, sizeof *place);
    place = (struct host_place *)(void *)places->data;
    if (!places->sizes || !places->parts || !places->data || !number_hosts(keys, place)) {
        return mw_no_memory(diagnostic, NULL, "to number the hosts");
    }
    for (uint32_t i = 0; i < keys->count; i++) {
        places->sizes[i] = sizeof *place;
        places->parts[i] = (char *)(place + i);
    }
    return MW_OK;
}

enum mw_status mwr_hosts_init(const struct mw_transport *transport,
                              struct mw_diagnostic *diagnostic)
{
    struct mw_host_key key;
    struct mw_parts keys = {0};
    struct mw_parts places = {0};
    struct host_place own;
    enum mw_status status;
    enum mw_status worst = MW_OK;
    char *data = NULL;
    uint64_t bytes = 0;

    mw_host_key_own(&key);
    status = transport->gather(transport->context, &key, sizeof key, &keys, diagnostic);
    if (status == MW_OK && transport->rank == 0) {
        status = place_all(&keys, &places, diagnostic);
    }
    if (transport->agree(transport->context, status, &worst, diagnostic) != MW_OK ||
        worst != MW_OK) {
        status = status != MW_OK ? status : MW_ERROR_PEER;
        goto out;
    }
    status = transport->scatter(transport->context, &places, &data, &bytes, diagnostic);
    if (status == MW_OK) {
        memcpy(&own, data, sizeof own);
        mwr_recorder.host = own.host;
        mwr_recorder.hosts = own.hosts;
        mwr_recorder.host_leader = own.leader;
    }
out:
    free(data);
    mw_parts_fini(&keys);
    mw_parts_fini(&places);
    return status;
}

/* --- clocks ---------------------------------------------------------------------- */

/* What a rank says of itself and its clock. */
struct said {
    uint32_t leader; /* the rank that measured for this one */
    struct mw_clock_point offset;
};

/* One round trip; *point is as good as it was quick. */
static int ask_time(struct mw_clock_point *point)
{
    uint64_t there = 0;
    uint64_t sent = mwr_clock();
    uint64_t got;
    int error = MWR_PMPI(Send)(&sent, 1, MPI_UINT64_T, 0, TAG_CLOCK, mwr_recorder.comm);

    if (error == MPI_SUCCESS) {
        error = MWR_PMPI(Recv)(&there, 1, MPI_UINT64_T, 0, TAG_CLOCK, mwr_recorder.comm,
                               MPI_STATUS_IGNORE);
    }
    got = mwr_clock();
    mwr_recorder_note_traffic(sizeof sent, sizeof there);
    point->error = (got - sent + 1) / 2;
    point->time = sent + (got - sent) / 2;
    point->offset = (int64_t)(there - point->time);
    return error;
}

/*
 * A leader asks rank 0 for its time, again and again, and keeps the quickest answer. Where there
 * are more ranks than cores many are slow ones, so that it asks on until one was quick.
 */
static int ask_times(struct mw_clock_point *best)
{
    uint64_t patience = mwr_clock() + PATIENCE_NS;
    uint64_t enough = NO_TIME;
    int error = MPI_SUCCESS;

    best->error = UINT64_MAX;
    for (int i = 0; error == MPI_SUCCESS &&
                    (i < ROUND_TRIPS || (best->error > QUICK_NS && mwr_clock() < patience)); i++) {
        struct mw_clock_point point;

        error = ask_time(&point);
        if (error == MPI_SUCCESS && point.error < best->error) {
            *best = point;
        }
    }
    if (error == MPI_SUCCESS) {
        error = MWR_PMPI(Send)(&enough, 1, MPI_UINT64_T, 0, TAG_CLOCK, mwr_recorder.comm);
        mwr_recorder_note_traffic(sizeof enough, 0);
    }
    return error;
}

/* Rank 0 tells a leader its time as often as it asks. */
static int answer_times(int leader)
{
    uint64_t asked = 0;
    int error = MPI_SUCCESS;

    while (error == MPI_SUCCESS && asked != NO_TIME) {
        uint64_t now;

        error = MWR_PMPI(Recv)(&asked, 1, MPI_UINT64_T, leader, TAG_CLOCK, mwr_recorder.comm,
                               MPI_STATUS_IGNORE);
        now = mwr_clock();
        mwr_recorder_note_traffic(0, sizeof asked);
        if (error == MPI_SUCCESS && asked != NO_TIME) {
            error = MWR_PMPI(Send)(&now, 1, MPI_UINT64_T, leader, TAG_CLOCK, mwr_recorder.comm);
            mwr_recorder_note_traffic(sizeof now, 0);
        }
    }
    return error;
}

/* Round trips of all leaders but rank 0, one after the other, in the order of their hosts. */
static int measure(const struct mw_transport *transport, const struct mw_parts *leaders,
                   struct mw_clock_point *own)
{
    int error = MPI_SUCCESS;

    if (transport->rank != 0) {
        return mwr_recorder.host_leader == transport->rank ? ask_times(own) : MPI_SUCCESS;
    }
    for (uint32_t i = 1; error == MPI_SUCCESS && i < leaders->count; i++) {
        if (leaders->parts[i][0]) {
            error = answer_times((int)i);
        }
    }
    return error;
}

/* Everyone's offset is its leader's: by rank 0, which knows all hosts. */
static enum mw_status spread(const struct mw_transport *transport, struct mw_clock_point *own,
                             struct mw_diagnostic *diagnostic)
{
    struct said said = {mwr_recorder.host_leader, *own};
    struct mw_parts parts = {0};
    char *data = NULL;
    uint64_t bytes = 0;
    enum mw_status status =
        transport->gather(transport->context, &said, sizeof said, &parts, diagnostic);

    if (status == MW_OK && transport->rank == 0) {
        struct said *all = (struct said *)(void *)parts.data;

        for (uint32_t i = 0; i < parts.count; i++) {
            all[i].offset = all[all[i].leader].offset;
        }
    }
    if (status == MW_OK) {
        status = transport->scatter(transport->context, &parts, &data, &bytes, diagnostic);
    }
    if (status == MW_OK) {
        memcpy(&said, data, sizeof said);
        *own = said.offset;
    }
    free(data);
    mw_parts_fini(&parts);
    return status;
}

enum mw_status mwr_hosts_measure_clocks(const struct mw_transport *transport,
                                        struct mw_diagnostic *diagnostic)
{
    struct mw_clock_point own = {.time = mwr_clock()};
    char is_leader = mwr_recorder.host_leader == transport->rank;
    struct mw_parts leaders = {0};
    enum mw_status status =
        transport->gather(transport->context, &is_leader, 1, &leaders, diagnostic);

    if (status == MW_OK && measure(transport, &leaders, &own) != MPI_SUCCESS) {
        status = mw_fail(diagnostic, MW_ERROR_MPI, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "can't compare the hosts' clocks");
    }
    mw_parts_fini(&leaders);
    if (status == MW_OK) {
        status = spread(transport, &own, diagnostic);
    }
    if (status == MW_OK) {
        mwr_recorder_define(&(struct mw_definition){
            .kind = MW_DEFINE_CLOCK,
            .of.clock = own,
        });
    }
    return status;
}
