/* That lack of memory is seen; that it ends mpiwatch-analyze is for the system tests. */
#include "analyzer/model/shortage.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "analyzer/model/text_stream.h"

Test(shortage, is_seen_from_when_it_is_watched)
{
    cr_expect_not(mwa_shortage_seen());
    mwa_shortage_note();
    cr_expect_eq(mwa_shortage_count(), 1);
    cr_expect_not(mwa_shortage_seen());
    mwa_shortage_watch();
    cr_expect_not(mwa_shortage_seen());
    mwa_shortage_note();
    cr_expect(mwa_shortage_seen());
    mwa_shortage_watch();
    cr_expect_not(mwa_shortage_seen());
    cr_expect_eq(mwa_shortage_count(), 2);
}

Test(text_stream, has_all_that_was_printed)
{
    char *text;
    size_t size;
    FILE *file = mwa_open_text(&text, &size);

    cr_assert_not_null(file);
    for (unsigned i = 0; i < 10000; i++) {
        cr_assert_eq(ftell(file), 5 * (long)i);
        fprintf(file, "%04u,", i);
    }
    cr_expect_eq(fclose(file), 0);
    cr_assert_eq(size, 50000);
    cr_expect_eq(text[0], '0');
    cr_expect_str_eq(text + 49990, "9998,9999,");
    free(text);
}

Test(text_stream, of_nothing_is_an_empty_text)
{
    char *text;
    size_t size;
    FILE *file = mwa_open_text(&text, &size);

    cr_assert_not_null(file);
    cr_expect_eq(fclose(file), 0);
    cr_expect_eq(size, 0);
    cr_expect_str_eq(text, "");
    free(text);
}
