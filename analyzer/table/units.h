#ifndef MWA_TABLE_UNITS_H
#define MWA_TABLE_UNITS_H

#include <stdint.h>

/* Numbers for people: four characters or so, and a unit. Not exact; JSON is. */

#define MWA_UNITS_BYTES 24

/* "1.23 ms", "41.8 s"; returns text, of MWA_UNITS_BYTES. */
const char *mwa_time_text(uint64_t ns, char *text);

/* The same of a time since the beginning, which may come before it: "-181 ms". */
const char *mwa_moment_text(int64_t ns, char *text);

/* "17 B", "4.1 kB", "28.0 GB"; powers of 1000. */
const char *mwa_bytes_text(uint64_t bytes, char *text);

/* "412", "41.2 k", "5.2 M". */
const char *mwa_count_text(uint64_t count, char *text);

/* The same in a sentence, where the number of a few thousand things is told: "9999", "10.0 k". */
const char *mwa_number_text(uint64_t count, char *text);

/* How often: "once", "12 times"; as mwa_number_text. */
const char *mwa_times_text(uint64_t count, char *text);

/* part / whole as "12.3%"; "-" when whole is 0. */
const char *mwa_share_text(uint64_t part, uint64_t whole, char *text);

/* How much more one is than the other: "+20%", "0%", from the hundredfold on "x 4473", "new" where
 * there was none, "-" where either is not known (NaN). */
const char *mwa_change_text(double from, double to, char *text);

#endif
