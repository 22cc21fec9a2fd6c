/* Times are moved where they are read, so that all who take times take the same ones. */
#include "analyzer/analysis/clocks/controlled_clock.h"

#include <stdlib.h>

#include "analyzer/analysis/clocks/backward_amortization.h"
#include "analyzer/analysis/clocks/clock_shifts.h"
#include "analyzer/analysis/clocks/forward_amortization.h"
#include "analyzer/analysis/clocks/happened_before.h"
#include "analyzer/analysis/pass.h"

/* Hosts are moved as a whole if no more than one of so many is out of order then. */
#define MOST_MENDED 10u

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

/*
 * All threads and streams of a rank are on one clock, that of its main thread: what they tell each
 * other is in no archive, and which of two threads sent first decides what belongs together.
 */
static uint64_t main_thread_of(const struct mwa_trace *trace, uint64_t location)
{
    const uint32_t rank = trace->locations[location].rank;
    const uint32_t master = rank == MWA_NONE ? MWA_NONE : trace->ranks[rank].master;

    return master == MWA_NONE ? location : master;
}

static void let_follow(const struct mwa_trace *trace, struct mwa_logical_clocks *clocks)
{
    for (uint64_t i = 0; i < trace->location_count; i++) {
        const uint64_t main = main_thread_of(trace, i);

        clocks->list[i].follows = main == i ? NULL : &clocks->list[main];
    }
}

/* Takes the jumps of one that are no part of those of the other. */
static enum mw_status take_over(const struct mwa_clock_layer *one,
                                const struct mwa_clock_layer *other, struct mwa_clock_layer *both)
{
    uint64_t i = 0, j = 0;

    while (i < one->count || j < other->count) {
        const bool is_one = j == other->count ||
                            (i < one->count && one->jumps[i].time <= other->jumps[j].time);
        const struct mwa_clock_jump *jump = is_one ? &one->jumps[i++] : &other->jumps[j++];

        if (jump->shift > mwa_clock_forward(both, both->count, jump->time) &&
            !mwa_clock_jump(both, jump->time, jump->shift)) {
            return MW_ERROR_MEMORY;
        }
    }
    return MW_OK;
}

/* A rank jumps where one of its threads does: its main thread has all their jumps then. */
static enum mw_status join_threads(const struct mwa_trace *trace, struct mwa_clock_layer *layers)
{
    enum mw_status status = MW_OK;

    for (uint64_t i = 0; i < trace->location_count && status == MW_OK; i++) {
        const uint64_t main = main_thread_of(trace, i);
        struct mwa_clock_layer both = { .count = 0 };

        if (main != i && layers[i].count > 0) {
            status = take_over(&layers[main], &layers[i], &both);
            mwa_clock_layer_fini(&layers[i]);
            mwa_clock_layer_fini(&layers[main]);
            layers[main] = both;
        }
    }
    return status;
}

/* Finds jumps; *jumps is how many there are. offsets: takes what is told of hosts, or null. */
static enum mw_status find_jumps(struct mwa_input *input, const struct mwa_happened_before *rules,
                                 struct mwa_host_offsets *offsets, struct mwa_clock_layer *layers,
                                 struct mwa_logical_clocks *clocks, uint64_t *jumps,
                                 struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    struct mwa_matching_result matching;
    struct mwa_forward forward;
    enum mw_status status;

    mwa_forward_init(&forward, rules, layers);
    forward.offsets = offsets;
    status = follow(input, mwa_forward_listener(&forward), &matching, diagnostic);
    if (status == MW_OK) {
        clocks->after = (struct mwa_clock_violations){
            .messages = matching.clock_violations,
            .messages_max_ns = matching.clock_violation_max_ns,
            .probes = forward.probes,
            .probes_max_ns = mwa_trace_ns(trace, forward.probes_max),
            .collectives = forward.collectives,
            .collectives_max_ns = mwa_trace_ns(trace, forward.collectives_max)
        };
        *jumps = forward.jumps;
        status = join_threads(trace, layers) == MW_OK
                     ? MW_OK
                     : mw_no_memory(diagnostic, NULL, "for logical clocks");
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
    const struct mwa_trace *trace = mwa_input_trace(input);
    struct mwa_clock_layer **of = calloc(clocks->count + 1, sizeof(struct mwa_clock_layer *));
    struct mwa_backward backward = { rules, of };
    struct mwa_matching_result matching;
    enum mw_status status;

    if (!of) {
        return mw_no_memory(diagnostic, NULL, "for logical clocks");
    }
    for (uint64_t i = 0; i < clocks->count; i++) {
        of[i] = &layers[main_thread_of(trace, i)];
        mwa_clock_prepare(&layers[i], trace->clock_offset);
    }
    status = follow(input, mwa_backward_listener(&backward), &matching, diagnostic);
    mwa_matching_result_fini(&matching);
    for (uint64_t i = 0; i < clocks->count; i++) {
        struct mwa_logical_clock *clock = &clocks->list[i];

        clock->layers[clock->count++] = layers[i];
        layers[i] = (struct mwa_clock_layer){ 0 };
    }
    clocks->rounds++;
    free(of);
    return status;
}

static uint64_t all_of(const struct mwa_clock_violations *violations)
{
    return violations->messages + violations->probes + violations->collectives;
}

/* Takes the last round back. */
static void take_back(struct mwa_logical_clocks *clocks)
{
    for (uint64_t i = 0; i < clocks->count; i++) {
        struct mwa_logical_clock *clock = &clocks->list[i];

        mwa_clock_layer_fini(&clock->layers[--clock->count]);
    }
    clocks->rounds--;
}

/* Each clock is moved throughout by what the rank's host is behind; null: by nothing. */
static void move_hosts(const struct mwa_trace *trace, const struct mwa_happened_before *rules,
                       const uint64_t *behind, struct mwa_logical_clocks *clocks)
{
    for (uint64_t i = 0; i < clocks->count; i++) {
        const uint32_t rank = trace->locations[i].rank;

        clocks->list[i].offset = behind && rank != MWA_NONE ? behind[rules->hosts[rank]] : 0;
    }
}

static void forget_jumps(struct mwa_clock_layer *layers, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        mwa_clock_layer_fini(&layers[i]);
    }
}

/*
 * Finds the first jumps, and what is out of order so far: of hosts that are moved by what they are
 * off throughout, if that mends most.
 */
static enum mw_status find_first(struct mwa_input *input, const struct mwa_happened_before *rules,
                                 struct mwa_clock_layer *layers,
                                 struct mwa_logical_clocks *clocks, uint64_t *jumps,
                                 struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    struct mwa_host_offsets offsets = { .rules = rules };
    uint64_t *behind = calloc(rules->host_count + 1, sizeof *behind);
    bool are_off = false;
    enum mw_status status = behind ? find_jumps(input, rules, &offsets, layers, clocks, jumps,
                                                diagnostic)
                                   : mw_no_memory(diagnostic, NULL, "for the hosts' clocks");

    clocks->before = clocks->after;
    if (status == MW_OK && all_of(&clocks->before) > 0) {
        status = mwa_host_offsets_find(&offsets, behind, &are_off) == MW_OK
                     ? MW_OK
                     : mw_no_memory(diagnostic, NULL, "for the hosts' clocks");
    }
    if (status == MW_OK && are_off) {
        move_hosts(trace, rules, behind, clocks);
        forget_jumps(layers, clocks->count);
        status = find_jumps(input, rules, NULL, layers, clocks, jumps, diagnostic);
    }
    if (status == MW_OK && are_off &&
        MOST_MENDED * all_of(&clocks->after) > all_of(&clocks->before)) {
        move_hosts(trace, rules, NULL, clocks);
        forget_jumps(layers, clocks->count);
        status = find_jumps(input, rules, NULL, layers, clocks, jumps, diagnostic);
    }
    mwa_host_offsets_fini(&offsets);
    free(behind);
    return status;
}

/* In rounds, as long as each leaves less out of order than was: where messages are matched wrongly
 * there is no order to be found, and moving times makes it worse. */
static enum mw_status make(struct mwa_input *input, const struct mwa_happened_before *rules,
                           struct mwa_logical_clocks *clocks, struct mw_diagnostic *diagnostic)
{
    struct mwa_clock_layer *layers = calloc(clocks->count + 1, sizeof *layers);
    struct mwa_clock_violations last = { .messages = UINT64_MAX / 2 };
    enum mw_status status = layers ? MW_OK
                                   : mw_no_memory(diagnostic, NULL, "for logical clocks");
    uint64_t jumps = 1;

    while (status == MW_OK && jumps > 0) {
        status = clocks->rounds == 0
                     ? find_first(input, rules, layers, clocks, &jumps, diagnostic)
                     : find_jumps(input, rules, NULL, layers, clocks, &jumps, diagnostic);
        if (status != MW_OK) {
            break;
        }
        if (clocks->rounds > 0 && all_of(&clocks->after) >= all_of(&last)) {
            take_back(clocks);
            clocks->after = last;
            break;
        }
        last = clocks->after;
        if (clocks->rounds == MWA_CLOCK_LAYERS) {
            break;
        }
        if (jumps > 0) {
            status = find_ways(input, rules, layers, clocks, diagnostic);
        }
    }
    if (layers) {
        forget_jumps(layers, clocks->count);
    }
    free(layers);
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
    let_follow(trace, clocks);
    status = mwa_input_use_clocks(input, clocks, diagnostic);
    if (status == MW_OK) {
        status = make(input, &rules, clocks, diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_clock_shifts_find(input, &rules, clocks, diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_input_use_clocks(input, clocks, diagnostic);
    }
    mwa_happened_before_fini(&rules);
    return status;
}
