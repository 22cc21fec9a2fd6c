#ifndef MW_FORMATS_TABLE_TERMS_H
#define MW_FORMATS_TABLE_TERMS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The terms of a collective operation: what all members of its communicator have to agree on, by
 * which MPI_Op data is reduced and of which scalars it consists. Counts are not in it: how many
 * bytes there are is told of each operation anyway.
 *
 * Types that have the same scalars in memory are one, whatever their names: MPI_INT, MPI_INTEGER
 * and MPI_INT32_T, MPI_DOUBLE_COMPLEX and two MPI_DOUBLE. MPI_BYTE and MPI_PACKED, which are
 * anything, and derived types are not known.
 */

/* Each operation of MPI's own, MPI_MAX and so on. */
#define MW_REDUCTIONS(REDUCTION)                                                                \
    REDUCTION(MAX)                                                                              \
    REDUCTION(MIN)                                                                              \
    REDUCTION(SUM)                                                                              \
    REDUCTION(PROD)                                                                             \
    REDUCTION(LAND)                                                                             \
    REDUCTION(BAND)                                                                             \
    REDUCTION(LOR)                                                                              \
    REDUCTION(BOR)                                                                              \
    REDUCTION(LXOR)                                                                             \
    REDUCTION(BXOR)                                                                             \
    REDUCTION(MINLOC)                                                                           \
    REDUCTION(MAXLOC)

/* By which operation data is reduced; its values are written to spools and archives. */
enum mw_reduction {
    MW_REDUCTION_NONE, /* by none */
#define MW_REDUCTION(name) MW_REDUCTION_##name,
    MW_REDUCTIONS(MW_REDUCTION)
#undef MW_REDUCTION
    MW_REDUCTION_USER = 15 /* of the program's own; which one is not told */
};

/* What data consists of; written likewise. */
enum mw_scalar_kind {
    MW_SCALAR_UNKNOWN,
    MW_SCALAR_SIGNED,
    MW_SCALAR_UNSIGNED,
    MW_SCALAR_FLOAT, /* complex numbers are two of them */
    MW_SCALAR_LOGICAL,
    MW_SCALAR_MIXED,   /* of several; which ones is not told */
    MW_SCALAR_AT_ODDS, /* what a process gives and what it gets are not of one kind */
    MW_SCALAR_KINDS
};

/*
 * A scalar is a kind and the logarithm of its bytes, 0 to 7; terms are a reduction and a scalar.
 * 0: nothing is known.
 */
#define MW_SCALAR(kind, log_bytes)   ((uint32_t)(kind) << 3 | (log_bytes))
#define MW_TERMS_OF(reduction, scalar) ((uint32_t)(reduction) | (uint32_t)(scalar) << 4)
#define MW_TERMS_REDUCTION(terms)      ((terms) & 15u)
#define MW_TERMS_SCALAR(terms)         ((terms) >> 4 & 63u)
#define MW_SCALAR_KIND(scalar)        ((scalar) >> 3)
#define MW_TERMS_MAX                   1023u

/* The scalar of data of which one part is of this kind, and one of that. */
static inline uint32_t mw_scalar_both(uint32_t one, uint32_t other)
{
    if (one == 0 || other == 0 || one == other) {
        return one | other;
    }
    return MW_SCALAR(MW_SCALAR_AT_ODDS, 0);
}

/* The terms without what has no name, as others may have written them. */
uint32_t mw_terms_clean(uint32_t terms);

/* "MPI_SUM", "a user-defined operation"; null if it is none. */
const char *mw_reduction_name(uint32_t reduction);

/* "int32", "mixed"; null if it is not known, or none. */
const char *mw_scalar_name(uint32_t scalar);

#endif
