#ifndef MWA_REPORT_CAUSE_BESIDES_H
#define MWA_REPORT_CAUSE_BESIDES_H

#include <stddef.h>

#include "analyzer/analysis/results.h"

/*
 * The calls that a cause names with the one that it is about: " and MPI_Recv, a.c:7 and MPI_Wait,
 * a.c:9" in text, which has room bytes; nothing if there are none. None is named twice, and those
 * that there is no room for are counted: " and 2 more".
 */
void mwa_cause_besides(const struct mwa_results *results, const struct mwa_cause *cause, char *text,
                       size_t room);

#endif
