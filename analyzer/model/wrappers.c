/* Of calls by wrappers the line that says something is that of who calls them. */
#include "analyzer/model/wrappers.h"

#include <string.h>

#include "analyzer/model/function_name.h"
#include "formats/table/wrapper_name.h"

#define NAME_BYTES 128 /* of a function's name for people */

bool mwa_is_in_system_header(const char *file)
{
    static const char *const folders[] = { "/usr/include/", "/usr/local/include/" };

    return strncmp(file, folders[0], strlen(folders[0])) == 0 ||
           strncmp(file, folders[1], strlen(folders[1])) == 0;
}

bool mwa_is_wrapper(const char *function, const char *file, const char *call)
{
    char name[NAME_BYTES];

    return *function && (mwa_is_in_system_header(file) ||
                         mw_wraps_calls(mwa_function_name(function, name, sizeof name), call));
}
