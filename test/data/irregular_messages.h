#ifndef MW_TEST_DATA_IRREGULAR_MESSAGES_H
#define MW_TEST_DATA_IRREGULAR_MESSAGES_H

#include "test/data/irregular_run.h"

/* Shapes whose ranks send messages to each other: make_irregular.c tells what each is. */

void irregular_halo(struct run *run);
void irregular_workers(struct run *run);
void irregular_tree(struct run *run);
void irregular_flood(struct run *run);
void irregular_threads(struct run *run);
void irregular_phases(struct run *run);
void irregular_servers(struct run *run);
void irregular_pools(struct run *run);
void irregular_clocks(struct run *run);

#endif
