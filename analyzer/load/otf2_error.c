#include "analyzer/load/otf2_error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include <otf2/otf2.h>

/* libotf2 has one callback per process, but threads of ours fail on their own. */
static _Thread_local char first_message[256];
static _Thread_local bool lacks_memory; /* one of the messages was of that */

static OTF2_ErrorCode keep_message(void *user, const char *file, uint64_t line,
                                   const char *function, OTF2_ErrorCode code, const char *format,
                                   va_list arguments) MW_PRINTF(6, 0);

static OTF2_ErrorCode keep_message(void *user, const char *file, uint64_t line,
                                   const char *function, OTF2_ErrorCode code, const char *format,
                                   va_list arguments)
{
    lacks_memory |= code == OTF2_ERROR_ENOMEM || code == OTF2_ERROR_MEM_ALLOC_FAILED ||
                    code == OTF2_ERROR_MEM_FAULT;
    if (first_message[0] == 0) {
        int length = vsnprintf(first_message, sizeof first_message, format, arguments);

        if (length <= 0) {
            snprintf(first_message, sizeof first_message, "%s", OTF2_Error_GetDescription(code));
        }
    }
    return code;
}

void mwa_otf2_errors_take(void)
{
    OTF2_Error_RegisterCallback(keep_message, NULL);
}

void mwa_otf2_errors_clear(void)
{
    first_message[0] = 0;
    lacks_memory = false;
    errno = 0;
}

enum mw_status mwa_otf2_fail(const struct mwa_stream_log *log, const char *what,
                             struct mw_diagnostic *diagnostic)
{
    const bool is_of_memory = errno == ENOMEM; /* not all that libotf2 lacks has a message */

    if (log->fault.status != MW_OK) {
        if (diagnostic) {
            *diagnostic = log->fault;
        }
        return log->fault.status;
    }
    if (lacks_memory || is_of_memory) {
        return mw_no_memory(diagnostic, log->last, "for libotf2");
    }
    return mw_fail(diagnostic, MW_ERROR_FORMAT, log->last, log->last_offset, "%s%s%s%s", what,
                   first_message[0] ? " (libotf2: " : "", first_message,
                   first_message[0] ? ")" : "");
}
