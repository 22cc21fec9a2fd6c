#ifndef MWR_STATE_TYPES_H
#define MWR_STATE_TYPES_H

#include <stdint.h>

#include "formats/base/status.h"
#include "recorder/dispatch/mpi_header.h"

/*
 * How large datatypes are, and of which scalars those of MPI's own consist. They keep their
 * handles and their sizes for as long as the process lives, so that these are asked for once; a
 * derived type's handle may be another type's later, so that it is asked each time.
 */

#define MWR_TYPE_SLOTS 256u /* a power of two, several times as many as there are types */

/* A predefined type. */
struct mwr_type {
    uintptr_t handle;  /* 0: the slot is free */
    uint64_t size_up;  /* its size and 1; 0: not asked yet */
    uint32_t kind;     /* enum mw_scalar_kind, maybe of two in each */
    uint32_t scalar;   /* MW_SCALAR of its kind, set with size_up; 0: not known, or not asked yet */
};

extern struct mwr_type mwr_types[MWR_TYPE_SLOTS] __attribute__((visibility("hidden")));

/* Learns which types are MPI's own. In MPI_Init; until then each is asked each time. */
void mwr_types_init(void);

/* The slow half of mwr_type_size. */
uint64_t mwr_type_ask(MPI_Datatype datatype);

static inline unsigned mwr_type_home(uintptr_t handle)
{
    return (unsigned)(((uint64_t)handle * 0x9e3779b97f4a7c15u) >> 56) % MWR_TYPE_SLOTS;
}

/* Bytes of an element; MW_BYTES_UNKNOWN if that can't be told. Thread-safe. */
static inline uint64_t mwr_type_size(MPI_Datatype datatype)
{
    const struct mwr_type *type = &mwr_types[mwr_type_home((uintptr_t)datatype)];
    uint64_t size_up = __atomic_load_n(&type->size_up, __ATOMIC_ACQUIRE);

    return MW_LIKELY(type->handle == (uintptr_t)datatype && size_up > 0) ? size_up - 1
                                                                        : mwr_type_ask(datatype);
}

/* The slow half of mwr_type_own_size. */
uint64_t mwr_type_ask_own(MPI_Datatype datatype);

/* The same of a type that is MPI's own; MW_BYTES_UNKNOWN of others, which may be none at all. */
static inline uint64_t mwr_type_own_size(MPI_Datatype datatype)
{
    const struct mwr_type *type = &mwr_types[mwr_type_home((uintptr_t)datatype)];
    uint64_t size_up = __atomic_load_n(&type->size_up, __ATOMIC_ACQUIRE);

    return MW_LIKELY(type->handle == (uintptr_t)datatype && size_up > 0)
               ? size_up - 1
               : mwr_type_ask_own(datatype);
}

/* The slow half of mwr_type_scalar. */
uint32_t mwr_type_ask_scalar(MPI_Datatype datatype);

/*
 * The scalar that a type consists of whose size was asked for (formats/table/terms.h); 0: not
 * known, as of derived types. Thread-safe.
 */
static inline uint32_t mwr_type_scalar(MPI_Datatype datatype)
{
    const struct mwr_type *type = &mwr_types[mwr_type_home((uintptr_t)datatype)];

    return MW_LIKELY(type->handle == (uintptr_t)datatype)
               ? __atomic_load_n(&type->scalar, __ATOMIC_RELAXED)
               : mwr_type_ask_scalar(datatype);
}

#endif
