#ifndef MWR_STATE_COMM_TABLE_H
#define MWR_STATE_COMM_TABLE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * From handles of communicators (mwr_comm_key), never 0, to what is known of them. Look-up takes no
 * lock and may run beside a change; of changes there is one at a time, which the caller sees to.
 */
struct mwr_comm;

/* Makes the table of the process, empty; once. False: no memory. */
bool mwr_comm_table_create(void);

/* Whether that has been. */
bool mwr_comm_table_exists(void);

/* What the handle stands for; null: nothing, or there is no table. */
struct mwr_comm *mwr_comm_table_get(uintptr_t handle);

/* Puts comm under the handle, in place of what is there. False: no memory, and nothing changed. */
bool mwr_comm_table_put(uintptr_t handle, struct mwr_comm *comm);

/* The same of a handle that has been put before: needs no memory. Null: it stands for nothing. */
void mwr_comm_table_set(uintptr_t handle, struct mwr_comm *comm);

#endif
