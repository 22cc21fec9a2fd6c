#ifndef MWA_MODEL_WORK_TOGETHER_H
#define MWA_MODEL_WORK_TOGETHER_H

#include <stdint.h>

/*
 * Has work done by so many threads, 1 at least, of which the caller is one: each calls work with
 * user, which takes what nobody has begun with until nothing is left. Where there are fewer threads
 * to be had, those that there are do all.
 */
void mwa_work_together(uint32_t threads, void *(*work)(void *user), void *user);

#endif
