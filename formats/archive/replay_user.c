/*
 * The program's regions have to be well nested for readers, and a spool can't
 * promise it. So the open ones are kept here: an end without a beginning is
 * dropped, what is inside one that ends is left before it.
 */
#include "formats/archive/replay_user.h"

#include <stdlib.h>

#include "formats/archive/replay.h"
#include "formats/base/array.h"
#include "formats/table/calls.h"

static void note(struct mw_user_replay *replay, OTF2_ErrorCode code)
{
    if (replay->code == OTF2_SUCCESS) {
        replay->code = code;
    }
}

/* --- regions ------------------------------------------------------------------- */

/* Regions of the program come behind sites and calls of MPI in a location's own numbering. */
static OTF2_RegionRef region_of(const struct mw_user_replay *replay, uint32_t number)
{
    return replay->directory->known.site_count + MW_CALL_COUNT + number;
}

static void begin_region(struct mw_user_replay *replay, uint32_t number, uint64_t time)
{
    struct mw_open_regions *open = &replay->open;

    if (!mw_array_grow((void **)&open->numbers, open->count, sizeof *open->numbers)) {
        note(replay, OTF2_ERROR_MEM_ALLOC_FAILED);
        return;
    }
    open->numbers[open->count++] = number;
    note(replay, OTF2_EvtWriter_Enter(replay->writer, NULL, time, region_of(replay, number)));
}

static void leave_innermost(struct mw_user_replay *replay, uint64_t time)
{
    uint32_t number = replay->open.numbers[--replay->open.count];

    note(replay, OTF2_EvtWriter_Leave(replay->writer, NULL, time, region_of(replay, number)));
}

static void end_region(struct mw_user_replay *replay, uint32_t number, uint64_t time)
{
    uint32_t depth = replay->open.count;

    while (depth > 0 && replay->open.numbers[depth - 1] != number) {
        depth--;
    }
    while (depth > 0 && replay->open.count >= depth) {
        leave_innermost(replay, time);
    }
}

void mw_replay_user_end(struct mw_user_replay *replay, uint64_t time)
{
    while (replay->open.count > 0) {
        leave_innermost(replay, time);
    }
}

void mw_replay_user_fini(struct mw_user_replay *replay)
{
    free(replay->open.numbers);
    replay->open = (struct mw_open_regions){0};
}

/* --- texts ------------------------------------------------------------------------ */

static void write_text(struct mw_user_replay *replay, enum mw_parameter parameter, uint64_t text,
                       OTF2_AttributeList *attributes, uint64_t time)
{
    if (text < replay->directory->known.text_count) {
        note(replay, OTF2_EvtWriter_ParameterString(replay->writer, attributes, time, parameter,
                                                    (OTF2_StringRef)text));
    }
}

static void write_registration(struct mw_user_replay *replay, enum mw_parameter parameter,
                               const struct mw_member *member, OTF2_CommRef comm, uint64_t time)
{
    const struct mw_value_member *named = (const void *)member;

    note(replay, OTF2_AttributeList_RemoveAllAttributes(replay->attributes));
    note(replay, OTF2_AttributeList_AddCommRef(replay->attributes, MW_ATTRIBUTE_COMM, comm));
    write_text(replay, parameter, named->value, replay->attributes, time);
}

void mw_replay_user(struct mw_user_replay *replay, const struct mw_member *member,
                    OTF2_CommRef comm, uint64_t time)
{
    bool is_region = member->comm < replay->directory->known.region_count;

    switch (member->type) {
    case MW_MEMBER_REGION_BEGIN:
        if (is_region) {
            begin_region(replay, member->comm, time);
        }
        break;
    case MW_MEMBER_REGION_END:
        end_region(replay, member->comm, time);
        break;
    case MW_MEMBER_MARKER:
        write_text(replay, MW_PARAMETER_MARKER, member->comm, NULL, time);
        break;
    case MW_MEMBER_REGISTERED:
        write_registration(replay, MW_PARAMETER_REGISTERED, member, comm, time);
        break;
    case MW_MEMBER_UNREGISTERED:
        write_registration(replay, MW_PARAMETER_UNREGISTERED, member, comm, time);
        break;
    default:
        break;
    }
}
