/*
 * A selection that nothing fits is the user's mistake and said as such: an empty
 * table would look like a result.
 */
#include "analyzer/analysis/comms/comm_selection.h"

#include <fnmatch.h>
#include <stdlib.h>

#include "analyzer/analysis/comms/comm_label.h"

static bool fits(const char *pattern, const char *text)
{
    return text && fnmatch(pattern, text, 0) == 0;
}

static bool name_fits(const struct mwa_comm *comm, const char *pattern)
{
    bool does = fits(pattern, comm->name) || fits(pattern, comm->default_name);

    for (uint64_t i = 0; i < comm->name_count && !does; i++) {
        does = fits(pattern, comm->names[i].text);
    }
    for (uint64_t i = 0; i < comm->registered_count && !does; i++) {
        does = fits(pattern, comm->registered[i].name);
    }
    return does;
}

static bool has_member(const struct mwa_trace *trace, const struct mwa_comm *comm, uint32_t rank)
{
    const uint32_t groups[] = { comm->group, comm->remote_group };

    for (unsigned i = 0; i < 2; i++) {
        const struct mwa_group *group = groups[i] != MWA_NONE ? &trace->groups[groups[i]] : NULL;

        if (group && group->self) {
            return true;
        }
        for (uint32_t k = 0; group && k < group->count; k++) {
            if (group->ranks[k] == rank) {
                return true;
            }
        }
    }
    return false;
}

static bool comm_fits(const struct mwa_trace *trace, const struct mwa_comm *comm,
                      const struct mwa_comm_query *query)
{
    char text[MWA_COMM_UID_BYTES];
    const char *uid = mwa_comm_identity(comm, text);
    bool does = query->pattern_count == 0;

    for (uint32_t i = 0; i < query->pattern_count && !does; i++) {
        does = name_fits(comm, query->patterns[i]) || fits(query->patterns[i], uid);
    }
    return does && (!query->name || name_fits(comm, query->name)) &&
           (!query->uid || fits(query->uid, uid)) &&
           (query->rank == MWA_NONE || has_member(trace, comm, query->rank));
}

enum mw_status mwa_comm_select(const struct mwa_trace *trace, const struct mwa_comm_query *query,
                               bool **selected, struct mw_diagnostic *diagnostic)
{
    uint64_t count = 0;

    *selected = NULL;
    if (query->pattern_count == 0 && !query->name && !query->uid && query->rank == MWA_NONE) {
        return MW_OK;
    }
    *selected = calloc(trace->comm_count + 1, sizeof **selected);
    if (!*selected) {
        return mw_no_memory(diagnostic, NULL, "for a selection of communicators");
    }
    for (uint32_t i = 0; i < trace->comm_count; i++) {
        (*selected)[i] = comm_fits(trace, &trace->comms[i], query);
        count += (*selected)[i];
    }
    if (count == 0) {
        free(*selected);
        *selected = NULL;
        return mw_fail(diagnostic, MW_ERROR_USAGE, "", MW_DIAGNOSTIC_OFFSET_NONE,
                       "no communicator is like that: mpiwatch-analyze comms lists them");
    }
    return MW_OK;
}
