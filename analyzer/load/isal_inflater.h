#ifndef MWA_LOAD_ISAL_INFLATER_H
#define MWA_LOAD_ISAL_INFLATER_H

#include "analyzer/load/inflater.h"

/*
 * ISA-L's inflate, for analyzer/load/inflater.h alone: half of zlib's time. It is looked for at run
 * time, and stays once it was found: who inflates is no traced program.
 */
struct mwa_isal_inflater;

/* Null: it isn't there, or there is too little memory. By any thread. */
struct mwa_isal_inflater *mwa_isal_inflater_create(void);
void mwa_isal_inflater_destroy(struct mwa_isal_inflater *isal);

/* As those of mwa_inflater. */
void mwa_isal_inflater_reset(struct mwa_isal_inflater *isal);
void mwa_isal_inflater_give(struct mwa_isal_inflater *isal, const void *bytes, size_t count);
bool mwa_isal_inflater_is_through(const struct mwa_isal_inflater *isal);
enum mwa_inflating mwa_isal_inflater_take(struct mwa_isal_inflater *isal, void *out, size_t room,
                                          size_t *got);
uint32_t mwa_isal_inflater_crc(const struct mwa_isal_inflater *isal, uint32_t crc,
                               const void *bytes, size_t count);

#endif
