/* What the run left undone, or did otherwise on one rank: the sentences, and what they are of. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/model/text_stream.h"
#include "analyzer/page/html.h"
#include "analyzer/page/page_table.h"
#include "analyzer/report/text.h"

#define SENTENCES_MAX 20u
#define ROWS_OPEN     15u
#define ROWS_MAX      200u

bool mwa_section_has_mistakes(const struct mwa_results *results)
{
    return results->mistakes.count > 0 || results->call_errors.count > 0;
}

/* The sentences, a line each, errors behind mistakes, to be freed; null: no memory. */
static char *sentences_of(const struct mwa_results *results)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = mwa_open_text(&text, &bytes);
    bool is_whole = memory != NULL;

    for (uint64_t i = 0; memory && i < results->mistakes.count && i < SENTENCES_MAX; i++) {
        mwa_text_mistake(results->trace, &results->mistakes.list[i], memory);
    }
    for (uint64_t i = 0; memory && i < results->call_errors.count && i < SENTENCES_MAX; i++) {
        mwa_text_call_error(results->trace, &results->call_errors.list[i], memory);
    }
    if (memory) {
        is_whole = fclose(memory) == 0;
    }
    if (!is_whole) {
        free(text);
    }
    return is_whole ? text : NULL;
}

void mwa_section_mistakes(struct mwa_page *page)
{
    char *text = sentences_of(page->results), *rest = text, *sentence;

    if (!text) {
        page->status = MW_ERROR_MEMORY;
        return;
    }
    fputs("<ul>\n", page->out);
    while ((sentence = strsep(&rest, "\n")) && *sentence) {
        fputs("<li>", page->out);
        mwa_html_text(sentence, 0, page->out);
        fputs("</li>\n", page->out);
    }
    fputs("</ul>\n", page->out);
    free(text);
    if (page->results->mistakes.count > 0) {
        mwa_page_table(page, NULL, &mwa_mistakes_table, ROWS_OPEN, ROWS_MAX, NULL);
    }
    if (page->results->call_errors.count > 0) {
        mwa_page_table(page, NULL, &mwa_call_errors_table, ROWS_OPEN, ROWS_MAX, NULL);
    }
}
