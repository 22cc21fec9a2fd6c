#include "recorder/hooks/nested.h"

#include "recorder/dispatch/chain.h"
#include "recorder/finalize/ending.h"
#include "recorder/state/comms.h"
#include "recorder/state/own_clock.h"
#include "recorder/variables/variables.h"

/* The library's own, and MPI_X of who is below. Found once, with the library's other functions,
 * before any call goes through. */
static mwr_MPI_Comm_free_function *library_free, *next_free;
static mwr_MPI_Comm_disconnect_function *library_disconnect, *next_disconnect;
static mwr_MPI_Abort_function *library_abort, *next_abort;

/*
 * Puts the communicator's end into the record of the call that is under way, or into one of its
 * own where that call has none.
 */
static void note_end(const struct mwr_comm *comm, uint64_t time)
{
    struct mw_spool *spool = mwr_thread_records() ? &mwr_thread.recording->spool : NULL;
    struct mw_call_record *own = NULL;
    struct mw_value_member *member = NULL;

    if (!spool || !mwr_chain.is_recorded[MW_CALL_MPI_Comm_free]) {
        return;
    }
    if (!spool->open) {
        mwr_thread.recording->poll = NULL;
        own = mw_spool_begin_mark(spool, MW_RECORD_USER, MW_CALL_MPI_Pcontrol, time);
    }
    if (spool->open) {
        member = mw_spool_member(spool, MW_MEMBER_COMM_ENDED, sizeof *member, comm->number);
    }
    if (member) {
        member->value = time;
        mw_spool_commit(member);
    }
    if (own) {
        mw_spool_end(spool, own, time);
    }
}

static int free_by(mwr_MPI_Comm_free_function *function, MPI_Comm *comm)
{
    struct mwr_call none = {.record = NULL}; /* there is no call to add anything to */
    MPI_Comm handle = comm ? *comm : MPI_COMM_NULL;
    struct mwr_comm *known = NULL;
    int result;

    /* Sessions outlive what is known of MPI's variables, which goes in MPI_Finalize. */
    if (mwr_comm_known(handle) && mwr_ending_is_open()) {
        known = mwr_comm_forget_known(handle);
    }
    if (known) {
        mwr_variables_comm_ends(&none, known);
    }
    result = function(comm);
    if (known && result == MPI_SUCCESS) {
        uint64_t now = mwr_clock();

        note_end(known, now);
        mwr_comm_freed(known, now);
    } else if (known) {
        mwr_comm_remember(known, handle);
    }
    return result;
}

static int nested_free(MPI_Comm *comm)
{
    return free_by(library_free, comm);
}

static int nested_next_free(MPI_Comm *comm)
{
    return free_by(next_free, comm);
}

static int nested_disconnect(MPI_Comm *comm)
{
    return free_by(library_disconnect, comm);
}

static int nested_next_disconnect(MPI_Comm *comm)
{
    return free_by(next_disconnect, comm);
}

static int nested_abort(MPI_Comm comm, int code)
{
    mwr_ending_abort(code);
    return library_abort(comm, code);
}

static int nested_next_abort(MPI_Comm comm, int code)
{
    mwr_ending_abort(code);
    return next_abort(comm, code);
}

#define PUT(name, call)                                                                         \
    do {                                                                                        \
        library_##name = MWR_PMPI(call);                                                        \
        next_##name = (mwr_MPI_##call##_function *)mwr_chain.next[MW_CALL_MPI_##call];          \
        mwr_chain.library[MW_CALL_MPI_##call] = (mwr_function)nested_##name;                    \
        mwr_chain.next[MW_CALL_MPI_##call] = (mwr_function)nested_next_##name;                  \
    } while (0)

void mwr_nested_prepare(void)
{
    PUT(free, Comm_free);
    PUT(disconnect, Comm_disconnect);
    PUT(abort, Abort);
}
