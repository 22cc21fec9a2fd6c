/*
 * What the page draws comes as bytes, since it is much and the eye rounds it anyway; what it says
 * in words comes as JSON, from the same tables as all else that mpiwatch says.
 */
#include "analyzer/view/view_answers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/model/text_stream.h"
#include "analyzer/table/state_looks.h"
#include "analyzer/table/values.h"
#include "analyzer/view/view_asks.h"
#include "analyzer/view/view_bands.h"
#include "analyzer/view/view_comms.h"
#include "analyzer/view/view_detail.h"
#include "analyzer/view/view_threads.h"
#include "analyzer/view/view_lanes_answers.h"
#include "analyzer/view/view_near.h"
#include "analyzer/view/view_question.h"
#include "analyzer/view/view_rows.h"
#include "analyzer/view/view_shares.h"
#include "formats/base/printable.h"

#include "analyzer/view/view_sources.inc"

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

/* A diagnostic as JSON; null if there is none. */
static json_t *sentence(const struct mw_diagnostic *diagnostic)
{
    char text[MWA_VIEW_WHY_BYTES], shown[2 * MWA_VIEW_WHY_BYTES];

    if (!diagnostic) {
        return json_null();
    }
    mw_diagnostic_text(diagnostic, text, sizeof text);
    return mwa_json_text(mw_printable(text, shown, sizeof shown));
}

/* What is answered of an archive that is not read, or not yet: who asks again gets it then. */
static void give_unread(struct mwa_view_index *index, struct mwa_view_answer *answer)
{
    if (mwa_view_index_stage(index) == MWA_VIEW_FAILED) {
        give_json(answer, 500, json_pack("{s:o}", "error",
                                         sentence(mwa_view_index_diagnostic(index))));
    } else {
        give_json(answer, 503, json_pack("{s:s}", "error", "The archive is still being read."));
    }
}

/* --- what is asked for ------------------------------------------------------------------------ */

/* rows_read has room for the list, if there is one. */
static struct mwa_view_span span_of(const struct mwa_view_store *store,
                                    const struct mwa_view_question *question,
                                    uint32_t rows_read[MWA_VIEW_ROWS_MOST])
{
    const char *list = mwa_view_argument_text(question, "list");
    struct mwa_view_span span = { .list = list ? rows_read : NULL };
    uint64_t rows;

    /* Behind the end there is nothing; cells that reach there are as long as the others. */
    mwa_view_times(store, question, &span.from, &span.to);
    span.first_row = (uint32_t)mwa_view_number(question, "first", 0, store->row_count);
    rows = mwa_view_number(question, "rows", MWA_VIEW_ROWS_MOST, MWA_VIEW_ROWS_MOST);
    span.row_count = rows < store->row_count - span.first_row
                         ? (uint32_t)rows
                         : store->row_count - span.first_row;
    if (list) {
        span.row_count = mwa_view_rows_read(store, list, rows_read);
    }
    return span;
}

/* --- answers -------------------------------------------------------------------------------- */

/* How many states there are of each row: where main threads are alone, as many as these have. */
static unsigned states_of(const struct mwa_view_store *store)
{
    return store->others.count > 0 ? MWA_LOCATION_STATES : MWA_RANK_STATES;
}

static json_t *meta(const struct mwa_view_store *store, const char *path)
{
    const struct mwa_trace *trace = store->trace;
    const char *name = strrchr(path, '/');

    return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:b,s:b,s:i}", "archive",
                     mwa_json_text(name && name[1] ? name + 1 : path), "program",
                     mwa_json_text(trace->program), "resolution",
                     mwa_json_number(mwa_trace_resolution(trace)), "length",
                     mwa_json_number(store->to > store->from ? store->to - store->from : 0),
                     /* ns since the run's beginning at tick 0 */
                     "begins_ns", json_integer(mwa_trace_since_begin(trace, store->from)), "rows",
                     mwa_view_rows_main(store), "other_rows", mwa_view_rows_others(store),
                     "states", mwa_view_rows_states(store, 0, MWA_RANK_STATES), "other_states",
                     mwa_view_rows_states(store, MWA_RANK_STATES, states_of(store)), "others",
                     mwa_json_number(mwa_view_rows_missing(store)), "messages",
                     mwa_json_number(store->messages.count), "waits",
                     mwa_json_number(store->waits.count), "incomplete", (int)trace->incomplete,
                     "tells_off_core", (int)trace->metrics.has_running, "list_most",
                     (int)MWA_VIEW_ROWS_MOST);
}

static void give_states(const struct mwa_view_store *store,
                        const struct mwa_view_question *question,
                        const struct mwa_view_span *span, struct mwa_view_answer *answer)
{
    const uint32_t cells = (uint32_t)mwa_view_number(question, "cells", 256, MWA_VIEW_CELLS_MOST);
    uint32_t group = (uint32_t)mwa_view_number(question, "group", 1, MWA_VIEW_ROWS_MOST);
    struct mwa_view_span part = *span;
    size_t bytes;
    void *data;

    group = group > 0 ? group : 1;
    if (part.row_count > MWA_VIEW_GROUPS_MOST * group) {
        part.row_count = MWA_VIEW_GROUPS_MOST * group;
    }
    data = mwa_view_shares(store, &part, states_of(store), cells > 0 ? cells : 1, group, &bytes);
    if (!data) {
        give_text(answer, 500, NULL, NULL);
        return;
    }
    *answer = (struct mwa_view_answer){ .status = 200,
                                        .type = "application/octet-stream",
                                        .data = data,
                                        .bytes = bytes };
}

static json_t *exact_states(const struct mwa_view_store *store, const struct mwa_view_span *span)
{
    json_t *rows = json_array();

    for (uint32_t row = 0; row < span->row_count; row++) {
        const uint32_t location = store->rows[mwa_view_span_row(span, row)];
        const struct mwa_view_row_done before = mwa_view_row_done_at(store, location, span->from);
        const struct mwa_view_row_done after = mwa_view_row_done_at(store, location, span->to);
        uint64_t ticks[MWA_LOCATION_STATES];
        json_t *list = json_array();

        mwa_view_row_between(store, location, &before, &after, ticks);
        for (unsigned state = 0; state < states_of(store); state++) {
            json_array_append_new(list, mwa_json_number(ticks[state]));
        }
        json_array_append_new(rows, list);
    }
    return json_pack("{s:o,s:o,s:o}", "from", mwa_json_number(span->from - store->from), "to",
                     mwa_json_number(span->to - store->from), "ticks", rows);
}

/* One of what there are several of; null: there is none. */
static void give_one(struct mwa_view_answer *answer, json_t *detail, const char *sentence)
{
    give_json(answer, detail ? 200 : 404, detail ? detail : json_pack("{s:s}", "error", sentence));
}

static void give_data(struct mwa_view_index *index, const struct mwa_view_question *question,
                      struct mwa_view_answer *answer)
{
    const struct mwa_view_store *store = mwa_view_index_store(index);
    const char *name = question->path + 1;
    uint32_t rows[MWA_VIEW_ROWS_MOST];
    struct mwa_view_span span;
    uint32_t id;

    if (!store) {
        give_unread(index, answer);
        return;
    }
    id = (uint32_t)mwa_view_number(question, "id", MWA_NONE, MWA_NONE);
    span = span_of(store, question, rows);
    if (strcmp(name, "meta") == 0) {
        give_json(answer, 200, meta(store, mwa_view_index_path(index)));
    } else if (strcmp(name, "states") == 0) {
        give_states(store, question, &span, answer);
    } else if (strcmp(name, "span") == 0) {
        give_json(answer, 200, exact_states(store, &span));
    } else if (strcmp(name, "near") == 0) {
        give_json(answer, 200, mwa_view_comms_add(store, mwa_view_near(store, &span)));
    } else if (strncmp(name, "lanes/", strlen("lanes/")) == 0) {
        give_one(answer, mwa_view_lane(store, name + strlen("lanes/"), question),
                 "There is no such lane.");
    } else if (strcmp(name, "band") == 0) {
        give_one(answer, mwa_view_band_detail(store, id), "There is no such operation.");
    } else if (strcmp(name, "waits") == 0) {
        give_json(answer, 200, mwa_view_longest_waits(store));
    } else {
        give_one(answer, mwa_view_detail(store, id), "There is no such call.");
    }
}

/* --- the page ------------------------------------------------------------------------------- */

/* The style begins with the colours of states, as the page of report has them. */
static void give_style(struct mwa_view_answer *answer, const char *style)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = mwa_open_text(&text, &bytes);

    if (out) {
        fputs(":root {", out);
        for (unsigned state = 0; state < MWA_LOCATION_STATES; state++) {
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

bool mwa_view_source(const char *path, struct mwa_view_answer *answer)
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

/* Whether it is one of view_asks.h. */
static bool give_asked(struct mwa_view_index *index, const struct mwa_view_question *question,
                       struct mwa_view_answer *answer)
{
    json_t *found = NULL;
    const unsigned status = mwa_view_asks(index, question, &found);

    if (status == MWA_VIEW_UNREAD) {
        give_unread(index, answer);
    } else if (status != 0) {
        give_json(answer, status, found);
    }
    return status != 0;
}

static void give_preview(struct mwa_view_index *index, struct mwa_view_answer *answer)
{
    const bool has_failed = mwa_view_index_stage(index) == MWA_VIEW_FAILED;
    json_t *preview = has_failed ? NULL : mwa_view_index_preview(index);

    if (has_failed) {
        give_unread(index, answer);
    } else {
        give_json(answer, preview ? 200 : 503,
                  preview ? preview : json_pack("{s:s}", "error", "Nothing is being read."));
    }
}

void mwa_view_answer(void *user, const struct mwa_view_question *question,
                     struct mwa_view_answer *answer)
{
    static const char *const data[] = { "/meta", "/states", "/span", "/near",
                                        "/call", "/band",   "/waits" };

    if (mwa_view_source(question->path, answer) || give_asked(user, question, answer)) {
        return;
    }
    if (strcmp(question->path, "/preview") == 0) {
        give_preview(user, answer);
        return;
    }
    for (size_t i = 0; i < sizeof data / sizeof *data; i++) {
        if (strcmp(question->path, data[i]) == 0 ||
            strncmp(question->path, "/lanes/", strlen("/lanes/")) == 0) {
            give_data(user, question, answer);
            return;
        }
    }
}

void mwa_view_tell(void *user, char *text, size_t size)
{
    const enum mwa_view_stage stage = mwa_view_index_stage(user);
    const bool has_failed = stage == MWA_VIEW_FAILED;
    uint64_t read, all;
    json_t *news;

    mwa_view_index_progress(user, &read, &all);
    news = json_pack("{s:s,s:o,s:o,s:o,s:o,s:s?}", "stage",
                     stage == MWA_VIEW_READING ? "reading" : has_failed ? "failed" : "ready",
                     "read", mwa_json_number(read), "all", mwa_json_number(all), "why",
                     sentence(has_failed ? mwa_view_index_diagnostic(user) : NULL), "unkept",
                     sentence(mwa_view_index_unkept(user)), "fate", mwa_view_index_fate(user));
    *text = '\0';
    if (news) {
        const size_t bytes = json_dumpb(news, text, size - 1, JSON_COMPACT);

        text[bytes < size ? bytes : 0] = '\0';
    }
    json_decref(news);
}
