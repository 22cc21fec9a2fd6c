#include "analyzer/exchange/exchange.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "analyzer/analysis/exchanges.h"
#include "analyzer/model/needs.h"
#include "test/data/archives.h"
#include "test/unit/analyzer/archive_fixture.h"

/* Checks what a listener is told against the engine's promises. */
struct promises {
    uint32_t slot;
    uint64_t *inside;    /* per location: 1 between begin and end */
    uint64_t *last_time; /* per location: of the last begin or end */
    uint64_t begins;
    uint64_t ends;
    uint64_t settled;
    uint64_t messages;
    uint64_t collectives;
};

enum { NOTE_BEGUN = 1, NOTE_ENDED = 2 };

static enum mw_status create(const struct mwa_trace *trace, uint32_t slot,
                             const struct mwa_scope *scope, void **analysis)
{
    struct promises *promises = calloc(1, sizeof *promises);

    promises->slot = slot;
    promises->inside = calloc(trace->location_count + 1, sizeof *promises->inside);
    promises->last_time = calloc(trace->location_count + 1, sizeof *promises->last_time);
    *analysis = promises;
    return MW_OK;
}

static enum mw_status on_begin(void *user, struct mwa_exchange_call *call)
{
    struct promises *promises = user;

    cr_expect_eq(promises->inside[call->location], 0);
    cr_expect_leq(promises->last_time[call->location], call->enter);
    cr_expect_eq(call->note[promises->slot], 0);
    promises->inside[call->location] = 1;
    promises->last_time[call->location] = call->enter;
    promises->begins++;
    call->note[promises->slot] = NOTE_BEGUN;
    for (struct mwa_message *message = call->begun; message; message = message->next_begun) {
        cr_expect_eq(message->send, call);
        message->note[promises->slot] = call->enter + 1;
    }
    return MW_OK;
}

static enum mw_status on_end(void *user, struct mwa_exchange_call *call)
{
    struct promises *promises = user;

    cr_expect_eq(promises->inside[call->location], 1);
    promises->inside[call->location] = 0;
    promises->last_time[call->location] = call->leave;
    promises->ends++;
    for (struct mwa_message *message = call->received; message; message = message->next_received) {
        cr_expect_eq(message->receive_completion, call);
        cr_expect(call->unresolved || message->note[promises->slot] == message->send->enter + 1,
                  "the send was told before its receive");
    }
    call->note[promises->slot] = NOTE_ENDED;
    return MW_OK;
}

static enum mw_status on_message(void *user, struct mwa_message *message)
{
    struct promises *promises = user;

    promises->messages++;
    cr_expect_eq(message->receive_completion->note[promises->slot], NOTE_ENDED);
    cr_expect(!message->send_completion ||
              message->send_completion->note[promises->slot] == NOTE_ENDED);
    cr_expect_leq(message->receive->enter, message->receive_completion->enter);
    return MW_OK;
}

static enum mw_status on_collective(void *user, struct mwa_collective *collective)
{
    struct promises *promises = user;
    uint32_t present = 0;

    promises->collectives++;
    for (uint32_t i = 0; i < collective->count; i++) {
        const bool gives = i == 0 && mwa_needs_of(collective) == MWA_NEEDS_FIRST;

        present += collective->members[i].begin != NULL;
        cr_expect(!collective->members[i].end || gives ||
                  collective->members[i].end->note[promises->slot] == NOTE_ENDED);
    }
    cr_expect_eq(present, collective->present);
    cr_expect_eq(collective->complete, present == collective->count);
    return MW_OK;
}

static void on_settled(void *user, struct mwa_exchange_call *call)
{
    struct promises *promises = user;

    cr_expect_eq(call->note[promises->slot], NOTE_ENDED);
    promises->settled++;
}

static enum mw_status finish(void *analysis, void *result)
{
    *(struct promises *)result = *(struct promises *)analysis;
    return MW_OK;
}

static void destroy(void *analysis)
{
    struct promises *promises = analysis;

    free(promises->inside);
    free(promises->last_time);
    free(promises);
}

static const struct mwa_exchange_analysis checking = {
    .name = "promises",
    .create = create,
    .listener = { .begin = on_begin,
                  .end = on_end,
                  .message = on_message,
                  .collective = on_collective,
                  .settled = on_settled },
    .finish = finish,
    .destroy = destroy,
};

Test(exchange, keeps_its_promises_for_every_archive)
{
    for (const struct made_archive *made = made_archives; made->name; made++) {
        struct fixture fixture;
        struct promises promises = { 0 };
        const struct mwa_wanted_exchange wanted[] = { { &checking, &promises },
                                                      { &checking, &promises } };
        const struct mwa_scope scope = { MWA_ALL_OF_IT };
        struct mwa_pass pass = { .only_rank = MWA_NONE };
        struct mwa_results results = { 0 };
        enum mw_status status;

        fixture_make(&fixture, made->make);
        cr_assert_eq(mwa_input_open(fixture.directory, &fixture.input, &fixture.diagnostic),
                     MW_OK);
        pass.input = fixture.input;
        results.trace = mwa_input_trace(fixture.input);
        status = mwa_exchanges_run(&pass, wanted, 2, &scope, NULL, &results,
                                   &fixture.diagnostic);
        if (strcmp(made->name, "backwards") == 0) {
            cr_expect_eq(status, MW_ERROR_FORMAT);
        } else {
            cr_expect_eq(status, MW_OK, "%s", made->name);
            cr_expect_eq(promises.begins, promises.ends, "%s", made->name);
            cr_expect_eq(promises.settled, promises.ends, "%s", made->name);
            cr_expect_eq(promises.messages, results.exchange.messages, "%s", made->name);
            cr_expect_eq(promises.collectives, results.exchange.collectives, "%s", made->name);
            cr_expect_eq(results.exchange.messages, results.matching.matched, "%s", made->name);
        }
        mwa_matching_result_fini(&results.matching);
        fixture.results = (struct mwa_results){ 0 };
        fixture_close(&fixture);
    }
}
