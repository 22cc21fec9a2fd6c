/* The words of a hang. What many ranks share is said once: "ranks 0-2, 5". */
#include "analyzer/analysis/hang/hang_sentences.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/hang/hang_hosts.h"
#include "analyzer/model/text_stream.h"

#define CHAIN_MAX 6u      /* ranks of a chain that are named */
#define REQUESTS_NAMED 3u /* and requests of a call */
#define SENTENCES_MAX 12u

struct saying {
    const struct mwa_trace *trace;
    const struct mwa_hang_states *states;
    uint64_t now; /* ticks; 0: nobody asks since when ranks are where they are */
    struct mwa_hang *hang;
    char *text; /* of the sentence that is being said */
    size_t size;
};

/* --- one sentence after the other -------------------------------------------------- */

/* Where a sentence goes; null: no memory. take is due otherwise. */
static FILE *begin_sentence(struct saying *saying)
{
    saying->text = NULL;
    return mwa_open_text(&saying->text, &saying->size);
}

/* Closes out and keeps the sentence; one without words was none. */
static enum mw_status take(struct saying *saying, FILE *out)
{
    struct mwa_hang *hang = saying->hang;
    bool is_written = fclose(out) == 0 && saying->text;
    char **grown = is_written && saying->size > 0
                       ? realloc(hang->sentences, (hang->sentence_count + 1) * sizeof *grown)
                       : NULL;

    if (!grown) {
        free(saying->text);
        return is_written && saying->size == 0 ? MW_OK : MW_ERROR_MEMORY;
    }
    hang->sentences = grown;
    hang->sentences[hang->sentence_count++] = saying->text;
    return MW_OK;
}

static const char *comm_name(const struct saying *saying, uint32_t comm)
{
    return comm == MWA_NONE ? "a communicator" : saying->trace->comms[comm].name;
}

static const char *call_name(const struct saying *saying, uint32_t site)
{
    const struct mwa_trace *trace = saying->trace;

    return site == MWA_NONE ? "a call" : trace->regions[trace->sites[site].region].name;
}

static void put_line(const struct saying *saying, uint32_t site, FILE *out)
{
    const struct mwa_site *place = site == MWA_NONE ? NULL : &saying->trace->sites[site];

    if (place && place->file[0] && place->line > 0) {
        const char *slash = strrchr(place->file, '/');

        fprintf(out, " at %s:%" PRIu32, slash ? slash + 1 : place->file, place->line);
    } else if (place && place->function[0]) {
        fprintf(out, " in %s", place->function);
    }
}

/* "rank 3", "ranks 0-2, 5": those of which is true. */
static void put_ranks(const struct saying *saying, const bool *which, FILE *out)
{
    const uint64_t count = saying->states->rank_count;
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

/* Ranks of communicators are told as those of the world. */
static void put_peer(const struct saying *saying, uint32_t self, uint32_t comm, int32_t peer,
                     FILE *out)
{
    uint32_t rank = comm != MWA_NONE && peer >= 0
                        ? mwa_trace_peer(saying->trace, comm, self, (uint32_t)peer) : MWA_NONE;

    if (peer < 0) {
        fputs("any rank", out);
    } else if (rank == MWA_NONE) {
        fprintf(out, "rank %" PRId32 " of another group", peer);
    } else {
        fprintf(out, "%" PRIu32, rank);
    }
}

static void put_message(const struct saying *saying, uint32_t self, bool is_send, uint32_t comm,
                        int32_t peer, int32_t tag, uint64_t bytes, FILE *out)
{
    fputs(is_send ? " to " : " from ", out);
    put_peer(saying, self, comm, peer, out);
    fputs(" (", out);
    put_tag(tag, out);
    if (is_send && bytes != UINT64_MAX) {
        fprintf(out, ", %" PRIu64 " bytes", bytes);
    }
    fprintf(out, ", %s)", comm_name(saying, comm));
}

static void put_request(const struct saying *saying, const struct mwa_hang_request *request,
                        FILE *out)
{
    static const char *const names[MWA_EVENT_KINDS] = { [MWA_ISEND] = "a send",
                                                        [MWA_IRECV_POST] = "a receive",
                                                        [MWA_COLLECTIVE_POST] = "a collective" };

    fputs(names[request->kind] ? names[request->kind] : "a request", out);
    if (!request->is_told) {
        return;
    }
    if (request->kind == MWA_COLLECTIVE_POST) {
        fprintf(out, " on %s", comm_name(saying, request->comm));
    } else {
        put_message(saying, request->rank, request->kind == MWA_ISEND, request->comm,
                    request->peer, request->tag, request->bytes, out);
    }
    put_line(saying, request->site, out);
}

static void put_requests(const struct saying *saying, const struct mwa_hang_rank *rank, FILE *out)
{
    const struct mwa_hang_states *states = saying->states;
    uint64_t named = 0;

    fprintf(out, " for %" PRIu64 " request%s", rank->hint.requests,
            rank->hint.requests == 1 ? "" : "s");
    for (uint64_t i = 0; i < states->request_count && named < REQUESTS_NAMED; i++) {
        const struct mwa_hang_request *request = &states->requests[i];

        if (request->rank == rank->rank && mwa_hang_is_there(request) && request->is_awaited) {
            fputs(named++ == 0 ? ": " : ", ", out);
            put_request(saying, request, out);
        }
    }
    fputs(named < rank->hint.requests && named > 0 ? " …" : "", out);
}

/* Of a window's group, as far as that is known, the ranks that have not posted or completed. */
static void put_late(const struct saying *saying, uint32_t self, FILE *out)
{
    const struct mwa_hang_graph *graph = &saying->hang->graph;
    bool *late = calloc(saying->states->rank_count + 1, sizeof *late);
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
        put_ranks(saying, late, out);
    }
    free(late);
}

/* "MPI_Recv from 1 (tag 7, ring) at a.c:31" */
static void put_inside(const struct saying *saying, uint32_t self, FILE *out)
{
    const struct mwa_hang_rank *rank = &saying->states->ranks[self];
    const struct mwa_hint *hint = &rank->hint;

    fputs(call_name(saying, rank->site), out);
    if (!rank->has_hint || hint->completes) {
        put_line(saying, rank->site, out);
        if (rank->has_hint) {
            put_requests(saying, rank, out);
        }
        return;
    }
    if (hint->window != MWA_NONE) {
        if (hint->has_peer) {
            fprintf(out, " of rank %" PRId32, hint->peer);
        }
        put_late(saying, self, out);
    } else if (hint->sends || hint->receives) {
        if (hint->sends) {
            put_message(saying, self, true, hint->comm, hint->peer, hint->tag, hint->bytes, out);
        }
        if (hint->receives) {
            put_message(saying, self, false, hint->comm, hint->source, hint->source_tag,
                        UINT64_MAX, out);
        }
    } else if (hint->comm != MWA_NONE) {
        fprintf(out, " on %s", comm_name(saying, hint->comm));
        if (hint->has_peer) {
            fprintf(out, " with root %" PRId32, hint->peer);
        }
    }
    put_line(saying, rank->site, out);
}

/* For how long a rank has been where it is, if the run goes on. */
static void put_how_long(const struct saying *saying, uint64_t since, FILE *out)
{
    double seconds;

    if (since > 0 && saying->now > since) {
        seconds = (double)mwa_trace_ns(saying->trace, saying->now - since) / 1e9;
        fprintf(out, seconds < 10 ? " for %.1f s" : " for %.0f s", seconds);
    }
}

static void put_how_long_of(const struct saying *saying, uint32_t rank, FILE *out)
{
    put_how_long(saying, saying->states->ranks[rank].since, out);
}

/* For how long all of those have been there of which is true. */
static void put_how_long_all(const struct saying *saying, const bool *which, FILE *out)
{
    uint64_t latest = 0;

    for (uint64_t i = 0; i < saying->states->rank_count; i++) {
        const uint64_t since = saying->states->ranks[i].since;

        latest = which[i] && since > latest ? since : latest;
    }
    put_how_long(saying, latest, out);
}

/* --- deadlocks --------------------------------------------------------------------- */

/* Whom a dead rank waits for: the first one in a clause that nobody alive is in, proved ones first.
 * MWA_NONE: nobody. */
static uint32_t next_of(const struct saying *saying, uint32_t rank)
{
    const struct mwa_hang_graph *graph = &saying->hang->graph;

    for (unsigned round = 0; round < 2; round++) {
        for (uint64_t i = graph->first_clause[rank]; i < graph->first_clause[rank + 1]; i++) {
            const struct mwa_hang_clause *clause = &graph->clauses[i];
            bool is_dead = clause->count > 0 && (round == 1 || clause->is_proved);

            for (uint64_t target = 0; is_dead && target < clause->count; target++) {
                uint32_t other = graph->targets[clause->first + target];

                is_dead = graph->life[other] != MWA_HANG_LIVES ||
                          saying->states->ranks[other].where == MWA_HANG_FINISHED;
            }
            if (is_dead) {
                return graph->targets[clause->first];
            }
        }
    }
    return MWA_NONE;
}

/* The lowest rank of the cycle that is reached from rank, or one that waits for who has ended. */
static uint32_t cycle_from(const struct saying *saying, uint32_t rank)
{
    uint32_t lowest;

    for (uint64_t i = 0; i <= saying->states->rank_count; i++) {
        uint32_t next = next_of(saying, rank);

        if (next == MWA_NONE || saying->states->ranks[next].where == MWA_HANG_FINISHED) {
            return rank;
        }
        rank = next;
    }
    lowest = rank; /* it is in the cycle by now */
    for (uint32_t next = next_of(saying, rank); next != rank; next = next_of(saying, next)) {
        lowest = next < lowest ? next : lowest;
    }
    return lowest;
}

static enum mw_status say_cycle(struct saying *saying, uint32_t begin)
{
    FILE *out = begin_sentence(saying);
    uint32_t rank = begin;
    uint64_t length = 0;

    if (!out) {
        return MW_ERROR_MEMORY;
    }
    fprintf(out, "%s: ", mwa_hang_verdict_name(saying->hang->verdict));
    do {
        if (length < CHAIN_MAX) {
            fprintf(out, "%srank %" PRIu32 " in ", length > 0 ? " <- " : "", rank);
            put_inside(saying, rank, out);
            put_how_long_of(saying, rank, out);
        }
        length++;
        rank = next_of(saying, rank);
    } while (rank != MWA_NONE && rank != begin && length < saying->states->rank_count &&
             saying->states->ranks[rank].where == MWA_HANG_INSIDE);
    if (length > CHAIN_MAX) {
        fprintf(out, " <- and %" PRIu64 " ranks more", length - CHAIN_MAX);
    }
    if (rank != MWA_NONE && saying->states->ranks[rank].where == MWA_HANG_FINISHED) {
        fprintf(out, ", for rank %" PRIu32 ", which has left MPI_Finalize", rank);
    }
    return take(saying, out);
}

/* Ranks that are in what another one does not agree to, by what they are in. */
static enum mw_status say_disagreement(struct saying *saying, const struct mwa_hang_clause *clause)
{
    const struct mwa_hang_rank *ranks = saying->states->ranks;
    const uint64_t count = saying->states->rank_count;
    const uint32_t other = saying->hang->graph.targets[clause->first];
    bool *which = calloc(count + 1, sizeof *which);
    FILE *out = which ? begin_sentence(saying) : NULL;
    const uint32_t sides[2] = { clause->rank, other };
    bool same_call = strcmp(call_name(saying, ranks[clause->rank].site),
                            call_name(saying, ranks[other].site)) == 0;

    if (!out) {
        free(which);
        return MW_ERROR_MEMORY;
    }
    fprintf(out, "%s: ", mwa_hang_verdict_name(saying->hang->verdict));
    for (unsigned side = 0; side < 2; side++) {
        const struct mwa_hang_rank *first = &ranks[sides[side]];

        for (uint64_t i = 0; i < count; i++) {
            which[i] = ranks[i].where == MWA_HANG_INSIDE && ranks[i].has_hint &&
                       ranks[i].hint.comm == first->hint.comm &&
                       ranks[i].hint.window == first->hint.window &&
                       ranks[i].hint.peer == first->hint.peer &&
                       strcmp(call_name(saying, ranks[i].site), call_name(saying, first->site)) ==
                           0;
        }
        fputs(side == 0 ? "" : ", ", out);
        put_ranks(saying, which, out);
        fputs(" in ", out);
        put_inside(saying, sides[side], out);
        put_how_long_all(saying, which, out);
    }
    fputs(same_call ? ": the roots differ" : ": the order of collectives differs", out);
    free(which);
    return take(saying, out);
}

static enum mw_status say_dead(struct saying *saying)
{
    const struct mwa_hang_graph *graph = &saying->hang->graph;

    for (uint64_t i = 0; i < graph->clause_count; i++) {
        if (graph->clauses[i].why == MWA_HANG_TO_AGREE) {
            return say_disagreement(saying, &graph->clauses[i]);
        }
    }
    for (unsigned life = MWA_HANG_DEAD; life > MWA_HANG_LIVES; life--) {
        for (uint32_t rank = 0; rank < saying->states->rank_count; rank++) {
            if (graph->life[rank] == (enum mwa_hang_life)life) {
                return say_cycle(saying, cycle_from(saying, rank));
            }
        }
    }
    return MW_OK;
}

/* --- ranks that compute, messages that do not fit ---------------------------------- */

/* Ranks that wait, in a call of this name, for one that is outside of MPI. */
static enum mw_status say_outside(struct saying *saying, uint32_t outside)
{
    const struct mwa_hang_graph *graph = &saying->hang->graph;
    const struct mwa_hang_rank *ranks = saying->states->ranks;
    bool *which = calloc(saying->states->rank_count + 1, sizeof *which);
    const struct mwa_hang_clause *one = NULL;
    FILE *out = which ? begin_sentence(saying) : NULL;

    if (!out) {
        free(which);
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < graph->clause_count; i++) {
        const struct mwa_hang_clause *clause = &graph->clauses[i];

        if (clause->count == 1 && graph->targets[clause->first] == outside &&
            (!one || strcmp(call_name(saying, ranks[clause->rank].site),
                            call_name(saying, ranks[one->rank].site)) == 0)) {
            which[clause->rank] = true;
            one = one ? one : clause;
        }
    }
    if (one) {
        put_ranks(saying, which, out);
        fputs(" in ", out);
        put_inside(saying, one->rank, out);
        put_how_long_all(saying, which, out);
        fprintf(out, " for rank %" PRIu32 ", which %s", outside,
                ranks[outside].aborts ? "has called MPI_Abort" : "is outside of MPI");
        put_how_long_of(saying, outside, out);
        if (ranks[outside].aborts) {
            put_line(saying, ranks[outside].site, out);
        } else if (ranks[outside].site != MWA_NONE) {
            fprintf(out, " (last call %s", call_name(saying, ranks[outside].site));
            put_line(saying, ranks[outside].site, out);
            putc(')', out);
        }
    }
    free(which);
    return take(saying, out);
}

/* A message of the rank that is waited for is there, but of another tag. */
static enum mw_status say_other_tag(struct saying *saying, const struct mwa_hang_clause *clause)
{
    const struct mwa_hang_states *states = saying->states;
    const uint32_t from = saying->hang->graph.targets[clause->first];

    for (uint64_t i = 0; i < states->message_count; i++) {
        const struct mwa_hang_message *message = &states->messages[i];

        if (message->to == clause->rank && message->comm == clause->comm && message->count > 0 &&
            (clause->is_any || message->from == from)) {
            FILE *out = begin_sentence(saying);

            if (!out) {
                return MW_ERROR_MEMORY;
            }
            fprintf(out, "a message of tag %" PRIu32 " from rank %" PRIu32 " waits at rank %" PRIu32
                    ", which wants tag %" PRId32 " (%s)", message->tag, message->from,
                    clause->rank, clause->tag, comm_name(saying, clause->comm));
            return take(saying, out);
        }
    }
    return MW_OK;
}

static enum mw_status say_unreceived(struct saying *saying, const struct mwa_hang_clause *clause)
{
    FILE *out = begin_sentence(saying);

    if (!out) {
        return MW_ERROR_MEMORY;
    }
    fputs("a send", out);
    if (clause->bytes != UINT64_MAX) {
        fprintf(out, " of %" PRIu64 " bytes", clause->bytes);
    }
    fprintf(out, " from rank %" PRIu32 " to rank %" PRIu32
            " (tag %" PRId32 ", %s), which has posted no receive for it%s", clause->rank,
            saying->hang->graph.targets[clause->first], clause->tag,
            comm_name(saying, clause->comm),
            clause->is_behind ? " but those that messages sent before it may have" : "");
    return take(saying, out);
}

static enum mw_status say_messages(struct saying *saying)
{
    const struct mwa_hang_graph *graph = &saying->hang->graph;
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; status == MW_OK && i < graph->clause_count &&
                         saying->hang->sentence_count < SENTENCES_MAX;
         i++) {
        const struct mwa_hang_clause *clause = &graph->clauses[i];

        if (clause->why == MWA_HANG_TO_SEND && clause->tag >= 0 && clause->count > 0) {
            status = say_other_tag(saying, clause);
        } else if (clause->why == MWA_HANG_TO_RECEIVE && clause->count == 1) {
            status = say_unreceived(saying, clause);
        }
    }
    return status;
}

/* --- what is not known ------------------------------------------------------------- */

static enum mw_status say_unknown(struct saying *saying)
{
    const struct mwa_hang_rank *ranks = saying->states->ranks;
    const struct mwa_hang_graph *graph = &saying->hang->graph;
    const uint64_t count = saying->states->rank_count;
    bool *which = calloc(count + 1, sizeof *which), is_any = false;
    FILE *out = which ? begin_sentence(saying) : NULL;

    if (!out) {
        free(which);
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < count; i++) {
        which[i] = !graph->is_known[i] && graph->life[i] == MWA_HANG_LIVES;
        is_any |= which[i];
    }
    if (is_any) {
        fputs("not known: what ", out);
        put_ranks(saying, which, out);
        fputs(" waited for, if anything", out);
        mwa_hang_put_hosts(saying->trace, which, count, out);
        for (uint64_t i = 0; i < count; i++) {
            if (which[i] && ranks[i].where == MWA_HANG_INSIDE) {
                fprintf(out, "; rank %" PRIu64 " is in ", i);
                put_inside(saying, (uint32_t)i, out);
                put_how_long_of(saying, (uint32_t)i, out);
                break;
            }
        }
    }
    free(which);
    return take(saying, out);
}

/* Nothing of all that: where the first rank is that is in a call. */
static enum mw_status say_open(struct saying *saying)
{
    FILE *out;
    uint32_t rank = 0;

    while (saying->states->ranks[rank].where != MWA_HANG_INSIDE) {
        rank++; /* there is one: hang.c */
    }
    out = begin_sentence(saying);
    if (!out) {
        return MW_ERROR_MEMORY;
    }
    fprintf(out, "not known why: rank %" PRIu32 " in ", rank);
    put_inside(saying, rank, out);
    put_how_long_of(saying, rank, out);
    fputs(" was about to go on, or waited for what is not recorded", out);
    return take(saying, out);
}

static enum mw_status say_cut(struct saying *saying)
{
    FILE *out = begin_sentence(saying);

    if (!out) {
        return MW_ERROR_MEMORY;
    }
    fprintf(out, "more ranks have not come to a collective than are looked at for one that "
                 "waits (%u)", MWA_HANG_MEMBERS_MAX);
    return take(saying, out);
}

enum mw_status mwa_hang_sentences_make(const struct mwa_trace *trace,
                                       const struct mwa_hang_states *states, uint64_t now,
                                       struct mwa_hang *hang)
{
    struct saying saying = { .trace = trace, .states = states, .now = now, .hang = hang };
    enum mw_status status = say_dead(&saying);

    for (uint32_t rank = 0; status == MW_OK && rank < states->rank_count &&
                            hang->sentence_count < SENTENCES_MAX;
         rank++) {
        status = states->ranks[rank].where == MWA_HANG_OUTSIDE ? say_outside(&saying, rank)
                                                               : MW_OK;
    }
    if (status == MW_OK) {
        status = say_messages(&saying);
    }
    if (status == MW_OK) {
        status = say_unknown(&saying);
    }
    if (status == MW_OK && hang->graph.is_cut) {
        status = say_cut(&saying);
    }
    return status == MW_OK && hang->sentence_count == 0 ? say_open(&saying) : status;
}
