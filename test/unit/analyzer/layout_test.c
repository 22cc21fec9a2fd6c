#include "analyzer/table/layout.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/table/line.h"

static char *laid_out(const char *text, unsigned columns)
{
    char *shown = NULL;
    size_t size;
    FILE *out = open_memstream(&shown, &size);

    mwa_lay_out(text, strlen(text), columns, out);
    fclose(out);
    return shown;
}

static void expect_text(const char *text, unsigned columns, const char *wanted)
{
    char *shown = laid_out(text, columns);

    cr_expect_str_eq(shown, wanted, "of %u columns:\n%s", columns, shown);
    free(shown);
}

/* Titles and rows of 8 + 1 + 30 + 6 columns. */
#define TABLE                                                                                      \
    MWA_CELL "0    time " MWA_CELL "Aplace                         " MWA_CELL "3 count\n"          \
    MWA_ROW_CELL "    1 ns " MWA_ROW_CELL "solver.cpp:1234               " MWA_ROW_CELL "     7\n" \
    "      a note\n"                                                                               \
    MWA_ROW_CELL "   20 ns " MWA_ROW_CELL "a_file_with_a_long_name.c:9   " MWA_ROW_CELL "  1000\n"

Test(layout, of_a_table_that_fits_is_as_it_was)
{
    expect_text(TABLE, 45,
                "    time place                          count\n"
                "    1 ns solver.cpp:1234                    7\n"
                "      a note\n"
                "   20 ns a_file_with_a_long_name.c:9     1000\n");
}

/* 5 + 2 + 27 + 2 + 5 columns are used. */
Test(layout, leaves_out_blanks_first)
{
    expect_text(TABLE, 41,
                " time  place                        count\n"
                " 1 ns  solver.cpp:1234                  7\n"
                "      a note\n"
                "20 ns  a_file_with_a_long_name.c:9   1000\n");
}

Test(layout, cuts_long_text_in_the_middle_before_columns_are_left_out)
{
    expect_text(TABLE, 40,
                " time  place                       count\n"
                " 1 ns  solver.cpp:1234                 7\n"
                "      a note\n"
                "20 ns  a_file_with_…long_name.c:9   1000\n");
}

/* 17 columns are before " via ", and the library has 14. Less than three letters of it are none.
 * The number of others goes next; only then the middle is cut. */
Test(layout, leaves_the_library_out_before_the_programs_line_that_leads_there)
{
    static const struct {
        size_t columns;
        const char *shown;
    } expected[] = { { 36, "a.c:31 and 2 more via libhdf5.so.103" },
                     { 35, "a.c:31 and 2 more via libhdf5.so.1…" },
                     { 26, "a.c:31 and 2 more via lib…" },
                     { 25, "a.c:31 and 2 more…" },
                     { 18, "a.c:31 and 2 more…" },
                     { 17, "a.c:31 and 2 more" },
                     { 16, "a.c:31…" },
                     { 6, "a.c:31" },
                     { 5, "a.…31" } };

    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        struct mwa_line line = {.length = 0};

        mwa_line_add_name(&line, "a.c:31 and 2 more via libhdf5.so.103", expected[i].columns);
        cr_expect_str_eq(line.text, expected[i].shown);
    }
}

/* Names have 20 columns at least, with which it would have 5 + 2 + 20 + 2 + 5 = 34. */
Test(layout, leaves_out_columns_and_says_so)
{
    expect_text(TABLE, 33,
                " time  place\n"
                " 1 ns  solver.cpp:1234\n"
                "      a note\n"
                "20 ns  a_file_with_…long_name.c:9\n"
                "not shown: count; --width=45 has\n"
                "  all\n");
}

Test(layout, breaks_lines_below_the_value_of_a_name)
{
    expect_text("MPI        one two three four\n", 20,
                "MPI        one two\n           three\n           four\n");
    expect_text("  one two three four five\n", 14, "  one two\n    three four\n    five\n");
}

Test(layout, breaks_neither_words_nor_commands)
{
    expect_text("within /a/long/path/to/some/file.c of it\n", 12,
                "within\n  /a/long/path/to/some/file.c\n  of it\n");
    expect_text(MWA_WHOLE "  -> mpiwatch-analyze waits FILE\n", 12,
                "  -> mpiwatch-analyze waits FILE\n");
}

Test(layout, counts_characters_and_no_colours)
{
    expect_text("\033[1m\xc3\xa4\xc3\xb6\xc3\xbc \xc3\x9f\033[0m\n", 5,
                "\033[1m\xc3\xa4\xc3\xb6\xc3\xbc \xc3\x9f\033[0m\n");
}

/* Two lines of 100 columns are three of 80; what is too long for them ends with an ellipsis. */
Test(layout, of_a_limited_line_has_as_many_lines_more_as_the_screen_is_narrow)
{
    char line[700] = "\0352verdict  ";
    char *shown;
    unsigned lines = 0;

    for (unsigned i = 0; i < 100; i++) {
        strcat(line, " word");
    }
    strcat(line, "\n");
    shown = laid_out(line, 80);
    for (const char *at = shown; *at; at++) {
        lines += *at == '\n';
    }
    cr_expect_eq(lines, 3, "%u lines:\n%s", lines, shown);
    cr_expect(strstr(shown, "\n           word") == NULL);
    cr_expect(strstr(shown, "\n          word"));
    cr_expect(strstr(shown, " \xe2\x80\xa6\n"));
    free(shown);
}

Test(layout, moves_a_cell_below_its_row)
{
    const char *text = MWA_CELL "Aname" MWA_CELL_BELOW "\n" MWA_ROW_CELL "a   " MWA_ROW_CELL
                       " what is said of it\n" MWA_ROW_CELL "b   " MWA_ROW_CELL "\n";

    expect_text(text, 30, "name\na    what is said of it\nb\n");
    expect_text(text, 20, "name\na\n      what is said\n        of it\nb\n");
}
