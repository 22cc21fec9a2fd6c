#ifndef MWA_TABLE_VALUES_H
#define MWA_TABLE_VALUES_H

#include <stdint.h>

#include <jansson.h>

/* JSON values as all renderers make them; null when there is no memory. */

/* An exact integer (2^63 - 1 for greater ones, which jansson has not). */
json_t *mwa_json_number(uint64_t value);

/* Names come from archives: bytes that are no UTF-8 become '?'. JSON's null for null. */
json_t *mwa_json_text(const char *value);

/* JSON's null for what is not a finite number: a ratio to nothing. */
json_t *mwa_json_ratio(double value);

#endif
