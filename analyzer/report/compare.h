#ifndef MWA_REPORT_COMPARE_H
#define MWA_REPORT_COMPARE_H

#include <stdbool.h>
#include <stdio.h>

#include <jansson.h>

/*
 * Several runs side by side, the first being the reference:
 *
 *   speed-up              T_ref / T                          (weak scaling: times P / P_ref)
 *   computation scaling   Σ U_ref / Σ U                      (weak scaling: times P / P_ref)
 *   global efficiency     parallel efficiency * computation scaling      (POP)
 *
 * and for each MPI call and each kind of wait the time per rank, those that changed most
 * against the reference first.
 *
 * \return mpiwatch-compare/1, made of a list of mpiwatch-report/1 with "archive" added, or
 * null when there is no memory.
 */
json_t *mwa_json_compare(const json_t *reports, bool weak);

/* Prints what mwa_json_compare has returned, a column per run. */
void mwa_text_compare(const json_t *comparison, FILE *out);

#endif
