/*
 * shapes SHAPE N DIRECTORY: writes the spools of a run of that shape, of which mpiwatch-recover
 * makes the archive. shapes --list: name, an N to begin with and one not to go
 * beyond, and what grows with it.
 *
 * Times are those of steps (shapes.h), moved a little on every rank and in every step, so that
 * there is waiting of any length in them.
 */
#include "test/bench/shapes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void list(const struct shape *shapes)
{
    for (const struct shape *shape = shapes; shape->name; shape++) {
        printf("%s %" PRIu64 " %" PRIu64 " %s\n", shape->name, shape->least, shape->most,
               shape->grows);
    }
}

static const struct shape *find(const struct shape *shapes, const char *name)
{
    for (const struct shape *shape = shapes; shape->name; shape++) {
        if (strcmp(shape->name, name) == 0) {
            return shape;
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    const struct shape *shape = NULL;
    uint64_t n = 0;

    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        list(shapes_plain);
        list(shapes_objects);
        list(shapes_windows);
        list(shapes_crowd);
        return 0;
    }
    if (argc == 4) {
        shape = find(shapes_plain, argv[1]);
        shape = shape ? shape : find(shapes_objects, argv[1]);
        shape = shape ? shape : find(shapes_windows, argv[1]);
        shape = shape ? shape : find(shapes_crowd, argv[1]);
        n = strtoull(argv[2], NULL, 10);
    }
    if (!shape || n < 2) {
        fprintf(stderr, "usage: shapes SHAPE N DIRECTORY, or shapes --list\n");
        return 2;
    }
    make_shape(shape, n, argv[3]);
    return 0;
}
