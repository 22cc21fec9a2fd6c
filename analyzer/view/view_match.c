/*
 * Names are compared once for each name, not for each call: what is left for a call is to look at a
 * flag or a number.
 */
#include "analyzer/view/view_match.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Null is no text. */
static bool is_like(const char *text, const char *sought)
{
    if (!text || !*text) {
        return false;
    }
    return strpbrk(sought, "*?") ? fnmatch(sought, text, FNM_CASEFOLD) == 0
                                 : strcasestr(text, sought) != NULL;
}

static bool comm_is_like(const struct mwa_comm *comm, const char *sought)
{
    bool fits = is_like(comm->name, sought) || is_like(comm->default_name, sought) ||
                is_like(comm->uid, sought);

    for (uint64_t i = 0; i < comm->name_count && !fits; i++) {
        fits = is_like(comm->names[i].text, sought);
    }
    return fits;
}

/* A number alone is a line, and not what is in the name of a file. */
static bool site_is_like(const struct mwa_site *site, const char *sought)
{
    char place[4200];

    if (sought[strspn(sought, "0123456789")] == '\0') {
        return site->line > 0 && site->line == strtoull(sought, NULL, 10);
    }
    if (!*site->file) {
        return false;
    }
    snprintf(place, sizeof place, site->line > 0 ? "%s:%u" : "%s", site->file,
             (unsigned)site->line);
    if (strpbrk(sought, "*?")) {
        return is_like(place, sought) || is_like(site->file, sought);
    }
    if (strchr(sought, ':')) { /* line 1 is not line 12 */
        const size_t bytes = strlen(place), end = strlen(sought);

        return bytes >= end && strcasecmp(place + bytes - end, sought) == 0;
    }
    return is_like(site->file, sought);
}

static void flag_all(struct mwa_view_match *match, const char *text)
{
    const struct mwa_trace *trace = match->store->trace;

    for (uint64_t i = 0; match->by == MWA_VIEW_BY_REGION && i < trace->region_count; i++) {
        match->fits[i] = is_like(trace->regions[i].name, text);
    }
    for (uint64_t i = 0; match->by == MWA_VIEW_BY_COMM && i < trace->comm_count; i++) {
        match->fits[i] = comm_is_like(&trace->comms[i], text);
    }
    for (uint64_t i = 0; match->by == MWA_VIEW_BY_LINE && i < trace->site_count; i++) {
        match->fits[i] = site_is_like(&trace->sites[i], text);
    }
}

enum mw_status mwa_view_match_init(struct mwa_view_match *match,
                                   const struct mwa_view_store *store, enum mwa_view_sought by,
                                   const char *text, struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = store->trace;
    const uint64_t counts[MWA_VIEW_SOUGHTS] = { [MWA_VIEW_BY_REGION] = trace->region_count,
                                                [MWA_VIEW_BY_COMM] = trace->comm_count,
                                                [MWA_VIEW_BY_LINE] = trace->site_count };
    char *end;

    *match = (struct mwa_view_match){ .store = store, .by = by };
    if (!*text) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "nothing is looked for");
    }
    if (by == MWA_VIEW_BY_TAG || by == MWA_VIEW_BY_SIZE) {
        errno = 0;
        match->number = strtoull(text, &end, 10);
        return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0
                   ? MW_OK
                   : mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                             "that is no number");
    }
    match->fits = calloc(counts[by] + 1, sizeof *match->fits);
    if (!match->fits) {
        return mw_no_memory(diagnostic, NULL, "for the search");
    }
    flag_all(match, text);
    return MW_OK;
}

void mwa_view_match_fini(struct mwa_view_match *match)
{
    free(match->fits);
    match->fits = NULL;
}

/* --- a call --------------------------------------------------------------------------------- */

static bool comm_fits(const struct mwa_view_match *match, uint32_t comm)
{
    return comm != MWA_NONE && match->fits[comm];
}

static bool facts_fit(const struct mwa_view_match *match, const struct mwa_view_call *call)
{
    const struct mwa_call_facts *facts =
        call->facts == MWA_NONE ? &mwa_no_facts
                                : mwa_view_array_at(&match->store->facts, call->facts);

    switch (match->by) {
    case MWA_VIEW_BY_COMM:
        return comm_fits(match, facts->comm);
    case MWA_VIEW_BY_TAG:
        return facts->tag != MWA_NONE && facts->tag == match->number;
    default:
        return facts->bytes_sent > match->number || facts->bytes_received > match->number;
    }
}

static bool message_fits(const struct mwa_view_match *match,
                         const struct mwa_view_message *message)
{
    switch (match->by) {
    case MWA_VIEW_BY_COMM:
        return comm_fits(match, message->comm);
    case MWA_VIEW_BY_TAG:
        return message->tag == match->number;
    default:
        return message->bytes != UINT64_MAX && message->bytes > match->number;
    }
}

static bool collective_fits(const struct mwa_view_match *match, const struct mwa_view_call *call)
{
    for (uint32_t at = call->members; at != MWA_NONE;) {
        const struct mwa_view_member *member = mwa_view_member_at(match->store, at >> 1);
        const struct mwa_view_collective *collective =
            mwa_view_array_at(&match->store->collectives, member->collective);

        if (comm_fits(match, collective->comm)) {
            return true;
        }
        at = member->next[at & 1];
    }
    return false;
}

bool mwa_view_matches(const struct mwa_view_match *match, uint32_t index)
{
    const struct mwa_view_call *call = mwa_view_call_at(match->store, index);

    if (match->by == MWA_VIEW_BY_REGION) {
        return match->fits[call->region];
    }
    if (match->by == MWA_VIEW_BY_LINE) {
        return call->site != MWA_NONE && match->fits[call->site];
    }
    if (facts_fit(match, call)) {
        return true;
    }
    for (uint32_t at = call->ends; at != MWA_NONE;) {
        const struct mwa_view_message *message =
            mwa_view_message_at(match->store, mwa_view_end_message(at));

        if (message_fits(match, message)) {
            return true;
        }
        at = message->next[mwa_view_end_role(at)];
    }
    return match->by == MWA_VIEW_BY_COMM && collective_fits(match, call);
}
