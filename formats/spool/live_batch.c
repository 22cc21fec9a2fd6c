/* One table of how many numbers a record has, for who writes and who reads. */
#include "formats/spool/live_batch.h"

#define BITS 7u
#define MORE 0x80u
#define NUMBER_BYTES 10u

static const uint8_t numbers_of[MW_LIVE_RECORD_TYPES] = {
    [MW_LIVE_RECORD_END] = 0,      [MW_LIVE_RECORD_RANK] = 2,
    [MW_LIVE_RECORD_UNKNOWN] = 1,  [MW_LIVE_RECORD_CLOCK] = 1,
    [MW_LIVE_RECORD_COMM] = 4,     [MW_LIVE_RECORD_GROUP] = 2,
    [MW_LIVE_RECORD_MEMBER] = 1,   [MW_LIVE_RECORD_ENTER] = 4,
    [MW_LIVE_RECORD_SEND] = 4,     [MW_LIVE_RECORD_ISEND] = 5,
    [MW_LIVE_RECORD_SENT] = 1,     [MW_LIVE_RECORD_POST] = 1,
    [MW_LIVE_RECORD_RECV] = 4,     [MW_LIVE_RECORD_RECEIVED] = 5,
    [MW_LIVE_RECORD_DROPPED] = 1,  [MW_LIVE_RECORD_COLL] = 5,
    [MW_LIVE_RECORD_COLL_POST] = 1, [MW_LIVE_RECORD_COLL_COMPLETE] = 6,
    [MW_LIVE_RECORD_LEAVE] = 2,    [MW_LIVE_RECORD_THROUGH] = 3,
    [MW_LIVE_RECORD_OVER] = 0,
};

unsigned mw_live_record_numbers(enum mw_live_record_type type)
{
    return numbers_of[type];
}

uint64_t mw_live_fold(int64_t number)
{
    return number < 0 ? ~((uint64_t)number << 1) : (uint64_t)number << 1;
}

int64_t mw_live_unfold(uint64_t folded)
{
    return (int64_t)(folded & 1 ? ~(folded >> 1) : folded >> 1);
}

void mw_live_record_put(struct mw_buffer *buffer, const struct mw_live_record *record)
{
    uint8_t bytes[1 + MW_LIVE_NUMBERS_MAX * NUMBER_BYTES] = {(uint8_t)record->type};
    size_t count = 1;

    for (unsigned i = 0; i < numbers_of[record->type]; i++) {
        uint64_t left = record->numbers[i];

        for (; left >= MORE; left >>= BITS) {
            bytes[count++] = (uint8_t)(left | MORE);
        }
        bytes[count++] = (uint8_t)left;
    }
    mw_buffer_append(buffer, bytes, count);
}

static bool take_number(struct mw_cursor *cursor, uint64_t *number)
{
    uint8_t byte = MORE;

    *number = 0;
    for (unsigned i = 0; i < NUMBER_BYTES && byte & MORE; i++) {
        if (!mw_cursor_take(cursor, &byte, 1)) {
            return false;
        }
        *number |= (uint64_t)(byte & (MORE - 1)) << BITS * i;
    }
    return !(byte & MORE);
}

bool mw_live_record_take(struct mw_cursor *cursor, struct mw_live_record *record)
{
    const struct mw_cursor before = *cursor;
    uint8_t type = 0;
    bool is_whole = mw_cursor_take(cursor, &type, 1) && type < MW_LIVE_RECORD_TYPES;

    *record = (struct mw_live_record){.type = MW_LIVE_RECORD_END};
    for (unsigned i = 0; is_whole && i < numbers_of[type]; i++) {
        is_whole = take_number(cursor, &record->numbers[i]);
    }
    if (!is_whole) {
        *cursor = before;
        return false;
    }
    record->type = (enum mw_live_record_type)type;
    return true;
}
