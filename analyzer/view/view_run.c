/*
 * What watches a run is of one thread, and so is all that is asked of it: who asks leaves an errand
 * and waits until it is done. Looking goes on whether a page listens or not, since spools go with
 * the run, and numbers at its end are to be whole; it costs what mpiwatch-top --waits costs.
 */
#include "analyzer/view/view_run.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/live/live_json.h"
#include "analyzer/live/live_watch.h"
#include "analyzer/live/live_why.h"
#include "analyzer/model/text_stream.h"
#include "analyzer/table/values.h"
#include "analyzer/view/view_answers.h"
#include "analyzer/view/view_looks.h"
#include "formats/base/printable.h"
#include "formats/base/shell_word.h"

#define RUN_ENDING ".run"
#define ENDED_MS   250u /* between two looks whether there is an archive */

enum errand { NOTHING, EXPLAIN, OPEN };

struct mwa_view_run {
    const char *path; /* of FILE.run */
    const char *names[2];
    char *archive;    /* FILE */
    struct mwa_view_run_wishes wishes;
    struct mwa_live live; /* of the thread that watches, and so is */
    struct mwa_live_watch watch;
    bool has_watch;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t changes;
    struct mwa_view_looks looks;
    enum { RUNNING, ENDED, FAILED } stage;
    bool is_there;        /* the archive */
    bool is_stopping;
    bool is_over;         /* nothing is done any more that is asked for */
    enum errand errand;   /* what is to be done next; NOTHING: one may ask */
    bool is_taken;        /* somebody's errand is done: its answer waits to be fetched */
    char *told;           /* the errand's answer, JSON */
    bool has_told;        /* it was done, and did not fail */
    struct mwa_view_index *index; /* null: the archive was not opened */
    struct mw_diagnostic diagnostic;
};

bool mwa_view_is_run(const char *path)
{
    const size_t length = strlen(path);
    const size_t ending = strlen(RUN_ENDING);

    return length > ending && strcmp(path + length - ending, RUN_ENDING) == 0;
}

enum mw_status mwa_view_run_open(const char *path, const struct mwa_view_run_wishes *wishes,
                                 struct mwa_view_run **out, struct mw_diagnostic *diagnostic)
{
    struct mwa_view_run *run = *out = calloc(1, sizeof *run);
    pthread_condattr_t attributes;
    enum mw_status status;

    if (!run) {
        return mw_no_memory(diagnostic, NULL, "to watch the run");
    }
    pthread_mutex_init(&run->lock, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&run->changes, &attributes);
    pthread_condattr_destroy(&attributes);
    run->path = path;
    run->names[0] = path;
    run->wishes = *wishes;
    run->archive = strndup(path, strlen(path) - strlen(RUN_ENDING));
    if (!run->archive) {
        return mw_no_memory(diagnostic, NULL, "to watch the run");
    }
    status = mwa_live_begin(&run->live, run->names, diagnostic);
    if (status == MW_OK) {
        run->has_watch = true;
        status = mwa_live_watch_init(&run->watch, &run->live, diagnostic);
    }
    return status;
}

void mwa_view_run_close(struct mwa_view_run *run)
{
    if (!run) {
        return;
    }
    if (run->has_watch) {
        mwa_live_watch_fini(&run->watch);
    }
    mwa_live_fini(&run->live);
    mwa_view_looks_fini(&run->looks);
    mwa_view_index_close(run->index);
    pthread_cond_destroy(&run->changes);
    pthread_mutex_destroy(&run->lock);
    free(run->told);
    free(run->archive);
    free(run);
}

/* --- the thread that watches ---------------------------------------------------------------- */

static void change_stage(struct mwa_view_run *run, int stage)
{
    pthread_mutex_lock(&run->lock);
    run->stage = stage;
    pthread_mutex_unlock(&run->lock);
}

/* Looks, and keeps what that told. */
static enum mw_status look(struct mwa_view_run *run, struct mw_diagnostic *diagnostic)
{
    char *line = NULL;
    size_t bytes = 0;
    FILE *out;
    enum mw_status status = mwa_live_watch_look(&run->watch, false, MWA_LIVE_READS_WAITS,
                                                run->wishes.interval, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    out = mwa_open_text(&line, &bytes);
    if (!out) {
        return mw_no_memory(diagnostic, NULL, "to show the run");
    }
    status = mwa_live_json(&run->watch, out, diagnostic);
    if (fclose(out) != 0 && status == MW_OK) {
        status = mw_no_memory(diagnostic, NULL, "to show the run");
    }
    if (status != MW_OK) {
        free(line);
        return status;
    }
    if (bytes > 0 && line[bytes - 1] == '\n') {
        line[--bytes] = '\0';
    }
    pthread_mutex_lock(&run->lock);
    mwa_view_looks_add(&run->looks, mwa_live_time(), line, bytes);
    pthread_mutex_unlock(&run->lock);
    return MW_OK;
}

static char *sentence_json(const struct mw_diagnostic *diagnostic)
{
    char text[2048], shown[4096];
    json_t *object;
    char *json;

    mw_diagnostic_text(diagnostic, text, sizeof text);
    object = json_pack("{s:o}", "error", mwa_json_text(mw_printable(text, shown, sizeof shown)));
    json = object ? json_dumps(object, JSON_COMPACT) : NULL;
    json_decref(object);
    return json;
}

static enum mw_status explain(struct mwa_view_run *run, char **told,
                              struct mw_diagnostic *diagnostic)
{
    size_t bytes = 0;
    FILE *out = mwa_open_text(told, &bytes);
    enum mw_status status = out ? mwa_live_why_json(&run->watch, out, diagnostic)
                                : mw_no_memory(diagnostic, NULL, "to explain the run");

    if (out && fclose(out) != 0 && status == MW_OK) {
        status = mw_no_memory(diagnostic, NULL, "to explain the run");
    }
    return status;
}

/* Of a run that has ended. */
static enum mw_status open_archive(struct mwa_view_run *run, struct mwa_view_index **index,
                                   char **told, struct mw_diagnostic *diagnostic)
{
    enum mw_status status;

    *index = NULL;
    if (!run->is_there) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, run->archive, MW_DIAGNOSTIC_OFFSET_NONE,
                       "there is no archive yet");
    }
    status = mwa_view_index_open(run->archive, run->wishes.keeps, index, diagnostic);
    if (status == MW_OK && run->wishes.forgets) {
        mwa_view_index_forget(*index);
    }
    *told = status == MW_OK ? strdup("{\"opened\":true}") : NULL;
    return status;
}

/* Does what somebody has asked for; with the lock. */
static void do_errand(struct mwa_view_run *run)
{
    const enum errand errand = run->errand;
    struct mw_diagnostic diagnostic = { 0 };
    struct mwa_view_index *index = NULL;
    char *told = NULL;
    enum mw_status status;

    pthread_mutex_unlock(&run->lock);
    status = errand == EXPLAIN ? explain(run, &told, &diagnostic)
                               : open_archive(run, &index, &told, &diagnostic);
    if (status != MW_OK) {
        free(told);
        told = sentence_json(&diagnostic);
    }
    pthread_mutex_lock(&run->lock);
    run->index = index;
    run->told = told;
    run->has_told = status == MW_OK;
    run->errand = NOTHING;
    run->is_taken = true;
    pthread_cond_broadcast(&run->changes);
}

/* Does errands for so many ms; false: there is something else to be done then. */
static bool pause_for(struct mwa_view_run *run, uint64_t ms)
{
    const uint64_t until = mwa_live_time() + ms * 1000000;
    const struct timespec when = { .tv_sec = (time_t)(until / 1000000000),
                                   .tv_nsec = (long)(until % 1000000000) };
    bool goes_on;
    int waited = 0;

    pthread_mutex_lock(&run->lock);
    while (!run->is_stopping && !run->index && waited != ETIMEDOUT) {
        if (run->errand != NOTHING && !run->is_taken) {
            do_errand(run);
        } else {
            waited = pthread_cond_timedwait(&run->changes, &run->lock, &when);
        }
    }
    goes_on = !run->is_stopping && !run->index;
    pthread_mutex_unlock(&run->lock);
    return goes_on;
}

/* The recorder takes FILE.run away when FILE is whole. */
static void find_archive(struct mwa_view_run *run)
{
    const bool is_there = access(run->path, F_OK) != 0 && access(run->archive, R_OK) == 0;

    pthread_mutex_lock(&run->lock);
    run->is_there = is_there;
    pthread_mutex_unlock(&run->lock);
}

void mwa_view_run_watch(void *user)
{
    struct mwa_view_run *run = user;
    enum mw_status status;
    bool goes_on;

    do {
        status = look(run, &run->diagnostic);
        goes_on = status == MW_OK && mwa_live_watch_goes_on(&run->watch);
    } while (goes_on && pause_for(run, run->wishes.interval * UINT64_C(1000)));
    if (!goes_on) {
        change_stage(run, status == MW_OK ? ENDED : FAILED);
        do {
            find_archive(run);
        } while (pause_for(run, ENDED_MS));
    }
    pthread_mutex_lock(&run->lock);
    run->is_over = true;
    pthread_cond_broadcast(&run->changes);
    goes_on = run->index && !run->is_stopping;
    pthread_mutex_unlock(&run->lock);
    if (goes_on) {
        mwa_view_index_make(run->index);
    }
}

void mwa_view_run_stop(void *user)
{
    struct mwa_view_run *run = user;

    pthread_mutex_lock(&run->lock);
    run->is_stopping = true;
    if (run->index) {
        mwa_view_index_stop(run->index);
    }
    pthread_cond_broadcast(&run->changes);
    pthread_mutex_unlock(&run->lock);
}

/* --- those who ask --------------------------------------------------------------------------- */

static struct mwa_view_index *index_of(struct mwa_view_run *run)
{
    struct mwa_view_index *index;

    pthread_mutex_lock(&run->lock);
    index = run->index;
    pthread_mutex_unlock(&run->lock);
    return index;
}

bool mwa_view_run_has_failed(void *user, struct mw_diagnostic *diagnostic)
{
    struct mwa_view_run *run = user;
    struct mwa_view_index *index = index_of(run);
    bool has_failed;

    if (index) {
        has_failed = mwa_view_index_stage(index) == MWA_VIEW_FAILED;
        *diagnostic = has_failed ? *mwa_view_index_diagnostic(index) : *diagnostic;
        return has_failed;
    }
    pthread_mutex_lock(&run->lock);
    has_failed = run->stage == FAILED;
    *diagnostic = has_failed ? run->diagnostic : *diagnostic;
    pthread_mutex_unlock(&run->lock);
    return has_failed;
}

static void give(struct mwa_view_answer *answer, unsigned status, char *json)
{
    if (json) {
        *answer = (struct mwa_view_answer){ .status = status,
                                            .type = "application/json",
                                            .data = json,
                                            .bytes = strlen(json) };
    } else {
        *answer = (struct mwa_view_answer){ .status = 500,
                                            .type = "text/plain",
                                            .data = "There is no memory for this.",
                                            .is_static = true,
                                            .bytes = strlen("There is no memory for this.") };
    }
}

/* One errand at a time: who comes meanwhile waits. */
static void give_errand(struct mwa_view_run *run, enum errand errand,
                        struct mwa_view_answer *answer)
{
    char *told = NULL;
    bool has_told = false;

    pthread_mutex_lock(&run->lock);
    while ((run->errand != NOTHING || run->is_taken) && !run->is_over) {
        pthread_cond_wait(&run->changes, &run->lock);
    }
    if (!run->is_over) {
        run->errand = errand;
        pthread_cond_broadcast(&run->changes);
        while (!run->is_taken && !run->is_over) {
            pthread_cond_wait(&run->changes, &run->lock);
        }
        has_told = run->is_taken && run->has_told;
        told = run->is_taken ? run->told : NULL;
        run->told = NULL;
        run->is_taken = false;
        pthread_cond_broadcast(&run->changes);
    } else {
        told = strdup("{\"error\":\"The run is not watched any more.\"}");
    }
    pthread_mutex_unlock(&run->lock);
    give(answer, has_told ? 200 : 409, told);
}

static const char *archive_state(const struct mwa_view_run *run)
{
    return run->stage != ENDED ? "none" : run->is_there ? "there" : "missing";
}

static json_t *about(const struct mwa_view_run *run)
{
    const char *name = strrchr(run->archive, '/');
    char view[4400], recover[4400];

    return json_pack("{s:s,s:o,s:o,s:o,s:o,s:o,s:o}", "archive", archive_state(run), "name",
                     mwa_json_text(name ? name + 1 : run->archive), "view",
                     mwa_json_text(mw_shell_word(run->archive, "", view, sizeof view)), "recover",
                     mwa_json_text(mw_shell_word(run->path, "", recover, sizeof recover)),
                     "interval_s", mwa_json_number(run->wishes.interval), "alarm_s",
                     mwa_json_number(run->wishes.alarm), "looks_most",
                     mwa_json_number(MWA_VIEW_LOOKS_MOST));
}

static void give_looks(struct mwa_view_run *run, const struct mwa_view_question *question,
                       struct mwa_view_answer *answer)
{
    uint64_t after = 0;
    json_t *object;
    char *head, *looks, *whole = NULL;

    if (!mwa_view_argument(question, "after", &after)) {
        after = 0;
    }
    pthread_mutex_lock(&run->lock);
    object = about(run);
    looks = mwa_view_looks_after(&run->looks, after);
    pthread_mutex_unlock(&run->lock);
    head = object ? json_dumps(object, JSON_COMPACT) : NULL;
    if (head && looks && asprintf(&whole, "{\"about\":%s,\"looks\":%s}", head, looks) < 0) {
        whole = NULL;
    }
    free(looks);
    free(head);
    json_decref(object);
    give(answer, 200, whole);
}

void mwa_view_run_answer(void *user, const struct mwa_view_question *question,
                         struct mwa_view_answer *answer)
{
    struct mwa_view_run *run = user;
    struct mwa_view_index *index = index_of(run);
    const char *path = question->path;

    if (index) {
        mwa_view_answer(index, question, answer);
    } else if (strcmp(path, "/looks") == 0) {
        give_looks(run, question, answer);
    } else if (strcmp(path, "/why") == 0) {
        give_errand(run, EXPLAIN, answer);
    } else if (strcmp(path, "/open") == 0) {
        give_errand(run, OPEN, answer);
    } else {
        mwa_view_source(strcmp(path, "/") == 0 ? "/view_live.html" : path, answer);
    }
}

void mwa_view_run_tell(void *user, char *text, size_t size)
{
    static const char *const stages[] = { "running", "ended", "failed" };
    struct mwa_view_run *run = user;
    struct mwa_view_index *index = index_of(run);
    struct mw_diagnostic diagnostic = { 0 };
    char why[MWA_VIEW_WHY_BYTES] = "", shown[2 * MWA_VIEW_WHY_BYTES];
    json_t *news;

    if (index) {
        mwa_view_tell(index, text, size);
        return;
    }
    if (mwa_view_run_has_failed(run, &diagnostic)) {
        mw_diagnostic_text(&diagnostic, why, sizeof why);
    }
    pthread_mutex_lock(&run->lock);
    news = json_pack("{s:s,s:s,s:o}", "stage", stages[run->stage], "archive", archive_state(run),
                     "why", mwa_json_text(mw_printable(why, shown, sizeof shown)));
    pthread_mutex_unlock(&run->lock);
    *text = '\0';
    if (news) {
        const size_t bytes = json_dumpb(news, text, size - 1, JSON_COMPACT);

        text[bytes < size ? bytes : 0] = '\0';
    }
    json_decref(news);
}
