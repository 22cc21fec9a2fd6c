#ifndef MWA_LOAD_EVENT_DELIVERY_H
#define MWA_LOAD_EVENT_DELIVERY_H

#include "analyzer/load/event_record.h"
#include "analyzer/load/input.h"
#include "analyzer/load/joint.h"

/*
 * OTF2's records as events of the model: those of one location, one after the other, are delivered
 * to visit.
 */
struct mwa_delivery {
    const struct mwa_trace *trace;
    uint32_t location;
    const struct mwa_joint_part *part; /* of the joint trace that events are to be of; or null */
    mwa_event_visit visit;
    void *user;

    /* Why it was stopped, if it was: */
    enum mw_status status; /* what visit returned */
    bool is_backwards;     /* times did not ascend */
    char wrong[128];       /* what an event refers to and is not there; "": nothing */

    uint64_t last_time;
};

/*
 * Makes event one of the kind, without what events of the kind have (of). Member by member: as a
 * whole it would be cleared by an instruction for long arrays, which takes longer to begin than
 * everything else that is done with most events here.
 */
MW_INLINE void mwa_event_begin_bare(struct mwa_event *event, enum mwa_event_kind kind,
                                    uint64_t time)
{
    event->kind = kind;
    event->location = 0;
    event->time = time;
    event->request = 0;
    event->hint = NULL;
    event->object = 0;
}

/* The same, of which nothing else is told: all else is 0. */
MW_INLINE void mwa_event_begin(struct mwa_event *event, enum mwa_event_kind kind, uint64_t time)
{
    _Static_assert(sizeof event->of == sizeof event->of.metric, "all of it is cleared");
    mwa_event_begin_bare(event, kind, time);
    event->of.metric = (struct mwa_metric_data){ .metric = 0 };
}

/*
 * Delivers what the record is to the model; a record that it has no kind for is passed over. False:
 * nothing more is wanted, and delivery says why.
 */
bool mwa_delivery_take(struct mwa_delivery *delivery, const struct mwa_record *record);

/* Hands an event of the location on. False as above. */
MW_INLINE bool mwa_deliver(struct mwa_delivery *delivery, struct mwa_event *event)
{
    if (MW_UNLIKELY(event->time < delivery->last_time)) {
        delivery->is_backwards = true;
        return false;
    }
    event->location = delivery->location;
    delivery->last_time = event->time;
    if (MW_UNLIKELY(delivery->part != NULL)) {
        event->hint = NULL; /* its communicator is of this archive alone */
        if (!mwa_joint_translate(delivery->part, event)) {
            return true;
        }
    }
    delivery->status = delivery->visit(delivery->user, event);
    return delivery->status == MW_OK;
}

/*
 * Ends the reading: the event at position refers to what is not there, and numbers would be wrong
 * without a word if it were passed over. A communicator whose definition was lost is none of these:
 * its id says so. \return false.
 */
bool mwa_delivery_refuse(struct mwa_delivery *delivery, uint64_t position, const char *what,
                         uint32_t id);

#endif
