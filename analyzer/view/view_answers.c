/*
 * What the page draws comes as bytes, since it is much and the eye rounds it anyway; what it says
 * in words comes as JSON, from the same tables as all else that mpiwatch says.
 */
#include "analyzer/view/view_answers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/model/bins.h"
#include "analyzer/table/state_looks.h"
#include "analyzer/table/values.h"
#include "analyzer/view/view_detail.h"
#include "analyzer/view/view_near.h"
#include "analyzer/view/view_states.h"
#include "formats/base/printable.h"

#include "analyzer/view/view_sources.inc"

#define WHOLE      10000u
#define TICKS_MOST ((uint64_t)1 << 53) /* whole numbers of the script */

static void give_text(struct mwa_view_answer *answer, unsigned status, const char *type,
                      char *text)
{
    *answer = text ? (struct mwa_view_answer){ .status = status,
                                               .type = type,
                                               .data = text,
                                               .bytes = strlen(text) }
                   : (struct mwa_view_answer){ .status = 500,
                                               .type = "text/plain",
                                               .data = "There is no memory for this.",
                                               .is_static = true,
                                               .bytes = strlen("There is no memory for this.") };
}

/* Takes object over. */
static void give_json(struct mwa_view_answer *answer, unsigned status, json_t *object)
{
    give_text(answer, status, "application/json", object ? json_dumps(object, JSON_COMPACT) : NULL);
    json_decref(object);
}

/* --- what is asked for ------------------------------------------------------------------------ */

static uint64_t argument(const struct mwa_view_question *question, const char *name,
                         uint64_t otherwise, uint64_t most)
{
    uint64_t value;

    value = mwa_view_argument(question, name, &value) ? value : otherwise;
    return value < most ? value : most;
}

static struct mwa_view_span span_of(const struct mwa_view_store *store,
                                    const struct mwa_view_question *question)
{
    const uint64_t length = store->to > store->from ? store->to - store->from : 0;
    struct mwa_view_span span;
    uint64_t rows;

    /* Behind the end there is nothing; cells that reach there are as long as the others. */
    span.from = store->from + argument(question, "from", 0, TICKS_MOST);
    span.to = store->from + argument(question, "to", length, TICKS_MOST);
    span.to = span.to > span.from ? span.to : span.from;
    span.first_row = (uint32_t)argument(question, "first", 0, store->row_count);
    rows = argument(question, "rows", MWA_VIEW_ROWS_MOST, MWA_VIEW_ROWS_MOST);
    span.row_count = rows < store->row_count - span.first_row
                         ? (uint32_t)rows
                         : store->row_count - span.first_row;
    return span;
}

/* --- answers -------------------------------------------------------------------------------- */

static json_t *row_list(const struct mwa_view_store *store)
{
    const struct mwa_trace *trace = store->trace;
    json_t *list = json_array();

    for (uint32_t row = 0; row < store->row_count; row++) {
        const struct mwa_view_location *location = &store->locations[store->rows[row]];
        const uint32_t rank = trace->locations[store->rows[row]].rank;

        json_array_append_new(
            list, json_pack("{s:i,s:o,s:o}", "rank", (int)rank, "host",
                            mwa_json_text(trace->ranks[rank].host), "calls",
                            mwa_json_number(location->call_count)));
    }
    return list;
}

static json_t *state_list(const struct mwa_trace *trace)
{
    json_t *list = json_array();

    for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
        json_array_append_new(list, json_pack("{s:s,s:s}", "key", mwa_state_looks[state].key,
                                              "word", mwa_state_word(trace, state)));
    }
    return list;
}

static json_t *meta(const struct mwa_view_store *store, const char *path)
{
    const struct mwa_trace *trace = store->trace;
    const char *name = strrchr(path, '/');

    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:b}", "archive",
                     mwa_json_text(name && name[1] ? name + 1 : path), "program",
                     mwa_json_text(trace->program), "resolution",
                     mwa_json_number(mwa_trace_resolution(trace)), "length",
                     mwa_json_number(store->to > store->from ? store->to - store->from : 0),
                     /* ns since the run's beginning at tick 0 */
                     "begins_ns", json_integer(mwa_trace_since_begin(trace, store->from)), "rows",
                     row_list(store), "states", state_list(trace), "others",
                     mwa_json_number(trace->location_count - store->row_count), "messages",
                     mwa_json_number(store->messages.count), "waits",
                     mwa_json_number(store->waits.count), "incomplete", (int)trace->incomplete);
}

/* The shares of the states in a stretch of time, of its ticks. */
static void put_shares(const struct mwa_view_done *before, const struct mwa_view_done *after,
                       uint64_t ticks, unsigned char *to)
{
    for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
        const double part = (double)(after->ticks[state] - before->ticks[state]);
        const unsigned share = ticks > 0 ? (unsigned)(part * WHOLE / (double)ticks + .5) : 0;

        to[2 * state] = (unsigned char)share;
        to[2 * state + 1] = (unsigned char)(share >> 8);
    }
}

static void give_states(const struct mwa_view_store *store,
                        const struct mwa_view_question *question, struct mwa_view_answer *answer)
{
    const struct mwa_view_span span = span_of(store, question);
    const uint32_t cells = (uint32_t)argument(question, "cells", 256, MWA_VIEW_CELLS_MOST);
    const struct mwa_window window = { span.from, span.to, cells > 0 ? cells : 1 };
    const size_t row_bytes = window.bins * MWA_RANK_STATES * sizeof(uint16_t);
    unsigned char *data = malloc(span.row_count * row_bytes + 1);

    if (!data) {
        give_text(answer, 500, NULL, NULL);
        return;
    }
    for (uint32_t row = 0; row < span.row_count; row++) {
        const uint32_t location = store->rows[span.first_row + row];
        struct mwa_view_done before = mwa_view_done_at(store, location, span.from);

        for (uint32_t cell = 0; cell < window.bins; cell++) {
            const uint64_t from = mwa_window_edge(&window, cell);
            const uint64_t to = mwa_window_edge(&window, cell + 1);
            const struct mwa_view_done after = mwa_view_done_at(store, location, to);

            put_shares(&before, &after, to - from,
                       data + row * row_bytes + cell * MWA_RANK_STATES * sizeof(uint16_t));
            before = after;
        }
    }
    *answer = (struct mwa_view_answer){ .status = 200,
                                        .type = "application/octet-stream",
                                        .data = data,
                                        .bytes = span.row_count * row_bytes };
}

static json_t *exact_states(const struct mwa_view_store *store, const struct mwa_view_span *span)
{
    json_t *rows = json_array();

    for (uint32_t row = 0; row < span->row_count; row++) {
        const uint32_t location = store->rows[span->first_row + row];
        const struct mwa_view_done before = mwa_view_done_at(store, location, span->from);
        const struct mwa_view_done after = mwa_view_done_at(store, location, span->to);
        json_t *list = json_array();

        for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
            json_array_append_new(list, mwa_json_number(after.ticks[state] - before.ticks[state]));
        }
        json_array_append_new(rows, list);
    }
    return json_pack("{s:o,s:o,s:o}", "from", mwa_json_number(span->from - store->from), "to",
                     mwa_json_number(span->to - store->from), "ticks", rows);
}

static void give_data(struct mwa_view_index *index, const struct mwa_view_question *question,
                      struct mwa_view_answer *answer)
{
    const struct mwa_view_store *store = mwa_view_index_store(index);
    const char *name = question->path + 1;
    struct mwa_view_span span;

    if (!store) {
        give_json(answer, 503, json_pack("{s:s}", "error", "The archive is still being read."));
        return;
    }
    span = span_of(store, question);
    if (strcmp(name, "meta") == 0) {
        give_json(answer, 200, meta(store, mwa_view_index_path(index)));
    } else if (strcmp(name, "states") == 0) {
        give_states(store, question, answer);
    } else if (strcmp(name, "span") == 0) {
        give_json(answer, 200, exact_states(store, &span));
    } else if (strcmp(name, "near") == 0) {
        give_json(answer, 200, mwa_view_near(store, &span));
    } else if (strcmp(name, "waits") == 0) {
        give_json(answer, 200, mwa_view_longest_waits(store));
    } else {
        const uint64_t id = argument(question, "id", MWA_NONE, MWA_NONE);
        json_t *detail = mwa_view_detail(store, (uint32_t)id);

        give_json(answer, detail ? 200 : 404,
                  detail ? detail : json_pack("{s:s}", "error", "There is no such call."));
    }
}

/* --- the page ------------------------------------------------------------------------------- */

/* The style begins with the colours of states, as the page of report has them. */
static void give_style(struct mwa_view_answer *answer, const char *style)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    if (out) {
        fputs(":root {", out);
        for (unsigned state = 0; state < MWA_RANK_STATES; state++) {
            fprintf(out, " --%s: ", mwa_state_looks[state].key);
            mwa_put_colour(&mwa_state_looks[state].colour, out);
            putc(';', out);
        }
        fprintf(out, " }\n%s", style);
    }
    if (!out || fclose(out) != 0) {
        free(text);
        text = NULL;
    }
    give_text(answer, 200, "text/css; charset=utf-8", text);
}

static bool give_source(const char *path, struct mwa_view_answer *answer)
{
    size_t at = 0;

    while (at < sizeof sources / sizeof *sources && strcmp(sources[at].path, path) != 0) {
        at++;
    }
    if (at == sizeof sources / sizeof *sources) {
        return false;
    }
    if (strcmp(path, "/page.css") == 0) {
        give_style(answer, (const char *)sources[at].text);
    } else {
        *answer = (struct mwa_view_answer){ .status = 200,
                                            .type = sources[at].type,
                                            .data = (void *)sources[at].text,
                                            .is_static = true,
                                            .bytes = strlen((const char *)sources[at].text) };
    }
    return true;
}

void mwa_view_answer(void *user, const struct mwa_view_question *question,
                     struct mwa_view_answer *answer)
{
    static const char *const data[] = { "/meta", "/states", "/span", "/near", "/call", "/waits" };

    if (give_source(question->path, answer)) {
        return;
    }
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        if (strcmp(question->path, data[i]) == 0) {
            give_data(user, question, answer);
            return;
        }
    }
}

void mwa_view_tell(void *user, char *text, size_t size)
{
    const enum mwa_view_stage stage = mwa_view_index_stage(user);
    char why[300] = "", shown[400];
    uint64_t read, all;
    json_t *news;

    mwa_view_index_progress(user, &read, &all);
    if (stage == MWA_VIEW_FAILED) {
        mw_diagnostic_text(mwa_view_index_diagnostic(user), why, sizeof why);
    }
    news = json_pack("{s:s,s:o,s:o,s:o}", "stage",
                     stage == MWA_VIEW_READING ? "reading"
                     : stage == MWA_VIEW_READY ? "ready"
                                               : "failed",
                     "read", mwa_json_number(read), "all", mwa_json_number(all), "why",
                     mwa_json_text(mw_printable(why, shown, sizeof shown)));
    *text = '\0';
    if (news) {
        const size_t bytes = json_dumpb(news, text, size - 1, JSON_COMPACT);

        text[bytes < size ? bytes : 0] = '\0';
    }
    json_decref(news);
}
