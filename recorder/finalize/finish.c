/*
 * From the barrier on, every rank takes each step, also one that has failed or has
 * no spool: a step left out would be a hang elsewhere. Spools go last, and only
 * when all agree that the archive is whole.
 */
#include "recorder/finalize/finish.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "formats/archive/archive.h"
#include "formats/spool/spool_info.h"
#include "recorder/api/user.h"
#include "recorder/dispatch/chain.h"
#include "recorder/finalize/dying.h"
#include "recorder/finalize/ending.h"
#include "recorder/finalize/hosts.h"
#include "recorder/finalize/manifest.h"
#include "recorder/finalize/outcome.h"
#include "recorder/finalize/stack_room.h"
#include "recorder/finalize/terminating.h"
#include "recorder/finalize/transport_mpi.h"
#include "recorder/hooks/clock_renewal.h"
#include "recorder/hooks/completion.h"
#include "recorder/recorder.h"
#include "recorder/sites/resolver.h"
#include "recorder/state/own_clock.h"
#include "recorder/state/requests.h"
#include "recorder/state/shield.h"
#include "recorder/variables/variables.h"

static void remove_spool(void)
{
    char path[MWR_PATH_BYTES + 32];

    if (!mwr_recorder.spool[0]) {
        return;
    }
    for (uint32_t i = 0; i < mwr_recorder.stream_count; i++) {
        snprintf(path, sizeof path, "%s/%u.events", mwr_recorder.spool, i);
        unlink(path);
        snprintf(path, sizeof path, "%s/%u.filtered", mwr_recorder.spool, i);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/definitions", mwr_recorder.spool);
    unlink(path);
    snprintf(path, sizeof path, "%s/" MW_SPOOL_TERMINATED, mwr_recorder.spool);
    unlink(path);
    rmdir(mwr_recorder.spool);
}

/* The calls that a spool held which is gone. */
static uint64_t count_calls(void)
{
    uint64_t calls = 0;

    pthread_mutex_lock(&mwr_recorder.lock);
    for (const struct mwr_stream *stream = mwr_recorder.streams; stream;
         stream = stream->following) {
        calls += stream->spool.lost + stream->spool.calls;
    }
    pthread_mutex_unlock(&mwr_recorder.lock);
    return calls;
}

/*
 * A process whose spool somebody has removed has none: the others' archive is made without it.
 * \return the calls that are gone.
 */
static uint64_t give_up_lost_spool(void)
{
    uint64_t calls = 0;

    if (mwr_recorder.definitions &&
        !mw_definition_writer_is_there(mwr_recorder.definitions)) {
        calls = count_calls();
        mwr_say("rank %u: its spool in %s is gone, and with it %" PRIu64 " calls, which are LOST",
                mwr_recorder.rank, mwr_recorder.spool, calls);
        remove_spool();
        mwr_recorder.spool[0] = '\0';
    }
    return calls;
}

/*
 * The definitions' last records; nothing more is written into the spool afterwards. \return the
 * calls of a spool that is gone.
 */
static uint64_t close_process(const struct mw_transport *transport)
{
    uint64_t gone;
    struct mw_diagnostic diagnostic = {0};
    char text[2048];

    if (mwr_hosts_measure_clocks(transport, &diagnostic) != MW_OK) {
        mwr_say("clocks not compared: %s", mw_diagnostic_text(&diagnostic, text, sizeof text));
    }
    mwr_ending_tell(MW_ENDED_FINALIZE, 0);
    gone = give_up_lost_spool();
    mwr_ending_close();
    return gone;
}

/* What a rank knows of a failure. */
struct failure {
    struct mw_diagnostic diagnostic;
    bool has_spool;
};

/* What is left, and what to do with it: nothing where no rank has a spool. */
static void say_remains(const char *why, uint32_t spools)
{
    char words[MWR_PATH_BYTES];

    if (spools == 0) {
        mwr_say("no archive was written: no rank has a spool");
        mwr_manifest_remove();
    } else if (mwr_recorder.spool[0]) {
        mwr_say("no archive was written: %s; the spools stay in %s (mpiwatch-%016llx-<rank>); "
                "next: %s",
                why, mwr_recorder.settings.spool, (unsigned long long)mwr_recorder.nonce,
                mwr_manifest_next(words, sizeof words));
    } else {
        mwr_manifest_next(words, sizeof words);
        mwr_say("no archive was written: %s; the spools of %u other ranks stay%s%s", why, spools,
                words[0] ? "; next: " : "", words);
    }
}

/* Rank 0 says why there is no archive: the lowest rank that knows tells the reason. */
static void say_failure(const struct mw_transport *transport, enum mw_status status,
                        const struct mw_diagnostic *diagnostic)
{
    struct failure mine = {*diagnostic, mwr_recorder.spool[0] != '\0'};
    struct mw_parts parts = {0};
    uint32_t spools = mine.has_spool;
    bool is_known = false;
    char text[2048];

    mine.diagnostic.rank = (int)mwr_recorder.rank;
    mine.diagnostic.status = status;
    mw_diagnostic_text(&mine.diagnostic, text, sizeof text);
    if (transport->gather(transport->context, &mine, sizeof mine, &parts, NULL) != MW_OK) {
        parts.count = 0;
    }
    for (uint32_t i = 0; transport->rank == 0 && i < parts.count; i++) {
        struct failure theirs;
        const struct mw_diagnostic *said = &theirs.diagnostic;

        memcpy(&theirs, parts.parts[i], sizeof theirs);
        spools += i > 0 && theirs.has_spool;
        if (!is_known && said->status != MW_ERROR_PEER && said->status != MW_OK &&
            said->what[0]) {
            mw_diagnostic_text(said, text, sizeof text);
            is_known = true;
        }
    }
    if (transport->rank == 0) {
        say_remains(text, spools);
    }
    mw_parts_fini(&parts);
}

static void write_archive(const struct mw_transport *transport, struct mwr_dying *dying,
                          uint64_t gone, uint64_t began)
{
    const char *spool = mwr_recorder.spool;
    char resolver[MWR_PATH_BYTES];
    struct mw_archive_job job = {
        .spools = &spool,
        .spool_count = spool[0] ? 1 : 0,
        .scratch = mwr_choose_scratch(),
        .output = mwr_recorder.output,
        .format = mwr_recorder.settings.format,
        .level = (int)mwr_recorder.settings.compress,
        .replace = mwr_recorder.settings.force,
        .nonce = mwr_recorder.nonce,
        .rank = mwr_recorder.rank,
        .gone = gone,
        .resolver = mwr_resolver_find(resolver, sizeof resolver) ? resolver : NULL,
        .paths = mwr_recorder.settings.paths,
        .site_form = mwr_recorder.settings.site_form,
    };
    struct mw_archive_result *result = calloc(1, sizeof *result);
    struct mw_diagnostic diagnostic = {0};
    enum mw_status status = result ? mwr_stack_reserve(&diagnostic) : MW_ERROR_MEMORY;
    enum mw_status worst = MW_OK;

    if (transport->agree(transport->context, status, &worst, &diagnostic) == MW_OK &&
        worst == MW_OK) {
        status = mw_archive_write(&job, transport, result, &diagnostic);
    }
    if (transport->agree(transport->context, status, &worst, NULL) != MW_OK || worst != MW_OK) {
        say_failure(transport, status, &diagnostic);
    } else {
        mwr_dying_point(dying);
        remove_spool();
        mwr_dying_point(dying);
        if (transport->rank == 0) {
            mwr_manifest_remove();
            mwr_say_success(result, began);
        }
    }
    free(result);
}

void mwr_finish(struct mwr_call *call)
{
    struct mwr_mpi_transport state;
    struct mw_transport transport;
    struct mwr_shield shield;
    struct mwr_dying dying;
    uint64_t began;
    uint64_t gone;

    mwr_shield_raise(&shield);
    mwr_thread.is_own = true;
    mwr_variables_finish(call);
    mwr_running_finish_in(call);
    mwr_free_kept(call);
    MWR_PMPI(Barrier)(mwr_recorder.comm);
    mwr_call_end(call);
    began = mwr_clock();
    mwr_recorder_enter(MWR_FINISHED);
    mwr_chain_bypass();
    mwr_thread.recording = NULL;
    mwr_regions_leave();
    mwr_requests_let_go(); /* the archive's writer has a table of its own */
    mwr_transport_mpi_init(&transport, &state, mwr_recorder.comm);
    mwr_dying_wrap(&dying, &transport);
    mwr_renewal_finish();
    gone = close_process(&transport);
    write_archive(&transport, &dying, gone, began);
    MWR_PMPI(Comm_free)(&mwr_recorder.comm);
    mwr_thread.is_own = false;
    mwr_shield_lower(&shield);
    mwr_terminating_finish();
}
