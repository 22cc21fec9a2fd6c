#ifndef MWA_MODEL_SAMPLED_NAME_H
#define MWA_MODEL_SAMPLED_NAME_H

#include <stddef.h>
#include <stdint.h>

#include "analyzer/model/sampled.h"

/* What is the same of functions whose names for people are, for all that is likely. */
uint64_t mwa_sampled_name_key(const char *function);

/*
 * For people, the name of a function that was sampled: that of mwa_function_name, and where others
 * that were sampled are called so, too, with what tells it from them, or from the first 200
 * (mwa_function_name_among).
 *
 * \return text
 */
const char *mwa_sampled_name(const struct mwa_sampled *sampled, const char *function, char *text,
                             size_t size);

#endif
