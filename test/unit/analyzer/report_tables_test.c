/* How many rows of waits and calls the report has: calls made by hand. */
#include "analyzer/report/report_tables.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS = 9 };

/* The lines that are printed where there is room for so many. */
static unsigned lines_in(unsigned room, uint64_t calls)
{
    struct mwa_region region = { .name = "MPI_Send", .kind = MWA_REGION_MPI };
    struct mwa_call_row rows[CALLS];
    struct mwa_trace trace = { .rank_count = 1 };
    struct mwa_results results = { .trace = &trace,
                                   .path = "run",
                                   .profile = { .calls = rows, .call_count = calls } };
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    unsigned said;
    unsigned lines = 0;

    for (uint64_t i = 0; i < CALLS; i++) {
        rows[i] = (struct mwa_call_row){ .region = &region, .count = 1, .time_ns = 1000 };
    }
    said = mwa_report_tables(&results, room, out);
    fclose(out);
    for (const char *at = text; *at; at++) {
        lines += *at == '\n';
    }
    free(text);
    cr_expect_eq(said, lines, "%u for %u", said, lines);
    return lines;
}

Test(report_tables, a_screen_without_room_has_four_rows)
{
    for (unsigned room = 0; room <= 6; room++) {
        cr_expect_eq(lines_in(room, CALLS), 6, "room for %u", room);
    }
    cr_expect_eq(lines_in(7, CALLS), 7);
}

Test(report_tables, a_screen_with_room_has_six_rows)
{
    cr_expect_eq(lines_in(8, CALLS), 8);
    cr_expect_eq(lines_in(80, CALLS), 8);
}

Test(report_tables, calls_that_are_all_there_are_not_counted)
{
    cr_expect_eq(lines_in(0, 4), 5);
    cr_expect_eq(lines_in(0, 5), 6);
}
