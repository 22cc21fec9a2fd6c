#include "recorder/variables/variables.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/dispatch/chain.h"
#include "recorder/recorder.h"
#include "recorder/variables/cvars.h"
#include "recorder/variables/handles.h"
#include "recorder/variables/pvars.h"
#include "recorder/variables/sampler.h"
#include "recorder/variables/sampling.h"
#include "recorder/variables/schedule.h"

/* At every call at most this many variables are read, of as many elements together. */
#define EACH_CALL_HANDLES  4u
#define EACH_CALL_ELEMENTS 32u

/* Communicators whose variables are recorded at a time. */
#define COMMS_MAX 64u

/*
 * A sample takes some 40 bytes of the archive and a call about as many: besides new
 * extremes, what changed is written after this many calls at the earliest, so that
 * samples stay a small part of it.
 */
#define CALLS_BETWEEN_ROUNDS 64u

#define KEYFRAME_NS 1000000000u /* between two samples of everything */
#define LONG_GAP_NS 100000000u  /* between calls: what was pending is written anyway */

struct bound_comm {
    const struct mwr_comm *comm;
    MPI_Comm handle;
    bool is_named;
};

struct variables {
    bool has_mpi_t;
    bool is_shared; /* several threads may come here */
    MPI_T_pvar_session session;
    struct mwr_pvars pvars;
    struct mwr_schedule schedule;
    bool is_simple; /* at exit of every call, and no other time */
    struct mwr_handle **handles; /* those read at each call first */
    uint32_t count;
    uint32_t capacity;
    uint32_t each_call;
    bool has_new; /* there is a handle without a first sample */
    struct bound_comm comms[COMMS_MAX];
    uint32_t comm_count;
    uint64_t calls; /* sampled, since the last round */
    uint64_t ordinal; /* of the call, for calls=N */
    uint64_t last_round;
    uint64_t last_keyframe;
    uint64_t last_sample;
    uint64_t last_pending;
};

uint32_t mwr_sampling;
static struct variables variables;
static pthread_mutex_t variables_lock = PTHREAD_MUTEX_INITIALIZER;

static void set_sampling(uint32_t set, uint32_t clear)
{
    uint32_t bits = __atomic_load_n(&mwr_sampling, __ATOMIC_RELAXED);

    __atomic_store_n(&mwr_sampling, (bits & ~clear) | set, __ATOMIC_RELAXED);
}

/* --- handles -------------------------------------------------------------------- */

/* Puts the handles to be read at each call first: levels of few elements. */
static void choose_each_call(void)
{
    bool all = mwr_recorder.settings.pvar_interval == 0;
    uint32_t elements = 0;
    uint32_t chosen = 0;

    for (uint32_t i = 0; i < variables.count; i++) {
        struct mwr_handle *handle = variables.handles[i];

        if (all || (handle->is_level && chosen < EACH_CALL_HANDLES &&
                    elements + handle->elements <= EACH_CALL_ELEMENTS)) {
            elements += handle->elements;
            variables.handles[i] = variables.handles[chosen];
            variables.handles[chosen++] = handle;
        }
    }
    variables.each_call = chosen;
}

static void add_handle(const struct mwr_pvar *pvar, MPI_Comm comm, uint32_t number)
{
    struct mwr_handle *handle;

    if (variables.count == variables.capacity) {
        uint32_t capacity = variables.capacity > 0 ? 2 * variables.capacity : 16;
        struct mwr_handle **grown =
            realloc(variables.handles, capacity * sizeof *variables.handles);

        if (!grown) {
            return;
        }
        variables.handles = grown;
        variables.capacity = capacity;
    }
    handle = mwr_handle_create(variables.session, pvar, comm, number,
                               mwr_recorder.settings.pvar_array == MWR_ARRAY_FULL);
    if (handle) {
        if (mwr_recorder.settings.pvar_start) {
            mwr_handle_start(variables.session, handle, pvar);
        }
        variables.handles[variables.count++] = handle;
        variables.has_new = true;
    }
}

static bool is_bound(int index, uint32_t number)
{
    for (uint32_t i = 0; i < variables.count; i++) {
        if (variables.handles[i]->index == index &&
            variables.handles[i]->comm_number == number) {
            return true;
        }
    }
    return false;
}

/* The set of enum mwr_comm_set that a communicator is in. */
static uint32_t kinds_of(const struct bound_comm *bound)
{
    uint32_t kinds = MWR_COMMS_ALL;

    kinds |= bound->comm->number == MW_COMM_WORLD ? MWR_COMMS_WORLD : 0u;
    kinds |= bound->comm->number == MW_COMM_SELF ? MWR_COMMS_SELF : 0u;
    kinds |= bound->is_named ? MWR_COMMS_NAMED : 0u;
    return kinds;
}

/* What a schedule wants of calls; nothing, if a thread does it alone. */
static uint32_t sampling_of(const struct mwr_schedule *schedule)
{
    bool at_leave = schedule->at_exit || schedule->calls || schedule->interval ||
                    schedule->at_phase || schedule->at_enter;

    return (at_leave ? MWR_SAMPLE_AT_LEAVE : 0u) | (schedule->at_enter ? MWR_SAMPLE_AT_ENTER : 0u);
}

/* Binds what is not bound yet of the variables from first on. */
static void bind_all(uint32_t first)
{
    for (uint32_t i = first; i < variables.pvars.count; i++) {
        const struct mwr_pvar *pvar = &variables.pvars.list[i];

        if (pvar->bind == MWR_BIND_NONE && !is_bound(pvar->index, MW_COMM_NONE)) {
            add_handle(pvar, MPI_COMM_NULL, MW_COMM_NONE);
        }
        for (uint32_t j = 0; pvar->bind == MWR_BIND_COMM && j < variables.comm_count; j++) {
            const struct bound_comm *bound = &variables.comms[j];

            if (kinds_of(bound) & pvar->comms && !is_bound(pvar->index, bound->comm->number)) {
                add_handle(pvar, bound->handle, bound->comm->number);
            }
        }
    }
    choose_each_call();
    if (variables.count > 0) {
        set_sampling(sampling_of(&variables.schedule), 0);
    }
}

/* --- rounds ------------------------------------------------------------------------ */

/* Reads all, writes what changed; everything when flags are not 0. */
static void write_round(struct mwr_stream *stream, enum mw_record_type type, uint8_t flags,
                        uint64_t now)
{
    for (uint32_t i = 0; i < variables.count; i++) {
        struct mwr_handle *handle = variables.handles[i];

        if (mwr_handle_read(variables.session, handle) || flags != 0) {
            mwr_handle_write(handle, stream, type, flags);
        }
        handle->is_pending = false;
    }
    set_sampling(0, MWR_SAMPLE_PENDING);
    variables.has_new = false;
    variables.calls = 0;
    variables.last_round = now;
    if (flags != 0) {
        variables.last_keyframe = now;
    }
}

/* At a keyframe: variables that have appeared since the last one. */
static void look_again(void)
{
    uint32_t known = variables.pvars.count;

    mwr_pvars_look(&variables.pvars);
    if (variables.pvars.count > known) {
        bind_all(known);
    }
}

/* Reads a few at the end of a call, and writes those that have gone where none was before. */
static void look_for_extremes(struct mwr_stream *stream)
{
    bool is_pending = false;

    for (uint32_t i = 0; i < variables.each_call; i++) {
        struct mwr_handle *handle = variables.handles[i];

        if (MW_LIKELY(!mwr_handle_read(variables.session, handle))) {
            handle->is_pending = false;
        } else if (mwr_handle_is_extreme(handle)) {
            mwr_handle_write(handle, stream, MW_MEMBER_METRIC, 0);
        } else {
            handle->is_pending = true;
            is_pending = true;
        }
    }
    if (is_pending != ((mwr_sampling & MWR_SAMPLE_PENDING) != 0)) {
        set_sampling(is_pending ? MWR_SAMPLE_PENDING : 0u, is_pending ? 0u : MWR_SAMPLE_PENDING);
    }
}

static bool is_round_due(uint64_t now)
{
    return variables.has_new || mwr_recorder.settings.pvar_interval == 0 ||
           (variables.calls >= CALLS_BETWEEN_ROUNDS &&
            now - variables.last_round >= mwr_recorder.settings.pvar_interval);
}

static void sample_simply(struct mwr_stream *stream, uint64_t now)
{
    variables.calls++;
    if (MW_LIKELY(!is_round_due(now))) {
        look_for_extremes(stream);
    } else if (now - variables.last_keyframe >= KEYFRAME_NS) {
        look_again();
        write_round(stream, MW_MEMBER_METRIC, MW_SAMPLE_KEYFRAME, now);
    } else {
        write_round(stream, MW_MEMBER_METRIC, 0, now);
    }
    variables.last_sample = now;
}

/* Whether the schedule, which is not the simple one, has this call's end in it. */
static bool is_scheduled(const struct mw_call_record *record, uint64_t now)
{
    const struct mwr_schedule *schedule = &variables.schedule;

    return schedule->at_exit || variables.has_new ||
           (schedule->calls > 0 && ++variables.ordinal % schedule->calls == 0) ||
           (schedule->interval > 0 && now - variables.last_round >= schedule->interval) ||
           (schedule->at_phase && record->call == MW_CALL_MPI_Pcontrol);
}

static bool enter_lock(void)
{
    return !variables.is_shared || pthread_mutex_trylock(&variables_lock) == 0;
}

static void leave_lock(void)
{
    if (variables.is_shared) {
        pthread_mutex_unlock(&variables_lock);
    }
}

void mwr_sample_leave(struct mwr_call *call, uint64_t now)
{
    if (!enter_lock()) {
        return; /* another thread does it at this moment */
    }
    if (MW_LIKELY(variables.is_simple)) {
        sample_simply(call->stream, now);
    } else if (is_scheduled(call->record, now)) {
        write_round(call->stream, MW_MEMBER_METRIC, 0, now);
    }
    leave_lock();
}

void mwr_sample_enter(struct mwr_call *call)
{
    if (call->record && enter_lock()) {
        write_round(call->stream, MW_MEMBER_METRIC_ENTER, 0, call->record->enter);
        leave_lock();
    }
}

/*
 * A level that fell back just before the program went computing would seem to stay up all
 * the while: what was read then is written now, with the time when it was read.
 */
void mwr_sample_before(struct mwr_stream *stream, uint64_t now)
{
    uint64_t gap = now - variables.last_sample;
    struct mw_call_record *record;

    if (gap < mwr_recorder.settings.pvar_interval || variables.is_shared ||
        (gap < LONG_GAP_NS && variables.calls - variables.last_pending < CALLS_BETWEEN_ROUNDS &&
         variables.calls >= variables.last_pending)) {
        return;
    }
    record = mw_spool_begin_mark(&stream->spool, MW_RECORD_SAMPLE, MW_CALL_MPI_Pcontrol,
                                 variables.last_sample);
    if (!record) {
        return;
    }
    for (uint32_t i = 0; i < variables.each_call; i++) {
        if (variables.handles[i]->is_pending) {
            mwr_handle_write(variables.handles[i], stream, MW_MEMBER_METRIC, 0);
        }
    }
    mw_spool_end(&stream->spool, record, variables.last_sample);
    variables.last_pending = variables.calls;
    set_sampling(0, MWR_SAMPLE_PENDING);
}

/* --- the thread ------------------------------------------------------------------------ */

/* Takes one sample into the sampler's own stream. */
static void sample_by_thread(void)
{
    uint64_t now = mwr_clock();
    struct mw_call_record *record;

    mwr_thread_renew(&mwr_thread);
    if (!mwr_thread.recording) {
        return;
    }
    pthread_mutex_lock(&variables_lock);
    record = mw_spool_begin_mark(&mwr_thread.recording->spool, MW_RECORD_SAMPLE,
                                 MW_CALL_MPI_Pcontrol, now);
    if (record) {
        write_round(mwr_thread.recording, MW_MEMBER_METRIC, 0, now);
        mw_spool_end(&mwr_thread.recording->spool, record, now);
    }
    pthread_mutex_unlock(&variables_lock);
}

/* --- begin and end ------------------------------------------------------------------------ */

static bool is_unwanted(const char *variable, bool wanted_otherwise)
{
    const char *value = getenv(variable);

    return value && *value ? strcmp(value, "none") == 0 : !wanted_otherwise;
}

void mwr_variables_prepare(void)
{
    int provided;

    if (is_unwanted("MPIWATCH_PVARS", true) && is_unwanted("MPIWATCH_CVARS", false)) {
        return;
    }
    variables.has_mpi_t =
        MWR_PMPI(T_init_thread)(MPI_THREAD_SINGLE, &provided) == MPI_SUCCESS;
}

static void parse_settings(struct mwr_selection *cvars)
{
    const struct mwr_settings *settings = &mwr_recorder.settings;

    /* They were read once before, when the settings were. */
    if (mwr_selection_parse(&variables.pvars.selection, settings->pvars, NULL) != MW_OK) {
        variables.pvars.selection.count = 0;
    }
    if (mwr_selection_parse(cvars, settings->cvars, NULL) != MW_OK) {
        cvars->count = 0;
    }
    if (!mwr_schedule_parse(&variables.schedule, settings->pvar_when)) {
        variables.schedule = (struct mwr_schedule){.at_exit = true};
    }
    variables.is_simple = variables.schedule.at_exit;
    variables.is_shared = mwr_recorder.is_multiple || variables.schedule.thread > 0;
}

/* A sentence where there is something to say, else "". */
static const char *note_of_offer(void)
{
    if (variables.pvars.selection.count == 0) {
        return "";
    }
    if (variables.pvars.valid == 0) {
#ifdef OPEN_MPI
        return "this MPI offers no performance variables";
#else
        return "this MPI offers no performance variables; an MPICH that is configured with "
               "--enable-mpit-pvars=all does";
#endif
    }
    return variables.pvars.count == 0 ? "no performance variable of this MPI fits the selection"
                                      : "";
}

static void define_offer(unsigned cvars)
{
    const char *note = note_of_offer();

    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_OFFER,
        .of.offer = {.pvars = (uint32_t)variables.pvars.seen,
                     .pvars_valid = variables.pvars.valid,
                     .pvars_recorded = variables.pvars.count,
                     .cvars = cvars,
                     .note = note},
    });
    if (note[0] && mwr_recorder.rank == 0) {
        if (strcmp(mwr_recorder.settings.pvars, "default") == 0) {
            mwr_say_verbose("%s", note);
        } else if (!mwr_recorder.settings.quiet) {
            mwr_say("%s", note);
        }
    }
}

static void add_predefined(MPI_Comm handle)
{
    const struct mwr_comm *comm = mwr_comm_find(handle);

    if (comm) {
        variables.comms[variables.comm_count++] =
            (struct bound_comm){.comm = comm, .handle = handle};
    }
}

void mwr_variables_start(void)
{
    struct mwr_selection *cvars = malloc(sizeof *cvars);

    if (!cvars || !variables.has_mpi_t || !mwr_recorder.definitions ||
        MWR_PMPI(T_pvar_session_create)(&variables.session) != MPI_SUCCESS) {
        variables.has_mpi_t = false;
        free(cvars);
        return;
    }
    parse_settings(cvars);
    mwr_pvars_look(&variables.pvars);
    define_offer(mwr_cvars_define(cvars));
    free(cvars);
    add_predefined(MPI_COMM_WORLD);
    add_predefined(MPI_COMM_SELF);
    bind_all(0);
    variables.last_keyframe = mwr_clock();
    if (variables.count > 0 && variables.schedule.thread > 0) {
        mwr_sampler_start(variables.schedule.thread, sample_by_thread);
    }
}

/* --- communicators ------------------------------------------------------------------------- */

static struct bound_comm *find_bound(const struct mwr_comm *comm)
{
    for (uint32_t i = 0; i < variables.comm_count; i++) {
        if (variables.comms[i].comm == comm) {
            return &variables.comms[i];
        }
    }
    return NULL;
}

/* Whether some variable is wanted on all communicators, named or not. */
static bool wants_all(void)
{
    for (uint32_t i = 0; i < variables.pvars.count; i++) {
        if (variables.pvars.list[i].comms & MWR_COMMS_ALL) {
            return true;
        }
    }
    return false;
}

/*
 * Open MPI reads past the end of a list when it is asked about an inter-communicator.
 */
static void meet(const struct mwr_comm *comm, MPI_Comm handle, bool is_named)
{
    struct bound_comm *bound;

    if (!variables.has_mpi_t || !comm || comm->is_inter) {
        return;
    }
    pthread_mutex_lock(&variables_lock);
    bound = find_bound(comm);
    if (!bound && (is_named || wants_all()) && variables.comm_count < COMMS_MAX) {
        bound = &variables.comms[variables.comm_count++];
        *bound = (struct bound_comm){.comm = comm, .handle = handle};
    }
    if (bound) {
        bound->is_named |= is_named;
        bind_all(0);
    }
    pthread_mutex_unlock(&variables_lock);
}

void mwr_variables_comm_created(const struct mwr_comm *comm, MPI_Comm handle)
{
    meet(comm, handle, false);
}

void mwr_variables_comm_named(const struct mwr_comm *comm, MPI_Comm handle)
{
    meet(comm, handle, true);
}

static void release(struct mwr_call *call, uint32_t at)
{
    struct mwr_handle *handle = variables.handles[at];

    if (call->record) {
        (void)mwr_handle_read(variables.session, handle);
        mwr_handle_write(handle, call->stream, MW_MEMBER_METRIC_ENTER, MW_SAMPLE_END);
    }
    mwr_handle_destroy(variables.session, handle);
    variables.handles[at] = variables.handles[--variables.count];
}

void mwr_variables_comm_ends(struct mwr_call *call, const struct mwr_comm *comm)
{
    struct bound_comm *bound;

    if (!variables.has_mpi_t || !comm) {
        return;
    }
    pthread_mutex_lock(&variables_lock);
    bound = find_bound(comm);
    if (bound) {
        for (uint32_t i = variables.count; i-- > 0;) {
            if (variables.handles[i]->comm_number == comm->number) {
                release(call, i);
            }
        }
        *bound = variables.comms[--variables.comm_count];
        choose_each_call();
    }
    pthread_mutex_unlock(&variables_lock);
}

void mwr_variables_foreign(int index, uint8_t flag)
{
    if (!variables.has_mpi_t) {
        return;
    }
    pthread_mutex_lock(&variables_lock);
    for (uint32_t i = 0; i < variables.count; i++) {
        if (index < 0 || variables.handles[i]->index == index) {
            variables.handles[i]->flags |= flag;
        }
    }
    pthread_mutex_unlock(&variables_lock);
}

void mwr_variables_finish(struct mwr_call *call)
{
    if (!variables.has_mpi_t) {
        return;
    }
    mwr_sampler_stop();
    pthread_mutex_lock(&variables_lock);
    set_sampling(0, UINT32_MAX);
    if (call->record) {
        write_round(call->stream, MW_MEMBER_METRIC, MW_SAMPLE_END, call->record->enter);
    }
    while (variables.count > 0) {
        mwr_handle_destroy(variables.session, variables.handles[--variables.count]);
    }
    free(variables.handles);
    variables.handles = NULL;
    variables.each_call = 0;
    mwr_pvars_fini(&variables.pvars);
    mwr_metrics_fini();
    MWR_PMPI(T_pvar_session_free)(&variables.session);
    variables.has_mpi_t = false;
    pthread_mutex_unlock(&variables_lock);
}
