#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/table/meanings.h"
#include "analyzer/table/table.h"
#include "analyzer/table/tables.h"
#include "test/data/archives.h"
#include "test/unit/analyzer/archive_fixture.h"

static struct fixture fixture;

static const json_t *ranks_of(const json_t *document)
{
    return json_object_get(json_object_get(document, "ranks"), "ranks");
}

/* What was left out of a list; UINT64_MAX: that was not said. */
static uint64_t left_out_of(const struct mwa_json_cut *cut, const json_t *list)
{
    for (uint64_t i = 0; i < cut->count; i++) {
        if (cut->lists[i].list == list) {
            return cut->lists[i].rows;
        }
    }
    return UINT64_MAX;
}

/* Two ranks. */
Test(table_json, of_a_list_that_is_cut_the_first_rows_are_made_and_all_others_counted)
{
    json_t *whole, *document;
    struct mwa_json_cut cut = { .most = 1 };

    fixture_open(&fixture, make_plain);
    whole = mwa_document_json(&mwa_report_document, &fixture.results);
    document = mwa_document_json_cut(&mwa_report_document, &fixture.results, &cut);
    cr_assert_eq(json_array_size(ranks_of(whole)), 2);
    cr_assert_eq(json_array_size(ranks_of(document)), 1);
    cr_expect(json_equal(json_array_get(ranks_of(document), 0),
                         json_array_get(ranks_of(whole), 0)));
    cr_expect_eq(left_out_of(&cut, ranks_of(document)), 1);
    json_decref(whole);
    json_decref(document);
    free(cut.lists);
    fixture_close(&fixture);
}

Test(table_json, lists_that_are_short_enough_are_as_ever)
{
    json_t *whole, *document;
    struct mwa_json_cut cut = { .most = 1000 };

    fixture_open(&fixture, make_plain);
    whole = mwa_document_json(&mwa_report_document, &fixture.results);
    document = mwa_document_json_cut(&mwa_report_document, &fixture.results, &cut);
    cr_expect(json_equal(whole, document));
    cr_expect_eq(cut.count, 0);
    json_decref(whole);
    json_decref(document);
    free(cut.lists);
    fixture_close(&fixture);
}

/* --- descriptions ----------------------------------------------------------------------------- */

/* Whether a description begins with words, and not with the unit or with why there is a null. */
static bool has_meaning(const json_t *schema)
{
    const char *text = json_string_value(json_object_get(schema, "description"));
    bool is_unit = false;

    for (unsigned unit = 0; text && unit <= MWA_RATIO; unit++) {
        const char *name = mwa_unit_name(unit);
        const size_t length = name ? strlen(name) : 0;

        is_unit |= name && strncmp(text, name, length) == 0 &&
                   (text[length] == '\0' || text[length] == ';');
    }
    return text && !is_unit && strncmp(text, "null: ", 6) != 0;
}

/* The longest end of the way counts, and ends only where a key does. */
Test(table_json, a_key_means_what_the_longest_row_of_it_says)
{
    cr_expect_str_eq(mwa_meaning("sites.sites.line"), "line in file, from 1 on");
    cr_expect_str_eq(mwa_meaning("compare.lines.line"), "by run, the line in file, from 1 on");
    cr_expect_null(mwa_meaning("sites.sites.outline"));
}

static const struct mwa_column unnamed_columns[] = {
    { "never_described", .unit = MWA_NS, .kind = MWA_NUMBER, .unknown = "it is a test" }
};
static const struct mwa_table unnamed = { .shape = MWA_ROW, .schema = "mpiwatch-unnamed/1",
                                          MWA_COLUMNS(unnamed_columns) };

Test(table_json, what_a_key_without_a_row_is_told_of_is_seen_to_be_no_meaning)
{
    json_t *schema = mwa_table_schema(&unnamed);
    const json_t *key = json_object_get(json_object_get(schema, "properties"), "never_described");

    cr_expect_str_eq(json_string_value(json_object_get(key, "description")),
                     "ns; null: it is a test");
    cr_expect_not(has_meaning(key));
    json_decref(schema);
}
