/* What a hang's graph shows, a sentence each; their words are of hang_words.h. */
#include "analyzer/analysis/hang/hang_sentences.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/hang/hang_hosts.h"
#include "analyzer/analysis/hang/hang_together.h"
#include "analyzer/analysis/hang/hang_words.h"
#include "analyzer/model/error_class.h"
#include "analyzer/model/text_stream.h"
#include "formats/table/calls.h"

#define CHAIN_MAX 6u /* ranks of a chain that are named */
#define SENTENCES_MAX 12u

struct saying {
    const struct mwa_hang_words *words;
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

/* --- ranks that ended the run ------------------------------------------------------ */

/* Whether it is known in which call an error ended the rank: not of several threads. */
static bool fails_there(const struct mwa_hang_words *words, uint64_t rank)
{
    return words->states->ranks[rank].fails && !words->states->ranks[rank].has_threads;
}

/* Where it ended, as all that ended alike did; MWA_NONE: not known. */
static uint32_t site_of_end(const struct mwa_hang_words *words, uint64_t rank)
{
    return fails_there(words, rank) || words->states->ranks[rank].aborts
               ? words->states->ranks[rank].site
               : MWA_NONE;
}

static bool end_alike(const struct mwa_hang_words *words, uint64_t one, uint64_t other)
{
    return words->trace->ranks[one].end == words->trace->ranks[other].end &&
           words->trace->ranks[one].end_code == words->trace->ranks[other].end_code &&
           site_of_end(words, one) == site_of_end(words, other);
}

/* " (last call MPI_Barrier at a.c:31)"; nothing where there was none. */
static void put_last_call(const struct mwa_hang_words *words, uint32_t site, FILE *out)
{
    if (site != MWA_NONE) {
        fprintf(out, " (last call %s", mwa_hang_call_name(words, site));
        mwa_hang_put_line(words, site, out);
        putc(')', out);
    }
}

/* Behind which ranks: one, or several that end alike. */
static void put_end(const struct mwa_hang_words *words, uint32_t rank, bool is_one, FILE *out)
{
    const struct mwa_rank *ended = &words->trace->ranks[rank];
    const uint32_t site = words->states->ranks[rank].site;
    char class[MWA_ERROR_CLASS_BYTES];

    if (ended->end == MWA_END_ABORT) {
        fprintf(out, " called MPI_Abort with code %" PRId32, ended->end_code);
        mwa_hang_put_line(words, site_of_end(words, rank), out);
        return;
    }
    if (ended->end == MWA_END_EXIT) {
        fputs(" exited", out);
        if (ended->end_code >= 0) {
            fprintf(out, " with status %" PRId32, ended->end_code);
        }
        fputs(" without MPI_Finalize", out);
        if (is_one && words->states->ranks[rank].where == MWA_HANG_OUTSIDE) {
            put_last_call(words, site, out);
        }
        return;
    }
    if (ended->end == MWA_END_GONE) {
        fputs(" is gone: killed, or ended without a word", out);
        if (is_one && words->states->ranks[rank].where == MWA_HANG_INSIDE) {
            fputs(", in ", out);
            mwa_hang_put_inside(words, rank, out);
        } else if (is_one) {
            put_last_call(words, site, out);
        }
        return;
    }
    fprintf(out, " ended by %s, which was fatal",
            mwa_error_class_text(words->trace, mwa_rank_fatal(ended), class));
    if (fails_there(words, rank)) {
        fputs(", in ", out);
        if (is_one) {
            mwa_hang_put_inside(words, rank, out);
        } else {
            fputs(mwa_hang_call_name(words, site), out);
            mwa_hang_put_line(words, site, out);
        }
    }
}

/* The rank and those that ended alike, which are said then. */
static enum mw_status say_end(struct saying *saying, uint32_t first, bool *said)
{
    const uint64_t count = saying->words->states->rank_count;
    bool *which = calloc(count + 1, sizeof *which);
    FILE *out = which ? begin_sentence(saying) : NULL;
    uint64_t alike = 0;

    if (!out) {
        free(which);
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < count; i++) {
        which[i] = end_alike(saying->words, i, first);
        said[i] |= which[i];
        alike += which[i];
    }
    mwa_hang_put_ranks(saying->words, which, out);
    put_end(saying->words, first, alike == 1, out);
    free(which);
    return take(saying, out);
}

static enum mw_status say_ends(struct saying *saying)
{
    const uint64_t count = saying->words->states->rank_count;
    bool *said = calloc(count + 1, sizeof *said);
    enum mw_status status = said ? MW_OK : MW_ERROR_MEMORY;

    for (uint32_t rank = 0; status == MW_OK && rank < count &&
                            saying->hang->sentence_count < SENTENCES_MAX;
         rank++) {
        if (saying->words->trace->ranks[rank].end != MWA_END_UNTOLD && !said[rank]) {
            status = say_end(saying, rank, said);
        }
    }
    free(said);
    return status;
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
                          saying->words->states->ranks[other].where == MWA_HANG_FINISHED;
            }
            if (is_dead) {
                return graph->targets[clause->first];
            }
        }
    }
    return MWA_NONE;
}

static const char *name_of_dead(const struct saying *saying)
{
    return mwa_hang_verdict_name(saying->hang->verdict == MWA_HANG_DEADLOCK ? MWA_HANG_DEADLOCK
                                                                            : MWA_HANG_POSSIBLE);
}

/* The lowest rank of the cycle that is reached from rank, or one that waits for who has ended. */
static uint32_t cycle_from(const struct saying *saying, uint32_t rank)
{
    uint32_t lowest;

    for (uint64_t i = 0; i <= saying->words->states->rank_count; i++) {
        uint32_t next = next_of(saying, rank);

        if (next == MWA_NONE || saying->words->states->ranks[next].where == MWA_HANG_FINISHED) {
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
    uint32_t rank = begin, with_others = MWA_NONE;
    uint64_t length = 0;

    if (!out) {
        return MW_ERROR_MEMORY;
    }
    fprintf(out, "%s: ", name_of_dead(saying));
    do {
        if (length < CHAIN_MAX) {
            fprintf(out, "%srank %" PRIu32 " in ", length > 0 ? " <- " : "", rank);
            mwa_hang_put_inside(saying->words, rank, out);
            mwa_hang_put_how_long_of(saying->words, rank, out);
        }
        if (with_others == MWA_NONE && saying->hang->verdict == MWA_HANG_POSSIBLE &&
            mwa_hang_others_may_call(saying->words->trace, saying->words->states, rank)) {
            with_others = rank;
        }
        length++;
        rank = next_of(saying, rank);
    } while (rank != MWA_NONE && rank != begin && length < saying->words->states->rank_count &&
             saying->words->states->ranks[rank].where == MWA_HANG_INSIDE);
    if (length > CHAIN_MAX) {
        fprintf(out, " <- and %" PRIu64 " ranks more", length - CHAIN_MAX);
    }
    if (rank != MWA_NONE && saying->words->states->ranks[rank].where == MWA_HANG_FINISHED) {
        fprintf(out, ", for rank %" PRIu32 ", which has left MPI_Finalize", rank);
    }
    if (with_others != MWA_NONE) {
        fprintf(out, ", unless another thread of rank %" PRIu32 " goes on", with_others);
    }
    return take(saying, out);
}

/* Ranks that are in what another one does not agree to, by what they are in. */
static enum mw_status say_disagreement(struct saying *saying, const struct mwa_hang_clause *clause)
{
    const struct mwa_hang_rank *ranks = saying->words->states->ranks;
    const uint64_t count = saying->words->states->rank_count;
    const uint32_t other = saying->hang->graph.targets[clause->first];
    bool *which = calloc(count + 1, sizeof *which);
    FILE *out = which ? begin_sentence(saying) : NULL;
    const uint32_t sides[2] = { clause->rank, other };
    const bool is_same =
        mw_call_is_same(mwa_hang_call_of(saying->words->trace, saying->words->states, sides[0]),
                        mwa_hang_call_of(saying->words->trace, saying->words->states, sides[1]));

    if (!out) {
        free(which);
        return MW_ERROR_MEMORY;
    }
    fprintf(out, "%s: ", name_of_dead(saying));
    for (unsigned side = 0; side < 2; side++) {
        const struct mwa_hang_rank *first = &ranks[sides[side]];

        for (uint64_t i = 0; i < count; i++) {
            which[i] = ranks[i].where == MWA_HANG_INSIDE && ranks[i].has_hint &&
                       ranks[i].hint.comm == first->hint.comm &&
                       ranks[i].hint.window == first->hint.window &&
                       ranks[i].hint.peer == first->hint.peer &&
                       strcmp(mwa_hang_call_name(saying->words, ranks[i].site),
                              mwa_hang_call_name(saying->words, first->site)) == 0;
        }
        fputs(side == 0 ? "" : ", ", out);
        mwa_hang_put_ranks(saying->words, which, out);
        fputs(" in ", out);
        mwa_hang_put_inside(saying->words, sides[side], out);
        mwa_hang_put_how_long_all(saying->words, which, out);
    }
    fputs(is_same ? ": the roots differ" : ": the order of collectives differs", out);
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
        for (uint32_t rank = 0; rank < saying->words->states->rank_count; rank++) {
            if (graph->life[rank] == (enum mwa_hang_life)life) {
                return say_cycle(saying, cycle_from(saying, rank));
            }
        }
    }
    return MW_OK;
}

/* --- ranks that compute, messages that do not fit ---------------------------------- */

/* Why a rank does not come. */
static const char *is_outside_by(const struct saying *saying, uint32_t rank)
{
    static const char *const words[] = { [MWA_END_UNTOLD] = "is outside of MPI",
                                         [MWA_END_ERROR] = "an error ended",
                                         [MWA_END_ABORT] = "has called MPI_Abort",
                                         [MWA_END_EXIT] = "has exited",
                                         [MWA_END_GONE] = "is gone" };

    return words[saying->words->states->ranks[rank].aborts
                     ? MWA_END_ABORT
                     : saying->words->trace->ranks[rank].end];
}

/* Ranks that wait, in a call of this name, for one that is outside of MPI. */
static enum mw_status say_outside(struct saying *saying, uint32_t outside)
{
    const struct mwa_hang_graph *graph = &saying->hang->graph;
    const struct mwa_hang_rank *ranks = saying->words->states->ranks;
    bool *which = calloc(saying->words->states->rank_count + 1, sizeof *which);
    const struct mwa_hang_clause *one = NULL;
    FILE *out = which ? begin_sentence(saying) : NULL;

    if (!out) {
        free(which);
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < graph->clause_count; i++) {
        const struct mwa_hang_clause *clause = &graph->clauses[i];

        if (clause->count == 1 && graph->targets[clause->first] == outside &&
            (!one || strcmp(mwa_hang_call_name(saying->words, ranks[clause->rank].site),
                            mwa_hang_call_name(saying->words, ranks[one->rank].site)) == 0)) {
            which[clause->rank] = true;
            one = one ? one : clause;
        }
    }
    if (one) {
        mwa_hang_put_ranks(saying->words, which, out);
        fputs(" in ", out);
        mwa_hang_put_inside(saying->words, one->rank, out);
        mwa_hang_put_how_long_all(saying->words, which, out);
        fprintf(out, " for rank %" PRIu32 ", which %s", outside, is_outside_by(saying, outside));
        if (ranks[outside].aborts) {
            mwa_hang_put_how_long_of(saying->words, outside, out);
            mwa_hang_put_line(saying->words, ranks[outside].site, out);
        } else if (saying->words->trace->ranks[outside].end == MWA_END_UNTOLD) {
            mwa_hang_put_how_long_of(saying->words, outside, out);
            put_last_call(saying->words, ranks[outside].site, out);
            fputs(saying->words->now == 0 ? ", or died there, as the launcher then says" : "", out);
        }
    }
    free(which);
    return take(saying, out);
}

/* A message of the rank that is waited for is there, but of another tag. */
static enum mw_status say_other_tag(struct saying *saying, const struct mwa_hang_clause *clause)
{
    const struct mwa_hang_states *states = saying->words->states;
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
                    clause->rank, clause->tag, mwa_hang_comm_name(saying->words, clause->comm));
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
            mwa_hang_comm_name(saying->words, clause->comm),
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
    const struct mwa_hang_rank *ranks = saying->words->states->ranks;
    const struct mwa_hang_graph *graph = &saying->hang->graph;
    const uint64_t count = saying->words->states->rank_count;
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
        mwa_hang_put_ranks(saying->words, which, out);
        fputs(" waited for, if anything", out);
        mwa_hang_put_hosts(saying->words->trace, which, count, out);
        for (uint64_t i = 0; i < count; i++) {
            if (which[i] && ranks[i].where == MWA_HANG_INSIDE) {
                fprintf(out, "; rank %" PRIu64 " is in ", i);
                mwa_hang_put_inside(saying->words, (uint32_t)i, out);
                mwa_hang_put_how_long_of(saying->words, (uint32_t)i, out);
                break;
            }
        }
    }
    free(which);
    return take(saying, out);
}

/* Of the ranks in calls, of which there are some (hang.c), the first that waits for nobody; else
 * the first. */
static uint32_t first_inside(const struct saying *saying)
{
    const struct mwa_hang_states *states = saying->words->states;
    const uint64_t *clauses = saying->hang->graph.first_clause;
    uint32_t first = MWA_NONE;

    for (uint32_t rank = 0; rank < states->rank_count; rank++) {
        if (states->ranks[rank].where != MWA_HANG_INSIDE) {
            continue;
        }
        if (clauses[rank] == clauses[rank + 1]) {
            return rank;
        }
        first = first == MWA_NONE ? rank : first;
    }
    return first;
}

/* Nothing of all that: where who holds up the others is. */
static enum mw_status say_open(struct saying *saying)
{
    const uint32_t rank = first_inside(saying);
    FILE *out = begin_sentence(saying);

    if (!out) {
        return MW_ERROR_MEMORY;
    }
    fprintf(out, "not known why: rank %" PRIu32 " in ", rank);
    mwa_hang_put_inside(saying->words, rank, out);
    mwa_hang_put_how_long_of(saying->words, rank, out);
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
    const struct mwa_hang_words words = {
        .trace = trace, .states = states, .graph = &hang->graph, .now = now
    };
    struct saying saying = { .words = &words, .hang = hang };
    const bool is_ended = hang->verdict == MWA_HANG_ENDED;
    enum mw_status status = is_ended ? say_ends(&saying) : MW_OK;

    if (status == MW_OK) {
        status = say_dead(&saying);
    }
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
    if (status == MW_OK && !is_ended) {
        status = say_ends(&saying);
    }
    if (status == MW_OK && hang->graph.is_cut) {
        status = say_cut(&saying);
    }
    return status == MW_OK && hang->sentence_count == 0 ? say_open(&saying) : status;
}
