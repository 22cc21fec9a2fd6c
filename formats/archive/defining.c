/* What the parts of the global definitions share: strings, and the first failure. */
#include "formats/archive/defining.h"

#include <stdlib.h>

#include "formats/base/utf8.h"

void mw_defining_note(struct mw_defining *defining, OTF2_ErrorCode code)
{
    if (defining->code == OTF2_SUCCESS) {
        defining->code = code;
    }
}

uint32_t mw_defining_string(struct mw_defining *defining, const char *text)
{
    char *clean = mw_utf8_clean(text);

    if (!clean) {
        defining->out_of_memory = true;
        return defining->empty;
    }
    mw_defining_note(defining, OTF2_GlobalDefWriter_WriteString(
                                   defining->writer, defining->string_count, clean));
    free(clean);
    return defining->string_count++;
}
