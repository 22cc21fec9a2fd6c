/*
 * A diagnostic is filled where the failure happens, as errno is gone a few calls
 * later. Texts are cut to their room: to tell of a failure needs no memory.
 */
#include "formats/base/status.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum mw_status mw_fail(struct mw_diagnostic *diagnostic, enum mw_status status, const char *where,
                       uint64_t offset, const char *format, ...)
{
    int error_number = errno;
    va_list arguments;

    if (!diagnostic) {
        return status;
    }
    diagnostic->status = status;
    diagnostic->error_number =
        status == MW_ERROR_SYSTEM || status == MW_ERROR_SPACE ? error_number : 0;
    diagnostic->rank = -1;
    diagnostic->offset = offset;
    snprintf(diagnostic->where, sizeof diagnostic->where, "%s", where ? where : "");
    va_start(arguments, format);
    vsnprintf(diagnostic->what, sizeof diagnostic->what, format, arguments);
    va_end(arguments);
    return status;
}

enum mw_status mw_no_memory(struct mw_diagnostic *diagnostic, const char *where,
                            const char *format, ...)
{
    char purpose[256];
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(purpose, sizeof purpose, format, arguments);
    va_end(arguments);
    return mw_fail(diagnostic, MW_ERROR_MEMORY, where, MW_DIAGNOSTIC_OFFSET_NONE, "no memory %s",
                   purpose);
}

const char *mw_diagnostic_text(const struct mw_diagnostic *diagnostic, char *text, uint64_t size)
{
    char place[sizeof diagnostic->where + 64] = "";
    char reason[160] = "";
    char rank[32] = "";

    if (diagnostic->where[0] && diagnostic->offset != MW_DIAGNOSTIC_OFFSET_NONE) {
        snprintf(place, sizeof place, "%s: offset %" PRIu64 ": ", diagnostic->where,
                 diagnostic->offset);
    } else if (diagnostic->where[0]) {
        snprintf(place, sizeof place, "%s: ", diagnostic->where);
    }
    if (diagnostic->rank >= 0) {
        snprintf(rank, sizeof rank, "rank %d: ", diagnostic->rank);
    }
    if (diagnostic->error_number) {
        char words[128] = "";
        const char *known = strerror_r(diagnostic->error_number, words, sizeof words);

        snprintf(reason, sizeof reason, ": %s", known);
    }
    snprintf(text, size, "%s%s%s%s", rank, place, diagnostic->what, reason);
    return text;
}

const char *mw_status_name(enum mw_status status)
{
    switch (status) {
    case MW_OK:
        return "ok";
    case MW_END:
        return "end";
    case MW_ERROR_USAGE:
        return "usage";
    case MW_ERROR_MEMORY:
        return "out of memory";
    case MW_ERROR_SYSTEM:
        return "system error";
    case MW_ERROR_SPACE:
        return "no space";
    case MW_ERROR_FORMAT:
        return "wrong format";
    case MW_ERROR_VERSION:
        return "wrong version";
    case MW_ERROR_OTF2:
        return "OTF2 error";
    case MW_ERROR_MPI:
        return "MPI error";
    case MW_ERROR_EXISTS:
        return "exists already";
    case MW_ERROR_PEER:
        return "another rank failed";
    }
    return "unknown status";
}
