/* Where calls were made, in spools written by hand. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats/archive/archive.h"
#include "formats/base/child.h"
#include "formats/spool/record.h"
#include "test/unit/formats/maker.h"

static struct maker maker;
static struct mw_archive_result result;
static struct mw_diagnostic diagnostic;

static void set_up(void)
{
    maker_init(&maker);
}

static void tear_down(void)
{
    maker_fini(&maker);
}

TestSuite(sites, .init = set_up, .fini = tear_down);

static void define_module(struct mw_definition_writer *writer, uint32_t module, const char *path)
{
    struct mw_definition definition = {.kind = MW_DEFINE_MODULE,
                                       .of.module = {module, path, "0123abcd"}};

    maker_define(writer, &definition);
}

static void define_site(struct mw_definition_writer *writer, uint32_t site, uint32_t call,
                        uint32_t module, uint64_t address)
{
    struct mw_definition definition = {.kind = MW_DEFINE_SITE,
                                       .of.site = {site, call, module, address}};

    maker_define(writer, &definition);
}

/* Writes ranks 0 .. count - 1 to run.otf2.zip, and unpacks it at "x". */
static void archive(uint32_t count, const char *resolver)
{
    struct mw_archive_job job = maker_job(&maker, count, "run.otf2.zip");

    job.resolver = resolver;
    cr_assert_eq(maker_write(&job, &result, &diagnostic), MW_OK, "%s", diagnostic.what);
    cr_assert_eq(maker_run(&maker, "unzip -q run.otf2.zip -d x"), 0, "%s", maker.text);
}

/* Regions as otf2-print has them, one after the other, without their number. */
static const char *regions(void)
{
    return maker_print(&maker, "-G", "x");
}

/*
 * Ranks number modules and sites as they meet them; in the archive a place is one. The resolver, a
 * script, says that two of the three addresses are of one line.
 */
Test(sites, places_are_merged_over_ranks)
{
    static const char script[] =
        "cat > resolver <<'END'\n#!/bin/sh\ncp \"$1\" \"${0%/*}/asked\"\n"
        "while read -r address build path; do case $address,$build,$path in\n"
        "10?0@MPI_Barrier,0123abcd,/bin/one) printf '7\\tsolve\\t/src/a b.c\\n' ;;\n"
        "1000@MPI_Barrier,0123abcd,/lib/two) printf '0\\thalo+0x12\\t\\n' ;;\n"
        "*) printf '0\\t\\t\\n' ;; esac; done <\"$1\" >\"$2\"\nEND\nchmod +x resolver";
    char resolver[512];
    const char *text;
    json_t *json;

    for (uint32_t rank = 0; rank < 2; rank++) {
        struct mw_spool spool;
        struct mw_definition_writer *writer = maker_definitions(&maker, rank, 2);

        define_module(writer, 0, rank == 0 ? "/bin/one" : "/lib/two");
        define_module(writer, 1, rank == 0 ? "/lib/two" : "/bin/one");
        define_site(writer, 0, MW_CALL_MPI_Barrier, rank, 0x1000);     /* one: solve, line 7 */
        define_site(writer, 1, MW_CALL_MPI_Barrier, 1 - rank, 0x1000); /* two: halo+0x12 */
        define_site(writer, 2, MW_CALL_MPI_Barrier, rank, 0x1010);     /* line 7 again */
        define_site(writer, 3, MW_CALL_MPI_Barrier, rank, 0x2000);     /* one+0x2000 */
        maker_end(writer, 9000);
        maker_spool(&maker, rank, 0, &spool);
        maker_call(&spool, MW_CALL_MPI_Init, 1000, 1100);
        maker_call(&spool, MW_CALL_COUNT + 0, 1200, 1300);
        maker_call(&spool, MW_CALL_COUNT + 2, 1400, 1500);
        maker_call(&spool, MW_CALL_COUNT + rank, 1600, 1700);
        maker_call(&spool, MW_CALL_MPI_Barrier, 1800, 1900);
        mw_spool_fini(&spool);
    }
    cr_assert_eq(maker_run(&maker, script), 0, "%s", maker.text);
    snprintf(resolver, sizeof resolver, "%s", maker_path(&maker, "resolver"));
    archive(2, resolver);
    cr_assert_eq(result.calls, 10u);
    cr_assert_eq(result.lost, 0u);
    cr_assert_eq(maker_run(&maker, "test \"$(cut -d' ' -f3 asked | uniq | wc -l)\" = 2"), 0,
                 "what is asked of a file does not come together: %s", maker.text);

    text = regions();
    cr_assert_neq(strstr(text, "\"MPI_Barrier\""), NULL);
    cr_assert_neq(strstr(text, "File: \"/src/a b.c\""), NULL, "%s", text);
    cr_assert_neq(strstr(text, "Begin: 7, End: 7"), NULL, "%s", text);

    json = json_load_file(maker_path(&maker, "x/mpiwatch.json"), 0, NULL);
    cr_assert_eq(json_array_size(json_object_get(json, "modules")), 2u);
    cr_assert_eq(json_array_size(json_object_get(json, "sites")), 3u);
    for (size_t i = 0; i < 3; i++) {
        static const struct {
            const char *function;
            const char *file;
            int line;
            size_t addresses;
        } expected[] = {{"solve", "/src/a b.c", 7, 2}, {"halo+0x12", "", 0, 1},
                        {"one+0x2000", "", 0, 1}};
        const json_t *site = json_array_get(json_object_get(json, "sites"), i);

        cr_assert_str_eq(json_string_value(json_object_get(site, "call")), "MPI_Barrier");
        cr_assert_str_eq(json_string_value(json_object_get(site, "function")),
                         expected[i].function);
        cr_assert_str_eq(json_string_value(json_object_get(site, "file")), expected[i].file);
        cr_assert_eq(json_integer_value(json_object_get(site, "line")), expected[i].line);
        cr_assert_eq(json_array_size(json_object_get(site, "addresses")),
                     expected[i].addresses);
    }
    json_decref(json);

    /* Rank 1's own numbers led to the same regions: a call without a place is not the same one. */
    text = maker_print(&maker, "", "x");
    cr_assert_neq(strstr(text, "Region: \"MPI_Barrier\" <0>"), NULL, "%s", text);
    cr_assert_neq(strstr(text, "Region: \"MPI_Barrier\" <2>"), NULL, "%s", text);
    cr_assert_neq(strstr(text, "Region: \"MPI_Barrier\" <3>"), NULL, "%s", text);
}

static void define_sampled(struct mw_definition_writer *writer, uint32_t site, uint32_t module,
                           uint64_t address, uint64_t count)
{
    struct mw_definition definition = {.kind = MW_DEFINE_SAMPLED,
                                       .of.sampled = {site, module, address, count}};

    maker_define(writer, &definition);
}

/*
 * Rank 0 was seen at two addresses of one line, of which one is told twice, and at two of no known
 * line; rank 1 by another number of the module; rank 2 was refused. What is told of a module or of
 * a site that there is none of is left out.
 */
Test(sites, samples_add_up_by_line_and_call)
{
    static const char script[] =
        "cat > resolver <<'END'\n#!/bin/sh\n"
        "while read -r address build path; do case $address,$path in\n"
        "2001,/bin/one | 2011,/bin/one) printf '7\\tsolve\\t/src/a.c\\n' ;;\n"
        "*) printf '0\\t\\t\\n' ;; esac; done <\"$1\" >\"$2\"\nEND\nchmod +x resolver";
    static const int rows[][4] = {{0, 0, 0, 4}, {0, 0, 1, 12}, {1, 0, 1, 3}, {1, -1, 1, 2}};
    char resolver[512];
    json_t *json;
    const json_t *samples;

    for (uint32_t rank = 0; rank < 3; rank++) {
        struct mw_definition samples_of = {
            .kind = MW_DEFINE_SAMPLES,
            .of.samples = {100, rank == 0 ? 16 : 4, 9, rank == 0, rank == 2 ? "No" : ""}};
        struct mw_spool spool;
        struct mw_definition_writer *writer = maker_definitions(&maker, rank, 3);

        if (rank == 1) {
            define_module(writer, 0, "/lib/two");
        }
        define_module(writer, rank == 1, "/bin/one");
        define_site(writer, 0, MW_CALL_MPI_Barrier, rank == 1, 0x1000);
        if (rank == 0) {
            define_sampled(writer, 0, 0, 0x2000, 5);
            define_sampled(writer, 0, 0, 0x2010, 6);
            define_sampled(writer, 0, 0, 0x2000, 1);
            define_sampled(writer, 0, 0, 0x3000, 3);
            define_sampled(writer, 0, 0, 0x3010, 1);
            define_sampled(writer, 0, 1, 0x2000, 100);
            define_sampled(writer, 1, 0, 0x2000, 100);
        } else if (rank == 1) {
            define_sampled(writer, MW_SITE_NONE, 1, 0x2010, 2);
            define_sampled(writer, 0, 1, 0x2010, 3);
        }
        maker_define(writer, &samples_of);
        maker_end(writer, 9000);
        maker_spool(&maker, rank, 0, &spool);
        maker_call(&spool, MW_CALL_MPI_Init, 1000, 1100);
        maker_call(&spool, MW_CALL_COUNT + 0, 1200, 1300);
        mw_spool_fini(&spool);
    }
    cr_assert_eq(maker_run(&maker, script), 0, "%s", maker.text);
    snprintf(resolver, sizeof resolver, "%s", maker_path(&maker, "resolver"));
    archive(3, resolver);

    json = json_load_file(maker_path(&maker, "x/mpiwatch.json"), 0, NULL);
    samples = json_object_get(json, "samples");
    cr_assert_eq(json_integer_value(json_object_get(samples, "rate_hz")), 100);
    for (size_t rank = 0; rank < 3; rank++) {
        const json_t *of = json_array_get(json_object_get(samples, "ranks"), rank);

        cr_assert_eq(json_integer_value(json_object_get(of, "rank")), (json_int_t)rank);
        cr_assert_eq(json_integer_value(json_object_get(of, "outside")),
                     rank == 0   ? 16
                     : rank == 1 ? 5 /* more than it has told in all */
                                 : 4);
        cr_assert_eq(json_integer_value(json_object_get(of, "inside")), 9);
        cr_assert_eq(json_integer_value(json_object_get(of, "lost")), rank == 0);
        cr_assert_str_eq(json_string_value(json_object_get(of, "refused")),
                         rank == 2 ? "No" : "");
    }
    cr_assert_eq(json_array_size(json_object_get(samples, "spots")), 2u);
    cr_assert_eq(json_array_size(json_object_get(samples, "rows")), 4u);
    for (size_t i = 0; i < 4; i++) {
        const json_t *row = json_array_get(json_object_get(samples, "rows"), i);
        const json_t *spot =
            json_array_get(json_object_get(samples, "spots"),
                           (size_t)json_integer_value(json_array_get(row, 2)));

        cr_assert_eq(json_integer_value(json_array_get(row, 0)), rows[i][0]);
        cr_assert_eq(json_is_null(json_array_get(row, 1)), rows[i][1] < 0);
        cr_assert_str_eq(json_string_value(json_object_get(spot, "function")),
                         rows[i][2] ? "solve" : "one");
        cr_assert_eq(json_integer_value(json_array_get(row, 3)), rows[i][3]);
    }
    json_decref(json);
}

static void define_frame(struct mw_definition_writer *writer, uint32_t frame, uint32_t parent,
                         uint64_t address)
{
    maker_define(writer, &(struct mw_definition){.kind = MW_DEFINE_FRAME,
                                                 .of.frame = {frame, parent, 0, address}});
}

static void define_stack(struct mw_definition_writer *writer, uint32_t site, uint32_t call,
                         uint32_t frame)
{
    maker_define(writer, &(struct mw_definition){.kind = MW_DEFINE_STACK,
                                                 .of.stack = {site, call, frame}});
}

/* Rank 0: main 10 < solve 20 < Send, main 11 < solve 20 < Send; rank 1: cut < solve 20 < Send. */
static void write_stacks(uint32_t rank)
{
    struct mw_definition_writer *writer = maker_definitions(&maker, rank, 2);
    struct mw_spool spool;

    define_module(writer, 0, "/bin/one");
    define_frame(writer, 0, rank == 0 ? MW_FRAME_NONE : MW_FRAME_CUT, rank == 0 ? 0x10 : 0x20);
    define_stack(writer, 0, MW_CALL_MPI_Send, 7); /* no such frame: it is left out */
    if (rank == 0) {
        define_frame(writer, 1, 0, 0x20);
        define_frame(writer, 2, MW_FRAME_NONE, 0x11);
        define_frame(writer, 3, 2, 0x21); /* another address of the line */
        define_frame(writer, 4, 9, 0x21); /* no such parent: likewise */
        define_frame(writer, 4, 0, 0x21); /* main 10 < solve 20 again */
    }
    define_stack(writer, 0, MW_CALL_MPI_Send, rank == 0 ? 1 : 0);
    if (rank == 0) {
        define_stack(writer, 1, MW_CALL_MPI_Send, 3);
        define_stack(writer, 2, MW_CALL_MPI_Send, 4);
    }
    maker_end(writer, 9000);
    maker_spool(&maker, rank, 0, &spool);
    maker_call(&spool, MW_CALL_MPI_Init, 1000, 1100);
    for (uint32_t i = 0; i < (rank == 0 ? 3 : 1); i++) {
        maker_call(&spool, (uint16_t)(MW_CALL_COUNT + i), 1200 + 200 * i, 1300 + 200 * i);
    }
    mw_spool_fini(&spool);
}

/* Frames are the lines of functions, and stacks the paths of these, merged over ranks. */
Test(sites, stacks_are_calling_contexts)
{
    static const char script[] =
        "cat > resolver <<'END'\n#!/bin/sh\n"
        "while read -r address build path; do case $address in\n"
        "10) printf '10\\tmain\\t/src/m.c\\n' ;; 11) printf '11\\tmain\\t/src/m.c\\n' ;;\n"
        "*) printf '20\\tsolve\\t/src/s.c\\n' ;; esac; done <\"$1\" >\"$2\"\nEND\n"
        "chmod +x resolver";
    static const char *const expected[] = {
        "CALLING_CONTEXT                        0  Region: \"[cut]\" <4>, Source code location: "
        "UNDEFINED, Parent: UNDEFINED",
        "CALLING_CONTEXT                        1  Region: \"main\" <5>, Source code location: "
        "\"/src/m.c:10\" <0>, Parent: UNDEFINED",
        "CALLING_CONTEXT                        2  Region: \"solve\" <6>, Source code location: "
        "\"/src/s.c:20\" <1>, Parent: \"main@m.c:10\" <1>",
        "CALLING_CONTEXT                        3  Region: \"main\" <5>, Source code location: "
        "\"/src/m.c:11\" <2>, Parent: UNDEFINED",
        "CALLING_CONTEXT                        4  Region: \"solve\" <6>, Source code location: "
        "\"/src/s.c:20\" <3>, Parent: \"main@m.c:11\" <3>",
        "CALLING_CONTEXT                        5  Region: \"solve\" <6>, Source code location: "
        "\"/src/s.c:20\" <4>, Parent: \"[cut]\" <0>",
        "CALLING_CONTEXT                        6  Region: \"MPI_Send\" <1>, Source code location: "
        "UNDEFINED, Parent: \"solve@s.c:20\" <2>",
        "CALLING_CONTEXT                        7  Region: \"MPI_Send\" <2>, Source code location: "
        "UNDEFINED, Parent: \"solve@s.c:20\" <4>",
        "CALLING_CONTEXT                        8  Region: \"MPI_Send\" <3>, Source code location: "
        "UNDEFINED, Parent: \"solve@s.c:20\" <5>",
    };
    char resolver[512];
    const char *text;
    json_t *json;

    write_stacks(0);
    write_stacks(1);
    cr_assert_eq(maker_run(&maker, script), 0, "%s", maker.text);
    snprintf(resolver, sizeof resolver, "%s", maker_path(&maker, "resolver"));
    archive(2, resolver);
    cr_assert_eq(result.calls, 6u);
    cr_assert_eq(result.lost, 0u);
    cr_assert_eq(result.ranks_damaged, 2u); /* a definition or two of each */
    text = regions();
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        cr_assert_neq(strstr(text, expected[i]), NULL, "%s\n%s", expected[i], text);
    }
    cr_assert_eq(strstr(text, "CALLING_CONTEXT                        9"), NULL);
    text = maker_print(&maker, "", "x"); /* rank 1's only stack is the third one */
    cr_assert_neq(strstr(text, "Region: \"MPI_Send\" <3>"), NULL, "%s", text);
    json = json_load_file(maker_path(&maker, "x/mpiwatch.json"), 0, NULL);
    cr_assert_eq(json_array_size(json_object_get(json, "contexts")), 5u);
    json_decref(json);
}

/* A resolver that fails, says too little, or is not there costs lines and nothing else. */
Test(sites, addresses_are_told_where_nothing_else_is_known)
{
    struct mw_spool spool;
    struct mw_definition_writer *writer = maker_definitions(&maker, 0, 1);
    char resolver[512];
    json_t *json;
    const char *function = NULL;

    define_module(writer, 0, "/opt/solver/bin/solver");
    define_site(writer, 0, MW_CALL_MPI_Send, 0, 0xbeef);
    define_site(writer, 1, MW_CALL_MPI_Recv, 0, 0xbeef);
    maker_end(writer, 9000);
    maker_spool(&maker, 0, 0, &spool);
    maker_call(&spool, MW_CALL_MPI_Init, 1000, 1100);
    maker_call(&spool, MW_CALL_COUNT + 0, 1200, 1300);
    maker_call(&spool, MW_CALL_COUNT + 1, 1400, 1500);
    mw_spool_fini(&spool);
    cr_assert_eq(maker_run(&maker, "printf '#!/bin/sh\\nprintf \"3\\tmain\\\\t\" >$2\\nexit 1\\n' "
                                   ">resolver && chmod +x resolver"),
                 0);
    snprintf(resolver, sizeof resolver, "%s", maker_path(&maker, "resolver"));
    archive(1, resolver);
    json = json_load_file(maker_path(&maker, "x/mpiwatch.json"), 0, NULL);
    cr_assert_eq(json_array_size(json_object_get(json, "sites")), 2u);
    cr_assert_eq(json_unpack(json, "{s:[*{s:s}]}", "sites", "function", &function), -1);
    function = json_string_value(json_object_get(
        json_array_get(json_object_get(json, "sites"), 0), "function"));
    cr_assert_str_eq(function, "solver+0xbeef");
    json_decref(json);
    cr_assert_eq(maker_run(&maker, "rm -r x run.otf2.zip"), 0);
    archive(1, "/nowhere/resolver");
    cr_assert_eq(result.calls, 3u);
}

/* Definitions that contradict themselves are left out, and the calls with them; that counts. */
Test(sites, calls_of_unknown_sites_count_as_lost)
{
    struct mw_spool spool;
    struct mw_definition_writer *writer = maker_definitions(&maker, 0, 1);

    define_site(writer, 0, MW_CALL_MPI_Send, 0, 0x1000); /* of no module */
    define_module(writer, 0, "/bin/one");
    define_site(writer, 1, MW_CALL_MPI_Send, 0, 0x1000); /* not the next one */
    define_site(writer, 0, MW_CALL_COUNT, 0, 0x1000);    /* no call */
    define_site(writer, 0, MW_CALL_MPI_Recv, 0, 0x1000);
    maker_end(writer, 9000);
    maker_spool(&maker, 0, 0, &spool);
    maker_call(&spool, MW_CALL_MPI_Init, 1000, 1100);
    maker_call(&spool, MW_CALL_COUNT + 0, 1200, 1300);
    maker_call(&spool, MW_CALL_COUNT + 1, 1400, 1500);
    maker_call(&spool, 65535, 1600, 1700);
    mw_spool_fini(&spool);
    archive(1, NULL);
    cr_assert_eq(result.calls, 2u);
    cr_assert_eq(result.lost, 2u);
    cr_assert_eq(result.ranks_damaged, 1u); /* three definitions of it */
}

/* --- the resolver's process ------------------------------------------------------------- */

static volatile sig_atomic_t signals;

static void count_signal(int signal)
{
    signals++;
}

Test(sites, a_child_is_not_noticed)
{
    struct sigaction action = {.sa_handler = count_signal};
    char *well[] = {"/bin/true", NULL};
    char *badly[] = {"/bin/false", NULL};
    char *nowhere[] = {"/nowhere/program", NULL};
    char *late[] = {"/bin/sleep", "60", NULL};

    sigaction(SIGCHLD, &action, NULL);
    cr_assert_eq(mw_child_run(well, 10, &diagnostic), MW_OK, "%s", diagnostic.what);
    cr_assert_eq(mw_child_run(badly, 10, &diagnostic), MW_ERROR_SYSTEM);
    cr_assert_neq(strstr(diagnostic.what, "failed"), NULL);
    cr_assert_eq(mw_child_run(nowhere, 10, &diagnostic), MW_ERROR_SYSTEM);
    cr_assert_neq(strstr(diagnostic.what, "can't be run"), NULL);
    cr_assert_eq(mw_child_run(late, 1, &diagnostic), MW_ERROR_SYSTEM);
    cr_assert_neq(strstr(diagnostic.what, "more than 1 s"), NULL);
    cr_assert_eq(signals, 0);
    cr_assert_eq(waitpid(-1, NULL, WNOHANG), -1);
    cr_assert_eq(waitpid(-1, NULL, WNOHANG | __WALL), -1);
}
