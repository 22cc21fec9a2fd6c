/* Events are read for those views alone that need them: the others cost what a look costs. */
#include "analyzer/live/live_watch.h"

#include <stdlib.h>

#include "analyzer/live/live_tables.h"
#include "analyzer/model/text_stream.h"
#include "analyzer/table/layout.h"

#define PERCENT_OF_SECOND 10000000u /* ns */

enum mw_status mwa_live_watch_init(struct mwa_live_watch *watch, struct mwa_live *live,
                                   struct mw_diagnostic *diagnostic)
{
    *watch = (struct mwa_live_watch){.live = live, .lines = mwa_live_lines_create()};
    return watch->lines ? MW_OK : mw_no_memory(diagnostic, NULL, "to watch the run");
}

void mwa_live_watch_fini(struct mwa_live_watch *watch)
{
    mwa_live_lines_destroy(watch->lines);
    mwa_live_detail_destroy(watch->detail);
    mwa_live_detail_destroy(watch->asked);
}

enum mwa_live_reading mwa_live_watch_needs(const struct mwa_live_screen *screen)
{
    return screen->with_events              ? MWA_LIVE_READS_WAITS
           : screen->view != MWA_LIVE_RANKS ? MWA_LIVE_READS_EVENTS
                                            : MWA_LIVE_READS_COUNTS;
}

/* Whether others tell of the run, who tell of events what they are asked for. */
static bool is_told(const struct mwa_live_watch *watch)
{
    return watch->live->host_count > 0;
}

static enum mw_status read_events(struct mwa_live_watch *watch, enum mwa_live_reading reading,
                                  uint32_t seconds, struct mw_diagnostic *diagnostic)
{
    const uint64_t share = (uint64_t)seconds * MWA_LIVE_READING_PERCENT * PERCENT_OF_SECOND;
    enum mw_status status;

    if (reading == MWA_LIVE_READS_WAITS && !watch->has_waits) {
        mwa_live_detail_destroy(watch->detail);
        watch->detail = NULL;
        watch->has_waits = true;
    }
    if (!watch->detail) {
        watch->detail = mwa_live_detail_create(
            watch->live, watch->has_waits ? MWA_LIVE_WAITING : MWA_LIVE_RESULTS);
    }
    if (!watch->detail) {
        return mw_no_memory(diagnostic, NULL, "to read what the run does");
    }
    status = mwa_live_detail_read(watch->detail, watch->live,
                                  mwa_live_is_running(watch->live) ? share : 0, diagnostic);
    return status != MW_OK || mwa_live_detail_look(watch->detail)
               ? status
               : mw_no_memory(diagnostic, NULL, "to read what the run does");
}

enum mw_status mwa_live_watch_ask(struct mwa_live_watch *watch,
                                  const struct mwa_live_detail **found,
                                  struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mwa_live_look(watch->live, diagnostic);

    if (!watch->asked) {
        watch->asked = mwa_live_detail_create(watch->live, MWA_LIVE_OUTSTANDING);
    }
    *found = watch->asked;
    if (status == MW_OK && !watch->asked) {
        status = mw_no_memory(diagnostic, NULL, "to read what the run does");
    }
    return status == MW_OK ? mwa_live_detail_read(watch->asked, watch->live, 0, diagnostic)
                           : status;
}

enum mw_status mwa_live_watch_look(struct mwa_live_watch *watch, bool is_waiting,
                                   enum mwa_live_reading reading, uint32_t seconds,
                                   struct mw_diagnostic *diagnostic)
{
    static const uint32_t wishes[] = {
        [MWA_LIVE_READS_COUNTS] = 0,
        [MWA_LIVE_READS_EVENTS] = MW_LIVE_WISH_VARIABLES,
        [MWA_LIVE_READS_WAITS] = MW_LIVE_WISH_VARIABLES | MW_LIVE_WISH_WAITS,
    };
    enum mw_status status;

    watch->live->wish = wishes[reading];
    status = mwa_live_look(watch->live, diagnostic);
    if (status != MW_OK) {
        return status;
    }
    mwa_live_lines_look(watch->lines, watch->live, is_waiting);
    return reading != MWA_LIVE_READS_COUNTS
               ? read_events(watch, reading, seconds, diagnostic)
               : MW_OK;
}

bool mwa_live_watch_goes_on(const struct mwa_live_watch *watch)
{
    return mwa_live_is_running(watch->live) ||
           (watch->detail && !mwa_live_detail_is_done(watch->detail));
}

static bool has_ranks(const struct mwa_live *live, uint32_t host)
{
    for (uint32_t i = 0; i < live->process_count; i++) {
        if (live->processes[i].teller == host) {
            return true;
        }
    }
    return false;
}

bool mwa_live_watch_is_answered(const struct mwa_live_watch *watch,
                                enum mwa_live_reading reading)
{
    const struct mwa_live *live = watch->live;

    if (!is_told(watch) || reading == MWA_LIVE_READS_COUNTS) {
        return true;
    }
    for (uint32_t i = 0; i < live->host_count; i++) {
        const struct mwa_live_host *host = &live->hosts[i];

        if (!host->is_silent && has_ranks(live, i) && (!host->has_answered ||
                                 (reading == MWA_LIVE_READS_WAITS &&
                                  host->unknown == MW_LIVE_NOT_ASKED))) {
            return false;
        }
    }
    return mwa_live_detail_share(watch->detail, live) > 0.99;
}

static enum mw_status put_table(struct mwa_live_watch *watch, const struct mwa_live_screen *screen,
                                uint32_t *rows, FILE *out, struct mw_diagnostic *diagnostic)
{
    struct mwa_live_found found;
    enum mw_status status = mwa_live_detail_find(watch->detail, watch->live, &found, diagnostic);

    if (status == MW_OK) {
        mwa_live_put_head(watch->live, screen, out);
        *rows = mwa_live_tables_put(watch->detail, &found, screen, out);
    }
    mwa_live_found_fini(&found);
    return status;
}

enum mw_status mwa_live_watch_put(struct mwa_live_watch *watch,
                                  const struct mwa_live_screen *screen, uint32_t *rows, FILE *out,
                                  struct mw_diagnostic *diagnostic)
{
    *rows = 0;
    if (screen->view != MWA_LIVE_RANKS && screen->view != MWA_LIVE_VARIABLES && is_told(watch)) {
        mwa_live_put_head(watch->live, screen, out);
        fprintf(out,
                "\n%s are read from spools: mpiwatch-top on the ranks' own host shows them.\n",
                mwa_live_view_name(screen->view));
        return MW_OK;
    }
    if (screen->view != MWA_LIVE_RANKS && watch->detail) {
        return put_table(watch, screen, rows, out, diagnostic);
    }
    *rows = mwa_live_put(watch->live, watch->detail, screen, out);
    return MW_OK;
}

enum mw_status mwa_live_watch_print(struct mwa_live_watch *watch,
                                    const struct mwa_live_screen *screen, uint32_t *rows,
                                    FILE *out, struct mw_diagnostic *diagnostic)
{
    char *text = NULL;
    size_t size = 0;
    FILE *whole = mwa_open_text(&text, &size);
    enum mw_status status = whole ? mwa_live_watch_put(watch, screen, rows, whole, diagnostic)
                                  : mw_no_memory(diagnostic, NULL, "to show the run");

    if (whole && fclose(whole) != 0 && status == MW_OK) {
        status = mw_no_memory(diagnostic, NULL, "to show the run");
    }
    if (status == MW_OK) {
        mwa_lay_out(text, size, screen->columns, out);
    }
    free(text);
    return status;
}
