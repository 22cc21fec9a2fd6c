/* Each word has its function, so that a sentence is data and says of a number what others do. */
#include "analyzer/report/cause_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/analysis/summary.h"
#include "analyzer/model/error_class.h"
#include "analyzer/report/cause_besides.h"
#include "analyzer/report/cause_files.h"
#include "analyzer/report/cause_running.h"
#include "analyzer/report/lack_text.h"
#include "analyzer/table/units.h"

#define WORD_BYTES 256
#define RANKS_NAMED 3u
#define LESS (-0.1) /* than the average, by that part of it: it is not about as long */

struct told {
    const struct mwa_results *results;
    const struct mwa_cause *cause;
};

/* --- words: an empty one is not known -------------------------------------------------------- */

/* "rank 1", "ranks 1 and 3", "ranks 1, 3, 5 and 4 more", "all 64 ranks". */
static void put_ranks(const struct told *told, char *word)
{
    const struct mwa_cause *cause = told->cause;
    const uint64_t shown = cause->rank_count <= RANKS_NAMED ? cause->listed : RANKS_NAMED;
    size_t length;

    if (cause->rank_count > RANKS_NAMED && cause->rank_count == told->results->trace->rank_count) {
        snprintf(word, WORD_BYTES, "all %" PRIu64 " ranks", cause->rank_count);
        return;
    }
    length = (size_t)snprintf(word, WORD_BYTES, "rank%s", cause->rank_count == 1 ? "" : "s");
    for (uint64_t i = 0; i < shown; i++) {
        const bool is_last = i > 0 && i + 1 == cause->rank_count;

        length += (size_t)snprintf(word + length, WORD_BYTES - length, "%s%" PRIu32,
                                   i == 0 ? " " : is_last ? " and " : ", ", cause->ranks[i]);
    }
    if (cause->rank_count > shown) {
        snprintf(word + length, WORD_BYTES - length, " and %" PRIu64 " more",
                 cause->rank_count - shown);
    }
}

static void put_rank(const struct told *told, char *word)
{
    snprintf(word, WORD_BYTES, "%" PRIu32, told->cause->ranks[0]);
}

static void put_peer(const struct told *told, char *word)
{
    if (told->cause->peer != MWA_NONE) {
        snprintf(word, WORD_BYTES, "%" PRIu32, told->cause->peer);
    }
}

/* "computes 33% longer than average", from twice the average on "computes 2.5 times …". */
static void put_computes(const struct told *told, char *word)
{
    const struct mwa_cause *cause = told->cause;
    const char *verb = cause->rank_count == 1 ? "computes" : "compute up to";

    if (cause->excess < 1) {
        snprintf(word, WORD_BYTES, "%s %.0f%% longer than average", verb, 100 * cause->excess);
    } else {
        snprintf(word, WORD_BYTES, "%s %.1f times the average", verb, 1 + cause->excess);
    }
}

/* What comes between "computes" and "the others"; nothing of ranks that do not compute alike. */
static void put_alike(const struct told *told, char *word)
{
    const double excess = told->cause->excess;

    snprintf(word, WORD_BYTES, "%s",
             isnan(excess) ? "" : excess < LESS ? "less than" : "about as long as");
}

/* What to do about operations of all ranks: only small ones are put together. */
static void put_fewer(const struct told *told, char *word)
{
    const uint64_t ranks = told->results->trace->rank_count;

    snprintf(word, WORD_BYTES, "%s",
             ranks > 0 && told->cause->bytes / ranks > MWA_LONG_BYTES
                 ? "send less (smaller types), or less often"
                 : "put several values into one, check less often");
}

/* What comes before MPI is tuned, unless MPI costs more than it. */
static void put_tuning(const struct told *told, char *word)
{
    const struct mwa_results *results = told->results;
    const struct mwa_profile *profile = &results->profile;
    struct mwa_run_summary run;
    double busy = 0, lack = 0;

    mwa_summarize_run(profile, &run);
    for (uint64_t i = 0; i < profile->rank_count; i++) {
        busy += (double)mwa_rank_mpi_beside_waiting_ns(&results->waits, &profile->ranks[i]);
        lack += (double)mwa_rank_lost_inside_ns(&results->waits, &profile->ranks[i]);
    }
    busy -= lack;
    if (run.ranks > 0 && busy / (double)run.ranks > (double)told->cause->up_to_ns) {
        snprintf(word, WORD_BYTES,
                 ", though MPI takes more, %.0f%% of the ranks' run beside waiting%s (calls)",
                 100 * busy / (double)run.run_ns, lack > 0 ? " and lack of cores" : "");
    } else {
        snprintf(word, WORD_BYTES, " before tuning MPI");
    }
}

static void put_part(const struct told *told, char *word)
{
    if (told->cause->part > 0) {
        snprintf(word, WORD_BYTES, "%.0f%%", 100 * told->cause->part);
    }
}

static void put_spread(const struct told *told, char *word)
{
    if (told->cause->part > 0) {
        snprintf(word, WORD_BYTES, "let others send a part of what rank %" PRIu32 " does",
                 told->cause->ranks[0]);
    }
}

static void put_call(const struct told *told, char *word)
{
    char call[MWA_CALL_AT_BYTES];

    if (told->cause->site != MWA_NONE) {
        snprintf(word, WORD_BYTES, "%s", mwa_cause_call_at(told->results, told->cause, call));
    }
}

static void put_behind(const struct told *told, char *word)
{
    char call[MWA_CALL_AT_BYTES];

    if (told->cause->behind != MWA_NONE) {
        snprintf(word, WORD_BYTES, "%s",
                 mwa_main_call_at(told->results, told->cause->behind, call));
    }
}

static void put_besides(const struct told *told, char *word)
{
    mwa_cause_besides(told->results, told->cause, word, WORD_BYTES);
}

/* The operation whose result all have: MPI_Allgatherv of MPI_Gatherv. */
static void put_instead(const struct told *told, char *word)
{
    const struct mwa_trace *trace = told->results->trace;
    const char *name = told->cause->region == MWA_NONE ? ""
                                                       : trace->regions[told->cause->region].name;

    snprintf(word, WORD_BYTES, "%s",
             strstr(name, "MPI_Gatherv") ? "MPI_Allgatherv"
             : strstr(name, "MPI_Gather") ? "MPI_Allgather"
                                          : "MPI_Allreduce");
}

static void put_name(const struct told *told, char *word)
{
    if (told->cause->region != MWA_NONE) {
        snprintf(word, WORD_BYTES, "%.64s",
                 told->results->trace->regions[told->cause->region].name);
    }
}

static void put_place(const struct told *told, char *word)
{
    char place[MWA_PLACE_BYTES];

    if (mwa_cause_place(told->results, told->cause, place)) {
        snprintf(word, WORD_BYTES, "%s", place);
    }
}

/* Without its directories. */
static void put_file(const struct told *told, char *word)
{
    const struct mwa_metrics *metrics = &told->results->trace->metrics;

    if (told->cause->object < metrics->object_count) {
        const char *name = metrics->objects[told->cause->object].name;
        const char *base = strrchr(name, '/');

        snprintf(word, WORD_BYTES, "%.60s", base ? base + 1 : name);
    }
}

/* Verbs of one rank or of several. */
static void put_verb(const struct told *told, const char *of_one, const char *of_more, char *word)
{
    snprintf(word, WORD_BYTES, "%s", told->cause->rank_count == 1 ? of_one : of_more);
}

static void put_does(const struct told *told, char *word)
{
    put_verb(told, "computes", "compute", word);
}

static void put_main(const struct told *told, char *word)
{
    put_verb(told, "the main thread", "the main threads", word);
}

static void put_rests(const struct told *told, char *word)
{
    put_verb(told, "does not run for", "do not run for up to", word);
}

static void put_has(const struct told *told, char *word)
{
    put_verb(told, "has", "have", word);
}

static void put_sleeps(const struct told *told, char *word)
{
    put_verb(told, "it sleeps or waits", "they sleep or wait", word);
}

static void put_looks(const struct told *told, char *word)
{
    put_verb(told, "it looks", "they look", word);
}

static void put_s(const struct told *told, char *word)
{
    put_verb(told, "s", "", word);
}

/* What is said of computing and of main threads, by cause_running.c. */
#define RUNNING(name, function)                                   \
    static void put_##name(const struct told *told, char *word)   \
    {                                                             \
        function(told->results, told->cause, word, WORD_BYTES);   \
    }
RUNNING(lock, mwa_cause_lock)
RUNNING(own, mwa_cause_own_threads)
RUNNING(passing, mwa_cause_passing)
RUNNING(long, mwa_cause_writing)
RUNNING(text, mwa_cause_text)
RUNNING(kernel, mwa_cause_kernel)
RUNNING(wrote, mwa_cause_wrote)
RUNNING(bring, mwa_cause_bring)
RUNNING(delays, mwa_cause_delays)
RUNNING(held, mwa_cause_held)
RUNNING(blocking, mwa_cause_blocking)
RUNNING(idle, mwa_cause_idle)
RUNNING(with_files, mwa_cause_with_files)
RUNNING(where, mwa_cause_where)
RUNNING(sampled, mwa_cause_sampled)
RUNNING(others, mwa_cause_others)

static void put_writes(const struct told *told, char *word)
{
    put_verb(told, "writes", "write up to", word);
}

static void put_reads(const struct told *told, char *word)
{
    put_verb(told, "reads", "read up to", word);
}

static void put_spends(const struct told *told, char *word)
{
    put_verb(told, "spends about", "spend up to", word);
}

/* "1 call", "40 calls": and what is said of it behind, of one or of more. */
static void put_number_of(uint64_t number, const char *one, const char *more, char *word)
{
    char text[MWA_UNITS_BYTES];

    snprintf(word, WORD_BYTES, "%s %s", mwa_number_text(number, text), number == 1 ? one : more);
}

static void put_faults(const struct told *told, char *word)
{
    if (told->cause->count > 0) {
        put_number_of(told->cause->count, "page fault", "page faults", word);
    }
}

static void put_do(const struct told *told, char *word)
{
    put_verb(told, "does", "do", word);
}

static void put_lacks(const struct told *told, char *word)
{
    put_verb(told, "has no core for", "have no core for up to", word);
}

/* For what there is more than one of. */
static void put_count(const struct told *told, char *word)
{
    mwa_number_text(told->cause->count, word);
}

static void put_calls(const struct told *told, char *word)
{
    put_number_of(told->cause->count, "call", "calls", word);
}

/* Of what moves nothing there is no more to be said. */
static void put_pieces(const struct told *told, char *word)
{
    char calls[MWA_UNITS_BYTES], bytes[MWA_UNITS_BYTES];

    if (told->cause->bytes > 0) {
        snprintf(word, WORD_BYTES, "%s call%s of %s on average",
                 mwa_number_text(told->cause->count, calls), told->cause->count == 1 ? "" : "s",
                 mwa_bytes_text(told->cause->bytes, bytes));
    }
}

static void put_messages(const struct told *told, char *word)
{
    put_number_of(told->cause->count, "message", "messages", word);
}

static void put_mismatched(const struct told *told, char *word)
{
    if (mwa_may_be_mismatched(told->results)) {
        snprintf(word, WORD_BYTES, ", or messages are matched wrongly");
    }
}

static void put_requests(const struct told *told, char *word)
{
    const bool is_least = told->cause->operations > 0; /* MPI_Request_free, of whichever */

    put_number_of(told->cause->count, is_least ? "request or more were" : "request was",
                  is_least ? "requests or more were" : "requests were", word);
}

static void put_operations(const struct told *told, char *word)
{
    put_number_of(told->cause->operations, "operation", "operations", word);
}

/* The class of the most frequent error that calls returned. */
static void put_error(const struct told *told, char *word)
{
    mwa_error_class_text(told->results->trace, told->cause->error_class, word);
}

/* Where there are others beside. */
static void put_errors(const struct told *told, char *word)
{
    if (told->cause->operations > told->cause->count) {
        put_number_of(told->cause->operations, "error", "errors", word);
    }
}

static void put_times(const struct told *told, char *word)
{
    mwa_times_text(told->cause->count, word);
}

static void put_bytes(const struct told *told, char *word)
{
    if (told->cause->bytes != UINT64_MAX) {
        mwa_bytes_text(told->cause->bytes, word);
    }
}

static void put_time(const struct told *told, char *word)
{
    mwa_time_text(told->cause->time_ns, word);
}

static void put_share(const struct told *told, char *word)
{
    snprintf(word, WORD_BYTES, "%.0f%%", 100 * told->cause->share);
}

/* Of the rank that it is about; else the longest. */
static void put_run(const struct told *told, char *word)
{
    struct mwa_run_summary run;

    mwa_summarize_run(&told->results->profile, &run);
    mwa_time_text(told->cause->listed > 0
                      ? told->results->profile.ranks[told->cause->ranks[0]].run_ns
                      : run.longest_run_ns,
                  word);
}

/* Of the ranks that it is about, if it is one. */
static void put_host(const struct told *told, char *word)
{
    const struct mwa_cause *cause = told->cause;
    const struct mwa_rank *ranks = told->results->trace->ranks;
    bool is_one = cause->listed > 0 && cause->listed == cause->rank_count;

    for (uint64_t i = 1; i < cause->listed; i++) {
        is_one = is_one && strcmp(ranks[cause->ranks[i]].host, ranks[cause->ranks[0]].host) == 0;
    }
    if (is_one) {
        snprintf(word, WORD_BYTES, "%.40s", ranks[cause->ranks[0]].host);
    }
}

/* Where no message leaves a host: nothing else moves them there. */
static void put_within(const struct told *told, char *word)
{
    if (told->results->trace->host_count == 1) {
        snprintf(word, WORD_BYTES, "it saves less within a host, where computing cores move the "
                                   "data");
    }
}

static void put_handling(const struct told *told, char *word)
{
    mwa_cause_file_advice(told->results, told->cause, word, WORD_BYTES);
}

static void put_cores(const struct told *told, char *word)
{
    mwa_shared_cores_text(&told->results->cores, word, WORD_BYTES);
}

/* Empty words are known here and in the two below: nothing was taken off. */
static void put_lacking(const struct told *told, char *word)
{
    snprintf(word, WORD_BYTES, "%s", told->cause->has_lack ? " and lack of cores" : "");
}

static void put_beside(const struct told *told, char *word)
{
    snprintf(word, WORD_BYTES, "%s", told->cause->has_lack ? " beside lack of cores" : "");
}

static void put_rows(const struct told *told, char *word)
{
    if (told->cause->in_rows > 0) {
        snprintf(word, WORD_BYTES, "%.0f%%", 100 * told->cause->in_rows);
    }
}

static void put_lacked(const struct told *told, char *word)
{
    const struct mwa_cause *cause = told->cause;

    if (cause->has_lack) {
        snprintf(word, WORD_BYTES, ", %.0f%% of it for lack of cores",
                 100 * (double)cause->lack_ns / (double)cause->time_ns);
    }
}

static const struct {
    const char *name;
    void (*put)(const struct told *told, char *word);
} words[] = {
    { "ranks", put_ranks }, { "rank", put_rank }, { "peer", put_peer },
    { "computes", put_computes }, { "call", put_call }, { "waits", put_name },
    { "alike", put_alike }, { "fewer", put_fewer }, { "tuning", put_tuning },
    { "part", put_part }, { "spread", put_spread }, { "place", put_place },
    { "file", put_file }, { "does", put_does }, { "name", put_name }, { "count", put_count },
    { "bytes", put_bytes }, { "time", put_time }, { "share", put_share }, { "run", put_run },
    { "host", put_host }, { "cores", put_cores }, { "lacks", put_lacks },
    { "calls", put_calls }, { "messages", put_messages }, { "requests", put_requests },
    { "operations", put_operations }, { "times", put_times }, { "error", put_error },
    { "errors", put_errors }, { "rows", put_rows }, { "lacking", put_lacking },
    { "beside", put_beside }, { "lacked", put_lacked }, { "behind", put_behind },
    { "besides", put_besides }, { "instead", put_instead }, { "others", put_others },
    { "main", put_main }, { "has", put_has }, { "lock", put_lock }, { "rests", put_rests },
    { "sleeps", put_sleeps }, { "do", put_do }, { "looks", put_looks }, { "s", put_s },
    { "mismatched", put_mismatched }, { "within", put_within }, { "pieces", put_pieces },
    { "own", put_own }, { "handling", put_handling }, { "writes", put_writes },
    { "wrote", put_wrote }, { "reads", put_reads }, { "long", put_long },
    { "spends", put_spends }, { "faults", put_faults }, { "kernel", put_kernel },
    { "bring", put_bring }, { "delays", put_delays }, { "passing", put_passing },
    { "idle", put_idle }, { "with_files", put_with_files }, { "text", put_text },
    { "where", put_where }, { "sampled", put_sampled }, { "held", put_held },
    { "blocking", put_blocking },
};

/* --- sentences ------------------------------------------------------------------------------- */

/* Fills the word in that stands in braces at `from`, where it is known; the place behind it. */
static const char *fill_word(const struct told *told, const char *from, char *word)
{
    const size_t length = strcspn(from + 1, "}");

    word[0] = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strlen(words[i].name) == length && strncmp(words[i].name, from + 1, length) == 0) {
            words[i].put(told, word);
        }
    }
    return from + length + 2;
}

/* Puts what pattern says into text, of which length is used; the length then. */
static size_t fill(const struct told *told, const char *pattern, char *text, size_t length)
{
    size_t open = 0; /* where what is in brackets begins */
    bool is_known = true;

    while (*pattern && length + 1 < MWA_CAUSE_BYTES) {
        char word[WORD_BYTES];

        if (*pattern == '[') {
            open = length;
            is_known = true;
        } else if (*pattern == ']') {
            length = is_known ? length : open;
        } else if (*pattern == '{') {
            pattern = fill_word(told, pattern, word);
            is_known = is_known && word[0];
            snprintf(text + length, MWA_CAUSE_BYTES - length, "%s", word);
            length += strlen(text + length);
            continue;
        } else {
            text[length++] = *pattern;
        }
        pattern++;
    }
    text[length] = 0;
    return length;
}

static uint64_t length_ns(const struct told *told)
{
    struct mwa_run_summary run;

    mwa_summarize_run(&told->results->profile, &run);
    return run.length_ns;
}

const char *mwa_cause_sentence(const struct mwa_results *results, const struct mwa_cause *cause,
                               char *text)
{
    const struct told told = { results, cause };
    const struct mwa_cause_rule *rule = mwa_cause_rule(cause->rule);
    const bool is_in_doubt = cause->is_doubtful && mwa_is_of_waits(cause) &&
                             cause->rule != MWA_RULE_WRONG_ORDER; /* the order is seen */
    size_t length = (size_t)snprintf(text, MWA_CAUSE_BYTES, "%s", is_in_doubt ? "perhaps " : "");

    length = fill(&told, rule->sentence, text, length);

    if (rule->class == MWA_CAUSE_COST && !strstr(rule->sentence, " of {run}")) {
        char part[MWA_UNITS_BYTES];
        char whole[MWA_UNITS_BYTES];

        snprintf(text + length, MWA_CAUSE_BYTES - length, ": %s%s %s of %s%s",
                 cause->is_doubtful && !is_in_doubt ? "perhaps " : "",
                 cause->is_little ? "about" : "up to",
                 mwa_time_text(cause->is_little ? cause->gain_ns : cause->up_to_ns, part),
                 mwa_time_text(length_ns(&told), whole), cause->is_little ? " by itself" : "");
    }
    return text;
}

const char *mwa_cause_advice(const struct mwa_results *results, const struct mwa_cause *cause,
                             char *text)
{
    const struct told told = { results, cause };
    const char *advice = mwa_cause_rule(cause->rule)->advice;
    size_t length;

    if (!advice[0]) {
        return NULL;
    }
    length = fill(&told, advice, text, 0);
    if (cause->has_gain && cause->gain_ns > 0) {
        char part[MWA_UNITS_BYTES];
        char whole[MWA_UNITS_BYTES];

        snprintf(text + length, MWA_CAUSE_BYTES - length, "; would save about %s of %s",
                 mwa_time_text(cause->gain_ns, part), mwa_time_text(length_ns(&told), whole));
    }
    return text;
}

const struct mwa_cause *mwa_cause_of_class(const struct mwa_results *results,
                                           enum mwa_cause_class class)
{
    for (uint64_t i = 0; i < results->causes.count; i++) {
        if (mwa_cause_rule(results->causes.list[i].rule)->class == class) {
            return &results->causes.list[i];
        }
    }
    return NULL;
}
