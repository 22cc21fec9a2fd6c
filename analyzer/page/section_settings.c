/* What was recorded, on what, and how. */
#include "analyzer/analysis/summary.h"
#include "analyzer/page/html.h"
#include "analyzer/page/sections.h"
#include "analyzer/report/recorded_on.h"

static void put_setting(const char *name, const char *value, FILE *out)
{
    fputs("<dt>", out);
    mwa_html_text(name, 80, out);
    fputs("</dt><dd class=\"mono\">", out);
    mwa_html_text(value[0] ? value : "\xe2\x80\x93", 0, out);
    fputs("</dd>\n", out);
}

static void put_list(const char *heading, FILE *out)
{
    fprintf(out, "<h3>%s</h3>\n<dl class=\"settings\">\n", heading);
}

void mwa_section_settings(struct mwa_page *page)
{
    const struct mwa_trace *trace = page->results->trace;
    char started[MWA_STARTED_BYTES];
    FILE *out = page->out;

    fputs("<dl class=\"settings\">\n", out);
    put_setting("program", trace->program, out);
    put_setting("archive", page->results->path, out);
    if (mwa_started(trace, started)) {
        put_setting("started", started, out);
    }
    put_setting("written by", trace->creator, out);
    if (trace->mpi_library) {
        put_setting("MPI", trace->mpi_library, out);
    }
    fputs("</dl>\n", out);
    if (trace->circumstance_count > 0) {
        put_list("Recorded on", out);
        mwa_recorded_on(trace, put_setting, out);
        fputs("</dl>\n", out);
    }
    if (trace->setting_count > 0) {
        put_list("Settings of the recorder", out);
        for (uint64_t i = 0; i + 1 < trace->setting_count; i += 2) {
            put_setting(trace->settings[i], trace->settings[i + 1], out);
        }
        fputs("</dl>\n", out);
    }
}
