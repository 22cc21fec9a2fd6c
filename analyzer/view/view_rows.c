#include "analyzer/view/view_rows.h"

#include <inttypes.h>
#include <stdio.h>

#include "analyzer/table/state_looks.h"
#include "analyzer/table/values.h"

/* Reads a number, at most UINT32_MAX; false: there is none. */
static bool read_number(const char **text, uint64_t *value)
{
    const char *at = *text;

    for (*value = 0; *at >= '0' && *at <= '9'; at++) {
        *value = *value * 10 + (uint64_t)(*at - '0');
        *value = *value < UINT32_MAX ? *value : UINT32_MAX;
    }
    if (at == *text) {
        return false;
    }
    *text = at;
    return true;
}

static bool has(const uint32_t *rows, uint32_t count, uint64_t row)
{
    while (count > 0 && rows[count - 1] != row) {
        count--;
    }
    return count > 0;
}

uint32_t mwa_view_rows_read(const struct mwa_view_store *store, const char *text,
                            uint32_t rows[MWA_VIEW_ROWS_MOST])
{
    uint32_t count = 0;
    uint64_t from, to, end = 0; /* no row yet is end or more */

    while (read_number(&text, &from)) {
        to = from;
        if (*text == '-') {
            text++;
            if (!read_number(&text, &to)) {
                return count;
            }
        }
        for (; from <= to && from < store->row_count && count < MWA_VIEW_ROWS_MOST; from++) {
            if (from >= end || !has(rows, count, from)) {
                rows[count++] = (uint32_t)from;
                end = from >= end ? from + 1 : end;
            }
        }
        if (*text != ',') {
            return count;
        }
        text++;
    }
    return count;
}

json_t *mwa_view_rows_main(const struct mwa_view_store *store)
{
    const struct mwa_trace *trace = store->trace;
    json_t *list = json_array();

    for (uint32_t row = 0; row < store->main_count; row++) {
        const struct mwa_view_location *location = &store->locations[store->rows[row]];
        const uint32_t rank = trace->locations[store->rows[row]].rank;

        json_array_append_new(
            list, json_pack("{s:i,s:o,s:o}", "rank", (int)rank, "host",
                            mwa_json_text(trace->ranks[rank].host), "calls",
                            mwa_json_number(location->call_count)));
    }
    return list;
}

json_t *mwa_view_rows_others(const struct mwa_view_store *store)
{
    const struct mwa_trace *trace = store->trace;
    char label[MWA_LOCATION_LABEL_BYTES];
    json_t *list = json_array();

    for (uint64_t i = 0; i < store->others.count; i++) {
        const uint32_t index = store->others.all[i].location;
        const struct mwa_location *location = &trace->locations[index];

        json_array_append_new(
            list, json_pack("{s:i,s:s,s:s,s:o,s:o}", "rank", (int)location->rank, "label",
                            mwa_location_label(trace, &store->others, index, label), "type",
                            mwa_location_kind_name(location->kind), "name",
                            mwa_json_text(location->name), "calls",
                            mwa_json_number(store->locations[index].call_count)));
    }
    return list;
}

const char *mwa_view_rows_label(const struct mwa_view_store *store, uint32_t index, char *text)
{
    const struct mwa_location *location = &store->trace->locations[index];
    char label[MWA_LOCATION_LABEL_BYTES];

    if (location->rank == MWA_NONE) {
        return "no rank";
    }
    if (location->master) {
        snprintf(text, MWA_VIEW_LABEL_BYTES, "rank %" PRIu32, location->rank);
    } else {
        snprintf(text, MWA_VIEW_LABEL_BYTES, "%s %s", mwa_location_kind_name(location->kind),
                 mwa_location_label(store->trace, &store->others, index, label));
    }
    return text;
}

uint64_t mwa_view_rows_missing(const struct mwa_view_store *store)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i < store->trace->location_count; i++) {
        count += store->locations[i].call_count > 0 && mwa_view_row_of(store, i) == MWA_NONE;
    }
    return count;
}

json_t *mwa_view_rows_states(const struct mwa_view_store *store, unsigned from, unsigned to)
{
    json_t *list = json_array();

    for (unsigned state = from; state < to; state++) {
        json_array_append_new(list, json_pack("{s:s,s:s}", "key", mwa_state_looks[state].key,
                                              "word", mwa_state_word(store->trace, state)));
    }
    return list;
}
