/*
 * What the hooks tell of calls and objects comes together here, under one lock
 * where threads may meet; what is read then, and when it is written, is in
 * sampling.c.
 */
#include "recorder/variables/variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/dispatch/chain.h"
#include "recorder/recorder.h"
#include "recorder/state/own_mpi.h"
#include "recorder/variables/cvars.h"
#include "recorder/variables/mpit_events.h"
#include "recorder/variables/own_mpi_t.h"
#include "recorder/variables/sampler.h"
#include "recorder/variables/sampling.h"
#include "recorder/variables/state.h"
#include "recorder/variables/trial.h"

/* Under its lock where threads may meet: see state.h. */
struct mwr_variables mwr_variables = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- begin and end ------------------------------------------------------------------------ */

static bool is_unwanted(const char *variable, bool wanted_otherwise)
{
    const char *value = getenv(variable);

    return value && *value ? strcmp(value, "none") == 0 : !wanted_otherwise;
}

static bool are_wanted(void)
{
    return !is_unwanted("MPIWATCH_PVARS", true) || !is_unwanted("MPIWATCH_CVARS", false) ||
           !is_unwanted("MPIWATCH_MPIT_EVENTS", false);
}

/* Open MPI's MPI_Init crashes behind MPI_T_init_thread when it lists all of its parameters. */
static bool has_to_be_late(void)
{
    const char *value = getenv("OMPI_MCA_mpi_show_mca_params");

    return value && *value;
}

void mwr_variables_prepare(void)
{
    if (are_wanted() && !has_to_be_late()) {
        mwr_variables.has_mpi_t = mwr_own_mpi_t_begin();
    }
}

static void parse_settings(struct mwr_selection *cvars)
{
    const struct mwr_settings *settings = &mwr_recorder.settings;
    const bool has_groups = (settings->events & MW_GROUPS_DEFAULT) == MW_GROUPS_DEFAULT;
    const bool has_comms = strcmp(settings->comms, "all") == 0 && !settings->no_world;

    /* They were read once before, when the settings were. */
    if (mwr_selection_parse(&mwr_variables.pvars.selection, settings->pvars, NULL) != MW_OK) {
        mwr_variables.pvars.selection.count = 0;
    }
    if (mwr_selection_parse(cvars, settings->cvars, NULL) != MW_OK) {
        cvars->count = 0;
    }
    if (!mwr_schedule_parse(&mwr_variables.schedule, settings->pvar_when)) {
        mwr_variables.schedule = (struct mwr_schedule){.at_exit = true};
    }
    mwr_variables.is_simple = mwr_variables.schedule.at_exit;
    mwr_variables.is_shared = mwr_recorder.is_multiple || mwr_variables.schedule.thread > 0;
    mwr_variables.may_wait =
        mwr_variables.is_simple && !mwr_variables.is_shared && has_groups && has_comms;
    /* One thread's call that is filtered is over when the next one is read after. */
    mwr_variables.rounds.hears_all_calls = has_groups && (has_comms || !mwr_variables.is_shared);
    mwr_variables.rounds.sees_all_calls =
        mwr_variables.is_simple && !mwr_variables.is_shared && has_groups;
}

/* A sentence where there is something to say, else "". */
static const char *note_of_offer(void)
{
    if (mwr_variables.pvars.selection.count == 0) {
        return "";
    }
    if (mwr_variables.pvars.valid == 0) {
        return mwr_mpi_is_openmpi()
                   ? "this MPI offers no performance variables"
                   : "this MPI offers no performance variables; an MPICH that is configured "
                     "with --enable-mpit-pvars=all does";
    }
    if (mwr_variables.pvars.count == 0 && mwr_variables.pvars.refused == 0) {
        return "no performance variable of this MPI fits the selection";
    }
    return "";
}

/* Says once what becomes of the selection; of the default one only if asked to. */
static void say_of_selection(const char *sentence)
{
    if (!sentence[0] || mwr_recorder.rank != 0) {
        return;
    }
    if (strcmp(mwr_recorder.settings.pvars, "default") == 0) {
        mwr_say_verbose("%s", sentence);
    } else if (!mwr_recorder.settings.quiet) {
        mwr_say("%s", sentence);
    }
}

static void define_offer(unsigned cvars)
{
    const char *note = note_of_offer();
    char refused[512];

    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_OFFER,
        .of.offer = {.pvars = (uint32_t)mwr_variables.pvars.seen,
                     .pvars_valid = mwr_variables.pvars.valid,
                     .pvars_recorded = mwr_variables.pvars.count,
                     .cvars = cvars,
                     .note = note},
    });
    say_of_selection(note);
    if (mwr_variables.pvars.refused > 0) {
        snprintf(refused, sizeof refused, "%u selected variables can't be recorded: %s%s",
                 mwr_variables.pvars.refused, mwr_variables.pvars.refusal,
                 mwr_variables.pvars.refused > 1 ? "; and others, see mpiwatch-vars" : "");
        say_of_selection(refused);
    }
}

static void add_predefined(MPI_Comm handle)
{
    const struct mwr_comm *comm = mwr_comm_find(handle);

    if (comm) {
        const struct mwr_bound what = {
            .bind = MWR_BIND_COMM, .number = comm->number, .handle.comm = handle};

        struct mwr_bound_object *object = mwr_bound_add(&mwr_variables.bound, &what, UINT32_MAX);

        if (object && comm->is_registered) {
            mwr_bound_name(object, MW_NAME_REGISTERED, MWR_WORLD_NAME);
        }
    }
}

void mwr_variables_find(void)
{
    struct mwr_selection *cvars = malloc(sizeof *cvars);

    if (are_wanted() && has_to_be_late()) {
        mwr_variables.has_mpi_t = mwr_own_mpi_t_begin();
    }
    if (!cvars || !mwr_variables.has_mpi_t || !mwr_recorder.definitions ||
        MWR_PMPI(T_pvar_session_create)(&mwr_variables.rounds.session) != MPI_SUCCESS) {
        mwr_variables.has_mpi_t = false;
        free(cvars);
        return;
    }
    parse_settings(cvars);
    mwr_pvars_look(&mwr_variables.pvars);
    if (mwr_trial_is_wanted(true)) {
        mwr_trial_of_pvars(&mwr_variables.pvars, 0, mwr_variables.rounds.session);
    }
    define_offer(mwr_cvars_define(cvars));
    free(cvars);
}

void mwr_variables_bind_first(void)
{
    if (!mwr_variables.has_mpi_t || !mwr_recorder.definitions) {
        return;
    }
    add_predefined(MPI_COMM_WORLD);
    add_predefined(MPI_COMM_SELF);
    mwr_variables_bind(0);
}

void mwr_variables_start(void)
{
    if (!mwr_variables.has_mpi_t || !mwr_recorder.definitions) {
        return;
    }
    mwr_variables.has_begun = true;
    for (uint32_t i = 0; i < mwr_variables.rounds.count; i++) {
        mwr_handle_begin(mwr_variables.rounds.session, mwr_variables.rounds.handles[i], true);
    }
    mwr_mpit_events_start();
    mwr_variables.rounds.last_keyframe = mwr_clock();
    mwr_variables.rounds.last_given = mwr_variables.rounds.last_keyframe;
    if (mwr_variables.rounds.count > 0 && mwr_variables.schedule.thread > 0) {
        mwr_sampler_start(mwr_variables.schedule.thread, mwr_variables_sample_by_thread);
    }
}

/* --- the application's doings, and the end -------------------------------------------- */

void mwr_variables_foreign(int index, uint8_t flag)
{
    if (!mwr_variables.has_mpi_t) {
        return;
    }
    pthread_mutex_lock(&mwr_variables.lock);
    for (uint32_t i = 0; i < mwr_variables.rounds.count; i++) {
        if (index < 0 || mwr_variables.rounds.handles[i]->index == index) {
            mwr_handle_note_foreign(mwr_variables.rounds.handles[i], flag);
        }
    }
    pthread_mutex_unlock(&mwr_variables.lock);
}

void mwr_variables_drained(int index, const void *values)
{
    if (!mwr_variables.has_mpi_t) {
        return;
    }
    pthread_mutex_lock(&mwr_variables.lock);
    for (uint32_t i = 0; i < mwr_variables.rounds.count; i++) {
        if (mwr_variables.rounds.handles[i]->index == index) {
            const struct mwr_reading reading =
                mwr_rounds_reading(&mwr_variables.rounds, mwr_clock());

            mwr_handle_was_drained(mwr_variables.rounds.handles[i], values, &reading);
        }
    }
    pthread_mutex_unlock(&mwr_variables.lock);
}

/* Variables that could not be recorded though they were wanted. */
static void say_refused(void)
{
    if (mwr_variables.bound.refused > 0 && mwr_recorder.rank == 0 &&
        !mwr_recorder.settings.quiet) {
        mwr_say("the MPI's variables were not recorded of %u communicators, windows or files: "
                "more than --pvar-objects=%u at a time",
                mwr_variables.bound.refused, mwr_recorder.settings.pvar_objects);
    }
}

/*
 * Open MPI keeps its components as long as MPI_T is initialized. What they do when they end is then
 * not done in MPI_Finalize: the monitoring of messages does not write what it has found, and Open
 * MPI 5 does not tell the peers at the other ends of TCP connections that they will be closed. To
 * those of another job, which had been connected to this one, that is a failure for which they are
 * aborted, "Socket closed". (MPI_T_finalize behind MPI_Finalize crashes it; MPICH ends all the
 * same, and may crash before.)
 */
static void leave_mpi_t(void)
{
    mwr_variables.has_mpi_t = false;
#ifdef OPEN_MPI
    mwr_own_mpi_t_end();
#endif
}

void mwr_variables_abandon(void)
{
    if (mwr_variables.has_mpi_t) {
        leave_mpi_t();
    }
}

void mwr_variables_finish(struct mwr_call *call)
{
    struct mwr_reading reading;

    if (!mwr_variables.has_mpi_t) {
        return;
    }
    mwr_sampler_stop();
    say_refused();
    pthread_mutex_lock(&mwr_variables.lock);
    mwr_sampling_set(0, UINT32_MAX);
    mwr_mpit_events_finish(call);
    __atomic_store_n(&mwr_gap_begins, UINT64_MAX, __ATOMIC_RELAXED);
    if (call->record) {
        reading = mwr_rounds_reading(&mwr_variables.rounds, call->record->enter);
        mwr_rounds_write(&mwr_variables.rounds, call->stream, MW_MEMBER_METRIC_ENTER,
                         MW_SAMPLE_END, &reading);
    }
    mwr_rounds_fini(&mwr_variables.rounds);
    mwr_bound_fini(&mwr_variables.bound);
    mwr_pvars_fini(&mwr_variables.pvars);
    mwr_metrics_fini();
    MWR_PMPI(T_pvar_session_free)(&mwr_variables.rounds.session);
    leave_mpi_t();
    pthread_mutex_unlock(&mwr_variables.lock);
}
