/*
 * Without MPI_Finalize there is no moment at which all processes are there: the
 * one that comes last, by its line in NAME.run, finds everything on disk and
 * writes alone, as mpiwatch-recover would.
 */
#include "recorder/finalize/apart.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "formats/archive/archive.h"
#include "formats/base/scratch.h"
#include "recorder/api/user.h"
#include "recorder/finalize/ending.h"
#include "recorder/finalize/manifest.h"
#include "recorder/finalize/outcome.h"
#include "recorder/finalize/terminating.h"
#include "recorder/recorder.h"
#include "recorder/sites/resolver.h"
#include "recorder/state/own_clock.h"
#include "recorder/state/shield.h"

/* The paths of all spools, back to back with MWR_PATH_BYTES each, and pointers to them. */
struct spools {
    char *text;
    const char **paths;
};

static void spools_fini(struct spools *spools)
{
    free(spools->text);
    free(spools->paths);
}

/* False if not all of them are here, or there is no memory. */
static bool find_spools(struct spools *spools)
{
    bool found = true;

    spools->text = malloc((size_t)mwr_recorder.size * MWR_PATH_BYTES);
    spools->paths = calloc(mwr_recorder.size, sizeof *spools->paths);
    for (uint32_t rank = 0; spools->text && spools->paths && rank < mwr_recorder.size; rank++) {
        char *path = spools->text + (size_t)rank * MWR_PATH_BYTES;
        int length = snprintf(path, MWR_PATH_BYTES, "%s/mpiwatch-%016llx-%u",
                              mwr_recorder.settings.spool,
                              (unsigned long long)mwr_recorder.nonce, rank);

        spools->paths[rank] = path;
        found &= length < MWR_PATH_BYTES && access(path, R_OK | X_OK) == 0;
    }
    return spools->text && spools->paths && found;
}

static void write_archive(const struct spools *spools)
{
    char resolver[MWR_PATH_BYTES];
    struct mw_archive_job job = {
        .spools = spools->paths,
        .spool_count = mwr_recorder.size,
        .scratch = mwr_choose_scratch(),
        .output = mwr_recorder.output,
        .format = mwr_recorder.settings.format,
        .level = (int)mwr_recorder.settings.compress,
        .replace = mwr_recorder.settings.force,
        .nonce = mwr_recorder.nonce,
        .resolver = mwr_resolver_find(resolver, sizeof resolver) ? resolver : NULL,
        .paths = mwr_recorder.settings.paths,
        .site_form = mwr_recorder.settings.site_form,
    };
    struct mw_archive_result *result = calloc(1, sizeof *result);
    uint64_t began = mwr_clock();
    struct mw_diagnostic diagnostic = {0};
    struct mw_transport transport;
    char text[2048];
    char word[MWR_PATH_BYTES];
    enum mw_status status =
        result ? mw_transport_serial_init(&transport, &diagnostic) : MW_ERROR_MEMORY;

    if (status == MW_OK) {
        status = mw_archive_write(&job, &transport, result, &diagnostic);
        mw_transport_serial_fini(&transport);
    }
    if (status != MW_OK) {
        mwr_say("no archive was written: %s; next: %s",
                mw_diagnostic_text(&diagnostic, text, sizeof text),
                mwr_manifest_next(word, sizeof word));
    } else {
        for (uint32_t rank = 0; rank < mwr_recorder.size; rank++) {
            mw_remove_tree(spools->paths[rank]);
        }
        mwr_manifest_remove();
        mwr_say_success(result, began);
    }
    free(result);
}

void mwr_apart_end(void)
{
    struct spools spools = {0};
    struct mwr_shield shield;
    char word[MWR_PATH_BYTES];

    mwr_regions_leave();
    mwr_ending_tell(MW_ENDED_FINALIZE, 0);
    mwr_recorder_enter(MWR_FINISHED);
    mwr_ending_close();
    if (!mwr_manifest_note_last()) {
        return;
    }
    mwr_shield_raise(&shield);
    if (find_spools(&spools)) {
        write_archive(&spools);
    } else {
        mwr_say("all processes have ended, their spools lie on several hosts; next: %s",
                mwr_manifest_next(word, sizeof word));
    }
    mwr_shield_lower(&shield);
    spools_fini(&spools);
    mwr_terminating_finish();
}
