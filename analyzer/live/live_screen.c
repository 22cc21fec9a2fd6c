/* Threads that do the same are one row when not all fit; its times are the shortest, its shares are
 * means, its rates sums, and of a variable it has the highest. */
#include "analyzer/live/live_screen.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyzer/live/live_words.h"
#include "analyzer/table/clean.h"
#include "analyzer/table/layout.h"
#include "analyzer/table/units.h"
#include "formats/base/order.h"

#define SECOND 1000000000u
#define WORDS_BYTES 200
#define RANGES_MAX 3u /* of ranks that are named */
#define KNOWN_WELL 0.005 /* a share that is not known, which nobody needs to be told of */

struct share {
    double sum;
    double doubtful; /* what may come to the sum */
    uint32_t count; /* of threads of which it is known */
};

enum cell {
    RANK, NOW, LASTS, MPI_NOW, MPI_TEN, MPI_ALL, WAIT_NOW, WAIT_TEN, WAIT_ALL, VARIABLE, CALLS,
    MESSAGES, BYTES, CELLS
};

static const struct {
    const char *title;
    int width;
    char sort; /* for MWA_CELL */
    bool is_of_events;
    bool is_spare; /* most can do without it where there is little room, so that no word is cut */
} columns[CELLS] = {
    [RANK] = {"rank", 8, '0', false, false},
    [NOW] = {"now", -40, 'A', false, false},
    [LASTS] = {"for", 8, '0', false, false},
    [MPI_NOW] = {"MPI 1 s", 7, '2', false, false},
    [MPI_TEN] = {"10 s", 7, '3', false, true},
    [MPI_ALL] = {"all", 7, '3', false, false},
    [WAIT_NOW] = {"wait 1 s", 8, '1', true, false},
    [WAIT_TEN] = {"wait 10 s", 9, '4', true, true},
    [WAIT_ALL] = {"wait all", 8, '3', true, false},
    [VARIABLE] = {"variable", 9, '2', true, false},
    [CALLS] = {"calls/s", 9, '2', false, false},
    [MESSAGES] = {"msgs/s", 9, '4', false, true},
    [BYTES] = {"bytes/s", 9, '3', false, false},
};

struct row {
    char words[WORDS_BYTES];
    char ranks[128];
    const struct mwa_live_thread *first;
    uint32_t first_rank, range_rank, last_rank; /* range_rank begins the last range */
    uint32_t range_count;
    uint32_t count; /* threads */
    bool has_since;
    uint64_t since;
    struct share now, ten, all;
    struct share wait_now, wait_ten, wait_all;
    double variable; /* NAN: not known */
    double calls, messages, bytes; /* of those in now */
    enum mwa_live_sort sort;
};

const char *mwa_live_view_name(enum mwa_live_table view)
{
    static const char *const names[MWA_LIVE_VIEWS] = {
        [MWA_LIVE_RANKS] = "ranks",       [MWA_LIVE_CALLS] = "calls",
        [MWA_LIVE_COMMS] = "comms",       [MWA_LIVE_MESSAGES] = "messages",
        [MWA_LIVE_VARIABLES] = "variables",
    };

    return names[view];
}

bool mwa_live_contains(const char *text, const char *word)
{
    const size_t length = strlen(word);

    for (; *text; text++) {
        if (strncasecmp(text, word, length) == 0) {
            return true;
        }
    }
    return length == 0;
}

const char *mwa_live_number_text(double number, char *text)
{
    const double size = number < 0 ? -number : number;

    if (size >= 1000 && size < 1e18) {
        text[0] = '-';
        mwa_count_text((uint64_t)size, text + (number < 0));
    } else {
        snprintf(text, MWA_UNITS_BYTES, "%.4g", number);
    }
    return text;
}

/* --- rows ---------------------------------------------- */

static uint32_t rank_of(const struct mwa_live *live, const struct mwa_live_thread *thread)
{
    return live->processes[thread->process].spool->rank;
}

static double mean(const struct share *share)
{
    return share->count > 0 ? share->sum / share->count : -1;
}

static void add_rate(struct share *share, struct share *waits, const struct mwa_live_rate *rate)
{
    if (rate->is_known) {
        share->sum += rate->share;
        share->count++;
    }
    if (rate->is_known && rate->has_waits) {
        waits->sum += rate->waited;
        waits->doubtful += rate->doubtful;
        waits->count++;
    }
}

/* Adds the last range of ranks to the row's name: "0-2, 5, …". */
static void close_range(struct row *row)
{
    const size_t used = strlen(row->ranks);
    char *end = row->ranks + used;
    const char *before = used > 0 ? ", " : "";

    if (row->range_count++ >= RANGES_MAX) {
        snprintf(end, sizeof row->ranks - used, "%s",
                 row->range_count == RANGES_MAX + 1 ? ", …" : "");
    } else if (row->range_rank == row->last_rank) {
        snprintf(end, sizeof row->ranks - used, "%s%" PRIu32, before, row->last_rank);
    } else {
        snprintf(end, sizeof row->ranks - used, "%s%" PRIu32 "-%" PRIu32, before, row->range_rank,
                 row->last_rank);
    }
}

static void add_value(struct row *row, double value)
{
    if (!isnan(value) && (isnan(row->variable) || value > row->variable)) {
        row->variable = value;
    }
}

static void add_thread(const struct mwa_live *live, struct row *row,
                       const struct mwa_live_thread *thread)
{
    const uint32_t rank = rank_of(live, thread);
    const struct mwa_live_rate now = mwa_live_rate(thread, SECOND);
    const struct mwa_live_rate ten = mwa_live_rate(thread, 10 * (uint64_t)SECOND);
    const struct mwa_live_rate all = mwa_live_rate(thread, 0);
    uint64_t since;

    if (row->count++ == 0) {
        row->first = thread;
        row->first_rank = rank;
        row->range_rank = rank;
    } else if (rank > row->last_rank + 1) {
        close_range(row);
        row->range_rank = rank;
    }
    row->last_rank = rank;
    if (mwa_live_since(live, thread, &since)) {
        row->since = row->has_since && row->since < since ? row->since : since;
        row->has_since = true;
    }
    add_rate(&row->now, &row->wait_now, &now);
    add_rate(&row->ten, &row->wait_ten, &ten);
    add_rate(&row->all, &row->wait_all, &all);
    row->calls += now.calls;
    row->messages += now.messages;
    row->bytes += now.bytes;
}

static void name_row(struct row *row)
{
    if (row->count == 1 && row->first->thread > 0) {
        snprintf(row->ranks, sizeof row->ranks, "%" PRIu32 ".%" PRIu32, row->first_rank,
                 row->first->thread);
    } else {
        close_range(row);
    }
}

static struct row *row_of(struct row *rows, uint32_t count, const char *words)
{
    for (uint32_t i = 0; i < count; i++) {
        if (strcmp(rows[i].words, words) == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

static double key_of(const struct row *row)
{
    switch (row->sort) {
    case MWA_LIVE_BY_SHARE:
        return mean(&row->now);
    case MWA_LIVE_BY_SINCE:
        return row->has_since ? (double)row->since : -1;
    case MWA_LIVE_BY_CALLS:
        return row->calls;
    case MWA_LIVE_BY_BYTES:
        return row->bytes;
    case MWA_LIVE_BY_WAITING:
        return mean(&row->wait_now);
    case MWA_LIVE_BY_VARIABLE:
        return isnan(row->variable) ? -HUGE_VAL : row->variable;
    default:
        return 0;
    }
}

static int compare_rows(const void *left, const void *right)
{
    const struct row *a = left;
    const struct row *b = right;
    const double key_a = key_of(a);
    const double key_b = key_of(b);

    return key_a != key_b ? (key_a < key_b ? 1 : -1)
           : a->first_rank != b->first_rank ? mw_order(a->first_rank, b->first_rank)
                                            : mw_order(a->first->thread, b->first->thread);
}

/* Keeps the rows that the filter lets through; how many. */
static uint32_t filter_rows(struct row *rows, uint32_t count, const char *filter)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (mwa_live_contains(rows[i].words, filter) || mwa_live_contains(rows[i].ranks, filter)) {
            rows[kept++] = rows[i];
        }
    }
    return kept;
}

/* With a variable's values by rank, which may be null. Null: no memory. */
static struct row *make_rows(const struct mwa_live *live, const struct mwa_live_screen *screen,
                             const double *values, uint32_t *count)
{
    const bool is_grouped = screen->is_grouped || live->thread_count > screen->rows;
    struct row *rows = calloc(live->thread_count + (size_t)1, sizeof *rows);
    char words[WORDS_BYTES];

    *count = 0;
    for (uint32_t i = 0; rows && i < live->thread_count; i++) {
        const struct mwa_live_thread *thread = &live->threads[i];
        struct row *row;

        mwa_live_words(live, thread, words, sizeof words);
        row = is_grouped ? row_of(rows, *count, words) : NULL;
        if (!row) {
            row = &rows[(*count)++];
            memcpy(row->words, words, sizeof words);
            row->sort = screen->sort;
            row->variable = NAN;
        }
        add_thread(live, row, thread);
        if (values && thread->thread == 0 && rank_of(live, thread) < live->run->size) {
            add_value(row, values[rank_of(live, thread)]);
        }
    }
    for (uint32_t i = 0; rows && i < *count; i++) {
        name_row(&rows[i]);
    }
    *count = rows ? filter_rows(rows, *count, screen->filter) : 0;
    if (rows && *count > 0) {
        qsort(rows, *count, sizeof *rows, compare_rows);
    }
    return rows;
}

/* --- printing ---------------------------------------------- */

static const char *share_text(const struct share *share, char *text)
{
    if (share->count == 0) {
        return "-";
    }
    snprintf(text, MWA_UNITS_BYTES, "%.1f%%", 100 * mean(share));
    return text;
}

/* What is known of it: ">=" where it may be more, "-" where nothing is. */
static const char *waiting_text(const struct share *share, char *text)
{
    const double doubtful = share->count > 0 ? share->doubtful / share->count : 0;

    if (share->count == 0 || (doubtful > KNOWN_WELL && mean(share) < KNOWN_WELL)) {
        return "-";
    }
    snprintf(text, MWA_UNITS_BYTES, "%s%.1f%%", doubtful > KNOWN_WELL ? ">=" : "",
             100 * mean(share));
    return text;
}

static const char *rate_text(const struct share *known, double rate, bool is_bytes, char *text)
{
    const uint64_t whole = rate < 1e18 ? (uint64_t)(rate + 0.5) : UINT64_MAX;

    return known->count == 0 ? "-"
           : is_bytes        ? mwa_bytes_text(whole, text)
                             : mwa_count_text(whole, text);
}

static const char *value_text(double value, char *text)
{
    return isnan(value) ? "-" : mwa_live_number_text(value, text);
}

/* Which columns there are. */
struct layout {
    bool has[CELLS];
    bool is_narrow; /* the spare ones are not among them … */
    uint32_t enough; /* … and are from so many columns on */
};

static struct layout layout_of(const struct mwa_live_screen *screen, bool has_variable)
{
    struct layout layout = {.enough = 0};

    for (int i = 0; i < CELLS; i++) {
        layout.has[i] = !columns[i].is_of_events ||
                        (screen->with_events && (i != VARIABLE || has_variable));
        layout.enough += layout.has[i] ? 1 + (uint32_t)abs(columns[i].width) : 0;
    }
    layout.enough--; /* there is no space before the first one */
    layout.is_narrow = screen->columns < layout.enough;
    for (int i = 0; i < CELLS; i++) {
        layout.has[i] &= !(layout.is_narrow && columns[i].is_spare);
    }
    return layout;
}

/* A line of the table: titles (cells null), or a row's cells. */
static void put_line(const char *const cells[CELLS], const struct layout *layout, FILE *out)
{
    for (int i = 0; i < CELLS; i++) {
        if (layout->has[i]) {
            fprintf(out, MWA_CELL "%c%*s ", cells ? '.' : columns[i].sort, columns[i].width,
                    cells ? cells[i] : columns[i].title);
        }
    }
    putc('\n', out);
}

static void put_row(const struct row *row, const struct layout *layout, FILE *out)
{
    char text[CELLS][MWA_UNITS_BYTES];
    const char *const cells[CELLS] = {
        [RANK] = row->ranks,
        [NOW] = row->words,
        [LASTS] = row->has_since ? mwa_time_text(row->since, text[LASTS]) : "-",
        [MPI_NOW] = share_text(&row->now, text[MPI_NOW]),
        [MPI_TEN] = share_text(&row->ten, text[MPI_TEN]),
        [MPI_ALL] = share_text(&row->all, text[MPI_ALL]),
        [WAIT_NOW] = waiting_text(&row->wait_now, text[WAIT_NOW]),
        [WAIT_TEN] = waiting_text(&row->wait_ten, text[WAIT_TEN]),
        [WAIT_ALL] = waiting_text(&row->wait_all, text[WAIT_ALL]),
        [VARIABLE] = value_text(row->variable, text[VARIABLE]),
        [CALLS] = rate_text(&row->now, row->calls, false, text[CALLS]),
        [MESSAGES] = rate_text(&row->now, row->messages, false, text[MESSAGES]),
        [BYTES] = rate_text(&row->now, row->bytes, true, text[BYTES]),
    };

    put_line(cells, layout, out);
}

static const char *program_of(const struct mwa_live *live)
{
    const char *path = live->process_count > 0 ? live->processes[0].spool->program : NULL;
    const char *slash = path ? strrchr(path, '/') : NULL;

    return slash ? slash + 1 : path ? path : "a program that got no further than MPI_Init";
}

static void put_host(const struct mwa_live_host *host, uint32_t number, FILE *out)
{
    char text[MWA_UNITS_BYTES];

    if (!host->is_silent && host->dropped == 0) {
        return;
    }
    if (host->name[0]) {
        mwa_put_clean(host->name, out);
    } else {
        fprintf(out, "process %" PRIu32, number);
    }
    if (host->refused[0]) {
        fputs(": ", out);
        mwa_put_clean(host->refused, out);
    } else if (host->is_silent && host->heard == 0) {
        fputs(": not heard of yet", out);
    } else if (host->is_silent) {
        fprintf(out, ": not heard of since %s",
                mwa_time_text(mwa_live_time() - host->heard, text));
    }
    if (host->dropped > 0) {
        fprintf(out, "; %s message%s did not arrive", mwa_count_text(host->dropped, text),
                host->dropped == 1 ? "" : "s");
    }
    putc('\n', out);
}

void mwa_live_put_head(const struct mwa_live *live, const struct mwa_live_screen *screen,
                       FILE *out)
{
    char text[MWA_UNITS_BYTES];
    uint32_t running = 0;
    uint32_t behind = 0;
    uint64_t lost = 0;

    for (uint32_t i = 0; i < live->process_count; i++) {
        running += live->processes[i].state == MW_RUN_RUNNING;
    }
    for (uint32_t i = 0; i < live->thread_count; i++) {
        behind += live->threads[i].moment.is_behind;
        lost += live->threads[i].moment.lost;
    }
    mwa_put_clean(program_of(live), out);
    fprintf(out, ": %" PRIu32 " of %" PRIu32 " ranks run ", running, live->run->size);
    if (live->host_count > 0) {
        fprintf(out, "on %" PRIu32 " host%s", live->host_count, live->host_count == 1 ? "" : "s");
    } else {
        fputs("here", out);
    }
    if (live->others > 0) {
        fprintf(out, "; %" PRIu32 " other run%s not shown", live->others,
                live->others == 1 ? " is" : "s are");
    }
    putc('\n', out);
    for (uint32_t i = 0; i < live->host_count; i++) {
        put_host(&live->hosts[i], i, out);
    }
    if (behind > 0) {
        fprintf(out, "%" PRIu32 " threads write faster than is read: they are shown as they were\n",
                behind);
    }
    if (lost > 0) {
        fprintf(out, "%" PRIu64 " calls could not be recorded, and are in no number here\n", lost);
    }
    if (screen->alarm > 0 && mwa_live_stuck(live) >= screen->alarm) {
        fprintf(out, "ALARM: no rank has left MPI for %s: --why tells who waits for whom\n",
                mwa_time_text(mwa_live_stuck(live), text));
    }
}

void mwa_live_put_behind(double share, FILE *out)
{
    if (share < 0.99) {
        fprintf(out, "behind: %.0f%% of the calls made so far are in these numbers; reading takes "
                     "at most %u%% of a core\n",
                100 * share, MWA_LIVE_READING_PERCENT);
    }
}

/* What is to be said of the columns that events are read for; variable: null, there is none. */
static void put_about_events(const struct mwa_live *live, const struct mwa_live_detail *detail,
                             const struct mwa_live_screen *screen,
                             const struct mwa_live_variable *variable, FILE *out)
{
    const char *why = detail ? mwa_live_detail_no_waits(detail) : NULL;
    char text[MWA_UNITS_BYTES];

    if (detail) {
        mwa_live_put_behind(mwa_live_detail_share(detail, live), out);
    }
    if (why) {
        fprintf(out, "how much ranks wait is not known: %s\n", why);
    } else if (detail && mwa_live_detail_clock_error(detail) > 0) {
        fprintf(out, "clocks of hosts were compared to %s: so are waits for ranks of other ones\n",
                mwa_time_text(mwa_live_detail_clock_error(detail), text));
    }
    if (variable) {
        fputs("variable: ", out);
        mwa_put_clean(variable->name, out);
        putc('\n', out);
    } else if (detail && screen->variable[0]) {
        fputs("no variable with ", out);
        mwa_put_clean(screen->variable, out);
        fputs(" in its name is recorded\n", out);
    }
}

/* Prints rows, and what is to be said of them. */
static void put_rows(const struct row *rows, uint32_t count, const struct layout *layout,
                     const struct mwa_live_screen *screen, FILE *out)
{
    const char *spare = "";

    put_line(NULL, layout, out);
    for (uint32_t i = screen->first; i < count && i - screen->first < screen->rows; i++) {
        put_row(&rows[i], layout, out);
    }
    if (layout->is_narrow) {
        fputs("not shown: ", out);
        for (int i = 0; i < CELLS; i++) {
            if (columns[i].is_spare && (!columns[i].is_of_events || screen->with_events)) {
                fprintf(out, "%s%s", spare, columns[i].title);
                spare = ", ";
            }
        }
        fprintf(out, ", for which there is room from %" PRIu32 " columns on\n", layout->enough);
    }
    if (count == 0) {
        fputs(screen->filter[0] ? "nothing passes the filter\n" : "no rank so far\n", out);
    }
    if (screen->first + screen->rows < count) {
        fprintf(out, "%" PRIu32 " rows more\n", count - screen->first - screen->rows);
    }
}

uint32_t mwa_live_put(const struct mwa_live *live, const struct mwa_live_detail *detail,
                      const struct mwa_live_screen *screen, FILE *out)
{
    const struct mwa_live_variables *variables =
        detail && screen->with_events ? mwa_live_detail_variables(detail) : NULL;
    uint32_t count;
    const struct mwa_live_variable *list =
        variables ? mwa_live_variables_list(variables, &count) : NULL;
    const uint32_t chosen =
        variables ? mwa_live_variables_find(variables, screen->variable) : UINT32_MAX;
    double *values = chosen != UINT32_MAX
                         ? mwa_live_variables_ranks(variables, chosen, live->run->size)
                         : NULL;
    const struct layout layout = layout_of(screen, values != NULL);
    struct row *rows = make_rows(live, screen, values, &count);

    if (rows) {
        mwa_live_put_head(live, screen, out);
        if (screen->with_events) {
            put_about_events(live, detail, screen, values ? &list[chosen] : NULL, out);
        }
        putc('\n', out);
        put_rows(rows, count, &layout, screen, out);
    }
    count = rows ? count : 0;
    free(rows);
    free(values);
    return count;
}
