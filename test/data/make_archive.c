/* make_archive NAME DIRECTORY: writes one of the archives of test/data/archives.h. */
#include <stdio.h>
#include <string.h>

#include "test/data/archives.h"

int main(int argc, char **argv)
{
    for (unsigned i = 0; argc == 3 && made_archives[i].name; i++) {
        if (strcmp(made_archives[i].name, argv[1]) == 0) {
            made_archives[i].make(argv[2]);
            return 0;
        }
    }
    fprintf(stderr, "usage: make_archive NAME DIRECTORY, NAME one of\n");
    for (unsigned i = 0; made_archives[i].name; i++) {
        fprintf(stderr, "  %s\n", made_archives[i].name);
    }
    return 2;
}
