/*
 * Lengths take the bytes that they have; how many, and what else is told of a stretch, its first
 * byte says. What is rare, a gap before it or time that it shares with another state, takes eight.
 */
#include "analyzer/analysis/time/state_log.h"

enum { IN_STATE = MWA_STATE_LOG_STATES - 1, BEHIND_GAP = 8, IN_PART = 16, LENGTH_BYTES_AT = 5 };

#define STRETCH_MOST (1u + 3 * sizeof(uint64_t))

static unsigned bytes_of(uint64_t value)
{
    return (63u - (unsigned)__builtin_clzll(value | 1)) / 8 + 1;
}

static unsigned char *put(unsigned char *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++) {
        *to++ = (unsigned char)(value >> 8 * i);
    }
    return to;
}

static uint64_t take(const unsigned char **from, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes; i++) {
        value |= (uint64_t)*(*from)++ << 8 * i;
    }
    return value;
}

enum mw_status mwa_state_log_add(struct mwa_state_log *log, const struct mwa_stretch *stretch)
{
    const uint64_t length = stretch->to - stretch->from;
    const unsigned length_bytes = bytes_of(length);
    const bool is_behind_gap = stretch->from != log->end;
    const bool is_in_part = stretch->ticks != length;
    unsigned char packed[STRETCH_MOST];
    unsigned char *to = packed;

    *to++ = (unsigned char)(stretch->state | (is_behind_gap ? BEHIND_GAP : 0) |
                            (is_in_part ? IN_PART : 0) | (length_bytes - 1) << LENGTH_BYTES_AT);
    to = put(to, length, length_bytes);
    to = put(to, stretch->from, is_behind_gap ? sizeof stretch->from : 0);
    to = put(to, stretch->ticks, is_in_part ? sizeof stretch->ticks : 0);
    mw_buffer_append(&log->bytes, packed, (size_t)(to - packed));
    if (log->bytes.failed) {
        log->bytes.failed = false;
        return MW_ERROR_MEMORY;
    }
    log->end = stretch->to;
    return MW_OK;
}

bool mwa_state_log_next(const struct mwa_state_log *log, struct mwa_state_log_place *place,
                        struct mwa_stretch *stretch)
{
    const unsigned char *begin = (const unsigned char *)log->bytes.data;
    const unsigned char *from = begin + place->at;
    uint64_t length;
    unsigned head;

    if (place->at >= log->bytes.bytes) {
        return false;
    }
    head = *from++;
    length = take(&from, (head >> LENGTH_BYTES_AT) + 1);
    stretch->state = head & IN_STATE;
    stretch->from = head & BEHIND_GAP ? take(&from, sizeof stretch->from) : place->end;
    stretch->to = stretch->from + length;
    stretch->ticks = head & IN_PART ? take(&from, sizeof stretch->ticks) : length;
    place->at = (size_t)(from - begin);
    place->end = stretch->to;
    return true;
}

void mwa_state_log_fini(struct mwa_state_log *log)
{
    mw_buffer_fini(&log->bytes);
    *log = (struct mwa_state_log){ 0 };
}
