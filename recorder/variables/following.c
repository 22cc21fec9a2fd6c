#include "recorder/variables/variables.h"

#include "formats/table/calls.h"
#include "recorder/recorder.h"
#include "recorder/variables/handles.h"
#include "recorder/variables/sampling.h"
#include "recorder/variables/state.h"
#include "recorder/variables/trial.h"

/* MPI_COMM_WORLD and MPI_COMM_SELF are on the list from the start. */
#define PREDEFINED 2u

/* --- binding ---------------------------------------------------------------------- */

static void bind_one(const struct mwr_pvar *pvar, const struct mwr_bound *object)
{
    struct mwr_handle *handle =
        mwr_handle_create(mwr_variables.rounds.session, pvar, object,
                          mwr_recorder.settings.pvar_array, mwr_recorder.settings.pvar_start);

    if (handle && !mwr_rounds_add(&mwr_variables.rounds, handle)) {
        mwr_handle_destroy(mwr_variables.rounds.session, handle);
    } else if (handle && mwr_variables.has_begun) {
        mwr_handle_begin(mwr_variables.rounds.session, handle, false);
    }
}

/* What a schedule wants of calls; nothing, if a thread or the user does it alone. */
static uint32_t sampling_of(const struct mwr_schedule *schedule)
{
    bool at_leave = schedule->at_exit || schedule->calls || schedule->interval ||
                    schedule->at_phase || schedule->at_object || schedule->at_enter;

    return (at_leave ? MWR_SAMPLE_AT_LEAVE : 0u) | (schedule->at_enter ? MWR_SAMPLE_AT_ENTER : 0u);
}

/* After handles came or went. */
static void settle(void)
{
    mwr_rounds_choose(&mwr_variables.rounds, mwr_recorder.settings.pvar_interval == 0);
    for (uint32_t i = 0; !mwr_variables.is_simple && i < mwr_variables.rounds.count; i++) {
        mwr_handle_follow(mwr_variables.rounds.handles[i], false); /* calls in between aren't */
    }
    if (mwr_variables.rounds.count > 0) {
        mwr_sampling_set(sampling_of(&mwr_variables.schedule), 0);
    }
}

/* Binds the variables from first on, which are new, to all there is that does not wait. */
void mwr_variables_bind(uint32_t first)
{
    const struct mwr_bound nothing = {.bind = MWR_BIND_NONE, .number = MW_COMM_NONE};

    for (uint32_t i = first; i < mwr_variables.pvars.count; i++) {
        const struct mwr_pvar *pvar = &mwr_variables.pvars.list[i];

        if (pvar->bind == MWR_BIND_NONE) {
            bind_one(pvar, &nothing);
        }
        for (uint32_t j = 0; j < mwr_variables.bound.count; j++) {
            if (!mwr_variables.bound.objects[j].waits &&
                mwr_bound_is_wanted(&mwr_variables.bound.objects[j], pvar)) {
                bind_one(pvar, &mwr_variables.bound.objects[j].what);
            }
        }
    }
    settle();
}

/*
 * Many a communicator is made and freed without any use, and binding variables to it would take
 * most of the time of both: an object waits until the next call is entered that does not end it.
 * This needs each call that can change its variables to be one that is recorded, of one thread.
 */
static void wait_for_call(struct mwr_bound_object *object)
{
    if (!object->waits) {
        object->waits = true;
        mwr_variables.waiting++;
        mwr_sampling_set(MWR_SAMPLE_WAITING, 0);
    }
}

static void waits_no_longer(struct mwr_bound_object *object)
{
    if (object->waits) {
        object->waits = false;
        if (--mwr_variables.waiting == 0) {
            mwr_sampling_set(0, MWR_SAMPLE_WAITING);
        }
    }
}

/* Binds to an object what is wanted of it and is not bound yet. */
static void bind_object(struct mwr_bound_object *object)
{
    waits_no_longer(object);
    for (uint32_t i = 0; i < mwr_variables.pvars.count; i++) {
        const struct mwr_pvar *pvar = &mwr_variables.pvars.list[i];

        if (mwr_bound_is_wanted(object, pvar) &&
            !mwr_rounds_has(&mwr_variables.rounds, pvar->index, object->what.bind,
                            object->what.number)) {
            bind_one(pvar, &object->what);
        }
    }
    settle();
}

void mwr_variables_bind_waiting(void)
{
    for (uint32_t i = 0; mwr_variables.waiting > 0 && i < mwr_variables.bound.count; i++) {
        if (mwr_variables.bound.objects[i].waits) {
            bind_object(&mwr_variables.bound.objects[i]);
        }
    }
}

/* Variables that have appeared since the last look. */
void mwr_variables_look_again(void)
{
    uint32_t known = mwr_variables.pvars.count;

    mwr_pvars_look(&mwr_variables.pvars);
    if (mwr_variables.pvars.count > known && mwr_trial_is_wanted(false)) {
        mwr_trial_of_pvars(&mwr_variables.pvars, known, mwr_variables.rounds.session);
    }
    if (mwr_variables.pvars.count > known) {
        mwr_variables_bind(known);
    }
}

/* --- objects -------------------------------------------------------------------------- */

/* Whether communicators without a name are wanted. */
static bool wants_unnamed(void)
{
    for (uint32_t i = 0; i < mwr_variables.pvars.count; i++) {
        if (mwr_variables.pvars.list[i].bind == MWR_BIND_COMM &&
            mwr_variables.pvars.list[i].term->comms & MWR_COMMS_ALL) {
            return true;
        }
    }
    return false;
}

/* Whether some variable is bound to objects of this kind. */
static bool has_bind(enum mwr_bind bind)
{
    for (uint32_t i = 0; i < mwr_variables.pvars.count; i++) {
        if (mwr_variables.pvars.list[i].bind == bind) {
            return true;
        }
    }
    return false;
}

/* The object, put on the list if it is not there; null: there are enough. Lock held. */
static struct mwr_bound_object *meet(const struct mwr_bound *what)
{
    struct mwr_bound_object *object =
        mwr_bound_find(&mwr_variables.bound, what->bind, what->number);

    return object ? object
                  : mwr_bound_add(&mwr_variables.bound, what,
                                  mwr_recorder.settings.pvar_objects + PREDEFINED);
}

/* An object was made: binds what is wanted of it, if anything, now or, if it may, later. */
static void object_made(const struct mwr_bound *what, bool may_wait)
{
    struct mwr_bound_object *object;

    pthread_mutex_lock(&mwr_variables.lock);
    mwr_variables_look_again();
    object = what->bind != MWR_BIND_NONE && has_bind(what->bind) ? meet(what) : NULL;
    if (object && may_wait) {
        wait_for_call(object);
    } else if (object) {
        bind_object(object);
    }
    mwr_variables.rounds.is_due |= mwr_variables.schedule.at_object;
    pthread_mutex_unlock(&mwr_variables.lock);
}

/* Whether handle is the object's, and wanted no longer, though the object may be kept. */
static bool is_due_to_go(const struct mwr_handle *handle, const struct mwr_bound_object *object,
                         bool is_kept)
{
    bool is_wanted = false;

    if (handle->object.bind != object->what.bind ||
        handle->object.number != object->what.number) {
        return false;
    }
    for (uint32_t i = 0; is_kept && i < mwr_variables.pvars.count; i++) {
        is_wanted |= mwr_variables.pvars.list[i].index == handle->index &&
                     mwr_bound_is_wanted(object, &mwr_variables.pvars.list[i]);
    }
    return !is_wanted;
}

/* Lets an object's variables go; those that are still wanted stay if it is kept. Lock held. */
static void release(const struct mwr_bound_object *object, bool is_kept,
                    struct mwr_stream *stream, enum mw_record_type type, uint64_t now)
{
    struct mwr_rounds *rounds = &mwr_variables.rounds;
    for (uint32_t i = rounds->count; i-- > 0;) {
        if (is_due_to_go(rounds->handles[i], object, is_kept)) {
            mwr_rounds_release(rounds, i, stream, type, now);
        }
    }
    settle();
}

/* The same of an object with another name, in call, or (null) between calls if may_write. */
static void release_unwanted(const struct mwr_bound_object *object, const struct mwr_call *call,
                             bool may_write)
{
    struct mw_call_record *mark = NULL;
    bool any = false;

    for (uint32_t i = 0; i < mwr_variables.rounds.count; i++) {
        any |= is_due_to_go(mwr_variables.rounds.handles[i], object, true);
    }
    if (!any) {
        return;
    }
    if (call && call->record) {
        release(object, true, call->stream, MW_MEMBER_METRIC, mwr_clock());
        return;
    }
    if (may_write) {
        mark = mw_spool_begin_mark(&mwr_thread.recording->spool, MW_RECORD_SAMPLE,
                                   MW_CALL_MPI_Pcontrol, mwr_clock());
    }
    release(object, true, mark ? mwr_thread.recording : NULL, MW_MEMBER_METRIC,
            mark ? mark->enter : 0);
    if (mark) {
        mw_spool_end(&mwr_thread.recording->spool, mark, mark->enter);
        mwr_thread.recording->poll = NULL;
    }
}

/* An object is about to end in call. */
static void object_ends(struct mwr_call *call, enum mwr_bind bind, uint32_t number)
{
    struct mwr_bound_object *object;

    if (!mwr_variables.has_mpi_t) {
        return;
    }
    pthread_mutex_lock(&mwr_variables.lock);
    object = mwr_bound_find(&mwr_variables.bound, bind, number);
    if (object) {
        if (!object->waits) {
            release(object, false, call->record ? call->stream : NULL, MW_MEMBER_METRIC_ENTER,
                    call->record ? call->record->enter : 0);
        }
        waits_no_longer(object);
        mwr_bound_remove(&mwr_variables.bound, object);
    }
    mwr_variables_bind_waiting(); /* others, which live on */
    mwr_variables.rounds.is_due |= mwr_variables.schedule.at_object;
    pthread_mutex_unlock(&mwr_variables.lock);
}

/*
 * Open MPI reads past the end of a list when it is asked about an inter-communicator.
 */
static bool is_followed(const struct mwr_comm *comm)
{
    return mwr_variables.has_mpi_t && comm && !comm->is_inter;
}

static struct mwr_bound bound_comm(const struct mwr_comm *comm, MPI_Comm handle)
{
    return (struct mwr_bound){
        .bind = MWR_BIND_COMM, .number = comm->number, .handle.comm = handle};
}

void mwr_variables_comm_created(const struct mwr_call *call, const struct mwr_comm *comm,
                                MPI_Comm handle)
{
    struct mwr_bound what = {.bind = MWR_BIND_NONE};

    if (!mwr_variables.has_mpi_t) {
        return;
    }
    if (is_followed(comm) && wants_unnamed()) {
        what = bound_comm(comm, handle);
    }
    object_made(&what, mwr_variables.may_wait && call->record &&
                           (mwr_sampling & MWR_SAMPLE_AT_LEAVE));
}

static bool is_nameless(const struct mwr_bound_object *object)
{
    return !object->names[MW_NAME_MPI] && !object->names[MW_NAME_REGISTERED];
}

/* A communicator has a name, or (null) has it no longer; call: that gives it, or null. */
static void name_comm(const struct mwr_call *call, const struct mwr_comm *comm, MPI_Comm handle,
                      enum mw_name_source source, const char *name)
{
    struct mwr_bound what;
    struct mwr_bound_object *object;
    bool may_write;

    if (!is_followed(comm)) {
        return;
    }
    what = bound_comm(comm, handle);
    may_write = mwr_variables_is_between_calls();
    pthread_mutex_lock(&mwr_variables.lock);
    object = name ? meet(&what) : mwr_bound_find(&mwr_variables.bound, what.bind, what.number);
    if (object) {
        mwr_bound_name(object, source, name);
        release_unwanted(object, call, may_write);
        bind_object(object);
        if (is_nameless(object) && !wants_unnamed() && what.number > MW_COMM_SELF) {
            mwr_bound_remove(&mwr_variables.bound, object);
        }
    } else if (name && wants_unnamed()) {
        mwr_variables.bound.refused--; /* it was refused when it was made */
    }
    pthread_mutex_unlock(&mwr_variables.lock);
}

void mwr_variables_comm_named(const struct mwr_call *call, const struct mwr_comm *comm,
                              MPI_Comm handle, const char *name)
{
    name_comm(call, comm, handle, MW_NAME_MPI, name);
}

void mwr_variables_comm_registered(const struct mwr_comm *comm, MPI_Comm handle,
                                   const char *name)
{
    name_comm(NULL, comm, handle, MW_NAME_REGISTERED, name);
}

void mwr_variables_comm_ends(struct mwr_call *call, const struct mwr_comm *comm)
{
    if (comm) {
        object_ends(call, MWR_BIND_COMM, comm->number);
    }
}

void mwr_variables_window_created(uint32_t number, MPI_Win window)
{
    const struct mwr_bound what = {
        .bind = MWR_BIND_WINDOW, .number = number, .handle.window = window};

    if (mwr_variables.has_mpi_t) {
        object_made(&what, false);
    }
}

void mwr_variables_window_ends(struct mwr_call *call, uint32_t number)
{
    object_ends(call, MWR_BIND_WINDOW, number);
}

void mwr_variables_file_opened(uint32_t number, MPI_File file)
{
    const struct mwr_bound what = {
        .bind = MWR_BIND_FILE, .number = number, .handle.file = file};

    if (mwr_variables.has_mpi_t) {
        object_made(&what, false);
    }
}

void mwr_variables_file_closes(struct mwr_call *call, uint32_t number)
{
    object_ends(call, MWR_BIND_FILE, number);
}
