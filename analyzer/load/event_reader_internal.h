#ifndef MWA_LOAD_EVENT_READER_INTERNAL_H
#define MWA_LOAD_EVENT_READER_INTERNAL_H

#include <stdio.h>

#include "analyzer/load/input_internal.h"
#include "analyzer/load/references.h"

/* What the callbacks of libotf2 need on their way, millions of times: inline. */

struct mwa_event_reader {
    struct mwa_input *input;
    OTF2_EvtReader *reader;
    uint32_t location;
    uint64_t last_time;
    uint64_t count; /* of OTF2 events */
    bool backwards; /* times did not ascend */
    char wrong[128]; /* what an event refers to and is not there; "": nothing */
    char last[1024]; /* where this reader's file was read last: readers take turns */
    uint64_t last_offset;
    mwa_event_visit visit;
    void *user;
    enum mw_status visit_status;
};

/* The event that an OTF2 callback's head describes; the rest is zero. */
#define MWA_READER_EVENT(event_kind)                                                              \
    {                                                                                             \
        .kind = (event_kind), .time = time,                                                       \
        .location = ((struct mwa_event_reader *)user)->location                                   \
    }

static inline OTF2_CallbackCode mwa_reader_deliver(void *user, const struct mwa_event *event)
{
    struct mwa_event_reader *reader = user;

    if (event->time < reader->last_time) {
        reader->backwards = true;
        return OTF2_CALLBACK_INTERRUPT;
    }
    reader->last_time = event->time;
    reader->visit_status = reader->visit(reader->user, event);
    return reader->visit_status == MW_OK ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_INTERRUPT;
}

static inline uint32_t mwa_reader_comm(const void *user, OTF2_CommRef id)
{
    return mwa_trace_comm(((const struct mwa_event_reader *)user)->input->trace, id);
}

/* The communicator that a window, or an open file, was made on; MWA_NONE: not known. */
static inline uint32_t mwa_reader_comm_of(const struct mwa_event_reader *reader, bool is_file,
                                          uint32_t id)
{
    const struct mwa_metrics *metrics = &reader->input->trace->metrics;
    uint32_t object = mwa_metric_object_index(metrics, is_file, id);

    return object != MWA_NONE ? metrics->objects[object].comm : MWA_NONE;
}

/* Delivers what only tells that it is in use. */
static inline OTF2_CallbackCode mwa_reader_use(void *user, uint64_t time, bool is_file, uint32_t id)
{
    struct mwa_event event = MWA_READER_EVENT(MWA_OBJECT);

    event.of.comm = mwa_reader_comm_of(user, is_file, id);
    return mwa_reader_deliver(user, &event);
}

/*
 * Numbers would be wrong without a word if an event were passed over that refers to what is not
 * there. A communicator whose definition was lost is none of these: its id says so.
 */
static inline OTF2_CallbackCode mwa_reader_refuse(struct mwa_event_reader *reader,
                                                  uint64_t position, const char *what,
                                                  uint32_t id)
{
    snprintf(reader->wrong, sizeof reader->wrong, "event %llu refers to %s %u, which is not there",
             (unsigned long long)position, what, id);
    return OTF2_CALLBACK_INTERRUPT;
}

#endif
