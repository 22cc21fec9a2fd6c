/*
 * Phase and generation change together: a thread that finds the generation as it
 * knows it has nothing else to look at, and notices a pause by that alone.
 */
#include "recorder/recorder.h"

#include "recorder/state/error_stream.h"

#include <stdarg.h>
#include <stdio.h>

#include "formats/base/printable.h"
#include "formats/spool/spool_writer.h"
#include "recorder/variables/variables.h"

/* Written while MPI_Init and MPI_Finalize run; recorder.h says what changes in between, and how. */
struct mwr_recorder mwr_recorder = {.comm = MPI_COMM_NULL,
                                    .self = MPI_COMM_SELF,
                                    .world = MPI_GROUP_NULL,
                                    .mark = -1,
                                    .lock = PTHREAD_MUTEX_INITIALIZER};

void mwr_recorder_enter(enum mwr_phase phase)
{
    __atomic_store_n(&mwr_recorder.phase, phase, __ATOMIC_RELEASE);
    __atomic_add_fetch(&mwr_generation, 1, __ATOMIC_RELEASE);
}

void mwr_recorder_pause(void)
{
    mwr_variables_pause();
    pthread_mutex_lock(&mwr_recorder.lock);
    if (mwr_recorder.phase == MWR_RECORDING) {
        mwr_recorder.paused_at = mwr_clock();
        mwr_recorder.pauses++;
        mwr_recorder_enter(MWR_PAUSED);
    }
    pthread_mutex_unlock(&mwr_recorder.lock);
}

void mwr_recorder_resume(void)
{
    pthread_mutex_lock(&mwr_recorder.lock);
    if (mwr_recorder.phase == MWR_PAUSED) {
        mwr_recorder.resumed_at = mwr_clock();
        mwr_sample_unseen(); /* calls that were being read after when the pause began are over */
        mwr_recorder_enter(MWR_RECORDING);
    }
    pthread_mutex_unlock(&mwr_recorder.lock);
}

void mwr_recorder_define(const struct mw_definition *definition)
{
    struct mw_diagnostic diagnostic = {0};
    char text[2048];

    if (mwr_recorder.definitions &&
        mw_definition_write(mwr_recorder.definitions, definition, &diagnostic) != MW_OK &&
        !mwr_recorder.definitions_failed) {
        mwr_recorder.definitions_failed = true;
        mwr_say("rank %u: communicators and names that are new from here on stay unknown: %s",
                mwr_recorder.rank, mw_diagnostic_text(&diagnostic, text, sizeof text));
    }
}

bool mwr_recorder_has_no_room(uint64_t room)
{
    const struct mwr_settings *settings = &mwr_recorder.settings;

    return room > 0 && settings->max_spool == 0 &&
           room < mw_spool_bytes_min(settings->on_full == MWR_ON_FULL_WRAP);
}

void mwr_recorder_note_traffic(uint64_t sent, uint64_t received)
{
    mwr_recorder.own_traffic.calls++;
    mwr_recorder.own_traffic.sent += sent;
    mwr_recorder.own_traffic.received += received;
}

MW_PRINTF(1, 0) static void say(const char *format, va_list arguments)
{
    char text[2048];
    char shown[2048];
    char line[sizeof shown + 16];
    int length;

    vsnprintf(text, sizeof text, format, arguments);
    length = snprintf(line, sizeof line, "mpiwatch: %s\n",
                      mw_printable(text, shown, sizeof shown));
    mwr_error_stream_write(line, (size_t)length);
}

void mwr_say(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void mwr_say_verbose(const char *format, ...)
{
    va_list arguments;

    if (mwr_recorder.settings.verbose && !mwr_recorder.settings.quiet) {
        va_start(arguments, format);
        say(format, arguments);
        va_end(arguments);
    }
}
