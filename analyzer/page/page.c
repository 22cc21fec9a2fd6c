#include "analyzer/page/page.h"

#include <string.h>

#include "analyzer/export/output.h"
#include "analyzer/page/page_table.h"
#include "analyzer/table/state_looks.h"

#include "analyzer/page/sources.inc"

/* The sources end with a zero. */
static const char *source(const unsigned char *bytes)
{
    return (const char *)bytes;
}

static void put_style(struct mwa_page *page)
{
    fputs(":root {", page->out);
    for (unsigned i = 0; i < MWA_LOCATION_STATES; i++) {
        fprintf(page->out, " --%s: ", mwa_state_looks[i].key);
        mwa_put_colour(&mwa_state_looks[i].colour, page->out);
        putc(';', page->out);
    }
    fputs(" }\n", page->out);
    fputs(source(page_css), page->out);
}

static void put_script(struct mwa_page *page)
{
    fputs(source(marks_js), page->out);
    fputs(source(page_js), page->out);
    fputs(source(tables_js), page->out);
    fputs(source(closeups_js), page->out);
}

static void put_script_hash(struct mwa_page *page)
{
    fputs(script_hash, page->out);
}

void mwa_section_formulas(struct mwa_page *page)
{
    fputs(source(formulas_html), page->out);
}

static void put_extent(struct mwa_page *page)
{
    fprintf(page->out, "data-from=\"%lld\" data-to=\"%lld\"", (long long)page->from_ns,
            (long long)page->to_ns);
}

static const struct mwa_section sections[] = {
#define SECTION(name, needs, menu, heading, ...) { #name, menu, heading, __VA_ARGS__ },
#include "analyzer/analysis/analyses.def"
};

#define SECTIONS  (sizeof sections / sizeof sections[0])
#define ROWS_OPEN 15u /* in sight at once */
#define ROWS_MOST 40u /* of a table that is a section */

static bool is_there(const struct mwa_page *page, const struct mwa_section *section)
{
    return !section->is_there || section->is_there(page->results);
}

bool mwa_section_has_functions(const struct mwa_results *results)
{
    return results->trace->sampled.rate_hz > 0;
}

bool mwa_section_has_other_threads(const struct mwa_results *results)
{
    return results->other_functions.threads > 0;
}

void mwa_page_put_menu(struct mwa_page *page, const struct mwa_section *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_there(page, &list[i])) {
            continue;
        }
        fprintf(page->out, "<li><a href=\"#%s\">%s</a></li>\n", list[i].name, list[i].menu);
    }
}

void mwa_page_put_sections(struct mwa_page *page, const struct mwa_section *list, size_t count)
{
    for (size_t i = 0; i < count && page->status == MW_OK; i++) {
        const struct mwa_section *section = &list[i];

        if (!is_there(page, section)) {
            continue;
        }
        fprintf(page->out,
                "<section id=\"%s\" aria-labelledby=\"h-%s\">\n<h2 id=\"h-%s\">%s</h2>\n",
                section->name, section->name, section->name, section->heading);
        if (section->put) {
            section->put(page);
        } else {
            mwa_page_table(page, section->of, section->table, ROWS_OPEN, ROWS_MOST, NULL);
        }
        fputs("</section>\n", page->out);
    }
}

static void put_menu(struct mwa_page *page)
{
    mwa_page_put_menu(page, sections, SECTIONS);
}

static void put_sections(struct mwa_page *page)
{
    mwa_page_put_sections(page, sections, SECTIONS);
}

static const struct mwa_placeholder of_all[] = { { "style", put_style },
                                                 { "script-hash", put_script_hash },
                                                 { "script", put_script } };

static const struct mwa_placeholder of_report[] = { { "title", mwa_section_title },
                                                    { "extent", put_extent },
                                                    { "header", mwa_section_header },
                                                    { "menu", put_menu },
                                                    { "sections", put_sections },
                                                    { "footer", mwa_section_footer },
                                                    { "data", mwa_section_data } };

static void put_placeholder(struct mwa_page *page, const struct mwa_placeholder *placeholders,
                            size_t count, const char *name, size_t bytes)
{
    for (size_t i = 0; i < count; i++) {
        if (strlen(placeholders[i].name) == bytes &&
            memcmp(placeholders[i].name, name, bytes) == 0) {
            placeholders[i].put(page);
        }
    }
}

void mwa_page_expand(struct mwa_page *page, const struct mwa_placeholder *placeholders,
                     size_t count)
{
    const char *text = source(page_html), *begin, *end;

    while (page->status == MW_OK && (begin = strstr(text, "{{")) != NULL &&
           (end = strstr(begin, "}}")) != NULL) {
        const size_t bytes = (size_t)(end - begin) - 2;

        fwrite(text, 1, (size_t)(begin - text), page->out);
        put_placeholder(page, of_all, sizeof of_all / sizeof of_all[0], begin + 2, bytes);
        put_placeholder(page, placeholders, count, begin + 2, bytes);
        text = end + 2;
    }
    fputs(text, page->out);
}

enum mw_status mwa_page_write(const struct mwa_results *results, FILE *out,
                              struct mw_diagnostic *diagnostic)
{
    struct mwa_page page = {
        .results = results,
        .out = out,
        .from_ns = mwa_trace_since_begin(results->trace, results->profile.run_from_ticks),
        .to_ns = mwa_trace_since_begin(results->trace, results->profile.run_to_ticks)
    };

    mwa_summarize_run(&results->profile, &page.run);
    mwa_page_expand(&page, of_report, sizeof of_report / sizeof of_report[0]);
    return page.status == MW_OK ? MW_OK
                                : mw_fail(diagnostic, page.status, "", MW_DIAGNOSTIC_OFFSET_NONE,
                                          "no memory for the page");
}

enum mw_status mwa_page_write_file(const struct mwa_results *results, const char *path,
                                   bool force, struct mw_diagnostic *diagnostic)
{
    struct mwa_output output;
    enum mw_status status = mwa_output_open(&output, path, MWA_OUTPUT_PAGE, force, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    status = mwa_page_write(results, output.file, diagnostic);
    return mwa_output_close(&output, status, diagnostic);
}
