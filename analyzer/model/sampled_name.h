#ifndef MWA_MODEL_SAMPLED_NAME_H
#define MWA_MODEL_SAMPLED_NAME_H

#include <stddef.h>

#include "analyzer/model/sampled.h"

/*
 * For people, the name of a function that was sampled: that of mwa_function_name, and where others
 * that were sampled are called so, too, with what tells it from them (mwa_function_name_among).
 *
 * \return text
 */
const char *mwa_sampled_name(const struct mwa_sampled *sampled, const char *function, char *text,
                             size_t size);

#endif
