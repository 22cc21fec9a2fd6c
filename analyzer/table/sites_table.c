/* Places in the program that call MPI, by time; who calls them; and the same by call. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/model/function_name.h"
#include "analyzer/model/places.h"
#include "analyzer/table/tables.h"
#include "formats/base/buffer.h"

static const struct mwa_site_row *row_of(const struct mwa_cell *cell)
{
    return cell->row; /* a place begins with its sum */
}

static const struct mwa_site *site_of(const struct mwa_cell *cell)
{
    return &cell->results->trace->sites[row_of(cell)->site];
}

static const struct mwa_region *region_of(const struct mwa_cell *cell)
{
    return &cell->results->trace->regions[site_of(cell)->region];
}

/* Of the patterns that count, what a list of theirs (its offset in a row) says of the site. */
static struct mwa_value waits_in(const struct mwa_cell *cell, size_t list)
{
    uint64_t wait = 0;

    for (unsigned i = 0; i < MWA_WAIT_PATTERNS; i++) {
        const char *row = (const char *)&cell->results->waits.rows[i];
        const uint64_t *sites = *(uint64_t *const *)(const void *)(row + list);

        if (mwa_wait_role(i) == MWA_WAIT_COUNTS && sites) {
            wait += sites[row_of(cell)->site];
        }
    }
    return mwa_number(wait);
}

static struct mwa_value file_of(const struct mwa_cell *cell)
{
    return mwa_text(*site_of(cell)->file ? site_of(cell)->file : NULL);
}

MWA_VALUE(call, mwa_text(region_of(cell)->name))
MWA_VALUE(line, mwa_number_if(site_of(cell)->line > 0, site_of(cell)->line))
MWA_VALUE(function, mwa_text(*site_of(cell)->function ? site_of(cell)->function : NULL))

static struct mwa_value where(const struct mwa_cell *cell)
{
    char text[MWA_PLACE_BYTES];
    const char *place = mwa_distinct_place(cell->results, row_of(cell)->site, text);

    return place ? mwa_owned_text(strdup(place)) : mwa_nothing();
}

MWA_VALUE(caller_where, mwa_place_value(cell, row_of(cell)->site))
MWA_WHETHER(is_led, mwa_is_mostly_called_from(cell, row_of(cell)->site))
MWA_VALUE(waits, waits_in(cell, offsetof(struct mwa_wait_row, place_ns)))
MWA_VALUE(caused, waits_in(cell, offsetof(struct mwa_wait_row, cause_place_ns)))
MWA_VALUE(site_waits, waits_in(cell, offsetof(struct mwa_wait_row, site_ns)))
MWA_VALUE_OF(share, struct mwa_site_row, region_of(cell)->kind == MWA_REGION_MPI ?
             mwa_share(row->time_ns, mwa_calls_time_ns(&cell->results->profile)) : mwa_nothing())

#define PLACE_IN_DATA                                                                              \
    { "file", MWA_BY(MWA_TEXT, file_of), .unknown = MWA_NOT_SAID },                                \
        { "line", MWA_BY(MWA_NUMBER, line), .unknown = MWA_NOT_SAID },                             \
    {                                                                                              \
        "function", "function", 16, MWA_PLAIN, MWA_BY(MWA_TEXT, function), .place = MWA_ON_PAGE,   \
            .unknown = MWA_NOT_SAID                                                                \
    }
#define COUNT { "count", "count", 8, MWA_COUNT, MWA_IN(struct mwa_site_row, count) }
#define TIME  { "time_ns", "time", 9, MWA_NS, MWA_IN(struct mwa_site_row, time_ns) }
#define BEHIND_WAITS                                                                               \
    { "max_ns", "max", 9, MWA_NS, MWA_IN(struct mwa_site_row, max_ns), .place = MWA_ON_PAGE },     \
        { "bytes_sent", "sent", 9, MWA_BYTES, MWA_IN(struct mwa_site_row, bytes_sent),             \
          .aside = 6 },                                                                            \
    {                                                                                              \
        "bytes_received", "received", 9, MWA_BYTES, MWA_IN(struct mwa_site_row, bytes_received),   \
            .place = MWA_ON_PAGE                                                                   \
    }
#define WAITING { "wait_ns", "waiting", 9, MWA_NS, MWA_BY(MWA_NUMBER, waits) }
#define CAUSED  { "caused_ns", "awaited", 9, MWA_NS, MWA_BY(MWA_NUMBER, caused) }

#define PLACE_COLUMNS                                                                              \
    { "call", "call", 20, MWA_PLAIN, MWA_BY(MWA_TEXT, call) },                                     \
        { NULL, "place", 31, MWA_PLAIN, MWA_BY(MWA_TEXT, where), .nothing = "?" }, PLACE_IN_DATA,  \
        COUNT, TIME, { NULL, "share", 6, MWA_SHARE, MWA_BY(MWA_REAL, share) }, WAITING,            \
        BEHIND_WAITS, CAUSED

/* Without places there are only calls, which are a table of their own. */
MWA_COUNT_BY(place_count, parent->results->trace->has_sites ? parent->results->sites.place_count
                                                            : 0)
MWA_ROW_BY(place_at, &parent->results->sites.places[index])

#define NO_PLACES "the archive does not say where calls were made"
#define NOTE_ON_SHARES                                                                             \
    "share is of the time in MPI calls between MPI_Init and MPI_Finalize; waiting is of the "      \
    "time, and of MPI_Probe known where the archive tells what it found; awaited is how "          \
    "long others waited for these calls to be made"

MWA_CALLED_FROM(called_from, "called_from", mwa_mostly_called_from, struct mwa_site_row, site,
                is_led)

static const struct mwa_column columns[] = { PLACE_COLUMNS,
                                             { NULL, .table = &called_from } };

const struct mwa_table mwa_sites_table = {
    MWA_COLUMNS(columns),
    .count = place_count,
    .row = place_at,
    .none = NO_PLACES,
    .note = NOTE_ON_SHARES,
};

static const struct mwa_column document[] = { { "sites", .table = &mwa_sites_table } };

const struct mwa_table mwa_sites_document = { .shape = MWA_ROW,
                                              .schema = "mpiwatch-sites/1",
                                              MWA_COLUMNS(document) };

/* --- by who calls the function that makes the call ------------------------------------------ */

static const struct mwa_place_row *place_of(const struct mwa_cell *caller)
{
    return caller->parent->row;
}

MWA_COUNT_BY(caller_count, ((const struct mwa_place_row *)parent->row)->count)
MWA_ROW_BY(caller_at, &((const struct mwa_place_row *)parent->row)->rows[index])

/* The frame at an index of a site's stack, or the number of them. */
static uint32_t frame_at(const struct mwa_trace *trace, uint32_t site, uint64_t index,
                         const struct mwa_stack_frame **frame)
{
    uint32_t frames[MWA_STACK_FRAMES];
    bool is_cut;
    uint32_t count = mwa_trace_stack(trace, site, frames, &is_cut);

    *frame = index < count ? &trace->frames[frames[index]] : NULL;
    return count;
}

static uint64_t frame_count(const struct mwa_cell *parent)
{
    const struct mwa_stack_frame *frame;

    return frame_at(parent->results->trace, row_of(parent)->site, 0, &frame);
}

static const void *frame_in(const struct mwa_cell *parent, uint64_t index)
{
    const struct mwa_stack_frame *frame;

    (void)frame_at(parent->results->trace, row_of(parent)->site, index, &frame);
    return frame;
}

static const struct mwa_stack_frame *frame_of(const struct mwa_cell *cell)
{
    return cell->row;
}

MWA_VALUE(frame_file, mwa_text(*frame_of(cell)->file ? frame_of(cell)->file : NULL))
MWA_VALUE(frame_line, mwa_number_if(frame_of(cell)->line > 0, frame_of(cell)->line))

static const struct mwa_column frame_columns[] = {
    { "function", MWA_IN(struct mwa_stack_frame, function) },
    { "file", MWA_BY(MWA_TEXT, frame_file), .unknown = MWA_NOT_SAID },
    { "line", MWA_BY(MWA_NUMBER, frame_line), .unknown = MWA_NOT_SAID },
};

static const struct mwa_table stack = { MWA_COLUMNS(frame_columns), .count = frame_count,
                                        .row = frame_in };

static struct mwa_value is_cut(const struct mwa_cell *cell)
{
    uint32_t frames[MWA_STACK_FRAMES];
    bool cut;

    (void)mwa_trace_stack(cell->results->trace, row_of(cell)->site, frames, &cut);
    return mwa_flag(cut);
}

#define SHOWN_BYTES 128 /* of a function's name on screen */

/* A function as the screen has it, or as data have it: whole. */
static const char *function_of(const struct mwa_stack_frame *frame, bool is_shown, char *text)
{
    return is_shown ? mwa_function_name(frame->function, text, SHOWN_BYTES) : frame->function;
}

/* Whether the stacks of both have the same functions: nothing but lines tells them apart. */
static bool are_functions_alike(const struct mwa_trace *trace, uint32_t one, uint32_t other,
                                bool is_shown)
{
    uint32_t frames[2][MWA_STACK_FRAMES];
    char text[2][SHOWN_BYTES];
    bool is_cut[2];
    const uint32_t count = mwa_trace_stack(trace, one, frames[0], &is_cut[0]);
    bool are = count == mwa_trace_stack(trace, other, frames[1], &is_cut[1]);

    for (uint32_t i = 0; i < count && are; i++) {
        are = strcmp(function_of(&trace->frames[frames[0][i]], is_shown, text[0]),
                     function_of(&trace->frames[frames[1][i]], is_shown, text[1])) == 0;
    }
    return are;
}

#define CALLERS_COMPARED 1000u /* with more of them lines are told of all */

/* Whether another caller of the place looks like this one without lines. */
static bool needs_lines(const struct mwa_cell *caller, bool is_shown)
{
    const struct mwa_place_row *place = place_of(caller);
    bool needs = place->count > CALLERS_COMPARED;

    for (uint64_t i = 0; i < place->count && !needs; i++) {
        needs = place->rows[i].site != row_of(caller)->site &&
                are_functions_alike(caller->results->trace, place->rows[i].site,
                                    row_of(caller)->site, is_shown);
    }
    return needs;
}

/*
 * "halo < step < main": the function that makes the call first; if another row would be the same,
 * with the lines at which each calls the one before: "halo < step:12 < main:30". That of the first
 * is the place's.
 */
static struct mwa_value stack_text(const struct mwa_cell *cell, bool is_shown)
{
    const struct mwa_trace *trace = cell->results->trace;
    const bool has_lines = needs_lines(cell, is_shown);
    uint32_t frames[MWA_STACK_FRAMES];
    bool cut;
    uint32_t count = mwa_trace_stack(trace, row_of(cell)->site, frames, &cut);
    struct mw_buffer text = { 0 };

    for (uint32_t i = count; i-- > 0;) {
        const uint32_t at = trace->frames[frames[i]].line;
        char shown[SHOWN_BYTES], number[16];
        const char *function = function_of(&trace->frames[frames[i]], is_shown, shown);

        mw_buffer_append(&text, function, strlen(function));
        if (has_lines && i + 1 < count && at > 0) {
            mw_buffer_append(&text, number,
                             (size_t)snprintf(number, sizeof number, ":%" PRIu32, at));
        }
        if (i > 0 || cut) {
            mw_buffer_append(&text, " < ", 3);
        }
    }
    mw_buffer_append(&text, cut ? "..." : "", cut ? 4 : 1);
    if (count == 0 || text.failed) {
        mw_buffer_fini(&text);
        return mwa_nothing();
    }
    return mwa_owned_text((char *)text.data);
}

static struct mwa_value called_by(const struct mwa_cell *cell)
{
    return stack_text(cell, true);
}

static struct mwa_value stack_in_data(const struct mwa_cell *cell)
{
    return stack_text(cell, false);
}

MWA_VALUE_OF(of_place, struct mwa_site_row, mwa_share(row->time_ns, place_of(cell)->sum.time_ns))

#define NO_STACK "the archive does not say who called the function"
#define NO_TIME  "the calls took no time"

static const struct mwa_column caller_data[] = {
    { "stack", .table = &stack }, { "is_cut", MWA_BY(MWA_FLAG, is_cut) },
    COUNT, TIME, { "share", .unit = MWA_SHARE, MWA_BY(MWA_REAL, of_place), .unknown = NO_TIME },
    { "wait_ns", .unit = MWA_NS, MWA_BY(MWA_NUMBER, site_waits) }, BEHIND_WAITS,
};

static const struct mwa_table caller_list = { MWA_COLUMNS(caller_data), .count = caller_count,
                                              .row = caller_at };

static const struct mwa_column stacked_columns[] = { PLACE_COLUMNS,
                                                     { NULL, .table = &called_from },
                                                     { "callers", .table = &caller_list } };

static const struct mwa_table stacked_sites = { MWA_COLUMNS(stacked_columns),
                                                .count = place_count, .row = place_at };

static const struct mwa_column stacks_document[] = { { "sites", .table = &stacked_sites } };

const struct mwa_table mwa_site_stacks_document = { .shape = MWA_ROW,
                                                    .schema = "mpiwatch-site-stacks/1",
                                                    MWA_COLUMNS(stacks_document) };

static const struct mwa_column caller_columns[] = {
    { "call", "call", 20, MWA_PLAIN, MWA_BY(MWA_TEXT, call) },
    { NULL, "place", 25, MWA_PLAIN, MWA_BY(MWA_TEXT, caller_where), .nothing = "?" },
    PLACE_IN_DATA, COUNT, TIME,
    { "share", "of it", 6, MWA_SHARE, MWA_BY(MWA_REAL, of_place), .unknown = NO_TIME },
    { "wait_ns", "waiting", 9, MWA_NS, MWA_BY(MWA_NUMBER, site_waits) },
    BEHIND_WAITS,
    { NULL, "called by", 0, MWA_PLAIN, MWA_BY(MWA_TEXT, called_by), .is_uncut = true,
      .unknown = NO_STACK },
    { "stack", MWA_BY(MWA_TEXT, stack_in_data), .unknown = NO_STACK },
};

const struct mwa_table mwa_site_stacks_table = {
    MWA_COLUMNS(caller_columns),
    .above = &mwa_sites_table,
    .count = caller_count,
    .row = caller_at,
    .none = NO_PLACES,
    .note = "of it: of the time at the place; called by: the function that makes the call first, "
            "with lines where functions do not tell callers apart",
};

/* --- by call -------------------------------------------------------------------------------- */

static const struct mwa_call_row *call_of(const struct mwa_cell *place)
{
    return place->parent->row;
}

MWA_WHETHER(is_in_call, region_of(cell) == call_of(cell)->region)
MWA_VALUE_OF(of_call, struct mwa_site_row, mwa_share(row->time_ns, call_of(cell)->time_ns))

static const struct mwa_column call_site_columns[] = {
    { "call", "call", 20, MWA_PLAIN, MWA_BY(MWA_TEXT, call) },
    { NULL, "place", 31, MWA_PLAIN, MWA_BY(MWA_TEXT, where), .nothing = "?" },
    PLACE_IN_DATA, COUNT, TIME,
    { "share", "of it", 6, MWA_SHARE, MWA_BY(MWA_REAL, of_call),
      .unknown = "the call took no time" },
    WAITING, BEHIND_WAITS, CAUSED, { NULL, .table = &called_from },
};

const struct mwa_table mwa_call_sites_table = {
    MWA_COLUMNS(call_site_columns),
    .above = &mwa_calls_table,
    .count = place_count,
    .row = place_at,
    .is_shown = is_in_call,
    .none = NO_PLACES,
    .note = "of it: of the time in the call",
};
