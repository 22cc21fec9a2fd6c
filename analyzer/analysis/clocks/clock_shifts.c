/* Told of events and not of clocks: what nobody recorded was not moved. */
#include "analyzer/analysis/clocks/clock_shifts.h"

#include <stdlib.h>

#define BATCH 4096u

/* Of a host; ticks. */
struct shift {
    uint64_t offset;
    uint64_t jumps;
    uint64_t events;
    double sum;
    uint64_t max;
    uint64_t interval_max;
};

struct reading {
    struct mwa_event_reader *reader;
    struct shift *shift;
    bool has_begun;
    uint64_t before; /* by so much the event before was moved */
    uint64_t last;   /* to which it was */
};

static enum mw_status on_event(void *user, const struct mwa_event *event)
{
    struct reading *reading = user;
    struct shift *shift = reading->shift;
    const uint64_t moved = mwa_event_reader_moved(reading->reader);
    const uint64_t change = moved > reading->before ? moved - reading->before
                                                    : reading->before - moved;

    shift->events += moved > 0;
    shift->sum += (double)moved;
    shift->max = moved > shift->max ? moved : shift->max;
    if (reading->has_begun && change > shift->interval_max) {
        shift->interval_max = change;
    }
    reading->has_begun = true;
    reading->before = moved;
    reading->last = event->time;
    return MW_OK;
}

static enum mw_status read_location(struct mwa_input *input, uint32_t location,
                                    struct shift *shift, uint64_t *last,
                                    struct mw_diagnostic *diagnostic)
{
    struct reading reading = { .shift = shift };
    enum mw_status status = mwa_event_reader_open(input, location, &reading.reader, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    while (status == MW_OK) {
        status = mwa_event_reader_read(reading.reader, BATCH, on_event, &reading, diagnostic);
    }
    mwa_event_reader_close(reading.reader);
    *last = reading.last;
    return status == MW_END ? MW_OK : status;
}

static void add(struct shift *all, const struct shift *one)
{
    all->offset = one->offset > all->offset ? one->offset : all->offset;
    all->jumps += one->jumps;
    all->events += one->events;
    all->sum += one->sum;
    all->max = one->max > all->max ? one->max : all->max;
    all->interval_max = one->interval_max > all->interval_max ? one->interval_max
                                                              : all->interval_max;
}

static struct mwa_host_shift in_ns(const struct mwa_trace *trace, const char *host,
                                   const struct shift *shift)
{
    const double mean = shift->events > 0 ? shift->sum / (double)shift->events : 0;

    return (struct mwa_host_shift){ .host = host,
                                    .offset_ns = mwa_trace_ns(trace, shift->offset),
                                    .jumps = shift->jumps,
                                    .events = shift->events,
                                    .mean_ns = mwa_trace_ns(trace, (uint64_t)mean),
                                    .max_ns = mwa_trace_ns(trace, shift->max),
                                    .interval_max_ns = mwa_trace_ns(trace, shift->interval_max) };
}

static uint64_t jumps_of(const struct mwa_logical_clock *clock)
{
    uint64_t jumps = 0;

    for (uint32_t i = 0; i < clock->count; i++) {
        jumps += clock->layers[i].count;
    }
    return jumps;
}

static bool is_moved(const struct mwa_logical_clock *clock)
{
    return clock->offset > 0 || jumps_of(clock) > 0;
}

enum mw_status mwa_clock_shifts_find(struct mwa_input *input,
                                     const struct mwa_happened_before *rules,
                                     struct mwa_logical_clocks *clocks,
                                     struct mw_diagnostic *diagnostic)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    struct shift *shifts = calloc(rules->host_count + 1, sizeof *shifts);
    struct shift all = { .jumps = 0 };
    enum mw_status status = MW_OK;

    clocks->hosts = calloc(rules->host_count + 1, sizeof *clocks->hosts);
    if (!shifts || !clocks->hosts) {
        free(shifts);
        return mw_no_memory(diagnostic, NULL, "for the shifts of clocks");
    }
    for (uint32_t i = 0; i < trace->location_count && status == MW_OK; i++) {
        struct mwa_logical_clock *clock = &clocks->list[i];
        const uint32_t rank = trace->locations[i].rank;
        struct shift *shift = rank == MWA_NONE ? &all : &shifts[rules->hosts[rank]];

        shift->offset = clock->offset;
        shift->jumps += jumps_of(clock);
        if (is_moved(clock->follows ? clock->follows : clock)) {
            status = read_location(input, i, shift, &clock->last, diagnostic);
        }
    }
    clocks->host_count = rules->host_count;
    for (uint64_t i = 0; i < rules->host_count; i++) {
        clocks->hosts[i] = in_ns(trace, rules->names[i], &shifts[i]);
        add(&all, &shifts[i]);
    }
    clocks->all = in_ns(trace, NULL, &all);
    free(shifts);
    return status;
}
