/* Times are moved where they are read, so that all who take times take the same ones. */
#include "analyzer/analysis/clocks/controlled_clock.h"

#include <stdlib.h>

#include "analyzer/analysis/clocks/backward_amortization.h"
#include "analyzer/analysis/clocks/clock_shifts.h"
#include "analyzer/analysis/clocks/forward_amortization.h"
#include "analyzer/analysis/clocks/happened_before.h"
#include "analyzer/analysis/pass.h"

/* Runs a pass of which listener is told; *matching is the caller's to free. */
static enum mw_status follow(struct mwa_input *input, struct mwa_exchange_listener listener,
                             struct mwa_matching_result *matching,
                             struct mw_diagnostic *diagnostic)
{
    struct mwa_pass pass = { .input = input, .only_rank = MWA_NONE };
    struct mwa_pass_result read;
    struct mwa_exchange_result result;
    enum mw_status status;

    *matching = (struct mwa_matching_result){ 0 };
    status = mwa_exchange_create(mwa_input_trace(input), input, &listener, 1, &pass.exchange,
                                 diagnostic);
    if (status == MW_OK) {
        status = mwa_pass_run(&pass, NULL, &read, diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_exchange_finish(pass.exchange, matching, &result);
    }
    if (status != MW_OK && pass.exchange && diagnostic->status == MW_OK) {
        *diagnostic = *mwa_exchange_diagnostic(pass.exchange);
    }
    if (status != MW_OK && diagnostic->status == MW_OK) {
        status = mw_no_memory(diagnostic, NULL, "for logical clocks");
    }
    mwa_exchange_destroy(pass.exchange);
    return status;
}

/* Threads and streams that call no MPI are on the clock of their rank's main thread. */
static void let_follow(const struct mwa_trace *trace, const bool *has_calls,
                       struct mwa_logical_clocks *clocks)
{
    for (uint64_t i = 0; i < trace->location_count; i++) {
        const uint32_t rank = trace->locations[i].rank;
        const uint32_t master = rank == MWA_NONE ? MWA_NONE : trace->ranks[rank].master;

        if (!has_calls[i] && master != MWA_NONE && has_calls[master]) {
            clocks->list[i].follows = &clocks->list[master];
        }
    }
}

/* Finds jumps; *jumps is how many there are. */
static enum mw_status find_jumps(struct mwa_input *input, const struct mwa_happened_before *rules,
                                 struct mwa_clock_layer *layers,
                                 struct mwa_logical_clocks *clocks, uint64_t *jumps,
                                 struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    struct mwa_matching_result matching = { 0 };
    struct mwa_forward forward;
    enum mw_status status = mwa_forward_init(&forward, rules, layers);

    status = status == MW_OK
                 ? follow(input, mwa_forward_listener(&forward), &matching, diagnostic)
                 : mw_no_memory(diagnostic, NULL, "for logical clocks");
    if (status == MW_OK) {
        clocks->after = (struct mwa_clock_violations){
            .messages = matching.clock_violations,
            .messages_max_ns = matching.clock_violation_max_ns,
            .collectives = forward.collectives,
            .collectives_max_ns = mwa_trace_ns(trace, forward.collectives_max)
        };
        *jumps = forward.jumps;
        let_follow(trace, forward.has_calls, clocks);
    }
    mwa_matching_result_fini(&matching);
    mwa_forward_fini(&forward);
    return status;
}

/* Finds the ways to the jumps of layers, which become the clocks' own. */
static enum mw_status find_ways(struct mwa_input *input, const struct mwa_happened_before *rules,
                                struct mwa_clock_layer *layers,
                                struct mwa_logical_clocks *clocks,
                                struct mw_diagnostic *diagnostic)
{
    struct mwa_backward backward = { rules, layers };
    struct mwa_matching_result matching;
    enum mw_status status;

    for (uint64_t i = 0; i < clocks->count; i++) {
        mwa_clock_prepare(&layers[i], mwa_input_trace(input)->clock_offset);
    }
    status = follow(input, mwa_backward_listener(&backward), &matching, diagnostic);
    mwa_matching_result_fini(&matching);
    for (uint64_t i = 0; i < clocks->count; i++) {
        struct mwa_logical_clock *clock = &clocks->list[i];

        if (layers[i].count > 0) {
            clock->layers[clock->count++] = layers[i];
            layers[i] = (struct mwa_clock_layer){ 0 };
        }
    }
    clocks->rounds++;
    return status;
}

static void free_layers(struct mwa_clock_layer *layers, uint64_t count)
{
    for (uint64_t i = 0; layers && i < count; i++) {
        mwa_clock_layer_fini(&layers[i]);
    }
    free(layers);
}

static enum mw_status make(struct mwa_input *input, const struct mwa_happened_before *rules,
                           struct mwa_logical_clocks *clocks, struct mw_diagnostic *diagnostic)
{
    struct mwa_clock_layer *layers = calloc(clocks->count + 1, sizeof *layers);
    enum mw_status status = layers ? MW_OK
                                   : mw_no_memory(diagnostic, NULL, "for logical clocks");
    uint64_t jumps = 1;

    while (status == MW_OK && jumps > 0) {
        status = find_jumps(input, rules, layers, clocks, &jumps, diagnostic);
        if (clocks->rounds == 0) {
            clocks->before = clocks->after;
        }
        if (clocks->rounds == MWA_CLOCK_LAYERS) {
            break;
        }
        if (status == MW_OK && jumps > 0) {
            status = find_ways(input, rules, layers, clocks, diagnostic);
        }
    }
    free_layers(layers, clocks->count);
    return status;
}

enum mw_status mwa_controlled_clock_make(struct mwa_input *input,
                                         struct mwa_logical_clocks *clocks,
                                         struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    struct mwa_happened_before rules = { 0 };
    enum mw_status status = mwa_logical_clocks_init(clocks, trace->location_count)
                                ? mwa_happened_before_init(&rules, trace)
                                : MW_ERROR_MEMORY;

    if (status != MW_OK) {
        mwa_happened_before_fini(&rules);
        return mw_no_memory(diagnostic, NULL, "for logical clocks");
    }
    mwa_input_use_clocks(input, clocks);
    status = make(input, &rules, clocks, diagnostic);
    if (status == MW_OK) {
        status = mwa_clock_shifts_find(input, &rules, clocks, diagnostic);
    }
    if (status == MW_OK) {
        mwa_input_use_clocks(input, clocks);
    }
    mwa_happened_before_fini(&rules);
    return status;
}
