#include "analyzer/render/report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "analyzer/render/summary.h"
#include "analyzer/render/units.h"
#include "formats/status.h"

#include "config.h"

#define COLUMNS   100u
#define CALLS_MAX 6u
#define COMMS_MAX 2u
#define INDENT    10

#define BOLD  "\033[1m"
#define GREEN "\033[32m"
#define RED   "\033[31m"
#define PLAIN "\033[0m"

#define NAME_MAX_COLUMNS 40u
#define ELLIPSIS         "\xe2\x80\xa6"

/* A line being put together; longer than the screen is wide until it is put. */
struct line {
    char text[2048];
    size_t length;
};

static void add(struct line *line, const char *format, ...) MW_PRINTF(2, 3);

static void add(struct line *line, const char *format, ...)
{
    size_t room = sizeof line->text - line->length;
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(line->text + line->length, room, format, arguments);
    va_end(arguments);
    if (length > 0) {
        line->length += (size_t)length < room ? (size_t)length : room - 1;
    }
}

/* Bytes of the first columns characters of text (UTF-8), or of all if there are fewer. */
static size_t bytes_of(const char *text, size_t columns)
{
    size_t at = 0;

    while (text[at] && columns > 0) {
        at++;
        while (((unsigned char)text[at] & 0xc0) == 0x80) {
            at++;
        }
        columns--;
    }
    return at;
}

static size_t columns_of(const char *text)
{
    size_t columns = 0;

    for (size_t at = 0; text[at]; at += bytes_of(text + at, 1)) {
        columns++;
    }
    return columns;
}

/* Adds text in at most columns, its middle left out if need be: both ends tell names apart. */
static void add_name(struct line *line, const char *text, size_t columns)
{
    size_t all = columns_of(text);
    size_t head = (columns - 1) / 2;

    if (all <= columns) {
        add(line, "%s", text);
        return;
    }
    add(line, "%.*s" ELLIPSIS "%s", (int)bytes_of(text, head), text,
        text + bytes_of(text, all - (columns - 1 - head)));
}

static void put_text(const char *text, size_t length, FILE *out)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char letter = (unsigned char)text[i];

        putc(letter < 0x20 || letter == 0x7f ? '?' : letter, out);
    }
}

/* How many bytes go on a line of so many columns: up to a blank if there is one behind least. */
static size_t break_of(const char *text, size_t columns, size_t least)
{
    size_t fits = bytes_of(text, columns);
    size_t at = fits;

    while (at > least && text[at] != ' ') {
        at--;
    }
    return at > least ? at : fits;
}

/* Puts line on up to so many lines, broken at blanks; "…" where that does not do. */
static void put_wrapped(struct line *line, unsigned lines, FILE *out)
{
    const char *rest = line->text;
    size_t columns = COLUMNS;
    size_t least = INDENT; /* the line's name does not stand alone */

    while (columns_of(rest) > columns && lines > 1) {
        size_t length = break_of(rest, columns, least);

        put_text(rest, length, out);
        rest += length + (rest[length] == ' ');
        columns = COLUMNS - INDENT;
        least = 0;
        fprintf(out, "\n%*s", INDENT, "");
        lines--;
    }
    if (columns_of(rest) > columns) {
        put_text(rest, break_of(rest, columns - 2, least), out);
        fputs(" " ELLIPSIS, out);
    } else {
        put_text(rest, strlen(rest), out);
    }
    putc('\n', out);
    line->length = 0;
    line->text[0] = 0;
}

static void put(struct line *line, FILE *out)
{
    put_wrapped(line, 1, out);
}

static struct line line_with(const char *name)
{
    struct line line = { .length = 0 };

    add(&line, "%-*s", INDENT, name);
    return line;
}

static void put_header(const struct mwa_results *results, const struct mwa_run_summary *run,
                       FILE *out)
{
    const struct mwa_trace *trace = results->trace;
    const char *program = trace->program[0] ? trace->program : results->path;
    const char *name = strrchr(program, '/');
    char started[MWA_STARTED_BYTES];
    char time[MWA_UNITS_BYTES];
    struct line line = { .length = 0 };
    struct line right = { .length = 0 };

    /* A program's directory says little; its arguments may hold a '/' too. */
    if (name && !memchr(program, ' ', (size_t)(name - program)) && name[1]) {
        program = name + 1;
    }
    add(&right, "%" PRIu64 " rank%s, %" PRIu64 " host%s", trace->rank_count,
        trace->rank_count == 1 ? "" : "s", trace->host_count, trace->host_count == 1 ? "" : "s");
    if (mwa_started(trace, started)) {
        add(&right, "   %.10s %.8s", started, started + 11);
    }
    add(&right, "   run %s", mwa_time_text(run->longest_run_ns, time));
    add(&line, "mpiwatch %s  ", PACKAGE_VERSION);
    add_name(&line, program, COLUMNS - right.length - line.length - 2);
    add(&line, "%*s", (int)(COLUMNS - columns_of(line.text)), right.text);
    put(&line, out);
}

static void put_verdict(const struct mwa_results *results, bool color, FILE *out)
{
    char text[MWA_VERDICT_BYTES];
    struct line line = line_with("verdict");

    add(&line, "%s", mwa_verdict(results, text));
    fputs(color ? BOLD : "", out);
    put_wrapped(&line, 2, out);
    fputs(color ? PLAIN : "", out);
}

static void add_spread(struct line *line, const struct mwa_spread *spread)
{
    char text[3][MWA_UNITS_BYTES];

    add(line, "min %s (rank %" PRIu32 "), avg %s, max %s (rank %" PRIu32 ")",
        mwa_time_text(spread->min_ns, text[0]), spread->min_rank,
        mwa_time_text(spread->average_ns, text[1]), mwa_time_text(spread->max_ns, text[2]),
        spread->max_rank);
}

static void put_times(const struct mwa_run_summary *run, FILE *out)
{
    char text[3][MWA_UNITS_BYTES];
    struct line line = line_with("time");

    add(&line, "useful %s, mpi %s of %s, the run of all ranks together",
        mwa_share_text(run->useful_ns, run->run_ns, text[0]),
        mwa_share_text(run->mpi_ns, run->run_ns, text[1]), mwa_time_text(run->run_ns, text[2]));
    put(&line, out);
    line = line_with("useful");
    add_spread(&line, &run->useful);
    put(&line, out);
    line = line_with("mpi");
    add_spread(&line, &run->mpi);
    put(&line, out);
}

static void put_call(const struct mwa_call_row *row, uint64_t total, FILE *out)
{
    char text[6][MWA_UNITS_BYTES];
    char worst[MWA_UNITS_BYTES + 16];
    struct line line = { .length = 0 };

    snprintf(worst, sizeof worst, "%s (%" PRIu32 ")", mwa_time_text(row->rank_max_ns, text[4]),
             row->rank_max);
    add(&line, "  ");
    add_name(&line, row->region->name, 26);
    add(&line, "%*s %9s %9s %7s %10s %18s %10s", (int)(28 - columns_of(line.text)), "",
        mwa_count_text(row->count, text[0]), mwa_time_text(row->time_ns, text[1]),
        mwa_share_text(row->time_ns, total, text[2]), mwa_time_text(row->rank_min_ns, text[3]),
        worst, mwa_bytes_text(row->bytes_sent, text[5]));
    put(&line, out);
}

/* Calls but MPI_Init and MPI_Finalize, which are not in the run. */
static void put_calls(const struct mwa_profile *profile, FILE *out)
{
    uint64_t total = mwa_calls_time_ns(profile);
    uint64_t shown = 0, left = 0;
    struct line line = { .length = 0 };

    add(&line, "%-28s %9s %9s %7s %10s %18s %10s", "calls", "count", "time", "of mpi", "rank min",
        "rank max (rank)", "sent");
    put(&line, out);
    for (uint64_t i = 0; i < profile->call_count; i++) {
        if (profile->calls[i].region->kind != MWA_REGION_MPI) {
            continue;
        }
        if (shown < CALLS_MAX) {
            put_call(&profile->calls[i], total, out);
            shown++;
        } else {
            left++;
        }
    }
    if (shown == 0) {
        add(&line, "  none between MPI_Init and MPI_Finalize, of those that were recorded");
        put(&line, out);
    }
    if (left > 0) {
        add(&line, "  and %" PRIu64 " more: mpiwatch-analyze calls", left);
        put(&line, out);
    }
}

static void put_messages(const struct mwa_results *results, FILE *out)
{
    const struct mwa_traffic *traffic = &results->traffic;
    const struct mwa_pair *heaviest = mwa_traffic_heaviest(traffic);
    char text[4][MWA_UNITS_BYTES];
    struct line line = line_with("messages");

    if (traffic->messages == 0) {
        add(&line, "none point to point");
        put(&line, out);
        return;
    }
    add(&line, "%s, %s, median %s, %s within a host", mwa_count_text(traffic->messages, text[0]),
        mwa_bytes_text(traffic->bytes, text[1]),
        mwa_bytes_text(mwa_traffic_median(traffic), text[2]),
        mwa_share_text(mwa_intra_host_messages(results), traffic->messages, text[3]));
    if (heaviest) {
        add(&line, "; heaviest pair %" PRIu32 " -> %" PRIu32 ": %s", heaviest->from, heaviest->to,
            mwa_bytes_text(heaviest->bytes, text[0]));
    }
    put_wrapped(&line, 2, out);
}

/* The row with the most time that is less than below in order: time, then position. */
static const struct mwa_comm_row *next_comm(const struct mwa_comms *comms,
                                            const struct mwa_comm_row *below)
{
    const struct mwa_comm_row *best = NULL;

    for (uint64_t i = 0; i < comms->count; i++) {
        const struct mwa_comm_row *row = &comms->rows[i];
        bool later = !below || row->time_ns < below->time_ns ||
                     (row->time_ns == below->time_ns && row > below);

        if (later && row->time_ns > 0 && (!best || row->time_ns > best->time_ns)) {
            best = row;
        }
    }
    return best;
}

static void put_comms(const struct mwa_results *results, FILE *out)
{
    const struct mwa_trace *trace = results->trace;
    const struct mwa_comms *comms = &results->comms;
    const struct mwa_comm_row *row = NULL;
    uint64_t created = 0, leaked = 0, total = 0;
    char text[MWA_UNITS_BYTES];
    struct line line = line_with("comms");

    for (uint64_t i = 0; i < comms->count; i++) {
        created += comms->rows[i].has_created;
        leaked += comms->rows[i].has_created && !comms->rows[i].has_freed;
        total += comms->rows[i].time_ns;
    }
    add(&line, "%" PRIu64 " created, %" PRIu64 " alive at once, %" PRIu64 " never freed", created,
        mwa_comms_live_max(comms), leaked);
    for (unsigned i = 0; i < COMMS_MAX && (row = next_comm(comms, row)); i++) {
        const char *name = trace->comms[row->comm].name;

        add(&line, "%s ", i == 0 ? "; MPI time on" : ",");
        add_name(&line, name[0] ? name : "(no name)", NAME_MAX_COLUMNS);
        add(&line, " %s", mwa_share_text(row->time_ns, total, text));
    }
    put_wrapped(&line, 2, out);
}

/* Which of the MPI's own variables were recorded. */
static void put_counters(const struct mwa_trace *trace, FILE *out)
{
    const struct mwa_metrics *metrics = &trace->metrics;
    struct line line = line_with("counters");

    if (metrics->count == 0 && !metrics->note) {
        return;
    }
    add(&line, "%" PRIu64 " variable%s of the MPI recorded", metrics->count,
        metrics->count == 1 ? "" : "s");
    if (metrics->count == 0) {
        add(&line, ": %s", metrics->note);
    }
    for (uint64_t i = 0; i < metrics->count && i < COMMS_MAX; i++) {
        const struct mwa_metric *metric = &metrics->list[i];
        const char *name = metric->count > 0 ? metrics->members[metric->members[0]].name : "";
        char shown[64];

        snprintf(shown, sizeof shown, "%.*s",
                 metric->is_statistic ? (int)strcspn(name, ".") : (int)strlen(name), name);
        add(&line, "%s ", i == 0 ? ":" : ",");
        add_name(&line, shown, NAME_MAX_COLUMNS);
    }
    if (metrics->count > COMMS_MAX) {
        add(&line, " …");
    }
    put_wrapped(&line, 1, out);
}

static uint64_t incomplete_ranks(const struct mwa_results *results)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < results->profile.rank_count; i++) {
        count += !results->profile.ranks[i].has_events || results->trace->ranks[i].incomplete;
    }
    return count;
}

static uint64_t ranks_with_losses(const struct mwa_trace *trace)
{
    uint64_t count = 0;

    for (uint64_t i = 0; i < trace->rank_count; i++) {
        count += trace->ranks[i].lost > 0;
    }
    return count;
}

static void put_trust(const struct mwa_results *results, bool color, FILE *out)
{
    const struct mwa_matching_result *matching = &results->matching;
    uint64_t unmatched = matching->unmatched_sends + matching->unmatched_receives;
    bool fine = mwa_is_complete(results) && unmatched == 0;
    char text[MWA_UNITS_BYTES];
    struct line line = line_with("trust");

    add(&line, "events %s, lost %" PRIu64 ", unmatched %" PRIu64,
        mwa_count_text(results->pass.events, text), results->trace->lost_events, unmatched);
    for (unsigned i = 0; i < MWA_UNMATCHED_REASONS; i++) {
        uint64_t count = matching->sends_without[i] + matching->receives_without[i];

        if (count > 0) {
            add(&line, " (%" PRIu64 " %s)", count, mwa_unmatched_reason_name(i));
        }
    }
    add(&line, ", clock violations %" PRIu64, matching->clock_violations);
    if (matching->clock_violations > 0) {
        add(&line, " (up to %s)", mwa_time_text(matching->clock_violation_max_ns, text));
    }
    if (!mwa_is_complete(results)) {
        add(&line, ", incomplete ranks %" PRIu64 ", ranks with losses %" PRIu64
                   ", ended inside a call %" PRIu64 ", events missing %" PRIu64,
            incomplete_ranks(results), ranks_with_losses(results->trace),
            results->profile.open_calls, results->pass.missing_events);
    }
    fputs(color ? (fine ? GREEN : RED) : "", out);
    put_wrapped(&line, 4, out);
    if (results->trace->ended && strcmp(results->trace->ended, "finalized") != 0) {
        line = line_with("ended");
        add(&line, "%s", results->trace->ended);
        put(&line, out);
    }
    fputs(color ? PLAIN : "", out);
}

static void put_settings(const struct mwa_trace *trace, FILE *out)
{
    struct line line = line_with("settings");

    add(&line, "%s", trace->creator);
    for (uint64_t i = 0; i + 1 < trace->setting_count; i += 2) {
        const char *value = trace->settings[i + 1];

        /* Options that are off, and where the archive went, say nothing of its contents. */
        if (value[0] && strcmp(value, "0") != 0 && strcmp(trace->settings[i], "output") != 0) {
            add(&line, " %s=%s", trace->settings[i], value);
        }
    }
    put_wrapped(&line, trace->ended && strcmp(trace->ended, "finalized") != 0 ? 1 : 2, out);
}

void mwa_text_report(const struct mwa_results *results, bool color, FILE *out)
{
    struct mwa_run_summary run;

    mwa_summarize_run(&results->profile, &run);
    put_header(results, &run, out);
    put_verdict(results, color, out);
    if (run.run_ns > 0) {
        put_times(&run, out);
        put_calls(&results->profile, out);
        put_messages(results, out);
        put_comms(results, out);
    }
    put_counters(results->trace, out);
    put_trust(results, color, out);
    put_settings(results->trace, out);
}
