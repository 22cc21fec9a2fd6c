/* Values and rows of tables, in the order of data and in that for people. */
#include "analyzer/table/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analysis/comms/comm_label.h"
#include "analyzer/analysis/results.h"
#include "analyzer/analysis/summary.h"
#include "analyzer/table/tables.h"
#include "analyzer/table/units.h"
#include "formats/base/order.h"

#define WHOLE_MAX 1e6 /* whole numbers below have all of their digits */

const struct mwa_column mwa_ns_column[1] = {
    { .unit = MWA_NS, .kind = MWA_NUMBER, .size = sizeof(uint64_t) }
};

struct mwa_value mwa_place_value(const struct mwa_cell *cell, uint32_t site)
{
    char text[MWA_PLACE_BYTES];
    const char *place = mwa_place(cell->results->trace, site, text);

    return place ? mwa_owned_text(strdup(place)) : mwa_nothing();
}

struct mwa_value mwa_call_at_value(const struct mwa_cell *cell, uint32_t site)
{
    char text[MWA_CALL_AT_BYTES];

    return site == MWA_NONE ? mwa_nothing()
                            : mwa_owned_text(strdup(mwa_call_at(cell->results->trace, site, text)));
}

struct mwa_value mwa_main_place_value(const struct mwa_cell *cell, uint32_t site)
{
    char text[MWA_PLACE_BYTES];
    const char *place = mwa_main_place(cell->results, site, text);

    return place ? mwa_owned_text(strdup(place)) : mwa_nothing();
}

struct mwa_value mwa_main_call_at_value(const struct mwa_cell *cell, uint32_t site)
{
    char text[MWA_CALL_AT_BYTES];

    return site == MWA_NONE ? mwa_nothing()
                            : mwa_owned_text(strdup(mwa_main_call_at(cell->results, site, text)));
}

struct mwa_value mwa_region_file(const struct mwa_region *region)
{
    return mwa_text(region ? region->file : NULL);
}

struct mwa_value mwa_region_line(const struct mwa_region *region)
{
    const bool is_known = region && region->file && region->line != MWA_NONE;

    return mwa_number_if(is_known, is_known ? region->line : 0);
}

struct mwa_value mwa_region_label(const char *name, const struct mwa_region *region)
{
    const struct mwa_value line = mwa_region_line(region);
    const char *slash;
    char *text = NULL;

    if (line.kind == MWA_NOTHING) {
        return mwa_text(name);
    }
    slash = strrchr(region->file, '/');
    if (asprintf(&text, "%s (%s:%" PRIu64 ")", name, slash ? slash + 1 : region->file,
                 line.number) < 0) {
        text = NULL;
    }
    return mwa_owned_text(text);
}

struct mwa_value mwa_comm_uid(const struct mwa_cell *cell, uint32_t comm)
{
    const struct mwa_comm *comms = cell->results->trace->comms;
    char text[MWA_COMM_UID_BYTES];

    return comm == MWA_NONE ? mwa_nothing()
                            : mwa_owned_text(strdup(mwa_comm_identity(&comms[comm], text)));
}

struct mwa_value mwa_share(uint64_t part, uint64_t whole)
{
    return whole > 0 ? mwa_real((double)part / (double)whole) : mwa_nothing();
}

/* Of numbers all ones are nothing. */
static struct mwa_value number_of(const struct mwa_column *column, const struct mwa_cell *cell,
                                  const void *at)
{
    uint64_t number;

    if (column->size == sizeof(uint32_t)) {
        return mwa_number_if(*(const uint32_t *)at != MWA_NONE, *(const uint32_t *)at);
    }
    number = *(const uint64_t *)at;
    if (column->is_signed) {
        return mwa_signed(*(const int64_t *)at);
    }
    if (column->clock == MWA_TICKS_SINCE_BEGIN) {
        return mwa_signed_if(number != UINT64_MAX,
                             mwa_trace_since_begin(cell->results->trace, number));
    }
    return mwa_number_if(number != UINT64_MAX, column->clock == MWA_TICKS
                                                   ? mwa_trace_ns(cell->results->trace, number)
                                                   : number);
}

struct mwa_value mwa_value_of(const struct mwa_column *column, const struct mwa_cell *cell)
{
    const char *at = (const char *)cell->row + column->offset;

    if (column->value) {
        return column->value(cell);
    }
    switch (column->kind) {
    case MWA_NUMBER:
        return number_of(column, cell, at);
    case MWA_REAL:
        return mwa_real(*(const double *)(const void *)at);
    case MWA_DECIMAL:
        return mwa_decimal(*(const double *)(const void *)at);
    case MWA_TEXT:
        return mwa_text(*(const char *const *)(const void *)at);
    case MWA_FLAG:
        return mwa_flag(*(const bool *)(const void *)at);
    case MWA_MEASURED: /* such columns have a function */
    case MWA_NOTHING:
        break;
    }
    return mwa_nothing();
}

struct mwa_value mwa_measured(enum mw_metric_type type, uint64_t bits)
{
    struct mwa_value value = { .kind = MWA_NUMBER, .number = bits };

    if (type == MW_METRIC_DOUBLE) {
        return mwa_decimal(mwa_metric_value(type, bits));
    }
    if (type == MW_METRIC_INT64 && bits > INT64_MAX) {
        value.number = 0 - bits;
        value.is_negative = true;
    }
    return value;
}

static uint64_t count_of(const struct mwa_table *table, const struct mwa_cell *parent)
{
    if (table->count) {
        return table->count(parent);
    }
    if (table->shape == MWA_ROW) {
        return 1;
    }
    return *(const uint64_t *)(const void *)((const char *)parent->row + table->count_at);
}

static const void *row_at(const struct mwa_table *table, const struct mwa_cell *parent,
                          uint64_t index)
{
    const char *at = (const char *)parent->row + table->rows_at;

    if (table->row) {
        return table->row(parent, index);
    }
    return table->shape == MWA_ROW ? at : *(const char *const *)(const void *)at +
                                                 index * table->stride;
}

bool mwa_next_row(const struct mwa_table *table, const struct mwa_cell *parent, uint64_t *at,
                  struct mwa_cell *cell)
{
    const uint64_t count = table->is_known && !table->is_known(parent) ? 0
                                                                       : count_of(table, parent);

    while (*at < count) {
        *cell = (struct mwa_cell){ parent->results, parent, row_at(table, parent, *at), *at, 0 };
        ++*at;
        if (cell->row && (!table->is_shown || table->is_shown(cell))) {
            return true;
        }
    }
    return false;
}

static int by_order(const void *one, const void *other, void *table)
{
    const struct mwa_cell *a = one;
    const struct mwa_cell *b = other;

    return ((const struct mwa_table *)table)->order(a->row, b->row) ?: mw_order(a->index, b->index);
}

struct mwa_cell *mwa_ordered_rows(const struct mwa_table *table, const struct mwa_cell *parent,
                                  uint64_t *count)
{
    struct mwa_cell *cells = calloc(count_of(table, parent) + 1, sizeof *cells);
    uint64_t place = 0;

    *count = 0;
    for (uint64_t at = 0; cells && mwa_next_row(table, parent, &at, &cells[*count]); place++) {
        cells[*count].place = place;
        *count += !table->is_worth || table->is_worth(&cells[*count]);
    }
    if (cells && table->order) {
        qsort_r(cells, *count, sizeof *cells, by_order, (void *)(uintptr_t)table);
    }
    return cells;
}

static const char *number_text(enum mwa_unit unit, uint64_t number, char *text)
{
    switch (unit) {
    case MWA_COUNT:
        return mwa_count_text(number, text);
    case MWA_NS:
        return mwa_time_text(number, text);
    case MWA_BYTES:
        return mwa_bytes_text(number, text);
    case MWA_PLAIN:
    case MWA_SHARE:
    case MWA_RATIO:
        break;
    }
    snprintf(text, MWA_VALUE_BYTES, "%" PRIu64, number);
    return text;
}

static const char *real_text(enum mwa_unit unit, double real, char *text)
{
    if (unit == MWA_SHARE) {
        snprintf(text, MWA_VALUE_BYTES, "%.1f%%", 100 * real);
    } else if (unit == MWA_RATIO) {
        snprintf(text, MWA_VALUE_BYTES, "%.2f", real);
    } else {
        snprintf(text, MWA_VALUE_BYTES, "%.4g", real);
    }
    return text;
}

const char *mwa_value_text(const struct mwa_column *column, const struct mwa_value *value,
                           char *text)
{
    switch (value->kind) {
    case MWA_NUMBER:
        text[0] = '-';
        if (value->is_negative) {
            number_text(column->unit, value->number, text + 1);
            return text;
        }
        return number_text(column->unit, value->number, text);
    case MWA_REAL:
    case MWA_DECIMAL:
        if (value->kind == MWA_DECIMAL && value->real == floor(value->real) &&
            fabs(value->real) < WHOLE_MAX) {
            snprintf(text, MWA_VALUE_BYTES, "%.0f", value->real);
            return text;
        }
        if (isfinite(value->real)) {
            return real_text(column->unit, value->real, text);
        }
        break;
    case MWA_TEXT:
        return value->text;
    case MWA_FLAG:
        return value->flag ? "yes" : "no";
    case MWA_MEASURED: /* no value's kind */
    case MWA_NOTHING:
        break;
    }
    return column->nothing ? column->nothing : "-";
}
