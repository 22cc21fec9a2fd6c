/*
 * Sums over ranks have corner cases (no events, a rank without a run, an archive
 * without a clock), which every renderer would decide in another way.
 */
#include "analyzer/analysis/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/model/function_name.h"
#include "analyzer/model/places.h"

bool mwa_says_complete(const struct mwa_trace *trace)
{
    return !trace->incomplete && trace->lost_events == 0;
}

/* Whether the definitions say of each rank that it has events: of our own archives they know. */
static bool have_all_events(const struct mwa_trace *trace)
{
    uint64_t *events = calloc(trace->rank_count + 1, sizeof *events);
    uint64_t ranks = 0;

    for (uint64_t i = 0; events && i < trace->location_count; i++) {
        const struct mwa_location *location = &trace->locations[i];

        if (location->rank != MWA_NONE) {
            ranks += events[location->rank] == 0 && location->events > 0;
            events[location->rank] += location->events;
        }
    }
    free(events);
    return ranks == trace->rank_count;
}

bool mwa_is_complete(const struct mwa_results *results)
{
    if (!mwa_says_complete(results->trace) || results->pass.missing_events > 0) {
        return false;
    }
    if (!mwa_has(results, MWA_NEED_PROFILE)) {
        return !results->trace->has_metadata || have_all_events(results->trace);
    }
    for (uint64_t i = 0; i < results->profile.rank_count; i++) {
        if (!results->profile.ranks[i].has_events) {
            return false;
        }
    }
    return results->profile.open_calls == 0;
}

uint64_t mwa_duration_ns(const struct mwa_results *results)
{
    const struct mwa_profile *profile = &results->profile;

    if (!mwa_has(results, MWA_NEED_PROFILE)) {
        return mwa_trace_ns(results->trace, results->trace->clock_length);
    }
    return mwa_trace_ns(results->trace, profile->last_ticks - profile->first_ticks);
}

bool mwa_knows_duration(const struct mwa_results *results)
{
    return mwa_has(results, MWA_NEED_PROFILE) ||
           (results->trace->has_metadata && results->trace->clock_length > 0);
}

const char *mwa_program(const struct mwa_results *results)
{
    const char *program = results->trace->program;
    size_t length = strcspn(program, " ");
    const char *slash;

    if (length == 0) {
        program = results->path;
        length = strlen(program);
    }
    slash = memrchr(program, '/', length);
    return slash && slash + 1 < program + length ? slash + 1 : program;
}

const char *mwa_started(const struct mwa_trace *trace, char *text)
{
    struct tm parts;
    time_t seconds;

    if (trace->realtime == UINT64_MAX) {
        return NULL;
    }
    seconds = (time_t)(trace->realtime / 1000000000u);
    if (!gmtime_r(&seconds, &parts)) {
        return NULL;
    }
    return strftime(text, MWA_STARTED_BYTES, "%Y-%m-%dT%H:%M:%SZ", &parts) > 0 ? text : NULL;
}

#define LINE_BYTES 28 /* a number and more */

/* "solve.c:31" or "solve+0x12" in size bytes; null: nothing is known. */
static const char *code_place(const char *file, uint32_t line, const char *function, char *text,
                              size_t size)
{
    const char *slash = strrchr(file, '/');

    if (!*file) {
        return *function ? mwa_function_name(function, text, size) : NULL;
    }
    snprintf(text, size, "%.*s:%u", (int)size - LINE_BYTES, slash ? slash + 1 : file, line);
    return text;
}

#define LIBRARY_BYTES 48 /* how many more lines, and the library or the beginning of it */

/* "solve.c:31 and 2 more via libhdf5.so.103", of what makes the call there: a library, or a wrapper
 * by its name. */
static const char *place_via(const char *via, const struct mwa_stack_frame *led_by,
                             uint64_t others, char *text)
{
    char from[MWA_PLACE_BYTES - LIBRARY_BYTES], more[32] = "";

    if (others > 0) {
        snprintf(more, sizeof more, MWA_AND_OTHERS "%" PRIu64 " more", others);
    }
    snprintf(text, MWA_PLACE_BYTES, "%s%s" MWA_VIA "%s",
             code_place(led_by->file, led_by->line, led_by->function, from, sizeof from), more,
             via);
    return text;
}

/* What makes a call, of a wrapper "wrap.c:20", of a library "+0x12 in H5D_read", or in the library
 * where no function is known. Who has little room leaves out the end, which several have. */
static const char *calling_code(const struct mwa_site *site, char *text, size_t size)
{
    char function[LIBRARY_BYTES];
    char *offset;

    if (site->line > 0) {
        return code_place(site->file, site->line, site->function, text, size);
    }
    mwa_function_name(site->function, function, sizeof function);
    offset = strrchr(function, '+');
    if (!offset || offset == function) {
        snprintf(text, size, "%s", function);
    } else {
        snprintf(text, size, "%s in %.*s", offset, (int)(offset - function), function);
    }
    return text;
}

static const char *led_place(const struct mwa_site *site, const struct mwa_stack_frame *led_by,
                             uint64_t others, char *text)
{
    char wrapper[LIBRARY_BYTES];

    if (mwa_site_is_by_library(site)) {
        return place_via(site->library, led_by, others, text);
    }
    if (site->is_repeated) {
        return place_via(calling_code(site, wrapper, sizeof wrapper), led_by, others, text);
    }
    mwa_function_name(site->function, wrapper, sizeof wrapper);
    wrapper[strcspn(wrapper, "+")] = '\0'; /* how far in it is of no interest */
    return place_via(wrapper, led_by, others, text);
}

const char *mwa_source_place(const struct mwa_trace *trace, uint32_t site, char *text)
{
    const struct mwa_site *of = site == MWA_NONE ? NULL : &trace->sites[site];

    return of ? code_place(of->file, of->line, of->function, text, MWA_PLACE_BYTES) : NULL;
}

const char *mwa_place(const struct mwa_trace *trace, uint32_t site, char *text)
{
    const struct mwa_site *of = site == MWA_NONE ? NULL : &trace->sites[site];

    return of && of->led_by ? led_place(of, of->led_by, 0, text)
                            : mwa_source_place(trace, site, text);
}

static struct mwa_led_by led_to(const struct mwa_results *results, uint32_t site)
{
    return site == MWA_NONE ? (struct mwa_led_by){ 0 }
                            : mwa_led_by(results->trace, &results->sites,
                                         results->trace->sites[site].place);
}

const char *mwa_main_place(const struct mwa_results *results, uint32_t site, char *text)
{
    const struct mwa_trace *trace = results->trace;
    const struct mwa_led_by led = led_to(results, site);

    return led.frame ? led_place(&trace->sites[site], led.frame, led.others, text)
                     : mwa_source_place(trace, site, text);
}

/* Whether place is what mwa_main_place has of a site that is led to. */
static bool reads_so(const struct mwa_results *results, uint32_t site, const char *place)
{
    const struct mwa_led_by led = led_to(results, site);
    char text[MWA_PLACE_BYTES];

    return strcmp(led_place(&results->trace->sites[site], led.frame, led.others, text),
                  place) == 0;
}

const char *mwa_distinct_place(const struct mwa_results *results, uint32_t site, char *text)
{
    const struct mwa_site *sites = results->trace->sites;
    const struct mwa_led_by led = led_to(results, site);
    const char *place = mwa_main_place(results, site, text);
    const struct mwa_led_line *lines = NULL;
    char own[LIBRARY_BYTES];
    uint64_t count = 0;
    bool is_alone = true;

    if (led.frame) {
        lines = mwa_led_lines(&results->sites, sites[site].region, led.frame, &count);
    }
    for (uint64_t i = 0; i < count && is_alone; i++) {
        is_alone = lines[i].site == site || !reads_so(results, lines[i].site, place);
    }
    return is_alone ? place
                    : place_via(calling_code(&sites[site], own, sizeof own), led.frame,
                                led.others, text);
}

static const char *call_at(const struct mwa_trace *trace, uint32_t site, const char *place,
                           char *text)
{
    snprintf(text, MWA_CALL_AT_BYTES, "%.40s%s%s", trace->regions[trace->sites[site].region].name,
             place ? ", " : "", place ? place : "");
    return text;
}

const char *mwa_call_at(const struct mwa_trace *trace, uint32_t site, char *text)
{
    char place[MWA_PLACE_BYTES];

    return call_at(trace, site, mwa_place(trace, site, place), text);
}

const char *mwa_main_call_at(const struct mwa_results *results, uint32_t site, char *text)
{
    char place[MWA_PLACE_BYTES];

    return call_at(results->trace, site, mwa_main_place(results, site, place), text);
}

static const char *at_place(const struct mwa_site *site, const struct mwa_stack_frame *led_by,
                            char *text)
{
    const uint32_t line = led_by ? led_by->line : site->line;
    char place[MWA_PLACE_BYTES];
    const char *is_known = led_by ? led_place(site, led_by, 0, place)
                                  : code_place(line > 0 ? site->file : "", line, site->function,
                                               place, sizeof place);

    snprintf(text, MWA_AT_PLACE_BYTES, "%s%s", !is_known ? "" : line > 0 ? " at " : " in ",
             is_known ? place : "");
    return text;
}

const char *mwa_at_place(const struct mwa_trace *trace, uint32_t site, char *text)
{
    *text = '\0';
    return site == MWA_NONE ? text : at_place(&trace->sites[site], trace->sites[site].led_by, text);
}

const char *mwa_at_place_of_all(const struct mwa_trace *trace, uint32_t place, char *text)
{
    return at_place(&trace->sites[place], trace->sites[place].all_led_by, text);
}

const char *mwa_unmatched_reason_name(unsigned reason)
{
#define NAME(constant, name) name,
    static const char *const names[] = { MWA_UNMATCHED_LIST(NAME) };

    return reason < MWA_UNMATCHED_REASONS ? names[reason] : "unknown";
}

uint64_t mwa_unmatched_for_pauses(const struct mwa_matching_result *matching)
{
    return matching->sends_without[MWA_UNMATCHED_PAUSED] +
           matching->receives_without[MWA_UNMATCHED_PAUSED];
}

bool mwa_may_be_mismatched(const struct mwa_results *results)
{
    bool is_doubtful = mwa_unmatched_for_pauses(&results->matching) > 0;

    for (uint64_t i = 0; i < results->profile.rank_count && !is_doubtful; i++) {
        is_doubtful = results->profile.ranks[i].callers > 1;
    }
    return is_doubtful;
}

static void widen(struct mwa_spread *spread, bool first, uint64_t value, uint32_t rank)
{
    if (first || value < spread->min_ns) {
        spread->min_ns = value;
        spread->min_rank = rank;
    }
    if (first || value > spread->max_ns) {
        spread->max_ns = value;
        spread->max_rank = rank;
    }
}

void mwa_summarize_run(const struct mwa_profile *profile, struct mwa_run_summary *summary)
{
    int64_t begin = INT64_MAX, end = INT64_MIN;

    *summary = (struct mwa_run_summary){ 0 };
    for (uint64_t i = 0; i < profile->rank_count; i++) {
        const struct mwa_rank_row *row = &profile->ranks[i];

        if (!row->has_events) {
            continue;
        }
        widen(&summary->useful, summary->ranks == 0, row->useful_ns, row->rank);
        widen(&summary->mpi, summary->ranks == 0, row->mpi_ns, row->rank);
        summary->run_ns += row->run_ns;
        summary->useful_ns += row->useful_ns;
        summary->mpi_ns += row->mpi_ns;
        summary->io_ns += row->io_ns != UINT64_MAX ? row->io_ns : 0;
        summary->probing_ns += row->probing_ns;
        summary->longest_run_ns =
            row->run_ns > summary->longest_run_ns ? row->run_ns : summary->longest_run_ns;
        begin = row->begin_ns < begin ? row->begin_ns : begin;
        end = mwa_run_end_ns(row) > end ? mwa_run_end_ns(row) : end;
        summary->ranks++;
    }
    if (summary->ranks > 0) {
        summary->length_ns = (uint64_t)end - (uint64_t)begin;
        summary->useful.average_ns = summary->useful_ns / summary->ranks;
        summary->mpi.average_ns = summary->mpi_ns / summary->ranks;
    }
}

uint64_t mwa_computing_ns(const struct mwa_results *results, const struct mwa_rank_row *row)
{
    const uint64_t between = mwa_polling_of(&results->replay.ideal, row->rank).between;

    return row->useful_ns > between ? row->useful_ns - between : 0;
}

void mwa_summarize_computing(const struct mwa_results *results, struct mwa_spread *computing)
{
    uint64_t ranks = 0, sum = 0;

    *computing = (struct mwa_spread){ 0 };
    for (uint64_t i = 0; i < results->profile.rank_count; i++) {
        const struct mwa_rank_row *row = &results->profile.ranks[i];

        if (row->has_events) {
            widen(computing, ranks == 0, mwa_computing_ns(results, row), row->rank);
            sum += mwa_computing_ns(results, row);
            ranks++;
        }
    }
    computing->average_ns = ranks > 0 ? sum / ranks : 0;
}

uint64_t mwa_calls_time_ns(const struct mwa_profile *profile)
{
    uint64_t time = 0;

    for (uint64_t i = 0; i < profile->call_count; i++) {
        if (profile->calls[i].region->kind == MWA_REGION_MPI) {
            time += profile->calls[i].time_ns;
        }
    }
    return time;
}

uint64_t mwa_across_ns(const struct mwa_profile *profile)
{
    uint64_t time = 0;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        time += profile->ranks[i].across_ns;
    }
    return time;
}

uint64_t mwa_probing_ns(const struct mwa_results *results)
{
    const struct mwa_profile *profile = &results->profile;
    uint64_t time = 0;

    for (uint64_t i = 0; i < profile->call_count; i++) {
        time += mwa_probes(results->trace, profile->calls[i].region)
                    ? profile->calls[i].time_ns
                    : 0;
    }
    return time;
}

uint64_t mwa_threads_ran_ns(const struct mwa_profile *profile)
{
    uint64_t ran = 0;

    for (uint64_t i = 0; i < profile->rank_count; i++) {
        ran += profile->ranks[i].running.threads_ns;
    }
    return ran;
}

uint64_t mwa_other_threads_ns(const struct mwa_results *results)
{
    const struct mwa_trace *trace = results->trace;
    struct mwa_run_summary run;
    uint64_t all;

    if (results->selected_comms || trace->location_count <= trace->rank_count) {
        return 0;
    }
    mwa_summarize_run(&results->profile, &run);
    all = mwa_calls_time_ns(&results->profile);
    return all > run.mpi_ns ? all - run.mpi_ns : 0;
}

uint64_t mwa_messages_to_ranks(const struct mwa_traffic *traffic)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < traffic->pair_count; i++) {
        count += traffic->pairs[i].count;
    }
    return count;
}

uint64_t mwa_intra_host_messages(const struct mwa_results *results)
{
    const struct mwa_rank *ranks = results->trace->ranks;
    uint64_t count = 0;

    for (uint64_t i = 0; i < results->traffic.pair_count; i++) {
        const struct mwa_pair *pair = &results->traffic.pairs[i];

        if (strcmp(ranks[pair->from].host, ranks[pair->to].host) == 0) {
            count += pair->count;
        }
    }
    return count;
}

bool mwa_are_bound_alike(const struct mwa_rank *one, const struct mwa_rank *other)
{
    return one->affinity && other->affinity && strcmp(one->affinity, other->affinity) == 0 &&
           strcmp(one->host, other->host) == 0;
}

uint32_t mwa_last_bound_alike(const struct mwa_trace *trace, uint32_t first)
{
    uint32_t last = first;

    while (last + 1 < trace->rank_count &&
           mwa_are_bound_alike(&trace->ranks[last], &trace->ranks[last + 1])) {
        last++;
    }
    return last;
}

const char *mwa_circumstance(const struct mwa_trace *trace, const char *name)
{
    for (uint64_t i = 0; i + 1 < trace->circumstance_count; i += 2) {
        if (strcmp(trace->circumstances[i], name) == 0) {
            return trace->circumstances[i + 1];
        }
    }
    return NULL;
}
