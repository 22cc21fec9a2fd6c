#ifndef MW_TEST_DATA_IRREGULAR_REQUESTS_H
#define MW_TEST_DATA_IRREGULAR_REQUESTS_H

#include "test/data/irregular_run.h"

/* Shapes whose ranks leave requests open for long: make_irregular.c tells what each is. */

void irregular_listeners(struct run *run);
void irregular_requests(struct run *run);
void irregular_numbers(struct run *run);
void irregular_behind(struct run *run);
void irregular_hands(struct run *run);

#endif
