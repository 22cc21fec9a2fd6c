/* Names only: the recorder makes terms, and the analyzer says what follows from them. */
#include "formats/table/terms.h"

#include <stddef.h>

const char *mw_reduction_name(uint32_t reduction)
{
    static const char *const names[] = {
#define MW_REDUCTION(name) [MW_REDUCTION_##name] = "MPI_" #name,
        MW_REDUCTIONS(MW_REDUCTION)
#undef MW_REDUCTION
            [MW_REDUCTION_USER] = "a user-defined operation",
    };

    return reduction <= MW_REDUCTION_USER ? names[reduction] : NULL;
}

uint32_t mw_terms_clean(uint32_t terms)
{
    const uint32_t reduction = MW_TERMS_REDUCTION(terms);
    const uint32_t scalar = MW_TERMS_SCALAR(terms);

    return MW_TERMS_OF(mw_reduction_name(reduction) ? reduction : 0,
                       mw_scalar_name(scalar) ? scalar : 0);
}

const char *mw_scalar_name(uint32_t scalar)
{
    static const char *const names[MW_SCALAR_KINDS][8] = {
        [MW_SCALAR_SIGNED] = {"int8", "int16", "int32", "int64", "int128"},
        [MW_SCALAR_UNSIGNED] = {"uint8", "uint16", "uint32", "uint64", "uint128"},
        [MW_SCALAR_FLOAT] = {NULL, "float16", "float32", "float64", "float128"},
        [MW_SCALAR_LOGICAL] = {"bool8", "bool16", "bool32", "bool64"},
        [MW_SCALAR_MIXED] = {"mixed"},
        [MW_SCALAR_AT_ODDS] = {"at odds"},
    };
    const uint32_t kind = MW_SCALAR_KIND(scalar);

    return kind < MW_SCALAR_KINDS ? names[kind][scalar & 7] : NULL;
}
