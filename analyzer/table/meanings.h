#ifndef MWA_TABLE_MEANINGS_H
#define MWA_TABLE_MEANINGS_H

/*
 * What a key of JSON means, by the way to it: "waits.patterns.worst.rank", which begins with the
 * document's name. The row of meanings.def with the longest end of it counts. Any thread.
 *
 * \return a static text, null: no row is of it.
 */
const char *mwa_meaning(const char *way);

#endif
