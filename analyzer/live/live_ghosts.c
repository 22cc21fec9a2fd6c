/*
 * Definitions first and calls then: a call whose communicator is told by a third host waits for
 * that. To hear a definition twice changes nothing. Who has told what can't be is not heard again.
 */
#include "analyzer/live/live_ghosts.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/live/live_waits.h"
#include "formats/base/array.h"

#define COMMS_MAX 1000000u
#define THREADS_MAX 1024u /* of a rank of another host */

/* A group that is being told, maybe in several batches. */
struct telling {
    uint32_t comm; /* an index */
    uint32_t count; /* of its members so far, of … */
    uint32_t wanted;
};

/* One of the others. */
struct voice {
    uint32_t *comms; /* by its number: the index here */
    uint32_t comm_room;
    struct telling group;
    uint32_t *members; /* of it */
    uint32_t member_room;
    uint64_t enter; /* of its last call */
    uint32_t location;
    bool is_inside;
    struct mwa_event event;
    struct mwa_moment moment;
    struct mwa_location of;
    bool is_over;
    bool is_refused;
};

struct mwa_live_ghosts {
    struct mwa_live_trace *live;
    struct mwa_live_waits *waits;
    uint32_t *host_of;
    uint32_t *threads; /* by rank */
    uint32_t ranks;
    const struct mwa_live_peers *peers;
    struct voice *voices; /* by peer */
    uint32_t count;
    enum mw_live_no_waits unknown;
};

struct mwa_live_ghosts *mwa_live_ghosts_create(struct mwa_live_trace *live, uint32_t *host_of,
                                               uint32_t ranks,
                                               const struct mwa_live_peers *peers)
{
    struct mwa_live_ghosts *ghosts = calloc(1, sizeof *ghosts);
    const uint32_t count = mwa_live_peers_count(peers);

    if (!ghosts) {
        return NULL;
    }
    *ghosts = (struct mwa_live_ghosts){.live = live, .host_of = host_of, .ranks = ranks,
                                       .peers = peers};
    ghosts->threads = calloc(ranks + (size_t)1, sizeof *ghosts->threads);
    ghosts->voices = calloc(count + (size_t)1, sizeof *ghosts->voices);
    ghosts->count = ghosts->voices ? count : 0;
    if (!ghosts->threads || !ghosts->voices) {
        mwa_live_ghosts_destroy(ghosts);
        return NULL;
    }
    return ghosts;
}

void mwa_live_ghosts_destroy(struct mwa_live_ghosts *ghosts)
{
    if (!ghosts) {
        return;
    }
    for (uint32_t i = 0; i < ghosts->count; i++) {
        free(ghosts->voices[i].comms);
        free(ghosts->voices[i].members);
    }
    free(ghosts->threads);
    free(ghosts->voices);
    free(ghosts);
}

void mwa_live_ghosts_to(struct mwa_live_ghosts *ghosts, struct mwa_live_waits *waits)
{
    ghosts->waits = waits;
}

void mwa_live_ghosts_claim(struct mwa_live_ghosts *ghosts, uint32_t host, uint32_t rank,
                           uint32_t threads)
{
    if (rank >= ghosts->ranks) {
        ghosts->unknown = MW_LIVE_NOT_POSSIBLE;
    } else if (ghosts->host_of[rank] != MWA_NONE && ghosts->host_of[rank] != host) {
        ghosts->unknown = MW_LIVE_SEEN_TWICE;
    } else {
        ghosts->host_of[rank] = host;
        ghosts->threads[rank] = threads < THREADS_MAX ? threads : THREADS_MAX;
    }
}

uint32_t mwa_live_ghosts_threads(const struct mwa_live_ghosts *ghosts, uint32_t rank)
{
    return rank < ghosts->ranks ? ghosts->threads[rank] : 0;
}

enum mw_live_no_waits mwa_live_ghosts_unknown(const struct mwa_live_ghosts *ghosts)
{
    return ghosts->unknown;
}

bool mwa_live_ghosts_are_over(const struct mwa_live_ghosts *ghosts, uint32_t host)
{
    return ghosts->voices[host].is_over || ghosts->voices[host].is_refused;
}

/* --- definitions ---------------------------------------------------------------------------- */

enum hearing { HEARD, LATER, IMPOSSIBLE };

static enum hearing hear_comm(struct mwa_live_ghosts *ghosts, struct voice *voice,
                              const uint64_t *numbers)
{
    uint32_t before;
    uint32_t index;

    if (numbers[0] <= MW_COMM_SELF || numbers[0] >= COMMS_MAX ||
        ghosts->live->trace.comm_count >= COMMS_MAX) {
        return IMPOSSIBLE;
    }
    if (!mw_array_widen((void **)&voice->comms, &voice->comm_room, (uint32_t)numbers[0],
                        sizeof *voice->comms, 0xff)) {
        return LATER;
    }
    before = voice->comms[numbers[0]];
    index = mwa_live_trace_hear(ghosts->live, (struct mw_uid){numbers[1], numbers[2]},
                                numbers[3] & 1, numbers[3] & 2);
    voice->comms[numbers[0]] = index;
    return index == MWA_NONE                         ? LATER
           : before == MWA_NONE || before == index ? HEARD
                                                     : IMPOSSIBLE;
}

static uint32_t index_of(const struct voice *voice, uint64_t comm)
{
    return comm <= MW_COMM_SELF     ? (uint32_t)comm
           : comm < voice->comm_room ? voice->comms[comm]
                                     : MWA_NONE;
}

static enum hearing hear_group(const struct mwa_live_ghosts *ghosts, struct voice *voice,
                               const uint64_t *numbers)
{
    const uint32_t comm = index_of(voice, numbers[0]);

    if (comm == MWA_NONE || comm <= MW_COMM_SELF || numbers[1] > ghosts->ranks) {
        return IMPOSSIBLE;
    }
    voice->group = (struct telling){.comm = comm, .wanted = (uint32_t)numbers[1]};
    return HEARD;
}

static enum hearing hear_member(struct mwa_live_ghosts *ghosts, struct voice *voice, uint64_t rank)
{
    struct telling *group = &voice->group;

    if (group->count >= group->wanted || rank >= ghosts->ranks) {
        return IMPOSSIBLE;
    }
    if (!mw_array_widen((void **)&voice->members, &voice->member_room, group->count,
                        sizeof *voice->members, 0)) {
        return LATER;
    }
    voice->members[group->count++] = (uint32_t)rank;
    return group->count < group->wanted ||
                   mwa_live_trace_hear_group(ghosts->live, group->comm, voice->members,
                                             group->count)
               ? HEARD
               : LATER;
}

/* Whether somebody is there who will tell the members of a communicator. */
static bool is_told(const struct mwa_live_ghosts *ghosts, uint32_t comm)
{
    const uint32_t leader = ghosts->live->leaders[comm];
    const uint32_t host = leader < ghosts->ranks ? ghosts->host_of[leader] : MWA_NONE;

    return host == MWA_NONE || !mwa_live_peers_is_lost(ghosts->peers, host);
}

/* Whether calls on the communicator can be taken: its members are known, or will never be. */
static enum hearing hear_use(const struct mwa_live_ghosts *ghosts, const struct voice *voice,
                             uint64_t comm)
{
    const uint32_t index = index_of(voice, comm);
    const struct mwa_comm *of =
        index < ghosts->live->trace.comm_count ? &ghosts->live->trace.comms[index] : NULL;

    if (comm == UINT32_MAX || !of) {
        return of || comm == UINT32_MAX ? HEARD : IMPOSSIBLE;
    }
    return of->group != MWA_NONE || of->other_job || !is_told(ghosts, index) ? HEARD : LATER;
}

static enum hearing hear_definition(struct mwa_live_ghosts *ghosts, uint32_t from,
                                    const struct mw_live_record *record)
{
    struct voice *voice = &ghosts->voices[from];
    const uint64_t *numbers = record->numbers;

    switch (record->type) {
    case MW_LIVE_RECORD_RANK:
        if (numbers[0] >= ghosts->ranks || numbers[1] > UINT32_MAX) {
            return IMPOSSIBLE;
        }
        mwa_live_ghosts_claim(ghosts, from, (uint32_t)numbers[0], (uint32_t)numbers[1]);
        return HEARD;
    case MW_LIVE_RECORD_UNKNOWN:
        if (numbers[0] == MW_LIVE_KNOWN || numbers[0] >= MW_LIVE_NO_WAITS_COUNT) {
            return IMPOSSIBLE;
        }
        ghosts->unknown = (enum mw_live_no_waits)numbers[0];
        return HEARD;
    case MW_LIVE_RECORD_COMM:
        return hear_comm(ghosts, voice, numbers);
    case MW_LIVE_RECORD_GROUP:
        return hear_group(ghosts, voice, numbers);
    case MW_LIVE_RECORD_MEMBER:
        return hear_member(ghosts, voice, numbers[0]);
    case MW_LIVE_RECORD_SEND:
    case MW_LIVE_RECORD_ISEND:
    case MW_LIVE_RECORD_RECV:
    case MW_LIVE_RECORD_RECEIVED:
    case MW_LIVE_RECORD_COLL:
    case MW_LIVE_RECORD_COLL_COMPLETE:
        return hear_use(ghosts, voice, numbers[0]);
    case MW_LIVE_RECORD_ENTER:
    case MW_LIVE_RECORD_THROUGH:
        return ghosts->waits ? HEARD : LATER;
    default:
        return HEARD;
    }
}

/* --- calls ---------------------------------------------------------------------------------- */

static enum mw_status tell(struct mwa_live_ghosts *ghosts, struct voice *voice,
                           enum mwa_event_kind kind, uint64_t request)
{
    voice->event.kind = kind;
    voice->event.request = request;
    return mwa_live_waits_hear(ghosts->waits, voice->location, &voice->moment);
}

/* The location of a rank's thread that this host may speak of; MWA_NONE: there is none. */
static uint32_t location_of(const struct mwa_live_ghosts *ghosts, uint32_t from,
                            const uint64_t *numbers)
{
    return numbers[0] < ghosts->ranks && ghosts->host_of[numbers[0]] == from &&
                   numbers[1] < THREADS_MAX
               ? mwa_live_waits_location(ghosts->waits, (uint32_t)numbers[0],
                                         (uint32_t)numbers[1])
               : MWA_NONE;
}

static enum hearing hear_enter(struct mwa_live_ghosts *ghosts, uint32_t from,
                               const uint64_t *numbers, bool *is_anew)
{
    struct voice *voice = &ghosts->voices[from];

    voice->enter += (uint64_t)mw_live_unfold(numbers[3]);
    if (voice->is_inside || numbers[2] >= MW_CALL_COUNT || voice->enter > MW_TIME_MAX) {
        return IMPOSSIBLE;
    }
    voice->location = location_of(ghosts, from, numbers);
    if (voice->location == MWA_NONE) {
        *is_anew = true;
        return LATER;
    }
    voice->is_inside = true;
    voice->of = (struct mwa_location){
        .name = "", .rank = (uint32_t)numbers[0], .master = numbers[1] == 0};
    voice->event = (struct mwa_event){.location = voice->location, .time = voice->enter};
    voice->moment = (struct mwa_moment){.trace = &ghosts->live->trace,
                                        .location = &voice->of,
                                        .event = &voice->event,
                                        .mpi = &ghosts->live->trace.regions[numbers[2]],
                                        .site = MWA_NONE,
                                        .mpi_enter = voice->enter,
                                        .mpi_depth = 1};
    return tell(ghosts, voice, MWA_ENTER, 0) == MW_OK ? HEARD : LATER;
}

static enum hearing hear_leave(struct mwa_live_ghosts *ghosts, struct voice *voice,
                               const uint64_t *numbers)
{
    struct mwa_call left = {.region = voice->moment.mpi,
                            .site = MWA_NONE,
                            .enter = voice->enter,
                            .repeat = 1,
                            .outermost = true,
                            .open = numbers[1] & 1};
    enum mw_status status;

    voice->is_inside = false;
    voice->event.time = voice->enter + (numbers[0] < MW_TIME_MAX ? numbers[0] : 0);
    left.leave = voice->event.time;
    left.inclusive = left.leave - left.enter;
    voice->moment.call = &left;
    status = tell(ghosts, voice, MWA_LEAVE, 0);
    voice->moment.call = NULL;
    return status == MW_OK ? HEARD : LATER;
}

static enum hearing hear_message(struct mwa_live_ghosts *ghosts, struct voice *voice,
                                 enum mwa_event_kind kind, const uint64_t *numbers)
{
    voice->event.of.message =
        (struct mwa_message_data){.comm = index_of(voice, numbers[0]),
                                  .peer = (uint32_t)mw_live_unfold(numbers[1]),
                                  .tag = (uint32_t)mw_live_unfold(numbers[2]),
                                  .bytes = numbers[3]};
    return tell(ghosts, voice, kind, numbers[4]) == MW_OK ? HEARD : LATER;
}

static enum hearing hear_collective(struct mwa_live_ghosts *ghosts, struct voice *voice,
                                    enum mwa_event_kind kind, const uint64_t *numbers)
{
    voice->event.of.collective =
        (struct mwa_collective_data){.comm = index_of(voice, numbers[0]),
                                     .operation = (uint32_t)numbers[1],
                                     .root = (uint32_t)mw_live_unfold(numbers[2]),
                                     .bytes_sent = numbers[3],
                                     .bytes_received = numbers[4]};
    return tell(ghosts, voice, kind, numbers[5]) == MW_OK ? HEARD : LATER;
}

static enum hearing hear_request(struct mwa_live_ghosts *ghosts, struct voice *voice,
                                 enum mwa_event_kind kind, uint64_t request)
{
    voice->event.of.message = (struct mwa_message_data){.comm = MWA_NONE};
    return tell(ghosts, voice, kind, request) == MW_OK ? HEARD : LATER;
}

static enum hearing hear_through(struct mwa_live_ghosts *ghosts, uint32_t from,
                                 const uint64_t *numbers)
{
    struct voice *voice = &ghosts->voices[from];
    const uint32_t location = location_of(ghosts, from, numbers);

    voice->enter += (uint64_t)mw_live_unfold(numbers[2]);
    if (voice->is_inside || voice->enter > MW_TIME_MAX) {
        return IMPOSSIBLE;
    }
    return location == MWA_NONE ||
                   mwa_live_waits_through(ghosts->waits, location, voice->enter) == MW_OK
               ? HEARD
               : LATER;
}

/* What is inside of a call; of others nothing. */
static enum hearing hear_event(struct mwa_live_ghosts *ghosts, struct voice *voice,
                               const struct mw_live_record *record)
{
    static const enum mwa_event_kind kinds[MW_LIVE_RECORD_TYPES] = {
#define RECORD(event, record) [MW_LIVE_RECORD_##record] = MWA_##event,
#include "analyzer/live/live_records.def"
#undef RECORD
    };
    const enum mwa_event_kind kind = kinds[record->type];

    if (!voice->is_inside) {
        return IMPOSSIBLE;
    }
    switch (kind) {
    case MWA_SEND:
    case MWA_ISEND:
    case MWA_RECV:
    case MWA_IRECV:
        return hear_message(ghosts, voice, kind, record->numbers);
    case MWA_COLLECTIVE_END:
    case MWA_COLLECTIVE_COMPLETE:
        return hear_collective(ghosts, voice, kind, record->numbers);
    default:
        return hear_request(ghosts, voice, kind, record->numbers[0]);
    }
}

static enum hearing hear_call(struct mwa_live_ghosts *ghosts, uint32_t from,
                              const struct mw_live_record *record, bool *is_anew)
{
    struct voice *voice = &ghosts->voices[from];

    switch (record->type) {
    case MW_LIVE_RECORD_ENTER:
        return hear_enter(ghosts, from, record->numbers, is_anew);
    case MW_LIVE_RECORD_LEAVE:
        return voice->is_inside ? hear_leave(ghosts, voice, record->numbers) : IMPOSSIBLE;
    case MW_LIVE_RECORD_THROUGH:
        return hear_through(ghosts, from, record->numbers);
    case MW_LIVE_RECORD_OVER:
        voice->is_over = true;
        return HEARD;
    default:
        return record->type >= MW_LIVE_RECORD_SEND && record->type <= MW_LIVE_RECORD_COLL_COMPLETE
                   ? hear_event(ghosts, voice, record)
                   : HEARD;
    }
}

bool mwa_live_ghosts_hear(struct mwa_live_ghosts *ghosts, uint32_t from,
                          const struct mw_cursor *records, bool *is_anew)
{
    struct voice *voice = &ghosts->voices[from];
    const struct telling before = voice->group;
    struct mw_cursor definitions = *records;
    struct mw_cursor calls = *records;
    struct mw_live_record record;
    enum hearing hearing = HEARD;

    if (voice->is_refused) {
        return true;
    }
    while (hearing != IMPOSSIBLE && mw_live_record_take(&definitions, &record)) {
        const enum hearing of_this = hear_definition(ghosts, from, &record);

        hearing = of_this != HEARD ? of_this : hearing;
    }
    if (hearing == LATER) {
        voice->group = before;
        return false;
    }
    hearing = hearing == HEARD && definitions.left > 0 ? IMPOSSIBLE : hearing;
    if (ghosts->waits) {
        mwa_live_waits_refresh(ghosts->waits, &ghosts->live->trace);
    }
    while (hearing == HEARD && mw_live_record_take(&calls, &record)) {
        hearing = hear_call(ghosts, from, &record, is_anew);
    }
    if (hearing != HEARD) { /* of what was begun nothing can be taken back */
        ghosts->unknown = MW_LIVE_NOT_POSSIBLE;
        voice->is_refused = true;
    }
    return true;
}
