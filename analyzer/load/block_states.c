/*
 * A sidecar whose sums are right may still say what is not so. Its numbers are held against the
 * archive as far as memory depends on them, and a block against its CRC when it is read: where
 * something does not fit, the location is read from the beginning.
 */
#include "analyzer/load/block_states.h"

#include <stdlib.h>

#include "analyzer/load/archive_key.h"
#include "analyzer/load/block_layout.h"
#include "analyzer/load/otf2_input.h"
#include "analyzer/sidecar/sidecar.h"

struct located_states {
    const struct mwa_block_entry *entries;
    const struct mwa_open_call *calls;
    const struct mwa_quiet_place *quiet; /* as many as states has, or none; of lulls likewise */
    uint64_t count;
    uint64_t quiet_count;
    const struct mwa_carried_request *carried;
    uint64_t carried_count;
};

struct mwa_block_states {
    struct mwa_sidecar *sidecar;
    uint64_t location_count;
    uint64_t quiet_count; /* of each location that has some */
    bool has_quiet, has_lulls; /* what these are: never both */
    struct located_states *by_location;
};

static bool are_entries_sound(const struct located_states *states, uint64_t call_count,
                              uint64_t file_bytes)
{
    for (uint64_t i = 0; i < states->count; i++) {
        const struct mwa_block_entry *entry = &states->entries[i];

        if (entry->block == 0 || entry->block > file_bytes || entry->is_through > 1 ||
            (i > 0 && (entry[-1].block >= entry->block || entry[-1].events > entry->events ||
                       entry[-1].last_time > entry->last_time)) ||
            entry->calls > MWA_NESTED_MAX || entry->first_call > call_count ||
            entry->calls > call_count - entry->first_call) {
            return false;
        }
        for (uint32_t call = 0; call < entry->calls; call++) {
            if (states->calls[entry->first_call + call].enter > entry->last_time) {
                return false;
            }
        }
    }
    return true;
}

/* They ascend, of a main thread from one that is quiet to the next, and are as many as those of all
 * locations before. */
static bool take_quiet(struct mwa_block_states *states, uint64_t id, bool is_main,
                       struct located_states *of)
{
    uint64_t bytes = 0, lull_bytes = 0;
    const struct mwa_quiet_place *lulls =
        mwa_sidecar_section(states->sidecar, MWA_BLOCKS_LULLS, id, &lull_bytes);

    of->quiet = mwa_sidecar_section(states->sidecar, MWA_BLOCKS_QUIET, id, &bytes);
    states->has_quiet |= bytes > 0;
    states->has_lulls |= lull_bytes > 0;
    if (!lulls || (states->has_quiet && states->has_lulls)) {
        return false;
    }
    if (lull_bytes > 0) {
        of->quiet = lulls;
        bytes = lull_bytes;
        is_main = false;
    }
    of->quiet_count = bytes / sizeof *of->quiet;
    for (uint64_t i = 1; i < of->quiet_count; i++) {
        if (of->quiet[i - 1].events + is_main > of->quiet[i].events ||
            of->quiet[i - 1].time > of->quiet[i].time) {
            return false;
        }
    }
    if (of->quiet_count > 0 && states->quiet_count == 0) {
        states->quiet_count = of->quiet_count;
    }
    return of->quiet && bytes % sizeof *of->quiet == 0 &&
           (of->quiet_count == 0 || of->quiet_count == states->quiet_count);
}

static bool take_carried(const struct mwa_trace *trace, const struct mwa_block_states *states,
                         uint64_t id, struct located_states *of)
{
    uint64_t bytes = 0;
    bool is_sound;

    of->carried = mwa_sidecar_section(states->sidecar, MWA_BLOCKS_CARRIED, id, &bytes);
    of->carried_count = bytes / sizeof *of->carried;
    is_sound = of->carried && bytes % sizeof *of->carried == 0;
    for (uint64_t i = 0; is_sound && i < of->carried_count; i++) {
        is_sound = mwa_carried_request_is_sound(trace, &of->carried[i]) &&
                   (i == 0 || of->carried[i - 1].begin < of->carried[i].begin);
    }
    return is_sound;
}

static bool take_location(struct mwa_input *input, struct mwa_block_states *states,
                          uint32_t location)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    const uint64_t id = trace->locations[location].id;
    struct located_states *of = &states->by_location[location];
    uint64_t bytes = 0, call_bytes = 0, file_bytes = 0;
    char name[512];

    of->entries = mwa_sidecar_section(states->sidecar, MWA_BLOCKS_ENTRIES, id, &bytes);
    of->calls = mwa_sidecar_section(states->sidecar, MWA_BLOCKS_CALLS, id, &call_bytes);
    of->count = bytes / sizeof *of->entries;
    mwa_files_local_name(mwa_input_files(input), id, "evt", name, sizeof name);
    if (!of->entries || !of->calls || bytes % sizeof *of->entries != 0 ||
        call_bytes % sizeof *of->calls != 0 ||
        (!mwa_files_size(mwa_input_files(input), name, &file_bytes) && bytes > 0) ||
        !take_quiet(states, id, mwa_is_main_thread(trace, location), of) ||
        !take_carried(trace, states, id, of)) {
        return false;
    }
    for (uint64_t i = 0; i < call_bytes / sizeof *of->calls; i++) {
        if (!mwa_open_call_is_sound(trace, &of->calls[i])) {
            return false;
        }
    }
    return are_entries_sound(of, call_bytes / sizeof *of->calls, file_bytes);
}

struct mwa_block_states *mwa_block_states_open(struct mwa_input *input)
{
    const struct mwa_trace *trace = mwa_input_trace(input);
    struct mwa_block_states *states = calloc(1, sizeof *states);
    struct mwa_archive_key key;
    bool is_sound;

    if (!states || !mwa_input_files(input) || !mwa_archive_key(mwa_input_files(input), &key)) {
        free(states);
        return NULL;
    }
    states->sidecar = mwa_sidecar_open(&key, MWA_BLOCKS_PART, MWA_BLOCKS_VERSION);
    states->location_count = trace->location_count;
    states->by_location = calloc(trace->location_count + 1, sizeof *states->by_location);
    is_sound = states->sidecar && states->by_location;
    for (uint32_t i = 0; is_sound && i < trace->location_count; i++) {
        is_sound = take_location(input, states, i);
    }
    if (!is_sound) {
        mwa_block_states_close(states);
        return NULL;
    }
    return states;
}

void mwa_block_states_close(struct mwa_block_states *states)
{
    if (states) {
        mwa_sidecar_close(states->sidecar);
        free(states->by_location);
        free(states);
    }
}

uint64_t mwa_block_states_count(const struct mwa_block_states *states, uint32_t location)
{
    return states->by_location[location].count;
}

/* The entry before number at, with its calls; null: there is none. */
static const struct mwa_block_entry *entry_before(const struct located_states *of, uint64_t at,
                                                  const struct mwa_open_call **calls)
{
    if (at == 0) {
        return NULL;
    }
    *calls = of->calls + of->entries[at - 1].first_call;
    return &of->entries[at - 1];
}

const struct mwa_block_entry *mwa_block_states_before(const struct mwa_block_states *states,
                                                      uint32_t location, uint64_t time,
                                                      const struct mwa_open_call **calls)
{
    const struct located_states *of = states ? &states->by_location[location] : NULL;
    uint64_t low = 0, high = of ? of->count : 0;

    while (low < high) { /* the first one that is not before time */
        const uint64_t middle = low + (high - low) / 2;

        if (of->entries[middle].last_time < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return entry_before(of, low, calls);
}

const struct mwa_block_entry *mwa_block_states_at(const struct mwa_block_states *states,
                                                  uint32_t location, uint64_t events,
                                                  const struct mwa_open_call **calls)
{
    const struct located_states *of = &states->by_location[location];
    uint64_t low = 0, high = of->count;

    while (low < high) { /* the first one that is behind it */
        const uint64_t middle = low + (high - low) / 2;

        if (of->entries[middle].events <= events) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return entry_before(of, low, calls);
}

const struct mwa_quiet_place *mwa_block_states_quiet(const struct mwa_block_states *states,
                                                     uint32_t location, uint64_t number)
{
    const struct located_states *of = &states->by_location[location];

    return number < of->quiet_count ? &of->quiet[number] : NULL;
}

const struct mwa_carried_request *mwa_block_states_carried(const struct mwa_block_states *states,
                                                           uint32_t location, uint64_t *count)
{
    *count = states->by_location[location].carried_count;
    return states->by_location[location].carried;
}

/* How many of the first ones of a location are before time. */
static uint64_t count_before(const struct located_states *of, uint64_t most, uint64_t time)
{
    uint64_t low = 0, high = most;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (of->quiet[middle].time < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

uint64_t mwa_block_states_quiet_before(const struct mwa_block_states *states, uint64_t time)
{
    uint64_t most = states->quiet_count;

    for (uint64_t i = 0; i < states->location_count; i++) {
        if (states->by_location[i].quiet_count > 0) {
            most = count_before(&states->by_location[i], most, time);
        }
    }
    return most;
}

uint64_t mwa_block_states_lulls(const struct mwa_block_states *states)
{
    return states->has_lulls ? states->quiet_count : 0;
}

enum mw_status mwa_event_reader_open_at(struct mwa_input *input,
                                        const struct mwa_block_states *states, uint32_t location,
                                        uint64_t time, struct mwa_event_reader **reader,
                                        const struct mwa_block_entry **entry,
                                        const struct mwa_open_call **calls,
                                        struct mw_diagnostic *diagnostic)
{
    enum mw_status status = mwa_event_reader_open(input, location, reader, diagnostic);

    *entry = mwa_block_states_before(states, location, time, calls);
    if (status == MW_OK && *entry && mwa_event_reader_seek(*reader, *entry, NULL) != MW_OK) {
        *entry = NULL;
        mwa_event_reader_close(*reader);
        mwa_files_log(mwa_input_files(input))->fault = (struct mw_diagnostic){ .status = MW_OK };
        status = mwa_event_reader_open(input, location, reader, diagnostic);
    }
    return status;
}
