/* Step by step what analyzer/exchange/exchange_{notices,locks}.c do, without asking who waited. */
#include "analyzer/load/quiet_windows.h"

#include "analyzer/load/quiet_hash.h"

/* Where a step is. */
struct around {
    const struct mwa_trace *trace;
    struct mwa_positions *positions;
    uint32_t rank;
    enum mw_call_kind kind;
    uint64_t *balance;
};

static struct mwa_key key_of(const struct mwa_onesided_data *step, uint32_t target)
{
    return (struct mwa_key){ step->window, target };
}

static bool is_in(const struct mwa_map *map, struct mwa_key key)
{
    return map->count > 0 && mwa_map_get(map, key) != MWA_MAP_ABSENT;
}

static bool begin(struct mwa_map *map, struct mwa_key key)
{
    return mwa_map_put(map, key, 0) != NULL;
}

static void end(struct mwa_map *map, struct mwa_key key)
{
    if (map->count > 0) {
        (void)mwa_map_remove(map, key);
    }
}

/* --- post, start, complete, wait -------------------------------------------------------------- */

static uint64_t notice(uint32_t window, bool is_post, uint32_t from, uint32_t to)
{
    return mwa_quiet_hash(MWA_QUIET_NOTICE, (uint64_t)window << 1 | is_post,
                          (uint64_t)from << 32 | to, 0);
}

/* Rank gives notice to target, the world rank other: each post is for a start of it … */
static void give(struct mwa_quiet_windows *windows, const struct around *around,
                 const struct mwa_onesided_data *step, uint32_t target, uint32_t other)
{
    if (around->kind == MW_KIND_WIN_POST) {
        *around->balance += notice(step->window, true, around->rank, other);
    } else if (around->kind == MW_KIND_WIN_COMPLETE) {
        *around->balance += notice(step->window, false, around->rank, other);
        end(&windows->accesses, key_of(step, target));
    }
}

/* … and each complete for a wait. */
static bool await(struct mwa_quiet_windows *windows, const struct around *around,
                  const struct mwa_onesided_data *step, uint32_t target, uint32_t other)
{
    if (around->kind == MW_KIND_WIN_START) {
        *around->balance -= notice(step->window, true, other, around->rank);
        return begin(&windows->accesses, key_of(step, target));
    }
    if (around->kind == MW_KIND_WIN_WAIT || around->kind == MW_KIND_WIN_TEST) {
        *around->balance -= notice(step->window, false, other, around->rank);
    }
    return true;
}

static bool take_notice(struct mwa_quiet_windows *windows, const struct around *around,
                        const struct mwa_onesided_data *step, uint32_t target, bool gives)
{
    const uint32_t comm = around->trace->metrics.objects[step->window].comm;
    const uint32_t other = mwa_trace_peer(around->trace, comm, around->rank, target);

    if (other >= around->trace->rank_count) {
        return true;
    }
    if (gives) {
        give(windows, around, step, target, other);
        return true;
    }
    return await(windows, around, step, target, other);
}

/* The same of each in step's group: others have one event of each call. */
static bool take_group(struct mwa_quiet_windows *windows, const struct around *around,
                       const struct mwa_onesided_data *step)
{
    const bool gives = around->kind == MW_KIND_WIN_POST || around->kind == MW_KIND_WIN_COMPLETE;

    for (uint32_t i = 0; i < step->group->count; i++) {
        const uint32_t target =
            mwa_positions_find(around->positions, step->comm, step->group->ranks[i]);

        if (target != MWA_NONE && !take_notice(windows, around, step, target, gives)) {
            return false;
        }
    }
    return true;
}

/* --- locks ------------------------------------------------------------------------------------ */

/* An operation of no access belongs to a lock, if there is one that covers its target. */
static bool take_operation(struct mwa_quiet_windows *windows,
                           const struct mwa_onesided_data *step)
{
    return is_in(&windows->accesses, key_of(step, step->target)) ||
           (!is_in(&windows->locks, key_of(step, step->target)) &&
            !is_in(&windows->locks, key_of(step, MWA_NONE))) ||
           begin(&windows->operations, (struct mwa_key){ 0, step->id });
}

/* --- the module ------------------------------------------------------------------------------- */

bool mwa_quiet_windows_take(struct mwa_quiet_windows *windows, const struct mwa_trace *trace,
                            struct mwa_positions *positions, uint32_t rank,
                            enum mw_call_kind kind, const struct mwa_onesided_data *step,
                            uint64_t *balance)
{
    const struct around around = { trace, positions, rank, kind, balance };

    switch (step->step) {
    case MWA_STEP_NOTICE:
    case MWA_STEP_AWAIT:
        return take_notice(windows, &around, step, step->target, step->step == MWA_STEP_NOTICE);
    case MWA_STEP_GROUP:
        return take_group(windows, &around, step);
    case MWA_STEP_REQUEST:
    case MWA_STEP_LOCK:
        return begin(&windows->locks, key_of(step, step->target));
    case MWA_STEP_UNLOCK:
        end(&windows->locks, key_of(step, step->target));
        return true;
    case MWA_STEP_ACCESS:
        return take_operation(windows, step);
    case MWA_STEP_DONE:
    case MWA_STEP_DONE_LOCALLY:
        end(&windows->operations, (struct mwa_key){ 0, step->id });
        return true;
    }
    return true;
}

bool mwa_quiet_windows_has_access(const struct mwa_quiet_windows *windows)
{
    return windows->accesses.count > 0;
}

bool mwa_quiet_windows_has_locks(const struct mwa_quiet_windows *windows)
{
    return windows->locks.count > 0 || windows->operations.count > 0;
}

void mwa_quiet_windows_fini(struct mwa_quiet_windows *windows)
{
    mwa_map_fini(&windows->accesses);
    mwa_map_fini(&windows->locks);
    mwa_map_fini(&windows->operations);
}
