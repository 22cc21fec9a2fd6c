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

void mwr_types_init(void)
{
    const MPI_Datatype own[] = {
        MPI_BYTE, MPI_DOUBLE, MPI_INT, MPI_CHAR, MPI_FLOAT, MPI_LONG, MPI_UNSIGNED,
        MPI_UNSIGNED_LONG, MPI_INTEGER, MPI_DOUBLE_PRECISION, MPI_REAL, MPI_LOGICAL,
        MPI_CHARACTER, MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_INT64_T, MPI_UINT64_T, MPI_INT32_T,
        MPI_UINT32_T, MPI_INT16_T, MPI_UINT16_T, MPI_INT8_T, MPI_UINT8_T, MPI_LONG_LONG,
        MPI_UNSIGNED_LONG_LONG, MPI_SHORT, MPI_UNSIGNED_SHORT, MPI_SIGNED_CHAR,
        MPI_UNSIGNED_CHAR, MPI_WCHAR, MPI_LONG_DOUBLE, MPI_C_BOOL, MPI_C_FLOAT_COMPLEX,
        MPI_C_DOUBLE_COMPLEX, MPI_C_LONG_DOUBLE_COMPLEX, MPI_AINT, MPI_OFFSET, MPI_COUNT,
        MPI_PACKED, MPI_2INT, MPI_DOUBLE_INT, MPI_FLOAT_INT, MPI_LONG_INT, MPI_SHORT_INT,
        MPI_LONG_DOUBLE_INT, MPI_2INTEGER, MPI_2REAL, MPI_2DOUBLE_PRECISION,
    };

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (own[i] != MPI_DATATYPE_NULL) {
            slot_of((uintptr_t)own[i])->handle = (uintptr_t)own[i];
        }
    }
}

uint64_t mwr_type_ask(MPI_Datatype datatype)
{
    struct mwr_type *type = slot_of((uintptr_t)datatype);
    uint64_t size_up = __atomic_load_n(&type->size_up, __ATOMIC_RELAXED);
    MPI_Count size = 0;

    if (type->handle == (uintptr_t)datatype && size_up > 0) {
        return size_up - 1;
    }
    if (MWR_PMPI(Type_size_x)(datatype, &size) != MPI_SUCCESS || size < 0) {
        return MW_BYTES_UNKNOWN;
    }
    if (type->handle == (uintptr_t)datatype && type->handle != 0) {
        __atomic_store_n(&type->size_up, (uint64_t)size + 1, __ATOMIC_RELAXED);
    }
    return (uint64_t)size;
}

uint64_t mwr_type_ask_own(MPI_Datatype datatype)
{
    bool is_own = slot_of((uintptr_t)datatype)->handle == (uintptr_t)datatype &&
                  (uintptr_t)datatype != 0;

    return is_own ? mwr_type_ask(datatype) : MW_BYTES_UNKNOWN;
}
