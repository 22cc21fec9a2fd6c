#ifndef MWA_VIEW_VIEW_ARRAY_H
#define MWA_VIEW_VIEW_ARRAY_H

#include <stddef.h>
#include <stdint.h>

#include "formats/base/status.h"

/*
 * An array that may be larger than memory: it lies in a file without a name, mapped, so that the
 * kernel keeps of it what is in use. What is on disk is allocated before it is touched: a full disk
 * is an error, and no signal.
 *
 * One thread while it grows, which moves it; any number afterwards. One of zeros is empty.
 */
struct mwa_view_array {
    char *data;
    uint64_t count;
    uint64_t room; /* bytes that are mapped */
    size_t item;   /* bytes of one */
    int file;
};

/*
 * Makes an empty array of items of so many bytes, in $TMPDIR or /var/tmp.
 *
 * \return MW_OK; MW_ERROR_SYSTEM, MW_ERROR_SPACE. To be freed with mwa_view_array_fini in any case.
 */
enum mw_status mwa_view_array_init(struct mwa_view_array *array, size_t item,
                                   struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_view_array_fini(struct mwa_view_array *array);

/*
 * Adds count items of zeros; what was got by mwa_view_array_at is not good any more.
 *
 * \return MW_OK. MW_ERROR_SPACE: the disk is full, or there would be more than 2^32 - 2.
 * MW_ERROR_SYSTEM.
 */
enum mw_status mwa_view_array_add(struct mwa_view_array *array, uint64_t count,
                                  struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

static inline void *mwa_view_array_at(const struct mwa_view_array *array, uint64_t index)
{
    return array->data + index * array->item;
}

#endif
