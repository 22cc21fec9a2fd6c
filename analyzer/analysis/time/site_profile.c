/* An archive can have 65,000 sites, and a location calls from few: rows are made when met. */
#include "analyzer/analysis/time/site_profile.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/comms/charge.h"
#include "analyzer/analysis/keyed_rows.h"
#include "analyzer/model/function_name.h"
#include "analyzer/model/places.h"
#include "formats/base/index_table.h"
#include "formats/base/order.h"

#define NEAR       64u  /* a power of two */
#define NAME_BYTES 256u /* of a function, as people are told */

/* Its times are ticks until mwa_sites_analysis.finish. */
struct partial {
    const struct mwa_trace *trace;
    struct mwa_index index; /* of rows, by site */
    uint64_t near[NEAR];    /* position of a row met lately, by the last bits of its site */
    struct mwa_site_row *rows;
    struct mwa_charger charger; /* where communicators are selected */
};

static enum mw_status begin(void *data)
{
    struct partial *partial = data;

    mwa_charger_init(&partial->charger);
    return MW_OK;
}

static void fini(void *data)
{
    struct partial *partial = data;

    mwa_charger_fini(&partial->charger);
}

static struct mwa_key key_of(const void *data)
{
    return (struct mwa_key){ ((const struct mwa_site_row *)data)->site, 0 };
}

static void add(void *to_data, const void *data)
{
    struct mwa_site_row *to = to_data;
    const struct mwa_site_row *row = data;

    to->count += row->count;
    to->time_ns += row->time_ns;
    for (unsigned use = 0; use < MWA_USES; use++) {
        to->used_ns[use] += row->used_ns[use];
    }
    to->max_ns = row->max_ns > to->max_ns ? row->max_ns : to->max_ns;
    to->bytes_sent += row->bytes_sent;
    to->bytes_received += row->bytes_received;
}

static bool is_known(const struct mwa_trace *trace, const void *data)
{
    const struct mwa_site_row *row = data;

    return row->site < trace->site_count && row->place < trace->site_count;
}

static const struct mwa_keyed_rows rows = { MWA_ROWS_IN_PARTIAL(rows),
                                            .key = key_of,
                                            .add = add,
                                            .is_known = is_known };

/* Null without memory. */
static struct mwa_site_row *row_of(struct partial *partial, uint32_t site)
{
    uint64_t *near = &partial->near[site % NEAR];

    if (*near >= partial->index.count || partial->rows[*near].site != site) {
        *near = mwa_index_put(&partial->index, (struct mwa_key){ site, 0 }, &partial->rows,
                              sizeof *partial->rows);
        if (*near == MWA_MAP_ABSENT) {
            return NULL;
        }
        partial->rows[*near].site = site;
    }
    return &partial->rows[*near];
}

static enum mw_status take_call(struct partial *partial, const struct mwa_call *call)
{
    const uint64_t one = mwa_call_each(call);
    struct mwa_site_row *row;

    if (call->region->kind == MWA_REGION_USER) {
        return MW_OK;
    }
    row = row_of(partial, call->site);
    if (!row) {
        return MW_ERROR_MEMORY;
    }
    row->count += call->repeat;
    row->time_ns += call->exclusive;
    row->used_ns[call->use] += call->exclusive;
    row->max_ns = one > row->max_ns ? one : row->max_ns;
    return MW_OK;
}

static enum mw_status take_bytes(struct partial *partial, const struct mwa_moment *moment)
{
    uint32_t comm = moment->selected_comms ? mwa_event_comm(moment->event) : MWA_NONE;
    struct mwa_site_row *row;
    uint64_t sent;
    uint64_t received;

    if (!moment->mpi || !mwa_event_bytes(moment->event, &sent, &received) ||
        (moment->selected_comms && (comm == MWA_NONE || !moment->selected_comms[comm]))) {
        return MW_OK;
    }
    row = row_of(partial, moment->site);
    if (!row) {
        return MW_ERROR_MEMORY;
    }
    row->bytes_sent += sent;
    row->bytes_received += received;
    return MW_OK;
}

static enum mw_status event(void *data, const struct mwa_moment *moment)
{
    struct partial *partial = data;
    struct mwa_charge charge;
    const struct mwa_call *call;
    enum mw_status status = mwa_charger_call(&partial->charger, moment, &charge, &call);

    if (status == MW_OK && call) {
        status = take_call(partial, call);
    }
    return status == MW_OK ? take_bytes(partial, moment) : status;
}

static int by_place(const void *one, const void *other)
{
    const struct mwa_site_row *a = one;
    const struct mwa_site_row *b = other;

    return mw_order(a->place, b->place) ?: mw_order(b->time_ns, a->time_ns)
               ?: mw_order(a->site, b->site);
}

static int by_time(const void *one, const void *other)
{
    const struct mwa_place_row *a = one;
    const struct mwa_place_row *b = other;

    return mw_order(b->sum.time_ns, a->sum.time_ns) ?: mw_order(a->sum.site, b->sum.site);
}

/* Sums up count rows, which are in the order of their places; there is room for a place each. */
static void sum_places(struct mwa_site_profile *sites, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const struct mwa_site_row *row = &sites->rows[i];
        struct mwa_place_row *place = &sites->places[sites->place_count];

        if (i == 0 || row->place != row[-1].place) {
            *place = (struct mwa_place_row){ .sum = { .site = row->place, .place = row->place },
                                             .rows = row };
            sites->place_count++;
        } else {
            place--;
        }
        place->count++;
        add(&place->sum, row);
    }
}

/* --- whose code leads to places in libraries ------------------------------------------------ */

struct led {
    const struct mwa_stack_frame *by;
    uint64_t time_ns;
};

static int by_frame(const void *one, const void *other)
{
    const struct led *a = one;
    const struct led *b = other;

    return mw_order((uintptr_t)a->by, (uintptr_t)b->by);
}

/* Of lines with as much the same one, however the archive is read. */
static bool is_before(const struct mwa_stack_frame *one, const struct mwa_stack_frame *other)
{
    const int files = strcmp(one->file, other->file);
    const int lines = files != 0 ? files : (one->line > other->line) - (one->line < other->line);

    return (lines != 0 ? lines : strcmp(one->function, other->function)) < 0;
}

/* Of a place's sites; parts has room for them. */
static struct mwa_led_by main_one(const struct mwa_trace *trace, const struct mwa_place_row *place,
                                  struct led *parts)
{
    struct mwa_led_by led = { 0 };
    uint64_t count = 0, kinds = 0, time = 0, most = 0, all = 0;

    for (uint64_t i = 0; i < place->count; i++) {
        const struct mwa_stack_frame *frame = trace->sites[place->rows[i].site].led_by;

        if (frame) {
            parts[count++] = (struct led){ frame, place->rows[i].time_ns };
        }
    }
    qsort(parts, count, sizeof *parts, by_frame);
    for (uint64_t i = 0; i < count; i++) {
        const bool goes_on = i > 0 && parts[i].by == parts[i - 1].by;

        kinds += !goes_on;
        time = (goes_on ? time : 0) + parts[i].time_ns;
        all += parts[i].time_ns;
        if (time > most || (led.frame && time == most && is_before(parts[i].by, led.frame))) {
            most = time;
            led.frame = parts[i].by;
        }
    }
    led.frame = all > place->sum.time_ns / 2 ? led.frame : NULL;
    led.others = led.frame ? kinds - 1 : 0;
    return led;
}

/* Two that read the same have the same number, be it code without a line. */
static uint64_t number_of(const struct mwa_stack_frame *by)
{
    char name[NAME_BYTES];

    if (*by->file) {
        return 0;
    }
    mwa_function_name(by->function, name, sizeof name);
    return mw_hash_bytes(MW_HASH_START, name, strlen(name));
}

static int compare_lines(const struct mwa_led_line *a, const struct mwa_led_line *b)
{
    return mw_order(a->region, b->region) ?: mw_order(a->line, b->line)
               ?: mw_order(a->function, b->function);
}

static int by_line(const void *one, const void *other)
{
    const struct mwa_led_line *a = one;
    const struct mwa_led_line *b = other;

    return compare_lines(a, b) ?: mw_order(a->site, b->site);
}

/* Which places read the same is asked for each of them. False without memory. */
static bool sort_lines(const struct mwa_trace *trace, struct mwa_site_profile *sites)
{
    sites->lines = malloc((sites->place_count + 1) * sizeof *sites->lines);
    for (uint64_t i = 0; sites->lines && i < sites->place_count; i++) {
        const uint32_t site = sites->places[i].sum.site;
        const struct mwa_stack_frame *by = mwa_led_by(trace, sites, site).frame;

        if (by) {
            sites->lines[sites->line_count++] = (struct mwa_led_line){
                trace->sites[site].region, by->line, number_of(by), site
            };
        }
    }
    if (sites->line_count > 0) {
        qsort(sites->lines, sites->line_count, sizeof *sites->lines, by_line);
    }
    return sites->lines != NULL;
}

const struct mwa_led_line *mwa_led_lines(const struct mwa_site_profile *sites, uint32_t region,
                                         const struct mwa_stack_frame *by, uint64_t *count)
{
    const struct mwa_led_line asked = { region, by->line, number_of(by), 0 };
    uint64_t low = 0, high = sites->line_count;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (compare_lines(&sites->lines[middle], &asked) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *count = 0;
    while (low + *count < sites->line_count &&
           compare_lines(&sites->lines[low + *count], &asked) == 0) {
        ++*count;
    }
    return sites->lines ? &sites->lines[low] : NULL;
}

static enum mw_status find_main_ones(const struct mwa_trace *trace, struct mwa_site_profile *sites,
                                     uint64_t row_count)
{
    struct led *parts;

    if (!mwa_trace_has_leaders(trace)) {
        return MW_OK;
    }
    sites->led_by = calloc(trace->site_count, sizeof *sites->led_by);
    parts = malloc((row_count + 1) * sizeof *parts);
    for (uint64_t i = 0; sites->led_by && parts && i < sites->place_count; i++) {
        sites->led_by[sites->places[i].sum.site] = main_one(trace, &sites->places[i], parts);
    }
    free(parts);
    return sites->led_by && parts && sort_lines(trace, sites) ? MW_OK : MW_ERROR_MEMORY;
}

struct mwa_led_by mwa_led_by(const struct mwa_trace *trace, const struct mwa_site_profile *sites,
                             uint32_t place)
{
    const struct mwa_led_by all = { .frame = trace->sites[place].all_led_by };

    return sites->led_by && !all.frame ? sites->led_by[place] : all;
}

/* --- the end -------------------------------------------------------------------------------- */

static enum mw_status finish(const void *data, void *result)
{
    const struct partial *partial = data;
    struct mwa_site_profile *sites = result;
    uint64_t count = 0;

    sites->place_count = 0;
    sites->led_by = NULL;
    sites->lines = NULL;
    sites->line_count = 0;
    sites->rows = malloc((partial->index.count + 1) * sizeof *sites->rows);
    sites->places = malloc((partial->index.count + 1) * sizeof *sites->places);
    if (!sites->rows || !sites->places) {
        return MW_ERROR_MEMORY;
    }
    for (uint64_t i = 0; i < partial->index.count; i++) {
        struct mwa_site_row row = partial->rows[i];

        row.place = partial->trace->sites[row.site].place;
        row.time_ns = mwa_trace_ns(partial->trace, row.time_ns);
        for (unsigned use = 0; use < MWA_USES; use++) {
            row.used_ns[use] = mwa_trace_ns(partial->trace, row.used_ns[use]);
        }
        row.max_ns = mwa_trace_ns(partial->trace, row.max_ns);
        if (row.count > 0) {
            sites->rows[count++] = row;
        }
    }
    qsort(sites->rows, count, sizeof *sites->rows, by_place);
    sum_places(sites, count);
    qsort(sites->places, sites->place_count, sizeof *sites->places, by_time);
    return find_main_ones(partial->trace, sites, count);
}

void mwa_site_profile_fini(struct mwa_site_profile *sites)
{
    free(sites->rows);
    free(sites->places);
    free(sites->led_by);
    free(sites->lines);
    *sites = (struct mwa_site_profile){ 0 };
}

const struct mwa_place_row *mwa_hottest_place(const struct mwa_trace *trace,
                                              const struct mwa_site_profile *sites,
                                              uint32_t region)
{
    for (uint64_t i = 0; trace->has_sites && i < sites->place_count; i++) {
        if (trace->sites[sites->places[i].sum.site].region == region) {
            return &sites->places[i];
        }
    }
    return NULL;
}

const struct mwa_place_row *mwa_hottest_use(const struct mwa_trace *trace,
                                            const struct mwa_site_profile *sites, uint32_t region,
                                            enum mwa_use use)
{
    const struct mwa_place_row *hottest = NULL;

    for (uint64_t i = 0; trace->has_sites && i < sites->place_count; i++) {
        const struct mwa_place_row *place = &sites->places[i];

        if (trace->sites[place->sum.site].region == region && place->sum.used_ns[use] > 0 &&
            (!hottest || place->sum.used_ns[use] > hottest->sum.used_ns[use])) {
            hottest = place;
        }
    }
    return hottest;
}

const struct mwa_analysis mwa_sites_analysis = { .name = "sites",
                                                 .kinds = MWA_CHARGE_KINDS,
                                                 .size = sizeof(struct partial),
                                                 .rows = &rows,
                                                 .begin = begin,
                                                 .event = event,
                                                 .finish = finish,
                                                 .fini = fini };
