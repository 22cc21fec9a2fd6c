#include "recorder/recover/share.h"

#include <stdlib.h>
#include <string.h>

/* What is told of a spool, or of a process's run if it has no spool of it. */
struct offer {
    uint64_t nonce;
    uint32_t rank;
    uint32_t size;
    uint32_t state;
    int32_t code;
};

/* What process 0 answers, before a byte for each spool offered: 1: write it. */
struct answer {
    uint64_t nonce;
    uint32_t status;
    uint32_t reserved;
};

static enum mw_status no_memory(struct mw_diagnostic *diagnostic)
{
    return mw_no_memory(diagnostic, NULL, "to share the work");
}

static enum mw_status give_offers(const struct mw_transport *transport,
                                  const struct mw_runs *runs, struct mw_parts *parts,
                                  struct mw_diagnostic *diagnostic)
{
    const struct mw_run *run = runs->count > 0 ? &runs->runs[0] : NULL;
    uint32_t count = run ? run->spool_count : 0;
    struct offer *offers = calloc(count + (size_t)1, sizeof *offers);
    enum mw_status worst = MW_OK;
    enum mw_status status = offers ? MW_OK : MW_ERROR_MEMORY;

    if (transport->agree(transport->context, status, &worst, diagnostic) != MW_OK ||
        worst != MW_OK) {
        free(offers);
        return worst == MW_ERROR_MEMORY ? no_memory(diagnostic) : MW_ERROR_MPI;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct mw_run_spool *spool = &run->spools[i];

        offers[i] = (struct offer){run->nonce, spool->rank, run->size, (uint32_t)spool->state,
                                   spool->code};
    }
    status = transport->gather(transport->context, offers, count * sizeof *offers, parts,
                               diagnostic);
    free(offers);
    return status;
}

static uint32_t count_offers(const struct mw_parts *parts)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < parts->count; i++) {
        count += parts->sizes[i] / sizeof(struct offer);
    }
    return (uint32_t)count;
}

/* Takes an offer of a rank that nobody below has offered; the spools stay in order. */
static bool take(struct mw_run *all, const struct offer *offer)
{
    uint32_t at = all->spool_count;

    while (at > 0 && all->spools[at - 1].rank > offer->rank) {
        at--;
    }
    if (at > 0 && all->spools[at - 1].rank == offer->rank) {
        return false;
    }
    memmove(&all->spools[at + 1], &all->spools[at],
            (all->spool_count - at) * sizeof *all->spools);
    all->spools[at] = (struct mw_run_spool){.nonce = offer->nonce,
                                                 .rank = offer->rank,
                                                 .state = (enum mw_run_state)offer->state,
                                                 .code = offer->code};
    all->spool_count++;
    all->size = offer->size > all->size ? offer->size : all->size;
    return true;
}

/* Process 0: turns the offers of a process into its answer. */
static void answer_one(const struct mw_parts *offers, uint32_t process, struct answer *answer,
                       char *flags, struct mw_run *all)
{
    struct offer offer;

    for (uint64_t i = 0; i < offers->sizes[process] / sizeof offer; i++) {
        memcpy(&offer, offers->parts[process] + i * sizeof offer, sizeof offer);
        if (all->spool_count == 0) {
            all->nonce = offer.nonce;
        }
        if (offer.nonce != all->nonce) {
            answer->status = MW_ERROR_USAGE;
        } else {
            flags[i] = take(all, &offer);
        }
    }
}

/* Process 0: the answers, in *answers, which stays in use until they are scattered. */
static enum mw_status answer_all(const struct mw_parts *offers, struct mw_parts *answers,
                                 struct mw_run *all)
{
    uint32_t total = count_offers(offers);
    struct answer answer = {.status = MW_OK};
    char *next;

    answers->count = offers->count;
    answers->sizes = calloc(offers->count, sizeof *answers->sizes);
    answers->parts = calloc(offers->count, sizeof *answers->parts);
    answers->data = calloc(1, offers->count * sizeof answer + total + 1);
    all->spools = calloc(total + (size_t)1, sizeof *all->spools);
    if (!answers->sizes || !answers->parts || !answers->data || !all->spools) {
        return MW_ERROR_MEMORY;
    }
    next = answers->data;
    for (uint32_t i = 0; i < offers->count; i++) {
        answers->parts[i] = next;
        answers->sizes[i] = sizeof answer + offers->sizes[i] / sizeof(struct offer);
        answer_one(offers, i, &answer, next + sizeof answer, all);
        next += answers->sizes[i];
    }
    answer.status = all->spool_count == 0 ? MW_ERROR_USAGE : answer.status;
    answer.nonce = all->nonce;
    for (uint32_t i = 0; i < offers->count; i++) {
        memcpy(answers->parts[i], &answer, sizeof answer);
    }
    return MW_OK;
}

static enum mw_status take_answer(const char *data, uint64_t bytes, bool *mine, uint64_t *nonce,
                                  struct mw_diagnostic *diagnostic)
{
    struct answer answer;

    memcpy(&answer, data, sizeof answer);
    *nonce = answer.nonce;
    for (uint64_t i = sizeof answer; i < bytes; i++) {
        mine[i - sizeof answer] = data[i] != 0;
    }
    return answer.status == MW_OK
               ? MW_OK
               : mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "the processes see no spool, or those of different runs");
}

enum mw_status mwr_recover_share(const struct mw_transport *transport,
                                 const struct mw_runs *runs, bool *mine,
                                 uint64_t *nonce, struct mw_run *all,
                                 struct mw_diagnostic *diagnostic)
{
    struct mw_parts offers = {0};
    struct mw_parts answers = {0};
    char *data = NULL;
    uint64_t bytes = 0;
    enum mw_status worst = MW_OK;
    enum mw_status status = give_offers(transport, runs, &offers, diagnostic);

    if (status == MW_OK && transport->rank == 0) {
        status = answer_all(&offers, &answers, all);
    }
    if (transport->agree(transport->context, status, &worst, diagnostic) != MW_OK ||
        worst != MW_OK) {
        status = status != MW_OK ? status : worst;
    } else {
        status = transport->scatter(transport->context, &answers, &data, &bytes, diagnostic);
    }
    if (status == MW_OK) {
        status = take_answer(data, bytes, mine, nonce, diagnostic);
    }
    free(data);
    mw_parts_fini(&answers);
    mw_parts_fini(&offers);
    return status;
}
