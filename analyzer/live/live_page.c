/* The texts are those of the screen: what is there is said in one place. */
#include "analyzer/live/live_page.h"

#include <stdlib.h>
#include <time.h>

#include "analyzer/export/output.h"
#include "analyzer/model/text_stream.h"
#include "analyzer/table/markup.h"

#define PAGE_ROWS    200u
#define PAGE_COLUMNS 150u

static enum mw_status put_view(struct mwa_live_watch *watch, const struct mwa_live_screen *of,
                               enum mwa_live_table view, FILE *out,
                               struct mw_diagnostic *diagnostic)
{
    struct mwa_live_screen screen = *of;
    char *text = NULL;
    size_t size = 0;
    uint32_t rows;
    FILE *whole = mwa_open_text(&text, &size);
    enum mw_status status = MW_ERROR_MEMORY;

    screen.view = view;
    screen.first = 0;
    screen.rows = PAGE_ROWS;
    screen.columns = PAGE_COLUMNS;
    if (whole) {
        status = mwa_live_watch_print(watch, &screen, &rows, whole, diagnostic);
        status = fclose(whole) == 0 ? status : MW_ERROR_MEMORY;
    }
    if (status == MW_OK) {
        fprintf(out, "<h2>%s</h2>\n<pre>", mwa_live_view_name(view));
        mwa_put_markup(text, out);
        fputs("</pre>\n", out);
    }
    free(text);
    return status == MW_ERROR_MEMORY ? mw_no_memory(diagnostic, NULL, "to write the page")
                                     : status;
}

static void put_head(const struct mwa_live *live, uint32_t seconds, FILE *out)
{
    const time_t now = time(NULL);
    struct tm parts;
    char when[64] = "";

    if (localtime_r(&now, &parts)) {
        strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &parts);
    }
    fputs("<!DOCTYPE html>\n" MWA_OUTPUT_LIVE_MARK "\n<html lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\">\n",
          out);
    if (mwa_live_is_running(live)) {
        fprintf(out, "<meta http-equiv=\"refresh\" content=\"%u\">\n", (unsigned)seconds);
    }
    fprintf(out,
            "<title>mpiwatch-top</title>\n"
            "<style>:root{color-scheme:light dark}body{font-family:sans-serif;margin:1.5em}"
            "pre{overflow-x:auto;line-height:1.3}h2{font-size:1em}</style>\n</head>\n<body>\n"
            "<p>%s%s</p>\n",
            when, mwa_live_is_running(live) ? "" : ", at the end of the run");
}

enum mw_status mwa_live_page(struct mwa_live_watch *watch, const struct mwa_live_screen *screen,
                             uint32_t seconds, const char *path, struct mw_diagnostic *diagnostic)
{
    struct mwa_output output;
    enum mw_status status = mwa_output_open(&output, path, MWA_OUTPUT_LIVE_PAGE, false, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    put_head(watch->live, seconds, output.file);
    status = put_view(watch, screen, MWA_LIVE_RANKS, output.file, diagnostic);
    if (status == MW_OK && screen->view != MWA_LIVE_RANKS) {
        status = put_view(watch, screen, screen->view, output.file, diagnostic);
    }
    fputs("</body>\n</html>\n", output.file);
    return mwa_output_close(&output, status, diagnostic);
}
