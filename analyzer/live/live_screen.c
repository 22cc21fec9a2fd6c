/* Threads that do the same are one row when not all fit; its times are the shortest, its shares are
 * means and its rates sums. */
#include "analyzer/live/live_screen.h"

#include <inttypes.h>
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
#define COLUMNS_OF_ALL 112u

struct share {
    double sum;
    uint32_t count; /* of threads of which it is known */
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

/* --- rows ---------------------------------------------- */

static double mean(const struct share *share)
{
    return share->count > 0 ? share->sum / share->count : -1;
}

static void add_share(struct share *share, const struct mwa_live_rate *rate)
{
    if (rate->is_known) {
        share->sum += rate->share;
        share->count++;
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

static void add_thread(const struct mwa_live *live, struct row *row,
                       const struct mwa_live_thread *thread)
{
    const uint32_t rank = live->processes[thread->process].spool->rank;
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
    add_share(&row->now, &now);
    add_share(&row->ten, &ten);
    add_share(&row->all, &all);
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

/* Null: no memory. */
static struct row *make_rows(const struct mwa_live *live, const struct mwa_live_screen *screen,
                             uint32_t *count)
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
        }
        add_thread(live, row, thread);
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

static const char *rate_text(const struct share *known, double rate, bool is_bytes, char *text)
{
    const uint64_t whole = rate < 1e18 ? (uint64_t)(rate + 0.5) : UINT64_MAX;

    return known->count == 0 ? "-"
           : is_bytes        ? mwa_bytes_text(whole, text)
                             : mwa_count_text(whole, text);
}

/* A line of the table: titles, or a row's cells. Without the two columns that most can do without
 * where there is little room, so that the words are not cut. */
static void put_line(const char *const cells[9], bool is_title, bool is_narrow, FILE *out)
{
    static const char sorts[] = "0A0122132";
    static const int widths[] = {8, -40, 8, 7, 7, 7, 9, 9, 9};
    static const bool is_spare[] = {[4] = true, [7] = true, [8] = false};

    for (int i = 0; i < 9; i++) {
        if (!(is_narrow && is_spare[i])) {
            fprintf(out, MWA_CELL "%c%*s ", is_title ? sorts[i] : '.', widths[i], cells[i]);
        }
    }
    putc('\n', out);
}

static void put_row(const struct row *row, bool is_narrow, FILE *out)
{
    char text[7][MWA_UNITS_BYTES];
    const char *const cells[9] = {
        row->ranks,
        row->words,
        row->has_since ? mwa_time_text(row->since, text[0]) : "-",
        share_text(&row->now, text[1]),
        share_text(&row->ten, text[2]),
        share_text(&row->all, text[3]),
        rate_text(&row->now, row->calls, false, text[4]),
        rate_text(&row->now, row->messages, false, text[5]),
        rate_text(&row->now, row->bytes, true, text[6]),
    };

    put_line(cells, false, is_narrow, out);
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

uint32_t mwa_live_put(const struct mwa_live *live, const struct mwa_live_screen *screen, FILE *out)
{
    static const char *const titles[9] = {"rank", "now",     "since",  "MPI 1 s", "10 s",
                                          "all",  "calls/s", "msgs/s", "bytes/s"};
    const bool is_narrow = screen->columns < COLUMNS_OF_ALL;
    uint32_t count;
    struct row *rows = make_rows(live, screen, &count);

    if (!rows) {
        return 0;
    }
    mwa_live_put_head(live, screen, out);
    putc('\n', out);
    put_line(titles, true, is_narrow, out);
    for (uint32_t i = screen->first; i < count && i - screen->first < screen->rows; i++) {
        put_row(&rows[i], is_narrow, out);
    }
    if (is_narrow) {
        fprintf(out, "not shown: 10 s, msgs/s, for which there is room from %u columns on\n",
                COLUMNS_OF_ALL);
    }
    if (count == 0) {
        fputs(screen->filter[0] ? "nothing passes the filter\n" : "no rank so far\n", out);
    }
    if (screen->first + screen->rows < count) {
        fprintf(out, "%" PRIu32 " rows more\n", count - screen->first - screen->rows);
    }
    free(rows);
    return count;
}
