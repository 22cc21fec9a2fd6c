/* Of calls by wrappers the line that says something is that of who calls them. */
#include "analyzer/model/wrappers.h"

#include "analyzer/model/function_name.h"
#include "formats/table/wrapper_name.h"

#define NAME_BYTES 128 /* of a function's name for people */

bool mwa_is_wrapper(const char *function, const char *file, const char *call)
{
    char name[NAME_BYTES];

    return *function && (mw_is_installed_header(file) ||
                         mw_wraps_calls(mwa_function_name(function, name, sizeof name), call));
}
