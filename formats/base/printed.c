/* A stream that is full or closed tells so when it is flushed, which exit does in silence. */
#include "formats/base/printed.h"

#include <errno.h>
#include <string.h>

int mw_printed(FILE *out, FILE *err, const char *program, int status, int unwritten)
{
    if (fflush(out) == 0 && !ferror(out)) {
        return status;
    }
    fprintf(err, "%s: cannot write the output: %s\n", program, strerror(errno));
    return unwritten;
}
