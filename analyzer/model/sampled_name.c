/* Instances of one template compute by themselves, and their names for people leave out what they
 * are instances for: rows that read the same tell nobody which one it is. */
#include "analyzer/model/sampled_name.h"

#include <stdbool.h>
#include <string.h>

#include "analyzer/model/function_name.h"
#include "formats/base/index_table.h"

#define NAME_BYTES 256
#define OTHERS_MAX 200u /* each is compared with each */

uint64_t mwa_sampled_name_key(const char *function)
{
    char name[NAME_BYTES];

    mwa_function_name(function, name, sizeof name);
    return mw_hash_bytes(MW_HASH_START, name, strlen(name));
}

const char *mwa_sampled_name(const struct mwa_sampled *sampled, const char *function, char *text,
                             size_t size)
{
    const bool is_whole = !strchr(function, '('); /* it has no parameters */
    const uint64_t key = mwa_sampled_name_key(function);
    const char *others[OTHERS_MAX];
    size_t count = 0;

    for (uint64_t i = 0; !is_whole && i < sampled->spot_count && count < OTHERS_MAX; i++) {
        const struct mwa_sampled_spot *spot = &sampled->spots[i];

        if (spot->first == i && spot->name_key == key && strcmp(spot->function, function) != 0) {
            others[count++] = spot->function;
        }
    }
    return mwa_function_name_among(function, others, count, text, size);
}
