/*
 * Close-ups: the calls and messages around the longest waits. What is drawn is a path for each
 * state; what a call was is in numbers beside it, which the script reads when the pointer rests on
 * it. Names are list items, so that they come through the one place where text becomes markup.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/page/html.h"
#include "analyzer/page/sections.h"
#include "analyzer/table/units.h"
#include "formats/base/order.h"

#define ROWS_MAX     8u
#define CALLS_MAX    90u
#define MESSAGES_MAX 60u
#define ROW          100.0 /* units high */
#define PIXELS       34u

/* A close-up as it is drawn. */
struct drawing {
    struct mwa_page near; /* whose run is the close-up's time */
    const struct mwa_closeup *closeup;
    uint32_t ranks[ROWS_MAX]; /* by row */
    uint32_t rows;
    const char **names; /* of calls, communicators, places: */
    char (*places)[MWA_PLACE_BYTES];
    uint32_t name_count;
    uint32_t place_count;
};

static const char *const state_classes[MWA_STATES] = {
    [MWA_STATE_USEFUL] = "useful", [MWA_STATE_P2P] = "p2p", [MWA_STATE_COLLECTIVE] = "collective",
    [MWA_STATE_IO] = "io", [MWA_STATE_OTHER] = "other"
};

/* The row of a rank; MWA_NONE: it has none. */
static uint32_t row_of(const struct drawing *drawing, uint32_t rank)
{
    for (uint32_t i = 0; i < drawing->rows; i++) {
        if (drawing->ranks[i] == rank) {
            return i;
        }
    }
    return MWA_NONE;
}

static void add_rank(struct drawing *drawing, uint32_t rank)
{
    if (rank != MWA_NONE && drawing->rows < ROWS_MAX && row_of(drawing, rank) == MWA_NONE) {
        drawing->ranks[drawing->rows++] = rank;
    }
}

static int by_rank(const void *left, const void *right)
{
    return mw_order(*(const uint32_t *)left, *(const uint32_t *)right);
}

/* Who waits, for whom, who exchanges messages with these, who else waits, and then the first. */
static void choose_ranks(struct drawing *drawing)
{
    const struct mwa_closeup *closeup = drawing->closeup;

    add_rank(drawing, closeup->wait.rank);
    add_rank(drawing, closeup->as_told->cause);
    for (uint64_t i = 0; i < closeup->message_count; i++) {
        if (closeup->messages[i].to == closeup->wait.rank) {
            add_rank(drawing, closeup->messages[i].from);
        } else if (closeup->messages[i].from == closeup->wait.rank) {
            add_rank(drawing, closeup->messages[i].to);
        }
    }
    for (uint64_t i = 0; i < closeup->wait_count; i++) {
        add_rank(drawing, closeup->waits[i].rank);
    }
    for (uint64_t i = 0; i < closeup->call_count; i++) {
        add_rank(drawing, closeup->calls[i].rank);
    }
    qsort(drawing->ranks, drawing->rows, sizeof drawing->ranks[0], by_rank);
}

static double x_of(const struct drawing *drawing, uint64_t time)
{
    return mwa_plot_x_of_ticks(&drawing->near, time);
}

/* --- what is drawn ------------------------------------------------------------------------- */

static void put_box(const struct drawing *drawing, uint32_t row, uint64_t from, uint64_t to,
                    double top, double height)
{
    double x = x_of(drawing, from), width = x_of(drawing, to) - x;

    fprintf(drawing->near.out, "M%.0f %.0fh%.0fv%.0fh-%.0fz", x, ROW * row + top,
            width > 8 ? width : 8, height, width > 8 ? width : 8);
}

/* All calls of a state are one path. */
static void put_state(const struct drawing *drawing, const struct mwa_seen_call *calls,
                      uint64_t count, enum mwa_state state)
{
    FILE *out = drawing->near.out;

    fprintf(out, "<path class=\"%s\" d=\"", state_classes[state]);
    for (uint64_t i = 0; i < count; i++) {
        if (calls[i].region->kind != MWA_REGION_USER &&
            mwa_state_of(calls[i].region, calls[i].use) == state) {
            put_box(drawing, row_of(drawing, calls[i].rank), calls[i].enter, calls[i].leave, 30,
                    60);
        }
    }
    fputs("\"/>", out);
}

static void put_shapes(const struct drawing *drawing, const struct mwa_seen_call *calls,
                       uint64_t count)
{
    const struct mwa_closeup *closeup = drawing->closeup;
    FILE *out = drawing->near.out;

    for (unsigned state = 0; state < MWA_STATES; state++) {
        put_state(drawing, calls, count, (enum mwa_state)state);
    }
    fputs("<path class=\"waiting\" d=\"", out);
    for (uint64_t i = 0; i < closeup->wait_count && i < CALLS_MAX; i++) {
        if (row_of(drawing, closeup->waits[i].rank) != MWA_NONE) {
            put_box(drawing, row_of(drawing, closeup->waits[i].rank), closeup->waits[i].from,
                    closeup->waits[i].to, 30, 60);
        }
    }
    fputs("\"/><path class=\"region\" d=\"", out);
    for (uint64_t i = 0; i < count; i++) {
        if (calls[i].region->kind == MWA_REGION_USER) {
            put_box(drawing, row_of(drawing, calls[i].rank), calls[i].enter, calls[i].leave, 8,
                    18);
        }
    }
    fputs("\"/>\n", out);
}

/* --- what the script is told ---------------------------------------------------------------- */

/* The position of a name in the list, to which it is added; names stay where they are. */
static uint32_t name_index(struct drawing *drawing, const char *name)
{
    for (uint32_t i = 0; i < drawing->name_count; i++) {
        if (drawing->names[i] == name) {
            return i;
        }
    }
    drawing->names[drawing->name_count] = name;
    return drawing->name_count++;
}

static int64_t place_index(struct drawing *drawing, uint32_t site)
{
    char *place = drawing->places[drawing->place_count];

    if (site == MWA_NONE || !mwa_place(drawing->near.results->trace, site, place)) {
        return -1;
    }
    for (uint32_t i = 0; i < drawing->place_count; i++) {
        if (strcmp(drawing->places[i], place) == 0) {
            return name_index(drawing, drawing->places[i]);
        }
    }
    drawing->place_count++;
    return name_index(drawing, place);
}

static int64_t comm_index(struct drawing *drawing, uint32_t comm)
{
    const struct mwa_comm *comms = drawing->near.results->trace->comms;

    return comm == MWA_NONE ? -1 : (int64_t)name_index(drawing, comms[comm].name);
}

static int64_t since(const struct drawing *drawing, uint64_t time)
{
    return mwa_trace_since_begin(drawing->near.results->trace, time) - drawing->near.from_ns;
}

/* A number that may be unknown. */
static int64_t known_or_less(uint64_t value, uint64_t unknown)
{
    return value == unknown || value > INT64_MAX ? -1 : (int64_t)value;
}

/* Row, from, how long, name, communicator, peer, bytes, place, how many, whether it is longer. */
static void put_call_data(struct drawing *drawing, const struct mwa_seen_call *calls,
                          uint64_t count)
{
    FILE *out = drawing->near.out;

    fputs(" data-calls=\"[", out);
    for (uint64_t i = 0; i < count; i++) {
        const struct mwa_seen_call *call = &calls[i];

        fprintf(out, "%s[%" PRIu32 ",%" PRId64 ",%" PRIu64 ",%" PRIu32 ",%" PRId64 ",%" PRId64
                     ",%" PRId64 ",%" PRId64 ",%" PRIu64 ",%d]",
                i > 0 ? "," : "", row_of(drawing, call->rank), since(drawing, call->enter),
                mwa_trace_ns(drawing->near.results->trace, call->leave - call->enter),
                name_index(drawing, call->region->name), comm_index(drawing, call->comm),
                known_or_less(call->peer, MWA_NONE), known_or_less(call->bytes, UINT64_MAX),
                place_index(drawing, call->site), call->repeat, call->goes_on);
    }
    fputs("]\"", out);
}

static bool has_rows(const struct drawing *drawing, const struct mwa_seen_message *message)
{
    return row_of(drawing, message->from) != MWA_NONE && row_of(drawing, message->to) != MWA_NONE;
}

/* Sender, receiver, sent, received, bytes, communicator, tag. Draws them as well. */
static void put_messages(struct drawing *drawing, const struct mwa_seen_message **messages,
                         uint64_t count, bool are_drawn)
{
    FILE *out = drawing->near.out;

    fputs(are_drawn ? "<path class=\"message\" d=\"" : " data-messages=\"[", out);
    for (uint64_t i = 0; i < count; i++) {
        const struct mwa_seen_message *message = messages[i];
        const uint32_t from = row_of(drawing, message->from), to = row_of(drawing, message->to);

        if (are_drawn) {
            fprintf(out, "M%.0f %.0fL%.0f %.0f", x_of(drawing, message->sent), ROW * (from + .6),
                    x_of(drawing, message->received), ROW * (to + .6));
        } else {
            fprintf(out, "%s[%" PRIu32 ",%" PRIu32 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64
                         ",%" PRIu32 "]",
                    i > 0 ? "," : "", from, to, since(drawing, message->sent),
                    since(drawing, message->received), known_or_less(message->bytes, UINT64_MAX),
                    comm_index(drawing, message->comm), message->tag);
        }
    }
    fputs(are_drawn ? "\"/>" : "]\"", out);
}

static void put_names(const struct drawing *drawing)
{
    FILE *out = drawing->near.out;

    fputs("<ul class=\"names\" hidden>", out);
    for (uint32_t i = 0; i < drawing->name_count; i++) {
        fputs("<li>", out);
        mwa_html_text(drawing->names[i], 60, out);
        fputs("</li>", out);
    }
    fputs("</ul>\n", out);
}

/* --- a close-up ---------------------------------------------------------------------------- */

static void put_heading(const struct drawing *drawing)
{
    const struct mwa_trace *trace = drawing->near.results->trace;
    const struct mwa_seen_wait *wait = &drawing->closeup->wait;
    const struct mwa_wait *told = drawing->closeup->as_told;
    char text[2][MWA_UNITS_BYTES], place[MWA_PLACE_BYTES];
    FILE *out = drawing->near.out;

    fprintf(out, "<h4>At %s rank %" PRIu32 " waits %s",
            mwa_moment_text(mwa_trace_since_begin(trace, wait->from), text[0]), wait->rank,
            mwa_time_text(mwa_trace_ns(trace, wait->to - wait->from), text[1]));
    if (told->cause != MWA_NONE) {
        fprintf(out, " for rank %" PRIu32, told->cause);
    }
    if (wait->call) {
        fputs(" in ", out);
        mwa_html_text(wait->call->name, 40, out);
    }
    if (mwa_place(trace, told->site, place)) {
        fputs(", ", out);
        mwa_html_text(place, 60, out);
    }
    fputs("</h4>\n", out);
}

static int by_length(const void *left, const void *right)
{
    const struct mwa_seen_call *a = left, *b = right;

    return mw_order(b->leave - b->enter, a->leave - a->enter) ?: mw_order(a->enter, b->enter) ?:
           mw_order(a->rank, b->rank);
}

/* The calls of the ranks that have rows, the longest first: short ones of many can't be seen. */
static struct mwa_seen_call *choose_calls(const struct drawing *drawing, uint64_t *count)
{
    const struct mwa_closeup *closeup = drawing->closeup;
    struct mwa_seen_call *calls = malloc((closeup->call_count + 1) * sizeof *calls);

    *count = 0;
    for (uint64_t i = 0; calls && i < closeup->call_count; i++) {
        if (row_of(drawing, closeup->calls[i].rank) != MWA_NONE) {
            calls[(*count)++] = closeup->calls[i];
        }
    }
    if (calls) {
        qsort(calls, *count, sizeof *calls, by_length);
    }
    return calls;
}

/* Those of the rank that waits first. Returns how many there are between ranks with rows. */
static uint64_t choose_messages(const struct drawing *drawing,
                                const struct mwa_seen_message **messages, uint64_t *count)
{
    const struct mwa_closeup *closeup = drawing->closeup;
    uint64_t all = 0;

    *count = 0;
    for (unsigned round = 0; round < 2; round++) {
        for (uint64_t i = 0; i < closeup->message_count; i++) {
            const struct mwa_seen_message *message = &closeup->messages[i];
            bool is_its = message->from == closeup->wait.rank || message->to == closeup->wait.rank;

            if (is_its == (round == 0) && has_rows(drawing, message)) {
                all++;
                if (*count < MESSAGES_MAX) {
                    messages[(*count)++] = message;
                }
            }
        }
    }
    return all;
}

static void put_labels(const struct drawing *drawing)
{
    FILE *out = drawing->near.out;

    fputs("<div class=\"ylabels\">", out);
    for (uint32_t i = 0; i < drawing->rows; i++) {
        fprintf(out, "<span style=\"top:%.3f%%\">rank %" PRIu32 "</span>",
                100 * (i + .6) / drawing->rows, drawing->ranks[i]);
    }
    fputs("</div>\n", out);
}

static void put_picture(struct drawing *drawing, const struct mwa_seen_call *calls,
                        uint64_t call_count)
{
    const struct mwa_seen_message *messages[MESSAGES_MAX];
    const uint64_t shown = call_count < CALLS_MAX ? call_count : CALLS_MAX;
    uint64_t message_count, all = choose_messages(drawing, messages, &message_count);
    FILE *out = drawing->near.out;

    fprintf(out, "<div class=\"chart closeup\" style=\"--height:%" PRIu32 "px\">",
            PIXELS * (drawing->rows > 2 ? drawing->rows : 2));
    put_labels(drawing);
    fprintf(out, "<svg class=\"plot\" role=\"img\" aria-label=\"Calls and messages around a long "
                 "wait; its numbers are in the table of the longest waits\" viewBox=\"0 0 %g %g\" "
                 "preserveAspectRatio=\"none\" data-rows=\"%" PRIu32 "\" data-length=\"%" PRId64
                 "\"",
            MWA_PLOT_WIDTH, ROW * drawing->rows, drawing->rows,
            drawing->near.to_ns - drawing->near.from_ns);
    put_call_data(drawing, calls, shown);
    put_messages(drawing, messages, message_count, false);
    fputs(">\n", out);
    put_shapes(drawing, calls, shown);
    put_messages(drawing, messages, message_count, true);
    fputs("</svg>\n", out);
    mwa_plot_fixed_time_axis(&drawing->near);
    fputs("</div>\n", out);
    put_names(drawing);
    fprintf(out, "<p class=\"note\">%" PRIu64 " of %" PRIu64 " calls and regions, the longest; %"
                 PRIu64 " of %" PRIu64 " messages.</p>\n",
            shown, call_count, message_count, all);
}

static void put_closeup(struct mwa_page *page, const struct mwa_closeup *closeup)
{
    const struct mwa_trace *trace = page->results->trace;
    const size_t names = 3 * (size_t)CALLS_MAX + MESSAGES_MAX;
    struct drawing drawing = { .near = *page, .closeup = closeup };
    uint64_t call_count;
    struct mwa_seen_call *calls;

    drawing.near.from_ns = mwa_trace_since_begin(trace, closeup->from);
    drawing.near.to_ns = mwa_trace_since_begin(trace, closeup->to);
    drawing.names = calloc(names, sizeof *drawing.names);
    drawing.places = calloc(CALLS_MAX + 1, sizeof *drawing.places);
    choose_ranks(&drawing);
    calls = choose_calls(&drawing, &call_count);
    if (drawing.names && drawing.places && calls) {
        put_heading(&drawing);
        put_picture(&drawing, calls, call_count);
    } else {
        page->status = MW_ERROR_MEMORY;
    }
    free(drawing.names);
    free(drawing.places);
    free(calls);
}

void mwa_closeups_draw(struct mwa_page *page)
{
    const struct mwa_closeups *closeups = &page->results->closeups;

    if (closeups->count == 0) {
        return;
    }
    fputs("<h3>Around the longest waits</h3>\n"
          "<ul class=\"legend\"><li><i style=\"--c:var(--p2p)\"></i>point to point</li>"
          "<li><i style=\"--c:var(--collective)\"></i>collective</li>"
          "<li><i style=\"--c:var(--io)\"></i>I/O</li>"
          "<li><i style=\"--c:var(--other)\"></i>other MPI</li>"
          "<li><i style=\"--c:var(--waiting)\"></i>waiting</li>"
          "<li><i style=\"--c:none;outline:1px solid var(--soft)\"></i>region of the program, "
          "above its calls</li><li>lines are messages</li></ul>\n",
          page->out);
    for (uint32_t i = 0; i < closeups->count && page->status == MW_OK; i++) {
        put_closeup(page, &closeups->list[i]);
    }
}
