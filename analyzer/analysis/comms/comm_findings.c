#include "analyzer/analysis/comms/comm_findings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/model/sides.h"
#include "formats/base/order.h"

#define SECOND_NS   1000000000u
#define NAMES_SHOWN 3u

/* Members, of those whose record is whole, that created it, and that freed it. */
struct ends {
    uint64_t created;
    uint64_t freed;
};

static struct ends ends_of(const struct mwa_trace *trace, const struct mwa_comms *comms,
                           const struct mwa_comm_row *row)
{
    struct ends ends = { 0 };

    for (uint64_t i = 0; i < row->life_count; i++) {
        const struct mwa_comm_life *life = &comms->lives[row->first_life + i];
        bool is_whole = life->rank < trace->rank_count && !trace->ranks[life->rank].incomplete;

        ends.created += is_whole && life->has_created;
        ends.freed += is_whole && life->has_created && life->has_freed;
    }
    return ends;
}

static bool is_leaked(const struct ends *ends)
{
    return ends->created > 0 && ends->freed == 0;
}

static bool is_partly_freed(const struct ends *ends)
{
    return ends->freed > 0 && ends->freed < ends->created;
}

static bool is_unused(const struct mwa_comm_row *row, bool is_parent)
{
    return row->has_created && !is_parent && !row->is_used;
}

static enum mw_status add(struct mwa_comm_finding *finding, uint64_t *capacity, uint32_t comm)
{
    if (!mwa_grow(&finding->comms, capacity, finding->count + 1, sizeof *finding->comms)) {
        return MW_ERROR_MEMORY;
    }
    finding->comms[finding->count++] = comm;
    return MW_OK;
}

/* Marks the communicators that others were made of, or may have been: those that an
 * intercommunicator has as a side. */
static void find_parents(const struct mwa_trace *trace, const struct mwa_comms *comms,
                         bool *is_parent)
{
    for (uint32_t i = 0; i < comms->count; i++) {
        is_parent[i] |= mwa_comm_is_side(trace, i);
        if (trace->comms[i].parent < comms->count) {
            is_parent[trace->comms[i].parent] = true;
        }
    }
}

/* is_parent: of communicators that others were made of. */
static enum mw_status look_at_all(const struct mwa_trace *trace, const struct mwa_comms *comms,
                                  const bool *selected, const bool *is_parent,
                                  struct mwa_comm_finding *all)
{
    uint64_t capacity[MWA_COMM_FINDING_KINDS] = { 0 };
    enum mw_status status = MW_OK;

    for (uint32_t i = 0; i < comms->count && status == MW_OK; i++) {
        const struct mwa_comm_row *row = &comms->rows[i];
        struct ends ends = ends_of(trace, comms, row);
        const bool is[] = { is_leaked(&ends), is_partly_freed(&ends),
                            is_unused(row, is_parent[i]) };

        if ((selected && !selected[i]) || trace->comms[i].predefined) {
            continue;
        }
        for (unsigned k = 0; k < sizeof is / sizeof is[0] && status == MW_OK; k++) {
            status = is[k] ? add(&all[k], &capacity[k], i) : MW_OK;
        }
    }
    return status;
}

static int by_rank_and_time(const void *one, const void *other)
{
    const struct mwa_comm_life *a = one;
    const struct mwa_comm_life *b = other;

    return mw_order(a->rank, b->rank) ?: mw_order_signed(a->created_ns, b->created_ns);
}

/* The second in which one rank created most. */
static enum mw_status look_at_rate(const struct mwa_comms *comms,
                                   struct mwa_comm_finding *finding)
{
    struct mwa_comm_life *lives = calloc(comms->life_count + 1, sizeof *lives);
    uint64_t count = 0;
    uint64_t first = 0;

    if (!lives) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < comms->life_count; i++) {
        if (comms->lives[i].has_created) {
            lives[count++] = comms->lives[i];
        }
    }
    qsort(lives, count, sizeof *lives, by_rank_and_time);
    for (uint64_t i = 0; i < count; i++) {
        while (lives[first].rank != lives[i].rank ||
               lives[i].created_ns - lives[first].created_ns >= SECOND_NS) {
            first++;
        }
        if (i - first + 1 > finding->creations) {
            finding->creations = i - first + 1;
            finding->rank = lives[i].rank;
            finding->from_ns = lives[first].created_ns;
        }
    }
    free(lives);
    return MW_OK;
}

enum mw_status mwa_comm_findings_make(const struct mwa_trace *trace,
                                      const struct mwa_comms *comms, const bool *selected,
                                      struct mwa_comm_findings *findings)
{
    struct mwa_comm_finding all[MWA_COMM_FINDING_KINDS] = { { .kind = MWA_COMM_LEAKED } };
    bool *is_parent = calloc(comms->count + 1, sizeof *is_parent);
    enum mw_status status = is_parent ? MW_OK : MW_ERROR_MEMORY;

    *findings = (struct mwa_comm_findings){ 0 };
    if (status == MW_OK) {
        find_parents(trace, comms, is_parent);
        status = look_at_all(trace, comms, selected, is_parent, all);
    }
    if (status == MW_OK && !selected) {
        status = look_at_rate(comms, &all[MWA_COMM_CREATED_FAST]);
    }
    for (unsigned k = 0; k < MWA_COMM_FINDING_KINDS; k++) {
        all[k].kind = (enum mwa_comm_finding_kind)k;
        if (all[k].count > 0 || all[k].creations >= MWA_COMM_RATE_LEAST) {
            findings->list[findings->count++] = all[k];
        }
    }
    free(is_parent);
    return status;
}

void mwa_comm_findings_fini(struct mwa_comm_findings *findings)
{
    for (uint32_t i = 0; i < findings->count; i++) {
        free(findings->list[i].comms);
    }
    *findings = (struct mwa_comm_findings){ 0 };
}

uint64_t mwa_comm_findings_of(const struct mwa_comm_findings *findings,
                              enum mwa_comm_finding_kind kind)
{
    for (uint32_t i = 0; i < findings->count; i++) {
        if (findings->list[i].kind == kind) {
            return findings->list[i].count;
        }
    }
    return 0;
}

const char *mwa_comm_finding_name(enum mwa_comm_finding_kind kind)
{
#define NAME(constant, name, one, many) name,
    static const char *const names[] = { MWA_COMM_FINDING_LIST(NAME) };

    return names[kind];
}

const char *mwa_comm_finding_text(const struct mwa_trace *trace,
                                  const struct mwa_comm_finding *finding, char *text)
{
#define WHAT(constant, name, one, many) { one, many },
    static const char *const what[][2] = { MWA_COMM_FINDING_LIST(WHAT) };
    size_t length;

    if (finding->kind == MWA_COMM_CREATED_FAST) {
        snprintf(text, MWA_COMM_FINDING_BYTES, "rank %" PRIu32 " created %" PRIu64 " %s",
                 finding->rank, finding->creations,
                 what[finding->kind][finding->creations > 1]);
        return text;
    }
    snprintf(text, MWA_COMM_FINDING_BYTES, "%" PRIu64 " %s", finding->count,
             what[finding->kind][finding->count > 1]);
    for (uint64_t i = 0; i < finding->count && i < NAMES_SHOWN; i++) {
        length = 0;
        while (text[length]) {
            length++;
        }
        snprintf(text + length, MWA_COMM_FINDING_BYTES - length, "%s %.60s", i > 0 ? "," : ":",
                 trace->comms[finding->comms[i]].name);
    }
    return text;
}
