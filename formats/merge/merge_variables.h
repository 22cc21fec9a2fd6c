#ifndef MW_FORMATS_MERGE_MERGE_VARIABLES_H
#define MW_FORMATS_MERGE_MERGE_VARIABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/merge/merge.h"

/*
 * The variables of all processes made one: metrics that are alike share an id, counted
 * from 0; of control variables, differences between ranks are kept. Part of formats/merge.
 */

/*
 * Takes in a definition of rank, of kind MW_DEFINE_METRIC, _BASELINE, _CVAR, _OFFER or
 * _OWN_TRAFFIC.
 * Its texts stay in use. Baselines on communicators that have no definition are dropped.
 *
 * \return false without memory.
 */
bool mw_merge_variable(struct mw_merged *merged, uint32_t rank,
                       const struct mw_definition *definition);

void mw_merged_variables_fini(struct mw_merged_variables *variables);

#endif
