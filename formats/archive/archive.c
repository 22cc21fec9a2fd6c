#include "formats/archive/archive.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "formats/archive/archive_steps.h"

/*
 * The steps of writing an archive. All processes walk through them together and agree
 * after each whether to go on, so that a failure anywhere ends all in the same way. A
 * step either speaks to the others or may fail on its own, never both.
 */
static const struct {
    const char *name;
    enum mw_status (*take)(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic);
} steps[] = {
    {"look", mw_step_look},                     /* at the own spools */
    {"gather summaries", mw_step_gather},       /* speaks */
    {"plan", mw_step_plan},                     /* rank 0 */
    {"broadcast plan", mw_step_broadcast_plan}, /* speaks */
    {"begin", mw_step_begin},                   /* scratch and output */
    {"join", mw_step_join},
    {"replay", mw_step_replay},                /* spools to events, events packed */
    {"combine definitions", mw_step_combine},  /* speaks */
    {"merge", mw_step_merge},                  /* rank 0 */
    {"ask", mw_step_ask},                      /* rank 0: who knows the lines of calls? */
    {"send questions", mw_step_send_questions}, /* speaks */
    {"look up", mw_step_look_up},              /* those who are asked, one of a host */
    {"gather answers", mw_step_gather_answers}, /* speaks */
    {"ask again", mw_step_ask},                /* rank 0: for what is not known */
    {"send more questions", mw_step_send_questions}, /* speaks */
    {"look up more", mw_step_look_up},
    {"gather more answers", mw_step_gather_answers}, /* speaks */
    {"number", mw_step_number},                /* rank 0 */
    {"scatter", mw_step_scatter}, /* numbers of communicators and regions; speaks */
    {"define", mw_step_define}, /* definitions of locations, packed; global ones on rank 0 */
    {"collect", mw_step_collect},              /* the list of members; speaks */
    {"seal", mw_step_seal},                    /* rank 0 */
    {"write", mw_step_write},                  /* speaks */
    {"verify", mw_step_verify},
    {"publish", mw_step_publish},                   /* rank 0 */
    {"broadcast result", mw_step_broadcast_result}, /* speaks */
};

#define STEP_COUNT (sizeof steps / sizeof steps[0])

const char *mw_archive_step_name(size_t step)
{
    return step < STEP_COUNT ? steps[step].name : "end";
}

/* MW_OK if all are well; the own failure, or MW_ERROR_PEER for somebody else's. */
static enum mw_status settle(const struct mw_transport *transport, enum mw_status mine,
                             struct mw_diagnostic *diagnostic)
{
    enum mw_status worst = mine;
    enum mw_status status =
        transport->agree(transport->context, mine, &worst, mine == MW_OK ? diagnostic : NULL);

    if (mine != MW_OK) {
        return mine;
    }
    if (status != MW_OK) {
        return status;
    }
    return worst == MW_OK ? MW_OK
                          : mw_fail(diagnostic, MW_ERROR_PEER, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                                    "another rank failed: %s", mw_status_name(worst));
}

static enum mw_status walk(struct mw_archiving *archiving, struct mw_diagnostic *diagnostic)
{
    enum mw_status status = MW_OK;

    for (size_t i = 0; status == MW_OK && i < STEP_COUNT; i++) {
        status = steps[i].take(archiving, diagnostic);
        status = settle(archiving->transport, status, diagnostic);
    }
    return status;
}

/*
 * A file that outgrows RLIMIT_FSIZE raises SIGXFSZ, which would kill the program that
 * this runs in; blocked, the write fails with EFBIG, and the signal is taken off again.
 */
static void block_file_size_signal(sigset_t *previous)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &set, previous);
}

static void restore_file_size_signal(const sigset_t *previous)
{
    static const struct timespec at_once = {0, 0};
    sigset_t set;

    if (!sigismember(previous, SIGXFSZ)) {
        sigemptyset(&set);
        sigaddset(&set, SIGXFSZ);
        while (sigtimedwait(&set, NULL, &at_once) == SIGXFSZ) {
        }
    }
    pthread_sigmask(SIG_SETMASK, previous, NULL);
}

enum mw_status mw_archive_write(const struct mw_archive_job *job,
                                const struct mw_transport *transport,
                                struct mw_archive_result *result,
                                struct mw_diagnostic *diagnostic)
{
    struct mw_archiving *archiving = calloc(1, sizeof *archiving);
    sigset_t previous;
    enum mw_status status;

    block_file_size_signal(&previous);
    if (!archiving) {
        /* Too little memory even to fail in a step: tell the others in the first one. */
        status = mw_no_memory(diagnostic, NULL, "to write the archive");
        status = settle(transport, status, diagnostic);
    } else {
        archiving->job = job;
        archiving->transport = transport;
        status = walk(archiving, diagnostic);
        if (status == MW_OK) {
            *result = archiving->result;
        }
        mw_archiving_fini(archiving, status != MW_OK);
        free(archiving);
    }
    restore_file_size_signal(&previous);
    return status;
}
