/* The words are those of a hang that is explained (analyzer/analysis/hang), as far as a process's
 * own spool has them: peers are ranks in the communicator. */
#include "analyzer/live/live_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/live/live_lines.h"
#include "analyzer/model/shortage.h"
#include "analyzer/table/clean.h"
#include "formats/table/calls.h"

static const struct mwa_live_process *process_of(const struct mwa_live *live,
                                                 const struct mwa_live_thread *thread)
{
    return &live->processes[thread->process];
}

enum mwa_live_state mwa_live_state(const struct mwa_live *live,
                                   const struct mwa_live_thread *thread)
{
    const struct mwa_live_process *process = process_of(live, thread);
    const struct mw_counts *counts = &thread->moment.counts;

    if (process->is_elsewhere && process->state == MW_RUN_SILENT) {
        return MWA_LIVE_ELSEWHERE;
    }
    if (process->state != MW_RUN_RUNNING) {
        return process->state == MW_RUN_SILENT ? MWA_LIVE_GONE : MWA_LIVE_ENDED;
    }
    if (thread->moment.is_inside) {
        return MWA_LIVE_IN_MPI;
    }
    return counts->mark == MW_RECORD_PAUSE        ? MWA_LIVE_PAUSED
           : counts->mark == MW_RECORD_THREAD_END ? MWA_LIVE_ENDED
                                                  : MWA_LIVE_COMPUTING;
}

const char *mwa_live_state_name(enum mwa_live_state state)
{
    static const char *const names[MWA_LIVE_STATES] = {
        [MWA_LIVE_COMPUTING] = "computing", [MWA_LIVE_IN_MPI] = "MPI",
        [MWA_LIVE_PAUSED] = "paused",       [MWA_LIVE_ENDED] = "ended",
        [MWA_LIVE_GONE] = "gone",           [MWA_LIVE_ELSEWHERE] = "elsewhere",
    };

    return names[state];
}

const char *mwa_live_comm_name(const struct mwa_live *live, const struct mwa_live_thread *thread,
                               uint32_t comm, char *text, size_t size)
{
    const struct mwa_live_process *process = process_of(live, thread);
    const struct mwa_live_comm *known = comm < process->comm_count ? &process->comms[comm] : NULL;
    char made[64];

    if (known && known->name) {
        return mwa_clean(known->name, text, size);
    }
    if (comm == MW_COMM_WORLD || comm == MW_COMM_SELF) {
        snprintf(text, size, "%s", comm == MW_COMM_WORLD ? "MPI_COMM_WORLD" : "MPI_COMM_SELF");
    } else if (known && known->call < MW_CALL_COUNT) {
        mw_call_short_name(known->call, made, sizeof made);
        snprintf(text, size, "%s #%" PRIu32, made, known->sequence);
    } else {
        snprintf(text, size, "a communicator");
    }
    return text;
}

const char *mwa_live_call_name(const struct mwa_live *live, const struct mwa_live_thread *thread)
{
    return thread->moment.is_inside
               ? mw_call_name(
                     mwa_live_process_call(process_of(live, thread), thread->moment.last.call))
               : NULL;
}

static void put_message(const char *word, int32_t peer, int32_t tag, const char *comm, FILE *out)
{
    if (peer < 0) {
        fprintf(out, " %s any rank", word);
    } else {
        fprintf(out, " %s %" PRId32, word, peer);
    }
    if (tag < 0) {
        fprintf(out, " (any tag, %s)", comm);
    } else {
        fprintf(out, " (tag %" PRId32 ", %s)", tag, comm);
    }
}

static void put_now(const struct mw_now *now, const char *comm, FILE *out)
{
    if (now->what & MW_NOW_SENDS) {
        put_message("to", now->peer, now->tag, comm, out);
    }
    if (now->what & MW_NOW_RECEIVES) {
        put_message("from", now->source, now->source_tag, comm, out);
    }
    if ((now->what & MW_NOW_ON_COMM) && !(now->what & (MW_NOW_SENDS | MW_NOW_RECEIVES))) {
        fprintf(out, " on %s", comm);
    }
    if ((now->what & MW_NOW_ROOT) && now->peer >= 0) {
        fprintf(out, " with root %" PRId32, now->peer);
    }
    if (now->what & MW_NOW_TARGET) {
        fprintf(out, now->peer < 0 ? " at all ranks" : " at rank %" PRId32, now->peer);
    }
    if (now->what & MW_NOW_COMPLETES) {
        fprintf(out, " for %" PRIu32 " request%s", now->count, now->count == 1 ? "" : "s");
    }
}

static void put_end(const struct mwa_live_process *process, FILE *out)
{
    switch (process->state) {
    case MW_RUN_ABORTED:
        fprintf(out, "ended by MPI_Abort with code %d", process->code);
        break;
    case MW_RUN_EXITED:
        fprintf(out, "ended without MPI_Finalize, with status %d", process->code);
        break;
    case MW_RUN_FAILED:
        if (process->code == MW_CODE_LAUNCHER_GONE) {
            fputs("ended by the MPI, whose launcher was gone", out);
        } else {
            fprintf(out, "ended by a fatal MPI error with code %d", process->code);
        }
        break;
    case MW_RUN_FINALIZED:
        fputs("through MPI_Finalize", out);
        break;
    default:
        fputs("the thread has ended", out);
        break;
    }
}

static void put_words(const struct mwa_live *live, const struct mwa_live_thread *thread, FILE *out)
{
    static const char *const words[MWA_LIVE_STATES] = {
        [MWA_LIVE_COMPUTING] = "computing",
        [MWA_LIVE_PAUSED] = "not being recorded (paused)",
        [MWA_LIVE_GONE] = "gone: killed, or ended without a word",
        [MWA_LIVE_ELSEWHERE] = "on another host",
    };
    const enum mwa_live_state state = mwa_live_state(live, thread);
    const char *call = mwa_live_call_name(live, thread);
    char comm[128];
    char line[128];

    if (state == MWA_LIVE_ENDED) {
        put_end(process_of(live, thread), out);
        return;
    }
    if (words[state]) {
        fputs(words[state], out);
    }
    if (state == MWA_LIVE_IN_MPI || (words[state] && call)) {
        fprintf(out, "%s%s", words[state] ? ", in " : "", call ? call : "a call");
        if (thread->moment.has_now) {
            mwa_live_comm_name(live, thread, thread->moment.now.comm, comm, sizeof comm);
            put_now(&thread->moment.now, comm, out);
        }
        if (mwa_live_line(live, thread, line, sizeof line)) {
            fprintf(out, " at %s", mwa_clean(line, comm, sizeof comm));
        }
    }
}

const char *mwa_live_words(const struct mwa_live *live, const struct mwa_live_thread *thread,
                           char *text, size_t size)
{
    FILE *out = fmemopen(text, size, "w");

    text[0] = '\0';
    if (out) {
        put_words(live, thread, out);
        fclose(out);
        text[size - 1] = '\0';
    } else {
        mwa_shortage_note();
    }
    return text;
}
