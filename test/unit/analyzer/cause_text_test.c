/* Numbers in the sentences of causes: of one thing as of several. */
#include "analyzer/report/cause_text.h"

#include <criterion/criterion.h>
#include <string.h>

#include "analyzer/report/cause_running.h"

static const struct {
    enum mwa_rule rule;
    const char *one;     /* in the sentence of one */
    const char *several; /* and of 12 */
} numbers[] = {
    { MWA_RULE_CIRCLE, "receive, once: this", "receive, 12 times: this" },
    { MWA_RULE_REDUCE_BCAST, "to all at once, once: up to", "to all at once, 12 times: up to" },
    { MWA_RULE_MESSAGES, "moving 1 message of", "moving 12 messages of" },
    { MWA_RULE_SMALL_MESSAGES, "1 message of", "12 messages of" },
    { MWA_RULE_ALLREDUCE, ", 1 call sending", ", 12 calls sending" },
    { MWA_RULE_TINY_OPERATIONS, ", 1 call of", ", 12 calls of" },
    { MWA_RULE_FLUSHES, " for 1 operation, mostly", " for 12 operations, mostly" },
    { MWA_RULE_FENCES, " for 1 operation of", " for 12 operations of" },
    { MWA_RULE_SMALL_ACCESSES, "1 operation on windows", "12 operations on windows" },
    { MWA_RULE_LOCK_EPOCHS, "held once for 1 operation, take",
      "held 12 times for 12 operations, take" },
    { MWA_RULE_REQUEST_LEAK, "1 request or more were never", "12 requests or more were never" },
};

/* Of so many bytes, UINT64_MAX: not known. */
static void expect_words(enum mwa_rule rule, uint64_t number, uint64_t bytes, const char *words)
{
    static struct mwa_region region = { .name = "MPI_Bcast" };
    static struct mwa_trace trace = { .regions = &region, .region_count = 1 };
    const struct mwa_results results = { .trace = &trace };
    const struct mwa_cause cause = { .rule = rule,
                                     .rank_count = 2,
                                     .listed = 2,
                                     .ranks = { 0, 1 },
                                     .site = MWA_NONE,
                                     .behind = MWA_NONE,
                                     .object = MWA_NONE,
                                     .count = number,
                                     .operations = number,
                                     .bytes = bytes };
    char text[MWA_CAUSE_BYTES];

    mwa_cause_sentence(&results, &cause, text);
    cr_expect(strstr(text, words), "no \"%s\" in \"%s\"", words, text);
}

Test(cause_text, has_one_of_a_thing_or_several)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const uint64_t bytes = numbers[i].rule == MWA_RULE_CIRCLE ? UINT64_MAX : 0;

        expect_words(numbers[i].rule, 1, bytes, numbers[i].one);
        expect_words(numbers[i].rule, 12, bytes, numbers[i].several);
    }
}

/* Where none was freed, which events do not tell apart, they are so many. */
Test(cause_text, has_no_more_requests_where_none_was_freed)
{
    const struct mwa_results results = { .trace = &(struct mwa_trace){ .region_count = 0 } };
    const struct mwa_cause cause = {
        .rule = MWA_RULE_REQUEST_LEAK, .count = 12, .site = MWA_NONE };
    char text[MWA_CAUSE_BYTES];

    mwa_cause_sentence(&results, &cause, text);
    cr_expect(strstr(text, "12 requests were never completed"), "%s", text);
}

/* Of a circle of sends how large what has to be kept is; empty messages have a size, too. */
Test(cause_text, has_the_size_of_what_is_kept_where_it_is_known)
{
    expect_words(MWA_RULE_CIRCLE, 12, 4, "receive, 12 times, of up to 4 B: this hangs");
    expect_words(MWA_RULE_CIRCLE, 1, 0, "receive, once, of up to 0 B: this hangs");
    expect_words(MWA_RULE_CIRCLE, 12, UINT64_MAX, "receive, 12 times: this hangs");
}

/* Of many ranks three are named, unless it is all of them. */
Test(cause_text, names_some_ranks_or_all_of_them)
{
    static const struct {
        uint64_t causing;
        const char *words;
    } cases[] = { { 3, "ranks 9, 2 and 4 have no core" },
                  { 63, "ranks 9, 2, 4 and 60 more have no core" },
                  { 64, "all 64 ranks have no core" } };
    static struct mwa_rank_row rows[64];
    static struct mwa_trace trace = { .rank_count = 64 };
    const struct mwa_results results = { .trace = &trace,
                                         .profile = { .ranks = rows, .rank_count = 64 } };
    char text[MWA_CAUSE_BYTES];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct mwa_cause cause = { .rule = MWA_RULE_NO_CORE,
                                         .rank_count = cases[i].causing,
                                         .listed = cases[i].causing < MWA_CAUSE_RANKS
                                                       ? cases[i].causing
                                                       : MWA_CAUSE_RANKS,
                                         .ranks = { 9, 2, 4 },
                                         .site = MWA_NONE };

        mwa_cause_sentence(&results, &cause, text);
        cr_expect(strstr(text, cases[i].words), "no \"%s\" in \"%s\"", cases[i].words, text);
    }
}

/* Its own other threads are named where they ran for a quarter of what the rank had no core for. */
Test(cause_text, names_own_threads_that_may_have_had_the_core)
{
    static struct mwa_rank ranks[1] = { { .host = "vm" } };
    static struct mwa_rank_row rows[1];
    static struct mwa_trace trace = { .ranks = ranks, .rank_count = 1 };
    const struct mwa_results results = { .trace = &trace,
                                         .profile = { .ranks = rows, .rank_count = 1 } };
    const struct mwa_cause cause = { .rule = MWA_RULE_NO_CORE,
                                     .rank_count = 1,
                                     .listed = 1,
                                     .time_ns = 800000000,
                                     .site = MWA_NONE };
    char text[MWA_CAUSE_BYTES];

    rows[0].running.tells_threads = true;
    rows[0].running.threads_ns = 200000000;
    cr_expect_str_eq(mwa_cause_advice(&results, &cause, text),
                     "look at its own other threads, which run for 200 ms, and at what else runs "
                     "on the host of rank 0 (vm), such as mpirun, where they print much");
    rows[0].running.threads_ns--;
    cr_expect_str_eq(mwa_cause_advice(&results, &cause, text),
                     "look at what else runs on the host of rank 0 (vm), such as mpirun, where "
                     "they print much");
}

/* What is written by MPI-IO goes to files, of whichever rank, and is not printed. */
Test(cause_text, does_not_take_for_printed_what_mpi_io_writes)
{
    static struct mwa_rank ranks[2] = { { .host = "vm" }, { .host = "vm" } };
    static struct mwa_rank_row rows[2];
    static struct mwa_trace trace = { .ranks = ranks, .rank_count = 2 };
    static struct mwa_region regions[2] = { { .group = "io" }, { .group = "p2p" } };
    static struct mwa_call_row calls[2] = { { .region = &regions[0], .bytes_sent = 24000000 },
                                            { .region = &regions[1], .bytes_sent = 1000000 } };
    const struct mwa_results results = { .trace = &trace,
                                         .profile = { .ranks = rows,
                                                      .rank_count = 2,
                                                      .calls = calls,
                                                      .call_count = 2 } };
    const struct mwa_cause cause = { .rule = MWA_RULE_NO_CORE,
                                     .rank_count = 1,
                                     .listed = 1,
                                     .time_ns = 800000000,
                                     .site = MWA_NONE };
    char text[MWA_CAUSE_BYTES];

    for (int i = 0; i < 2; i++) {
        rows[i].running.tells_written = true;
        rows[i].running.write_bytes = 16000000;
    }
    cr_expect_str_eq(mwa_cause_advice(&results, &cause, text),
                     "look at what else runs on the host of rank 0 (vm), such as mpirun, if "
                     "ranks there print: 8.00 MB at most");
    calls[0].bytes_sent++;
    cr_expect_str_eq(mwa_cause_advice(&results, &cause, text),
                     "look at what else runs on the host of rank 0 (vm)");
    calls[0].bytes_sent = 40000000;
    cr_expect_str_eq(mwa_cause_advice(&results, &cause, text),
                     "look at what else runs on the host of rank 0 (vm)");
}

/* What passes on what ranks print is named where that takes a quarter of what the rank lacks: of
 * 800 ms, at 25 ns a byte, from 8 MB on, of all ranks of its host. */
Test(cause_text, names_mpirun_where_so_much_may_be_printed)
{
    static struct mwa_rank ranks[3] = { { .host = "vm" }, { .host = "vm" }, { .host = "other" } };
    static struct mwa_rank_row rows[3];
    static struct mwa_trace trace = { .ranks = ranks, .rank_count = 3 };
    const struct mwa_results results = { .trace = &trace,
                                         .profile = { .ranks = rows, .rank_count = 3 } };
    const struct mwa_cause cause = { .rule = MWA_RULE_NO_CORE,
                                     .rank_count = 1,
                                     .listed = 1,
                                     .time_ns = 800000000,
                                     .site = MWA_NONE };
    char text[MWA_CAUSE_BYTES];

    for (int i = 0; i < 3; i++) {
        rows[i].running.tells_written = true;
        rows[i].running.write_bytes = 6000000;
        rows[i].running.written = 2000000;
    }
    cr_expect_str_eq(mwa_cause_advice(&results, &cause, text),
                     "look at what else runs on the host of rank 0 (vm), such as mpirun, if ranks "
                     "there print: 8.00 MB at most");
    rows[1].running.written++;
    cr_expect_str_eq(mwa_cause_advice(&results, &cause, text),
                     "look at what else runs on the host of rank 0 (vm)");
    rows[1].running.tells_written = false;
    cr_expect_str_eq(mwa_cause_advice(&results, &cause, text),
                     "look at what else runs on the host of rank 0 (vm), such as mpirun, where "
                     "they print much");
}

/* Who sends little to a rank that sleeps is asked for more at a time: one rank, of which the advice
 * speaks before, or several, as where a master and its workers all sleep between polls. */
Test(cause_text, says_who_may_send_more_at_a_time)
{
    static struct mwa_rank_row rows[2] = { { .useful_ns = 3000000 } };
    static struct mwa_trace trace = { .rank_count = 2 };
    const struct mwa_results results = { .trace = &trace,
                                         .profile = { .ranks = rows, .rank_count = 2 } };
    struct mwa_cause cause = { .rule = MWA_RULE_ASLEEP_POLLING,
                               .rank_count = 1,
                               .listed = 1,
                               .count = 3000,
                               .peer = 1,
                               .site = MWA_NONE };
    char text[MWA_CAUSE_BYTES];

    cr_expect(strstr(mwa_cause_advice(&results, &cause, text),
                     "before it sends to rank 0, or if it has the work, send more with each of the "
                     "3.00 k messages, for which rank 0 computes 1.00 us (chunksize"),
              "%s", text);
    cause.peer = MWA_NONE;
    cr_expect_eq(strstr(mwa_cause_advice(&results, &cause, text),
                        "where there is more at a time, send more with each of the 3.00 k messages "
                        "that rank 0 gets, for which it computes 1.00 us (chunksize"),
                 text, "%s", text);
}

/* Violations may come of wrong matches, where messages lack partners as recording was paused. */
Test(cause_text, does_not_blame_clocks_alone_for_what_may_be_matched_wrongly)
{
    static struct mwa_trace trace;
    const struct mwa_cause cause = { .rule = MWA_RULE_CLOCKS,
                                     .count = 12,
                                     .share = 0.06,
                                     .time_ns = 2000000,
                                     .site = MWA_NONE };
    struct mwa_results results = { .trace = &trace };
    char text[MWA_CAUSE_BYTES];

    mwa_cause_sentence(&results, &cause, text);
    cr_expect(strstr(text, "clocks disagree: 12 messages (6%) came up to 2.00 ms before"), "%s",
              text);
    results.matching.sends_without[MWA_UNMATCHED_PAUSED] = 1;
    mwa_cause_sentence(&results, &cause, text);
    cr_expect(strstr(text, "clocks disagree, or messages are matched wrongly: 12 messages"), "%s",
              text);
}

/* Values of more than 4096 bytes of each of four ranks gain nothing by being put together. */
Test(cause_text, puts_only_small_operations_together)
{
    static struct mwa_trace trace = { .rank_count = 4 };
    const struct mwa_results results = { .trace = &trace };
    struct mwa_cause cause = { .rule = MWA_RULE_ALLREDUCE, .site = MWA_NONE, .bytes = 4 * 4096 };
    char text[MWA_CAUSE_BYTES];

    cr_expect(strstr(mwa_cause_advice(&results, &cause, text), "put several values into one"));
    cause.bytes += 4;
    cr_expect(strstr(mwa_cause_advice(&results, &cause, text), "send less (smaller types), or"));
}

/* Messages within a host are moved by cores that could compute meanwhile; between two they are not,
 * as far as is known. */
Test(cause_text, promises_less_of_computing_meanwhile_where_cores_move_messages)
{
    static const enum mwa_rule rules[] = { MWA_RULE_COMPLETION, MWA_RULE_OVERLAP };
    struct mwa_trace trace = { .rank_count = 4 };
    const struct mwa_results results = { .trace = &trace };

    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        const struct mwa_cause cause = { .rule = rules[i], .site = MWA_NONE };
        char text[MWA_CAUSE_BYTES];

        trace.host_count = 1;
        cr_expect(strstr(mwa_cause_advice(&results, &cause, text),
                         "; it saves less within a host"));
        trace.host_count = 2;
        cr_expect(!strstr(mwa_cause_advice(&results, &cause, text), "within a host"));
    }
}

/* Of two ranks that run for 10 s each one is in MPI for 4, and waits for nobody: 20 % of what both
 * run, and 2 s a rank, more than the 1 s that the imbalance costs. Of that it has no core for 1 s,
 * and 15 % and 1.5 s are left; for 3 s, and MPI takes half a second a rank: less. */
Test(cause_text, takes_lack_of_cores_for_no_time_of_mpi)
{
    static const struct {
        uint64_t lack_ns;
        const char *words;
    } cases[] = { { 0, "though MPI takes more, 20% of the ranks' run beside waiting (calls)" },
                  { 1000000000,
                    "though MPI takes more, 15% of the ranks' run beside waiting and lack of" },
                  { 3000000000, "move work away from rank 0 before tuning MPI" } };
    static struct mwa_rank_row rows[2];
    static struct mwa_trace trace = { .rank_count = 2 };
    const struct mwa_results results = { .trace = &trace,
                                         .profile = { .ranks = rows, .rank_count = 2 } };
    const struct mwa_cause cause = { .rule = MWA_RULE_IMBALANCE, .rank_count = 1, .listed = 1,
                                     .up_to_ns = 1000000000, .site = MWA_NONE };
    char text[MWA_CAUSE_BYTES];

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (uint32_t rank = 0; rank < 2; rank++) {
            rows[rank] = (struct mwa_rank_row){ .rank = rank, .has_events = true,
                                                .run_ns = 10000000000 };
        }
        rows[1].mpi_ns = 4000000000;
        rows[1].running.is_known = true;
        rows[1].running.inside_no_core_ns = cases[i].lack_ns;
        mwa_cause_advice(&results, &cause, text);
        cr_expect(strstr(text, cases[i].words), "no \"%s\" in \"%s\"", cases[i].words, text);
    }
}

/* Within a host it is larger pieces that help. */
Test(cause_text, advises_to_write_together_where_there_are_several_hosts)
{
    struct mwa_trace trace = { .rank_count = 4, .host_count = 1 };
    const struct mwa_results results = { .trace = &trace };
    const struct mwa_cause cause = { .rule = MWA_RULE_FILE_INDEPENDENT, .site = MWA_NONE };
    char text[MWA_CAUSE_BYTES];

    cr_expect_str_eq(mwa_cause_advice(&results, &cause, text),
                     "write and read in larger pieces; on several hosts also together (the _all "
                     "forms)");
    trace.host_count = 2;
    cr_expect_str_eq(mwa_cause_advice(&results, &cause, text),
                     "write and read in larger pieces, and together (the _all forms)");
}

/* Three calls at most beside the first one, of a cause that costs 2 s. */
static const char *out_of_step(struct mwa_trace *trace, const uint32_t *sites, uint32_t count,
                               char *text)
{
    const struct mwa_results results = { .trace = trace };
    struct mwa_cause cause = { .rule = MWA_RULE_OUT_OF_STEP,
                               .site = sites[0],
                               .beside_count = count - 1,
                               .up_to_ns = 2000000000 };

    memcpy(cause.besides, sites + 1, (count - 1) * sizeof *sites);
    return mwa_cause_sentence(&results, &cause, text);
}

#define STEP                                                                                       \
    "the ranks compute as long as each other between the operations that all take part in, but "   \
    "not at the same time, and wait for messages in "

/* Sites 0 and 1 are two calls of a library that line 32 of the program leads to, 2 is one of line
 * 40, and 3 is line 32 again, but another function of MPI. */
Test(cause_text, names_places_of_a_library_that_read_the_same_once)
{
    static struct mwa_region regions[] = { { .name = "MPI_Recv" }, { .name = "MPI_Test" } };
    static const struct mwa_stack_frame first = { .line = 32, .function = "f", .file = "main.c" };
    static const struct mwa_stack_frame second = { .line = 40, .function = "g", .file = "main.c" };
    static struct mwa_site sites[] = {
        { .region = 0, .place = 0, .library = "libsolve.so.1", .all_led_by = &first },
        { .region = 0, .place = 1, .library = "libsolve.so.1", .all_led_by = &first },
        { .region = 0, .place = 2, .library = "libsolve.so.1", .all_led_by = &second },
        { .region = 1, .place = 3, .library = "libsolve.so.1", .all_led_by = &first }
    };
    static struct mwa_trace trace = { .regions = regions, .region_count = 2, .sites = sites,
                                      .site_count = 4 };
    char text[MWA_CAUSE_BYTES];

    cr_expect_str_eq(out_of_step(&trace, (uint32_t[]){ 0, 1, 2, 3 }, 4, text),
                     STEP "MPI_Recv, main.c:32 via libsolve.so.1 and MPI_Recv, main.c:40 via "
                          "libsolve.so.1 and MPI_Test, main.c:32 via libsolve.so.1: up to 2.00 s "
                          "of 0 ns");
    cr_expect_str_eq(out_of_step(&trace, (uint32_t[]){ 2, 0, 1 }, 3, text),
                     STEP "MPI_Recv, main.c:40 via libsolve.so.1 and MPI_Recv, main.c:32 via "
                          "libsolve.so.1: up to 2.00 s of 0 ns");
    cr_expect_str_eq(out_of_step(&trace, (uint32_t[]){ 0, 1 }, 2, text),
                     STEP "MPI_Recv, main.c:32 via libsolve.so.1: up to 2.00 s of 0 ns");
}

/* Functions whose names have 110 characters: 120 with the call's name and 125 with " and " before,
 * of which one and a half fit into 256 with the words for how many more there are. */
Test(cause_text, counts_places_that_it_has_no_room_for_and_has_the_cost_behind)
{
    static struct mwa_region region = { .name = "MPI_Recv" };
    static char names[4][111];
    static struct mwa_site sites[4];
    static struct mwa_trace trace = { .regions = &region, .region_count = 1, .sites = sites,
                                      .site_count = 4 };
    char text[MWA_CAUSE_BYTES], expected[MWA_CAUSE_BYTES];

    for (uint32_t i = 0; i < 4; i++) {
        memset(names[i], 'a' + (int)i, 110);
        sites[i] = (struct mwa_site){ .place = i, .file = "", .function = names[i], .library = "" };
    }
    snprintf(expected, sizeof expected,
             STEP "MPI_Recv, %s and MPI_Recv, %s and 2 more: up to 2.00 s of 0 ns", names[0],
             names[1]);
    cr_expect_str_eq(out_of_step(&trace, (uint32_t[]){ 0, 1, 2, 3 }, 4, text), expected);
}

/* 3,000 faults are 12 MB of pages of 4 KiB, and 197 MB of those of 64: of a process that has 20 MB
 * the latter come again, and the former need not. */
Test(cause_text, takes_pages_to_be_as_large_as_the_recorder_says)
{
    static const char *circumstances[] = { "page_bytes", "65536" };
    struct mwa_rank_row row = { .running = { .resident = 20000000 } };
    struct mwa_trace trace = { .circumstances = circumstances };
    const struct mwa_results results = { .trace = &trace, .profile = { .ranks = &row } };
    const struct mwa_cause cause = { .count = 3000 };
    char text[MWA_CAUSE_BYTES];

    mwa_cause_kernel(&results, &cause, text, sizeof text);
    cr_expect(strstr(text, "allocate less"), "%s", text);
    trace.circumstance_count = 2;
    mwa_cause_kernel(&results, &cause, text, sizeof text);
    cr_expect(strstr(text, "use it again"), "%s", text);
}

/* Who opens a file once does not do so in each step. */
Test(cause_text, advises_no_loop_to_open_a_file_once_that_opens_it_once)
{
    static struct mwa_region region = { .name = "MPI_File_open", .call = MW_CALL_MPI_File_open };
    static struct mwa_site site = { .region = 0 };
    static struct mwa_trace trace = { .regions = &region,
                                      .region_count = 1,
                                      .sites = &site,
                                      .site_count = 1 };
    static struct mwa_file_time rows[2] = { { .rank = 0, .count = 1 }, { .rank = 1, .count = 1 } };
    const struct mwa_results results = { .trace = &trace,
                                         .file_times = { .rows = rows, .count = 2 } };
    const struct mwa_cause cause = { .rule = MWA_RULE_FILE_COLLECTIVE };
    char text[MWA_CAUSE_BYTES];

    cr_expect_str_eq(mwa_cause_advice(&results, &cause, text),
                     "fewer files, and each by those ranks alone that use it");
    rows[1].rank = 0;
    rows[1].object = 1;
    cr_expect(strstr(mwa_cause_advice(&results, &cause, text), "open a file once"), "%s", text);
}
