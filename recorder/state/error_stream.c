#include "recorder/state/error_stream.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include "recorder/recorder.h"
#include "recorder/state/shield.h"

/* Before the program does anything; a tool's constructor may have something to say before. */
static __attribute__((constructor)) void remember(void)
{
    struct stat about;

    if (mwr_recorder.has_seen_stderr) {
        return;
    }
    mwr_recorder.has_seen_stderr = true;
    if (fstat(STDERR_FILENO, &about) == 0) {
        mwr_recorder.has_stderr = true;
        mwr_recorder.stderr_device = about.st_dev;
        mwr_recorder.stderr_inode = about.st_ino;
    }
}

static bool is_there(void)
{
    struct stat about;

    return mwr_recorder.has_stderr && fstat(STDERR_FILENO, &about) == 0 &&
           about.st_dev == mwr_recorder.stderr_device &&
           about.st_ino == mwr_recorder.stderr_inode;
}

static void write_all(const char *text, size_t bytes)
{
    while (bytes > 0) {
        ssize_t written = write(STDERR_FILENO, text, bytes);

        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return;
        }
        text += written;
        bytes -= (size_t)written;
    }
}

void mwr_error_stream_write(const char *text, size_t bytes)
{
    int error = errno;
    int cancellation = PTHREAD_CANCEL_ENABLE;
    struct mwr_shield shield;

    remember();
    if (is_there()) {
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
        mwr_shield_raise(&shield);
        write_all(text, bytes);
        mwr_shield_lower(&shield);
        pthread_setcancelstate(cancellation, NULL);
    }
    errno = error;
}
