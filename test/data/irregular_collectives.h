#ifndef MW_TEST_DATA_IRREGULAR_COLLECTIVES_H
#define MW_TEST_DATA_IRREGULAR_COLLECTIVES_H

#include "test/data/irregular_run.h"

/* Shapes whose ranks meet in collectives: make_irregular.c tells what each is. */

void irregular_grid(struct run *run);
void irregular_chapters(struct run *run);
void irregular_crews(struct run *run);
void irregular_mistakes(struct run *run);
void irregular_ahead(struct run *run);

#endif
