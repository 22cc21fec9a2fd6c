#ifndef MW_TEST_DATA_IRREGULAR_WINDOWS_H
#define MW_TEST_DATA_IRREGULAR_WINDOWS_H

#include "test/data/irregular_run.h"

/* Shapes whose ranks reach into each other's memory: make_irregular.c tells what each is. */

void irregular_windows(struct run *run);
void irregular_epochs(struct run *run);
void irregular_shares(struct run *run);

#endif
