/* People type letters too many, too few, and others: Levenshtein's distance counts just these. */
#include "formats/base/nearest.h"

#include <string.h>

#define LENGTH_MAX 48u
#define FAR_MAX    3u /* beyond it, it is another word */

static unsigned least_of_three(unsigned first, unsigned second, unsigned third)
{
    unsigned least = first < second ? first : second;

    return least < third ? least : third;
}

/* Both are shorter than LENGTH_MAX. */
static unsigned distance(const char *one, const char *other)
{
    unsigned row[LENGTH_MAX];
    unsigned length = (unsigned)strlen(other);

    for (unsigned column = 0; column <= length; column++) {
        row[column] = column;
    }
    for (unsigned line = 1; *one; one++, line++) {
        unsigned diagonal = row[0];

        row[0] = line;
        for (unsigned column = 1; column <= length; column++) {
            unsigned above = row[column];

            row[column] = least_of_three(above + 1, row[column - 1] + 1,
                                         diagonal + (*one != other[column - 1]));
            diagonal = above;
        }
    }
    return row[length];
}

void mw_nearest_try(struct mw_nearest *nearest, const char *name)
{
    size_t length = strlen(name);
    unsigned far;

    if (length >= LENGTH_MAX || strlen(nearest->word) >= LENGTH_MAX) {
        return;
    }
    far = distance(nearest->word, name);
    /* Of a short name most letters may be others by then: of "pop" two make "foo". */
    if (far <= FAR_MAX && far < length && far <= (length + 1) / 2 &&
        (far < 2 || length - far > 1) && (!nearest->name || far < nearest->far)) {
        nearest->name = name;
        nearest->far = far;
    }
}
