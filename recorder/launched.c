/* Children of the program inherit the variable, too: the process's number tells them apart. */
#include "recorder/launched.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void mwr_launched_becomes(const char *library)
{
    char value[128];

    snprintf(value, sizeof value, "%ld:%s", (long)getpid(), library);
    setenv(MWR_LAUNCHED_VARIABLE, value, 1);
}

bool mwr_launched_as(char *library, size_t size)
{
    const char *value = getenv(MWR_LAUNCHED_VARIABLE);
    char *end;

    if (!value || strtol(value, &end, 10) != (long)getpid() || *end != ':') {
        return false;
    }
    if (library) {
        snprintf(library, size, "%s", end + 1);
    }
    return true;
}
