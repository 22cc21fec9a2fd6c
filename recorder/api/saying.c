#include "recorder/api/saying.h"

#include "formats/table/calls.h"
#include "recorder/recorder.h"
#include "recorder/variables/sampling.h"

/* Counted by any thread, with atomics; told when the process ends. */
static struct mw_define_misuse misuse;

bool mwr_saying_begin(struct mwr_saying *saying)
{
    struct mwr_thread *thread = &mwr_thread;
    enum mwr_phase phase = __atomic_load_n(&mwr_recorder.phase, __ATOMIC_ACQUIRE);

    /* The first stream is that of the thread that calls MPI_Init, which gets it there. */
    if ((phase != MWR_RECORDING && phase != MWR_PAUSED) ||
        __atomic_load_n(&mwr_recorder.stream_count, __ATOMIC_RELAXED) == 0) {
        return false;
    }
    saying->is_inside = !mwr_guard_raise(&saying->mark, false);
    if (!saying->is_inside &&
        thread->generation != __atomic_load_n(&mwr_generation, __ATOMIC_ACQUIRE)) {
        mwr_thread_renew(thread);
    }
    saying->stream = thread->is_gone ? NULL : thread->stream;
    saying->is_recording = thread->recording != NULL;
    return true;
}

void mwr_saying_end(struct mwr_saying *saying)
{
    if (!saying->is_inside) {
        mwr_guard_lower();
    }
}

void *mwr_saying_open(struct mwr_saying *saying, enum mw_record_type record,
                      enum mw_record_type member, size_t bytes, uint32_t comm)
{
    struct mwr_stream *stream = saying->stream;
    struct mw_call_record *opened;
    uint64_t now = mwr_clock();
    void *made = NULL;

    if (saying->is_inside || !stream || stream->closed) {
        return NULL;
    }
    mwr_sample_moves(now);
    stream->poll = NULL;
    opened = mw_spool_begin_mark(&stream->spool, record, MW_CALL_MPI_Pcontrol, now);
    if (opened) {
        made = mw_spool_member(&stream->spool, member, bytes, comm);
        if (!made) {
            mw_spool_end(&stream->spool, opened, now);
        }
    }
    return made;
}

void mwr_saying_close(struct mwr_saying *saying, void *member)
{
    struct mw_spool *spool = &saying->stream->spool;

    mw_spool_commit(member);
    mw_spool_end(spool, spool->open, spool->open->enter);
}

void mwr_saying_lost(void)
{
    __atomic_add_fetch(&misuse.not_recorded, 1, __ATOMIC_RELAXED);
}

void mwr_saying_unbalanced(uint32_t count)
{
    __atomic_add_fetch(&misuse.unbalanced, count, __ATOMIC_RELAXED);
}

void mwr_saying_tell(void)
{
    struct mw_define_misuse told = {
        .unbalanced = __atomic_load_n(&misuse.unbalanced, __ATOMIC_RELAXED),
        .not_recorded = __atomic_load_n(&misuse.not_recorded, __ATOMIC_RELAXED),
    };

    if (told.unbalanced > 0 || told.not_recorded > 0) {
        mwr_recorder_define(
            &(struct mw_definition){.kind = MW_DEFINE_MISUSE, .of.misuse = told});
    }
}
