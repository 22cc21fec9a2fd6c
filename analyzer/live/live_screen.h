#ifndef MWA_LIVE_LIVE_SCREEN_H
#define MWA_LIVE_LIVE_SCREEN_H

#include <stdio.h>

#include "analyzer/live/live_detail.h"

/* One screen of text, for mwa_lay_out: on a terminal and for --once the same. */

enum mwa_live_sort {
    MWA_LIVE_BY_RANK,
    MWA_LIVE_BY_SHARE, /* of MPI in the last second, largest first */
    MWA_LIVE_BY_SINCE, /* longest first */
    MWA_LIVE_BY_CALLS, /* a second, most first */
    MWA_LIVE_BY_BYTES,
    MWA_LIVE_BY_WAITING, /* in the last second, most first */
    MWA_LIVE_BY_VARIABLE /* highest first */
};

enum mwa_live_table {
    MWA_LIVE_RANKS,
    MWA_LIVE_CALLS,
    MWA_LIVE_COMMS,
    MWA_LIVE_MESSAGES,
    MWA_LIVE_VARIABLES,
    MWA_LIVE_VIEWS
};

#define MWA_LIVE_FILTER_BYTES 64
#define MWA_LIVE_READING_PERCENT 8u /* of a core, that reading events for views may take */

struct mwa_live_screen {
    enum mwa_live_table view;
    enum mwa_live_sort sort; /* of ranks */
    unsigned column; /* by which the other views are sorted, from 1; 0: their own choice */
    char filter[MWA_LIVE_FILTER_BYTES]; /* what a row has to contain, whatever its letters' case */
    bool is_grouped; /* threads that do the same are one row, however many rows fit */
    bool with_events; /* of ranks: how much they wait, and a variable, for which events are read */
    char variable[MWA_LIVE_FILTER_BYTES]; /* what that has in its name; "": its own choice */
    uint64_t alarm;  /* ns in which no call was left, after which a line says so; 0: never */
    uint32_t rows;  /* that fit: where there are more threads, those that do the same are one */
    unsigned columns;
    uint32_t first; /* row that is shown first */
};

/* "ranks", "calls", "comms", "messages", "variables". */
const char *mwa_live_view_name(enum mwa_live_table view);

/* Whether text has word in it, whatever the case of ASCII letters. */
bool mwa_live_contains(const char *text, const char *word);

/* A variable's value in text, of MWA_UNITS_BYTES. */
const char *mwa_live_number_text(double number, char *text);

/* Prints what is said of the run above all views. */
void mwa_live_put_head(const struct mwa_live *live, const struct mwa_live_screen *screen,
                       FILE *out);

/* Prints the head and the view of ranks; detail is for a screen with_events, null: none are read.
 * \return the rows that there are; 0: no memory. */
uint32_t mwa_live_put(const struct mwa_live *live, const struct mwa_live_detail *detail,
                      const struct mwa_live_screen *screen, FILE *out);

/* Prints, if it is so, that only that share of the calls made is in numbers of events. */
void mwa_live_put_behind(double share, FILE *out);

#endif
