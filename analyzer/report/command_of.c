#include "analyzer/report/command_of.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/shell_word.h"

char *mwa_command_of(const char *command, const char *path)
{
    const size_t size = path ? 4 * strlen(path) + 8 : 0; /* each byte as a number, and quotes */
    char *word = malloc(size + 1);
    char *text = NULL;

    if (word && asprintf(&text, "mpiwatch-analyze %s%s%s", command, path ? " " : "",
                         path ? mw_shell_word(path, "", word, size) : "") < 0) {
        text = NULL;
    }
    free(word);
    return text;
}
