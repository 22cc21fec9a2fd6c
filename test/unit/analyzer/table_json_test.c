#include <criterion/criterion.h>
#include <stdlib.h>

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
