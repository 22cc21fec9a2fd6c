#ifndef MW_FORMATS_BASE_NEAREST_H
#define MW_FORMATS_BASE_NEAREST_H

/* What a user who mistypes a word may have meant. Any thread may call it. */

struct mw_nearest {
    const char *word; /* that the user wrote */
    const char *name; /* the nearest so far; null: none that is near enough to be meant */
    unsigned far;
};

/* Keeps name if it is nearer to the word than the nearest so far; name has to stay. */
void mw_nearest_try(struct mw_nearest *nearest, const char *name);

#endif
