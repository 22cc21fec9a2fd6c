/* Ranks are those of the world, and what many of them share is said once: "ranks 0-2, 5". */
#include "analyzer/analysis/hang/hang_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/summary.h"

#define REQUESTS_NAMED 3u /* of a call */

const char *mwa_hang_comm_name(const struct mwa_hang_words *words, uint32_t comm)
{
    return comm == MWA_NONE ? "a communicator" : words->trace->comms[comm].name;
}

const char *mwa_hang_call_name(const struct mwa_hang_words *words, uint32_t site)
{
    const struct mwa_trace *trace = words->trace;

    return site == MWA_NONE ? "a call" : trace->regions[trace->sites[site].region].name;
}

void mwa_hang_put_line(const struct mwa_hang_words *words, uint32_t site, FILE *out)
{
    char place[MWA_AT_PLACE_BYTES];

    fputs(mwa_at_place(words->trace, site, place), out);
}

void mwa_hang_put_ranks(const struct mwa_hang_words *words, const bool *which, FILE *out)
{
    const uint64_t count = words->states->rank_count;
    uint64_t total = 0;
    const char *before = "";

    for (uint64_t i = 0; i < count; i++) {
        total += which[i];
    }
    fputs(total == 1 ? "rank " : "ranks ", out);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t last = i;

        if (!which[i]) {
            continue;
        }
        while (last + 1 < count && which[last + 1]) {
            last++;
        }
        fprintf(out, last > i ? "%s%" PRIu64 "-%" PRIu64 : "%s%" PRIu64, before, i, last);
        before = ", ";
        i = last;
    }
}

/* --- what a rank is inside of ------------------------------------------------------ */

static void put_tag(int32_t tag, FILE *out)
{
    if (tag < 0) {
        fputs("any tag", out);
    } else {
        fprintf(out, "tag %" PRId32, tag);
    }
}

/* A number that is no rank of a communicator whose ranks are all of this job. */
static bool is_no_member(const struct mwa_trace *trace, uint32_t comm)
{
    return !trace->comms[comm].inter && !trace->comms[comm].other_job &&
           trace->comms[comm].group != MWA_NONE;
}

static void put_peer(const struct mwa_hang_words *words, uint32_t self, uint32_t comm, int32_t peer,
                     FILE *out)
{
    uint32_t rank = comm != MWA_NONE && peer >= 0
                        ? mwa_trace_peer(words->trace, comm, self, (uint32_t)peer) : MWA_NONE;

    if (peer < 0) {
        fputs("any rank", out);
    } else if (rank == MWA_NONE) {
        fprintf(out, "rank %" PRId32 "%s", peer,
                comm != MWA_NONE && is_no_member(words->trace, comm) ? ", no member"
                                                                     : " of another group");
    } else {
        fprintf(out, "%" PRIu32, rank);
    }
}

static void put_message(const struct mwa_hang_words *words, uint32_t self, bool is_send,
                        uint32_t comm, int32_t peer, int32_t tag, uint64_t bytes, FILE *out)
{
    fputs(is_send ? " to " : " from ", out);
    put_peer(words, self, comm, peer, out);
    fputs(" (", out);
    put_tag(tag, out);
    if (is_send && bytes != UINT64_MAX) {
        fprintf(out, ", %" PRIu64 " bytes", bytes);
    }
    fprintf(out, ", %s)", mwa_hang_comm_name(words, comm));
}

/* "a receive"; of a collective the call that began it, unless it was only started by that. */
static const char *name_of_request(const struct mwa_hang_words *words,
                                   const struct mwa_hang_request *request)
{
    static const char *const names[MWA_EVENT_KINDS] = { [MWA_ISEND] = "a send",
                                                        [MWA_IRECV_POST] = "a receive",
                                                        [MWA_COLLECTIVE_POST] = "a collective" };

    if (request->kind == MWA_COLLECTIVE_POST && request->site != MWA_NONE &&
        !request->is_started) {
        return mwa_hang_call_name(words, request->site);
    }
    return names[request->kind] ? names[request->kind] : "a request";
}

static void put_request(const struct mwa_hang_words *words, const struct mwa_hang_request *request,
                        FILE *out)
{
    fputs(name_of_request(words, request), out);
    if (!request->is_told) {
        return;
    }
    if (request->kind == MWA_COLLECTIVE_POST) {
        fprintf(out, " on %s", mwa_hang_comm_name(words, request->comm));
    } else {
        put_message(words, request->rank, request->kind == MWA_ISEND, request->comm,
                    request->peer, request->tag, request->bytes, out);
    }
    mwa_hang_put_line(words, request->site, out);
}

#define PARTITIONS_NAMED 4u

/* The send of which partitions are not ready, and the first of these. */
static void put_unready(const struct mwa_hang_words *words, const struct mwa_hang_rank *rank,
                        FILE *out)
{
    const struct mwa_hint *hint = &rank->hint;
    uint32_t named = 0;

    fputs("a send", out);
    put_message(words, rank->rank, true, hint->comm, hint->peer, hint->tag, hint->bytes, out);
    fprintf(out, " without MPI_Pready of %" PRIu32 " partition%s", hint->unready,
            hint->unready == 1 ? "" : "s");
    for (uint32_t i = 0; i < 32 && named < PARTITIONS_NAMED; i++) {
        if (hint->unready_which >> i & 1) {
            fprintf(out, "%s %" PRIu32, named++ == 0 ? ":" : ",", i);
        }
    }
    fputs(named > 0 && named < hint->unready ? " …" : "", out);
}

static void put_requests(const struct mwa_hang_words *words, const struct mwa_hang_rank *rank,
                         FILE *out)
{
    const struct mwa_hang_states *states = words->states;
    uint64_t named = 0;

    fprintf(out, " for %" PRIu64 " request%s", rank->hint.requests,
            rank->hint.requests == 1 ? "" : "s");
    for (uint64_t i = 0; i < states->request_count && named < REQUESTS_NAMED; i++) {
        const struct mwa_hang_request *request = &states->requests[i];

        if (request->rank == rank->rank && mwa_hang_is_there(request) && request->is_awaited) {
            fputs(named++ == 0 ? ": " : ", ", out);
            put_request(words, request, out);
        }
    }
    if (rank->hint.unready > 0 && named < REQUESTS_NAMED) {
        fputs(named++ == 0 ? ": " : ", ", out);
        put_unready(words, rank, out);
    }
    fputs(named < rank->hint.requests && named > 0 ? " …" : "", out);
}

/* Of a window's group, as far as that is known, the ranks that have not posted or completed. */
static void put_late(const struct mwa_hang_words *words, uint32_t self, FILE *out)
{
    const struct mwa_hang_graph *graph = words->graph;
    bool *late = calloc(words->states->rank_count + 1, sizeof *late);
    bool is_any = false;

    for (uint64_t i = graph->first_clause[self]; late && i < graph->first_clause[self + 1]; i++) {
        const struct mwa_hang_clause *clause = &graph->clauses[i];

        if (clause->count == 1 &&
            (clause->why == MWA_HANG_TO_POST || clause->why == MWA_HANG_TO_COMPLETE)) {
            late[graph->targets[clause->first]] = is_any = true;
        }
    }
    if (is_any) {
        fputs(" for ", out);
        mwa_hang_put_ranks(words, late, out);
    }
    free(late);
}

void mwa_hang_put_inside(const struct mwa_hang_words *words, uint32_t self, FILE *out)
{
    const struct mwa_hang_rank *rank = &words->states->ranks[self];
    const struct mwa_hint *hint = &rank->hint;

    fputs(mwa_hang_call_name(words, rank->site), out);
    if (!rank->has_hint || hint->completes) {
        mwa_hang_put_line(words, rank->site, out);
        if (rank->has_hint) {
            put_requests(words, rank, out);
        }
        return;
    }
    if (hint->window != MWA_NONE) {
        if (hint->has_peer) {
            fprintf(out, " of rank %" PRId32, hint->peer);
        }
        put_late(words, self, out);
    } else if (hint->sends || hint->receives) {
        if (hint->sends) {
            put_message(words, self, true, hint->comm, hint->peer, hint->tag, hint->bytes, out);
        }
        if (hint->receives) {
            put_message(words, self, false, hint->comm, hint->source, hint->source_tag,
                        UINT64_MAX, out);
        }
    } else if (hint->comm != MWA_NONE) {
        fprintf(out, " on %s", mwa_hang_comm_name(words, hint->comm));
        if (hint->has_peer) {
            fprintf(out, " with root %" PRId32, hint->peer);
        }
    }
    mwa_hang_put_line(words, rank->site, out);
}

/* For how long a rank has been where it is, if the run goes on. */
static void put_how_long(const struct mwa_hang_words *words, uint64_t since, FILE *out)
{
    double seconds;

    if (since > 0 && words->now > since) {
        seconds = (double)mwa_trace_ns(words->trace, words->now - since) / 1e9;
        fprintf(out, seconds < 10 ? " for %.1f s" : " for %.0f s", seconds);
    }
}

void mwa_hang_put_how_long_of(const struct mwa_hang_words *words, uint32_t rank, FILE *out)
{
    put_how_long(words, words->states->ranks[rank].since, out);
}

void mwa_hang_put_how_long_all(const struct mwa_hang_words *words, const bool *which, FILE *out)
{
    uint64_t latest = 0;

    for (uint64_t i = 0; i < words->states->rank_count; i++) {
        const uint64_t since = words->states->ranks[i].since;

        latest = which[i] && since > latest ? since : latest;
    }
    put_how_long(words, latest, out);
}
