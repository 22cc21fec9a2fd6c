#include "formats/archive/replay_pending.h"

#include <stdlib.h>
#include <string.h>

#include "formats/archive/archive_words.h"

#define ROOM_FIRST 64u

struct mw_pending_request {
    uint32_t comm;
    int32_t source;
    int32_t tag;
    uint32_t root; /* of an operation, + 1; 0: not told */
    uint8_t type; /* of the member that started it; 0: none has */
};

bool mw_replay_pending_init(struct mw_replay_pending *pending, bool renames)
{
    *pending = (struct mw_replay_pending){.slots = mw_request_slots_create(), .renames = renames};
    return pending->slots != NULL;
}

void mw_replay_pending_fini(struct mw_replay_pending *pending)
{
    mw_request_slots_destroy(pending->slots);
    free(pending->list);
}

/* Room for slot; false: there is no memory, and what it is for will not be told. */
static bool has_room(struct mw_replay_pending *pending, uint64_t slot)
{
    uint32_t room = pending->room > 0 ? pending->room : ROOM_FIRST;
    struct mw_pending_request *grown;

    if (slot < pending->room) {
        return true;
    }
    while (room <= slot) {
        room *= 2;
    }
    grown = realloc(pending->list, room * sizeof *grown);
    if (!grown) {
        return false;
    }
    memset(grown + pending->room, 0, (room - pending->room) * sizeof *grown);
    pending->list = grown;
    pending->room = room;
    return true;
}

/* Sets *request to the recorder's id of what member starts. */
static struct mw_pending_request pending_of(const struct mw_member *member, uint32_t comm,
                                            uint64_t *request)
{
    struct mw_pending_request made = {
        .comm = comm, .source = MW_POSTED_ANY, .tag = MW_POSTED_ANY, .type = member->type};

    if (member->type == MW_MEMBER_ISEND) {
        *request = ((const struct mw_request_message_member *)(const void *)member)->request;
    } else if (member->type == MW_MEMBER_POSTED) {
        const struct mw_posted_member *posted = (const void *)member;

        *request = posted->request;
        made.source = posted->source;
        made.tag = posted->tag;
    } else {
        *request = ((const struct mw_request_member *)(const void *)member)->request;
    }
    return made;
}

uint64_t mw_replay_pending_start(struct mw_replay_pending *pending,
                                 const struct mw_member *member, uint32_t comm, uint32_t root)
{
    uint64_t request;
    struct mw_pending_request made = pending_of(member, comm, &request);
    uint64_t slot = mw_request_slots_start(pending->slots, request);

    made.root = root;
    if (slot < MW_REQUEST_SLOTS && has_room(pending, slot)) {
        pending->list[slot] = made;
    }
    return pending->renames ? slot : request;
}

uint64_t mw_replay_pending_look(const struct mw_replay_pending *pending, uint64_t request)
{
    return pending->renames ? mw_request_slots_look(pending->slots, request) : request;
}

uint64_t mw_replay_pending_end(struct mw_replay_pending *pending, uint64_t request)
{
    uint64_t slot = mw_request_slots_end(pending->slots, request);

    if (slot < pending->room) {
        pending->list[slot].type = 0;
    }
    return pending->renames ? slot : request;
}

/* --- the end ---------------------------------------------------------------------------- */

static bool is_awaited(const struct mw_now *now, uint64_t request)
{
    if (!now || !(now->what & MW_NOW_COMPLETES)) {
        return false;
    }
    for (uint32_t i = 0; i < now->count && i < MW_NOW_REQUESTS; i++) {
        if (now->requests[i] == request) {
            return true;
        }
    }
    return false;
}

static OTF2_ErrorCode write_request(const struct mw_pending_request *request, uint64_t id,
                                    bool awaited, OTF2_EvtWriter *writer,
                                    OTF2_AttributeList *attributes, uint64_t time)
{
    OTF2_ErrorCode code = OTF2_AttributeList_RemoveAllAttributes(attributes)
                          ?: OTF2_AttributeList_AddUint8(attributes, MW_ATTRIBUTE_PENDING,
                                                         awaited ? 2 : 1);

    if (code == OTF2_SUCCESS && request->comm != OTF2_UNDEFINED_COMM) {
        code = OTF2_AttributeList_AddCommRef(attributes, MW_ATTRIBUTE_COMM, request->comm);
    }
    if (code == OTF2_SUCCESS && request->type == MW_MEMBER_POSTED) {
        code = OTF2_AttributeList_AddInt32(attributes, MW_ATTRIBUTE_SOURCE, request->source)
               ?: OTF2_AttributeList_AddInt32(attributes, MW_ATTRIBUTE_SOURCE_TAG, request->tag);
    }
    if (code == OTF2_SUCCESS && request->root != 0) {
        code = OTF2_AttributeList_AddInt32(attributes, MW_ATTRIBUTE_PEER,
                                           (int32_t)(request->root - 1));
    }
    return code ?: OTF2_EvtWriter_MpiRequestTest(writer, attributes, time, id);
}

OTF2_ErrorCode mw_replay_pending_write(const struct mw_replay_pending *pending,
                                       const struct mw_now *now, OTF2_EvtWriter *writer,
                                       OTF2_AttributeList *attributes, uint64_t time,
                                       bool *is_told)
{
    OTF2_ErrorCode code = OTF2_SUCCESS;

    for (uint32_t slot = 0; slot < pending->room && code == OTF2_SUCCESS; slot++) {
        const struct mw_pending_request *pended = &pending->list[slot];
        uint64_t request = pended->type != 0 ? mw_request_slots_of(pending->slots, slot) : 0;
        bool awaited = pended->type != 0 && is_awaited(now, request);

        if (pended->type == 0 || (pended->type == MW_MEMBER_ISEND && !awaited)) {
            continue;
        }
        *is_told = true;
        code = write_request(pended, pending->renames ? slot : request, awaited, writer,
                             attributes, time);
    }
    return code;
}

/* --- the open call ---------------------------------------------------------------------- */

static OTF2_ErrorCode add_number(OTF2_AttributeList *attributes, enum mw_attribute attribute,
                                 bool is_there, int32_t value)
{
    return is_there ? OTF2_AttributeList_AddInt32(attributes, attribute, value) : OTF2_SUCCESS;
}

/* Where it is: on a communicator or a window that the archive defines. */
static OTF2_ErrorCode add_place(const struct mw_now *now, const struct mw_known *known,
                                OTF2_AttributeList *attributes)
{
    const struct mw_known_objects *windows = &known->objects[MW_OBJECT_WINDOW];
    OTF2_ErrorCode code = OTF2_SUCCESS;

    if (now->what & (MW_NOW_ON_COMM | MW_NOW_UNREADY) && mw_known_has_comm(known, now->comm)) {
        code = OTF2_AttributeList_AddCommRef(attributes, MW_ATTRIBUTE_COMM, now->comm);
    }
    if (code == OTF2_SUCCESS && now->what & MW_NOW_ON_WINDOW && now->window < windows->count &&
        windows->is_defined[now->window]) {
        code = OTF2_AttributeList_AddRmaWinRef(attributes, MW_ATTRIBUTE_WINDOW, now->window);
    }
    return code;
}

OTF2_ErrorCode mw_replay_now(const struct mw_now *now, const struct mw_known *known,
                             OTF2_AttributeList *attributes)
{
    bool lacks = now->what & MW_NOW_UNREADY;
    bool sends = now->what & MW_NOW_SENDS || lacks;
    bool receives = now->what & MW_NOW_RECEIVES;
    bool is_root = now->what & MW_NOW_ROOT && now->peer >= 0;
    bool is_target = now->what & MW_NOW_TARGET && now->peer >= 0;
    OTF2_ErrorCode code = add_place(now, known, attributes);

    if (code == OTF2_SUCCESS && sends && now->bytes != MW_BYTES_UNKNOWN) {
        code = OTF2_AttributeList_AddUint64(attributes, MW_ATTRIBUTE_BYTES, now->bytes);
    }
    if (code == OTF2_SUCCESS && now->what & MW_NOW_COMPLETES) {
        code = OTF2_AttributeList_AddUint64(attributes, MW_ATTRIBUTE_REQUESTS, now->count);
    }
    if (code == OTF2_SUCCESS && lacks) {
        code = OTF2_AttributeList_AddUint32(attributes, MW_ATTRIBUTE_UNREADY, now->unready)
               ?: OTF2_AttributeList_AddUint32(attributes, MW_ATTRIBUTE_UNREADY_WHICH,
                                               now->unready_which);
    }
    return code
           ?: add_number(attributes, MW_ATTRIBUTE_PEER, sends || is_root || is_target, now->peer)
           ?: add_number(attributes, MW_ATTRIBUTE_TAG, sends, now->tag)
           ?: add_number(attributes, MW_ATTRIBUTE_SOURCE, receives, now->source)
           ?: add_number(attributes, MW_ATTRIBUTE_SOURCE_TAG, receives, now->source_tag);
}
