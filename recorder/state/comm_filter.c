#include "recorder/state/comm_filter.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "formats/spool/record.h"
#include "formats/table/calls.h"
#include "recorder/recorder.h"

/* What --comms lists. */
struct choice {
    bool all;
    bool world;
    bool registered;
    bool names; /* patterns */
    bool no_world;
};

/* Written by mwr_filter_start, before recording begins. */
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
