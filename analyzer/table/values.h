#ifndef MWA_TABLE_VALUES_H
#define MWA_TABLE_VALUES_H

#include <stdint.h>

#include <jansson.h>

#include "analyzer/model/trace.h"

/* JSON values as all renderers make them; null when there is no memory. */

/* An exact integer (2^63 - 1 for greater ones, which jansson has not). */
json_t *mwa_json_number(uint64_t value);

/* Names come from archives: bytes that are no UTF-8 become '?'. JSON's null for null. */
json_t *mwa_json_text(const char *value);

/* JSON's null for what is not a finite number: a ratio to nothing. */
json_t *mwa_json_ratio(double value);

/*
 * The identity of a communicator (an index): mpiwatch's uid, or in other tools' archives
 * "otf2:" and the number of its definition; null for MWA_NONE.
 */
json_t *mwa_json_comm_uid(const struct mwa_trace *trace, uint32_t comm);

#endif
