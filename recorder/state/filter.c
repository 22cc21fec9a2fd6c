#include "recorder/state/filter.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/calls.h"
#include "formats/record.h"
#include "recorder/recorder.h"

/* What --comms lists. */
struct choice {
    bool all;
    bool world;
    bool registered;
    bool names; /* patterns */
    bool no_world;
};

bool mwr_filtering;
static struct choice choice;

/* --- what is selected ------------------------------------------------------------ */

/* Calls visit with each word of a list; stops at the first that is true: true then. */
static bool any_word(const char *list, bool (*visit)(const char *word, const void *context),
                     const void *context)
{
    char word[MWR_SETTING_TEXT_BYTES];

    while (*list) {
        size_t length = strcspn(list, ",");

        snprintf(word, sizeof word, "%.*s", (int)length, list);
        if (visit(word, context)) {
            return true;
        }
        list += length;
        list += *list == ',';
    }
    return false;
}

static bool read_word(const char *word, const void *unused)
{
    (void)unused;
    if (strcmp(word, "all") == 0) {
        choice.all = true;
    } else if (strcmp(word, "world") == 0) {
        choice.world = true;
    } else if (strcmp(word, "registered") == 0) {
        choice.registered = true;
    } else {
        choice.names = true;
    }
    return false;
}

void mwr_filter_start(void)
{
    choice = (struct choice){.no_world = mwr_recorder.settings.no_world};
    any_word(mwr_recorder.settings.comms, read_word, NULL);
    mwr_filtering = !choice.all || choice.no_world;
}

bool mwr_filter_needs_names(void)
{
    return choice.names;
}

static bool matches(const char *pattern, const void *name)
{
    return fnmatch(pattern, name, 0) == 0;
}

/*
 * The name that the communicator has at this moment. Whether a default name ends with the
 * rank of member 0 depends on other processes: it is right with it and without.
 */
static bool has_name(const struct mwr_comm *comm)
{
    const char *list = mwr_recorder.settings.comms;
    const char *given = comm->registered_name ? comm->registered_name : comm->mpi_name;
    char piece[MWR_COMM_NAME_BYTES + 16];

    if (given) {
        return any_word(list, matches, given);
    }
    if (!comm->default_name) {
        return false;
    }
    snprintf(piece, sizeof piece, "%s.%u", comm->default_name, comm->leader);
    return any_word(list, matches, comm->default_name) || any_word(list, matches, piece);
}

void mwr_filter_judge(struct mwr_comm *comm)
{
    bool is_world = comm->number == MW_COMM_WORLD;
    bool is_selected = choice.all || (choice.world && is_world) ||
                       (choice.registered && comm->is_registered) ||
                       (choice.names && has_name(comm));

    if (is_world && choice.no_world) {
        is_selected = choice.registered && comm->is_registered;
    }
    __atomic_store_n(&comm->is_filtered, mwr_filtering && !is_selected, __ATOMIC_RELAXED);
}

/* --- tallies ----------------------------------------------------------------------- */

/*
 * An open-addressing table; when it has become too small it stays in memory, since a process
 * that ends may be reading it.
 */
struct mwr_tallies {
    struct mwr_tallies *before;
    uint32_t capacity; /* a power of two */
    uint32_t used;
    struct mwr_tally slots[];
};

static struct mwr_tally *slot_of(struct mwr_tallies *table, uint32_t comm, uint32_t call)
{
    uint64_t hash = ((uint64_t)comm << 16 ^ call) * 0x9e3779b97f4a7c15u;
    uint32_t at = (uint32_t)(hash >> 40) & (table->capacity - 1);

    while (table->slots[at].call != MW_CALL_COUNT &&
           (table->slots[at].comm != comm || table->slots[at].call != call)) {
        at = (at + 1) & (table->capacity - 1);
    }
    return &table->slots[at];
}

/* A larger table with what is in before, which may be null; null: no memory. */
static struct mwr_tallies *grow(struct mwr_tallies *before)
{
    uint32_t capacity = before ? 2 * before->capacity : 64;
    struct mwr_tallies *table =
        calloc(1, sizeof *table + (size_t)capacity * sizeof table->slots[0]);

    if (!table) {
        return NULL;
    }
    table->before = before;
    table->capacity = capacity;
    for (uint32_t i = 0; i < capacity; i++) {
        table->slots[i].call = MW_CALL_COUNT;
    }
    for (uint32_t i = 0; before && i < before->capacity; i++) {
        if (before->slots[i].call != MW_CALL_COUNT) {
            *slot_of(table, before->slots[i].comm, before->slots[i].call) = before->slots[i];
            table->used++;
        }
    }
    return table;
}

/* What there is no memory for; nobody asks how often. */
static struct mwr_tally nobody;

/* The slot of a communicator and call in *tables, which may grow; null: no memory. */
static struct mwr_tally *find(struct mwr_tallies **tables, uint32_t comm, uint32_t call)
{
    struct mwr_tally *slot = *tables ? slot_of(*tables, comm, call) : NULL;

    if (slot && slot->call == call) {
        return slot;
    }
    if (!slot || ((*tables)->used + 1) * 2 > (*tables)->capacity) {
        struct mwr_tallies *grown = grow(*tables);

        if (!grown) {
            return NULL;
        }
        __atomic_store_n(tables, grown, __ATOMIC_RELEASE);
        slot = slot_of(grown, comm, call);
    }
    slot->comm = comm;
    slot->call = call;
    (*tables)->used++;
    return slot;
}

struct mwr_tally *mwr_filter_tally_slowly(uint32_t comm, unsigned call)
{
    struct mwr_stream *stream = mwr_thread.recording;
    const struct mwr_tallies *before = stream->tallies;
    bool is_full = before && before->used >= MWR_TALLIES_MAX;
    struct mwr_tally *tally = NULL;

    if (!is_full || slot_of(stream->tallies, comm, call)->call == call) {
        tally = find(&stream->tallies, comm, call);
    }
    if (!tally) {
        tally = find(&stream->tallies, MW_COMM_NONE, call);
    }
    if (stream->tallies != before) {
        /* They have moved. */
        memset(mwr_thread.tallies, 0, sizeof mwr_thread.tallies);
    }
    if (!tally) {
        return &nobody;
    }
    mwr_thread.tallies[mwr_filter_place(comm, call)] = tally;
    return tally;
}

/* --- the end ---------------------------------------------------------------------- */

static void define(const struct mwr_tally *tally)
{
    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_FILTERED,
        .of.filtered = {.comm = tally->comm,
                        .call = tally->call,
                        .calls = tally->calls,
                        .bytes_sent = tally->sent,
                        .bytes_received = tally->received},
    });
}

void mwr_filter_tell(void)
{
    for (struct mwr_stream *stream = mwr_recorder.streams; stream; stream = stream->following) {
        const struct mwr_tallies *table = __atomic_load_n(&stream->tallies, __ATOMIC_ACQUIRE);

        for (uint32_t i = 0; table && i < table->capacity; i++) {
            const struct mwr_tally *tally = &table->slots[i];

            if (tally->call != MW_CALL_COUNT) {
                define(tally);
            }
        }
    }
}
