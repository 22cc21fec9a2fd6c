/* A row has its texts, what it is sorted by in each column, and nothing else, so that sorting and
 * filtering are the same for all views. */
#include "analyzer/live/live_tables.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/table/clean.h"
#include "analyzer/table/layout.h"
#include "analyzer/table/units.h"
#include "formats/base/array.h"

#define COLUMNS_MAX 8
#define CELL_BYTES  128

struct line {
    char cells[COLUMNS_MAX][CELL_BYTES];
    double keys[COLUMNS_MAX];
};

/* sorts: for MWA_CELL. */
struct form {
    const char *sorts;
    int widths[COLUMNS_MAX];
    const char *titles[COLUMNS_MAX];
    unsigned columns;
    unsigned sort; /* the column by which it is sorted if nobody says */
};

static const struct form forms[MWA_LIVE_VIEWS] = {
    [MWA_LIVE_CALLS] = {"A001322", {-24, 9, 9, 7, 9, 9, 9},
                        {"call", "calls", "time", "of MPI", "longest", "sent", "received"}, 7, 2},
    [MWA_LIVE_COMMS] = {"A0102132", {-30, 8, 9, 9, 9, 9, 9, 9},
                        {"communicator", "members", "calls", "messages", "bytes", "ops",
                         "op bytes", "time"}, 8, 7},
    [MWA_LIVE_MESSAGES] = {"000012", {8, 8, 9, 9, 10, 9},
                           {"from", "to", "messages", "bytes", "on the way", "mean"}, 6, 3},
    [MWA_LIVE_VARIABLES] = {"A00213", {-36, 10, 6, 10, 6, -24},
                            {"variable", "highest", "rank", "all", "unit", "lately"}, 6, 1},
};

struct list {
    struct line *lines;
    uint32_t count;
    unsigned sort;
    bool is_short; /* of memory */
};

static struct line *add_line(struct list *list)
{
    if (!mw_array_grow((void **)&list->lines, list->count, sizeof *list->lines)) {
        list->is_short = true;
        return NULL;
    }
    memset(&list->lines[list->count], 0, sizeof *list->lines);
    return &list->lines[list->count++];
}

static void put_count(struct line *line, unsigned column, uint64_t count)
{
    mwa_count_text(count, line->cells[column]);
    line->keys[column] = (double)count;
}

static void put_bytes(struct line *line, unsigned column, uint64_t bytes)
{
    mwa_bytes_text(bytes, line->cells[column]);
    line->keys[column] = (double)bytes;
}

static void put_time(struct line *line, unsigned column, uint64_t ns)
{
    mwa_time_text(ns, line->cells[column]);
    line->keys[column] = (double)ns;
}

static void put_rank(struct line *line, unsigned column, uint32_t rank)
{
    snprintf(line->cells[column], CELL_BYTES, "%" PRIu32, rank);
    line->keys[column] = -(double)rank; /* the lowest first, where all else is largest first */
}

static void put_number(struct line *line, unsigned column, double number)
{
    mwa_live_number_text(number, line->cells[column]);
    line->keys[column] = number;
}

/* --- the views ---------------------------------------------- */

static void add_calls(const struct mwa_live_found *found, struct list *list)
{
    uint64_t total = 0;

    for (uint64_t i = 0; i < found->profile.call_count; i++) {
        total += found->profile.calls[i].time_ns;
    }
    for (uint64_t i = 0; i < found->profile.call_count; i++) {
        const struct mwa_call_row *row = &found->profile.calls[i];
        struct line *line = add_line(list);

        if (!line) {
            return;
        }
        snprintf(line->cells[0], CELL_BYTES, "%s", row->region->name);
        put_count(line, 1, row->count);
        put_time(line, 2, row->time_ns);
        mwa_share_text(row->time_ns, total, line->cells[3]);
        line->keys[3] = (double)row->time_ns;
        put_time(line, 4, row->max_ns);
        put_bytes(line, 5, row->bytes_sent);
        put_bytes(line, 6, row->bytes_received);
    }
}

/* Whether a member has it still; those that are always there have no lives. */
static bool is_alive(const struct mwa_comms *comms, const struct mwa_comm_row *row)
{
    for (uint64_t i = 0; i < row->life_count; i++) {
        if (!comms->lives[row->first_life + i].has_freed) {
            return true;
        }
    }
    return row->life_count == 0;
}

static void add_comms(const struct mwa_live_detail *detail, const struct mwa_live_found *found,
                      struct list *list)
{
    const struct mwa_live_trace *live = mwa_live_detail_trace(detail);
    char name[CELL_BYTES];

    for (uint64_t i = 0; i < found->comms.count; i++) {
        const struct mwa_comm_row *row = &found->comms.rows[i];
        const uint64_t members = mwa_trace_comm_size(&live->trace, row->comm);
        struct line *line = is_alive(&found->comms, row) ? add_line(list) : NULL;

        if (!line) {
            continue;
        }
        mwa_live_trace_comm_name(live, row->comm, name, sizeof name);
        mwa_clean(name, line->cells[0], CELL_BYTES);
        put_count(line, 1, members);
        put_count(line, 2, row->calls);
        put_count(line, 3, row->messages);
        put_bytes(line, 4, row->bytes);
        put_count(line, 5, row->collectives);
        put_bytes(line, 6, row->collective_bytes);
        put_time(line, 7, row->time_ns);
    }
}

static int by_ranks(const void *left, const void *right)
{
    const struct mwa_pair *a = left;
    const struct mwa_pair *b = right;

    return a->from != b->from ? (a->from < b->from ? -1 : 1)
           : a->to != b->to   ? (a->to < b->to ? -1 : 1)
                              : 0;
}

/* How many of a pair's messages have arrived. */
static uint64_t arrived(const struct mwa_live_found *found, const struct mwa_pair *pair)
{
    const struct mwa_pair key = {.from = pair->to, .to = pair->from};
    const struct mwa_pair *there =
        found->received.pair_count > 0
            ? bsearch(&key, found->received.pairs, found->received.pair_count, sizeof key, by_ranks)
            : NULL;

    return there ? there->count : 0;
}

static uint64_t on_the_way(const struct mwa_live_found *found, const struct mwa_pair *pair)
{
    const uint64_t there = arrived(found, pair);

    return pair->count > there ? pair->count - there : 0;
}

static void add_messages(const struct mwa_live_found *found, struct list *list)
{
    for (uint64_t i = 0; i < found->sent.pair_count; i++) {
        const struct mwa_pair *pair = &found->sent.pairs[i];
        struct line *line = add_line(list);

        if (!line) {
            return;
        }
        put_rank(line, 0, pair->from);
        put_rank(line, 1, pair->to);
        put_count(line, 2, pair->count);
        put_bytes(line, 3, pair->bytes);
        put_count(line, 4, on_the_way(found, pair));
        put_bytes(line, 5, pair->count > 0 ? pair->bytes / pair->count : 0);
    }
}

static void add_variables(const struct mwa_live_detail *detail, struct list *list)
{
    uint32_t count;
    const struct mwa_live_variable *variables =
        mwa_live_variables_list(mwa_live_detail_variables(detail), &count);

    for (uint32_t i = 0; i < count; i++) {
        struct line *line = add_line(list);

        if (!line) {
            return;
        }
        mwa_clean(variables[i].name, line->cells[0], CELL_BYTES);
        put_number(line, 1, variables[i].most);
        put_rank(line, 2, variables[i].most_rank);
        put_number(line, 3, variables[i].sum);
        mwa_clean(variables[i].unit, line->cells[4], CELL_BYTES);
        mwa_live_variable_sparks(&variables[i], line->cells[5], CELL_BYTES);
    }
}

/* --- printing ---------------------------------------------- */

static int compare_lines(const void *left, const void *right, void *sort)
{
    const struct line *a = left;
    const struct line *b = right;
    const unsigned column = *(const unsigned *)sort;
    const double key_a = a->keys[column];
    const double key_b = b->keys[column];

    return key_a != key_b ? (key_a < key_b ? 1 : -1) : strcmp(a->cells[0], b->cells[0]);
}

static void put_state(const struct mwa_live_found *found, FILE *out)
{
    char text[MWA_UNITS_BYTES];

    mwa_live_put_behind(found->share, out);
    if (found->overwritten > 0) {
        fprintf(out, "%s calls are not in these numbers: their spools had written over them\n",
                mwa_count_text(found->overwritten, text));
    }
    if (found->damaged > 0) {
        fprintf(out, "%" PRIu32 " spools are damaged: what follows in them is in no number\n",
                found->damaged);
    }
}

static void put_line(const struct form *form, const struct line *line, FILE *out)
{
    for (unsigned i = 0; i < form->columns; i++) {
        fprintf(out, MWA_CELL "%c%*s ", line ? '.' : form->sorts[i], form->widths[i],
                line ? line->cells[i] : form->titles[i]);
    }
    putc('\n', out);
}

/* Keeps the lines that the screen's filter lets through. */
static void filter(struct list *list, const struct form *form, const char *filter)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < list->count; i++) {
        bool is_wanted = !filter[0];

        for (unsigned k = 0; !is_wanted && k < form->columns; k++) {
            is_wanted = mwa_live_contains(list->lines[i].cells[k], filter);
        }
        if (is_wanted) {
            list->lines[kept++] = list->lines[i];
        }
    }
    list->count = kept;
}

static const char *nothing(const struct mwa_live_screen *screen)
{
    return screen->filter[0]                        ? "nothing passes the filter"
           : screen->view == MWA_LIVE_MESSAGES      ? "no message has been sent"
           : screen->view == MWA_LIVE_VARIABLES     ? "no variable of the MPI is recorded"
                                                    : "nothing so far";
}

uint32_t mwa_live_tables_put(const struct mwa_live_detail *detail,
                             const struct mwa_live_found *found,
                             const struct mwa_live_screen *screen, FILE *out)
{
    const struct form *form = &forms[screen->view];
    struct list list = {.sort = screen->column > 0 ? (screen->column - 1) % form->columns
                                                   : form->sort};

    switch (screen->view) {
    case MWA_LIVE_CALLS:
        add_calls(found, &list);
        break;
    case MWA_LIVE_COMMS:
        add_comms(detail, found, &list);
        break;
    case MWA_LIVE_MESSAGES:
        add_messages(found, &list);
        break;
    default:
        add_variables(detail, &list);
        break;
    }
    if (list.count > 0) {
        filter(&list, form, screen->filter);
        qsort_r(list.lines, list.count, sizeof *list.lines, compare_lines, &list.sort);
    }
    put_state(found, out);
    fprintf(out, "by %s\n", form->titles[list.sort]);
    put_line(form, NULL, out);
    for (uint32_t i = screen->first; i < list.count && i - screen->first < screen->rows; i++) {
        put_line(form, &list.lines[i], out);
    }
    if (list.count == 0) {
        fprintf(out, "%s\n", list.is_short ? "no memory" : nothing(screen));
    } else if (screen->first + screen->rows < list.count) {
        fprintf(out, "%" PRIu32 " rows more\n", list.count - screen->first - screen->rows);
    }
    free(list.lines);
    return list.count;
}

/* --- JSON ---------------------------------------------- */

static void set_count(json_t *object, const char *key, uint64_t count)
{
    json_object_set_new(object, key, json_integer((json_int_t)count));
}

static json_t *calls_json(const struct mwa_live_found *found)
{
    json_t *list = json_array();

    for (uint64_t i = 0; i < found->profile.call_count; i++) {
        const struct mwa_call_row *row = &found->profile.calls[i];
        json_t *object = json_object();

        json_object_set_new(object, "name", json_string(row->region->name));
        set_count(object, "count", row->count);
        set_count(object, "time_ns", row->time_ns);
        set_count(object, "min_ns", row->min_ns);
        set_count(object, "max_ns", row->max_ns);
        set_count(object, "bytes_sent", row->bytes_sent);
        set_count(object, "bytes_received", row->bytes_received);
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *comms_json(const struct mwa_live_detail *detail,
                          const struct mwa_live_found *found)
{
    const struct mwa_live_trace *live = mwa_live_detail_trace(detail);
    json_t *list = json_array();
    char name[256];
    char clean[512];

    for (uint64_t i = 0; i < found->comms.count; i++) {
        const struct mwa_comm_row *row = &found->comms.rows[i];
        json_t *object = json_object();

        mwa_live_trace_comm_name(live, row->comm, name, sizeof name);
        json_object_set_new(object, "name", json_string(mwa_clean(name, clean, sizeof clean)));
        set_count(object, "size", mwa_trace_comm_size(&live->trace, row->comm));
        json_object_set_new(object, "alive", json_boolean(is_alive(&found->comms, row)));
        set_count(object, "calls", row->calls);
        set_count(object, "messages", row->messages);
        set_count(object, "bytes", row->bytes);
        set_count(object, "collectives", row->collectives);
        set_count(object, "collective_bytes", row->collective_bytes);
        set_count(object, "time_ns", row->time_ns);
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *pairs_json(const struct mwa_live_found *found)
{
    json_t *list = json_array();

    for (uint64_t i = 0; i < found->sent.pair_count; i++) {
        const struct mwa_pair *pair = &found->sent.pairs[i];
        json_t *object = json_object();

        set_count(object, "from", pair->from);
        set_count(object, "to", pair->to);
        set_count(object, "count", pair->count);
        set_count(object, "bytes", pair->bytes);
        set_count(object, "on_the_way", on_the_way(found, pair));
        json_array_append_new(list, object);
    }
    return list;
}

/* By rank. */
static json_t *values_json(const struct mwa_live_detail *detail, uint32_t variable)
{
    const uint32_t ranks = (uint32_t)mwa_live_detail_trace(detail)->trace.rank_count;
    double *values = mwa_live_variables_ranks(mwa_live_detail_variables(detail), variable, ranks);
    json_t *list = json_array();

    for (uint32_t i = 0; values && i < ranks; i++) {
        json_array_append_new(list, isfinite(values[i]) ? json_real(values[i]) : json_null());
    }
    free(values);
    return list;
}

static json_t *variables_json(const struct mwa_live_detail *detail)
{
    json_t *list = json_array();
    uint32_t count;
    const struct mwa_live_variable *variables =
        mwa_live_variables_list(mwa_live_detail_variables(detail), &count);
    char clean[512];

    for (uint32_t i = 0; i < count; i++) {
        json_t *object = json_object();

        json_object_set_new(object, "name",
                            json_string(mwa_clean(variables[i].name, clean, sizeof clean)));
        json_object_set_new(object, "unit",
                            json_string(mwa_clean(variables[i].unit, clean, sizeof clean)));
        json_object_set_new(object, "is_sum", json_boolean(variables[i].is_sum));
        set_count(object, "ranks", variables[i].ranks);
        json_object_set_new(object, "all", json_real(variables[i].sum));
        json_object_set_new(object, "highest", json_real(variables[i].most));
        set_count(object, "highest_rank", variables[i].most_rank);
        json_object_set_new(object, "of_ranks", values_json(detail, i));
        json_array_append_new(list, object);
    }
    return list;
}

void mwa_live_tables_json(const struct mwa_live_detail *detail,
                          const struct mwa_live_found *found, json_t *object)
{
    json_object_set_new(object, "read_share", json_real(found->share));
    if (found->is_told) {
        json_object_set_new(object, "variables", variables_json(detail));
        return;
    }
    set_count(object, "overwritten", found->overwritten);
    set_count(object, "damaged", found->damaged);
    set_count(object, "messages", found->sent.messages);
    set_count(object, "bytes", found->sent.bytes);
    json_object_set_new(object, "calls", calls_json(found));
    json_object_set_new(object, "communicators", comms_json(detail, found));
    json_object_set_new(object, "pairs", pairs_json(found));
    json_object_set_new(object, "variables", variables_json(detail));
}
