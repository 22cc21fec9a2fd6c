#include "recorder/state/types.h"

#include <stdbool.h>
#include <stddef.h>

#include "formats/spool/record.h"
#include "recorder/dispatch/chain.h"

/* Handles are written in MPI_Init, sizes by any thread that asks, with atomics. */
struct mwr_type mwr_types[MWR_TYPE_SLOTS];

/* The type's slot, or the free one where it belongs. */
static struct mwr_type *slot_of(uintptr_t handle)
{
    unsigned at = mwr_type_home(handle);

    while (mwr_types[at].handle != handle && mwr_types[at].handle != 0) {
        at = (at + 1) % MWR_TYPE_SLOTS;
    }
    return &mwr_types[at];
}

#define PAIR_OF 16u

void mwr_types_init(void)
{
    const struct {
        MPI_Datatype handle;
        unsigned kind; /* enum mw_scalar_kind, and PAIR_OF two of them */
    } own[] = {
        {MPI_BYTE, MW_SCALAR_UNKNOWN}, {MPI_PACKED, MW_SCALAR_UNKNOWN},
        {MPI_INT, MW_SCALAR_SIGNED}, {MPI_CHAR, MW_SCALAR_SIGNED}, {MPI_LONG, MW_SCALAR_SIGNED},
        {MPI_INTEGER, MW_SCALAR_SIGNED}, {MPI_CHARACTER, MW_SCALAR_SIGNED},
        {MPI_INT64_T, MW_SCALAR_SIGNED}, {MPI_INT32_T, MW_SCALAR_SIGNED},
        {MPI_INT16_T, MW_SCALAR_SIGNED}, {MPI_INT8_T, MW_SCALAR_SIGNED},
        {MPI_LONG_LONG, MW_SCALAR_SIGNED}, {MPI_SHORT, MW_SCALAR_SIGNED},
        {MPI_SIGNED_CHAR, MW_SCALAR_SIGNED}, {MPI_WCHAR, MW_SCALAR_SIGNED},
        {MPI_AINT, MW_SCALAR_SIGNED}, {MPI_OFFSET, MW_SCALAR_SIGNED},
        {MPI_COUNT, MW_SCALAR_SIGNED},
        {MPI_2INT, PAIR_OF | MW_SCALAR_SIGNED}, {MPI_2INTEGER, PAIR_OF | MW_SCALAR_SIGNED},
        {MPI_UNSIGNED, MW_SCALAR_UNSIGNED}, {MPI_UNSIGNED_LONG, MW_SCALAR_UNSIGNED},
        {MPI_UINT64_T, MW_SCALAR_UNSIGNED}, {MPI_UINT32_T, MW_SCALAR_UNSIGNED},
        {MPI_UINT16_T, MW_SCALAR_UNSIGNED}, {MPI_UINT8_T, MW_SCALAR_UNSIGNED},
        {MPI_UNSIGNED_LONG_LONG, MW_SCALAR_UNSIGNED}, {MPI_UNSIGNED_SHORT, MW_SCALAR_UNSIGNED},
        {MPI_UNSIGNED_CHAR, MW_SCALAR_UNSIGNED},
        {MPI_DOUBLE, MW_SCALAR_FLOAT}, {MPI_FLOAT, MW_SCALAR_FLOAT},
        {MPI_DOUBLE_PRECISION, MW_SCALAR_FLOAT}, {MPI_REAL, MW_SCALAR_FLOAT},
        {MPI_LONG_DOUBLE, MW_SCALAR_FLOAT},
        {MPI_COMPLEX, PAIR_OF | MW_SCALAR_FLOAT},
        {MPI_DOUBLE_COMPLEX, PAIR_OF | MW_SCALAR_FLOAT},
        {MPI_C_FLOAT_COMPLEX, PAIR_OF | MW_SCALAR_FLOAT},
        {MPI_C_DOUBLE_COMPLEX, PAIR_OF | MW_SCALAR_FLOAT},
        {MPI_C_LONG_DOUBLE_COMPLEX, PAIR_OF | MW_SCALAR_FLOAT},
        {MPI_2REAL, PAIR_OF | MW_SCALAR_FLOAT},
        {MPI_2DOUBLE_PRECISION, PAIR_OF | MW_SCALAR_FLOAT},
        {MPI_LOGICAL, MW_SCALAR_LOGICAL}, {MPI_C_BOOL, MW_SCALAR_LOGICAL},
        {MPI_DOUBLE_INT, MW_SCALAR_MIXED}, {MPI_FLOAT_INT, MW_SCALAR_MIXED},
        {MPI_LONG_INT, MW_SCALAR_MIXED}, {MPI_SHORT_INT, MW_SCALAR_MIXED},
        {MPI_LONG_DOUBLE_INT, MW_SCALAR_MIXED},
    };

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (own[i].handle != MPI_DATATYPE_NULL) {
            struct mwr_type *type = slot_of((uintptr_t)own[i].handle);

            type->handle = (uintptr_t)own[i].handle;
            type->kind = own[i].kind;
        }
    }
}

/* The scalar of a type of so many bytes. */
static uint32_t scalar_of(unsigned kind, uint64_t bytes)
{
    const uint64_t each = kind & PAIR_OF ? bytes / 2 : bytes;

    kind &= ~PAIR_OF;
    if (kind == MW_SCALAR_UNKNOWN || each == 0) {
        return 0;
    }
    return MW_SCALAR(kind, kind == MW_SCALAR_MIXED ? 0 : 63 - (unsigned)__builtin_clzll(each));
}

uint64_t mwr_type_ask(MPI_Datatype datatype)
{
    struct mwr_type *type = slot_of((uintptr_t)datatype);
    uint64_t size_up = __atomic_load_n(&type->size_up, __ATOMIC_ACQUIRE);
    MPI_Count size = 0;

    if (type->handle == (uintptr_t)datatype && size_up > 0) {
        return size_up - 1;
    }
    if (MWR_PMPI(Type_size_x)(datatype, &size) != MPI_SUCCESS || size < 0) {
        return MW_BYTES_UNKNOWN;
    }
    if (type->handle == (uintptr_t)datatype && type->handle != 0) {
        __atomic_store_n(&type->scalar, scalar_of(type->kind, (uint64_t)size), __ATOMIC_RELAXED);
        /* Who sees the size sees the scalar, which is asked for next. */
        __atomic_store_n(&type->size_up, (uint64_t)size + 1, __ATOMIC_RELEASE);
    }
    return (uint64_t)size;
}

uint64_t mwr_type_ask_own(MPI_Datatype datatype)
{
    bool is_own = slot_of((uintptr_t)datatype)->handle == (uintptr_t)datatype &&
                  (uintptr_t)datatype != 0;

    return is_own ? mwr_type_ask(datatype) : MW_BYTES_UNKNOWN;
}

uint32_t mwr_type_ask_scalar(MPI_Datatype datatype)
{
    const struct mwr_type *type = slot_of((uintptr_t)datatype);

    return type->handle == (uintptr_t)datatype ? __atomic_load_n(&type->scalar, __ATOMIC_RELAXED)
                                              : 0;
}
