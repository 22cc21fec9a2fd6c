#ifndef MW_FORMATS_SPOOL_RECORD_LAYOUT_H
#define MW_FORMATS_SPOOL_RECORD_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "formats/spool/record.h"

#define MW_RECORD_TYPES 128u
#define MW_RECORD_FIELDS_MAX 6u

/* What records can consist of; the many types have few forms. */
#define MW_RECORD_FORMS(FORM)                                                                   \
    FORM(MW_FORM_CALL)                                                                          \
    FORM(MW_FORM_MEMBER)                                                                        \
    FORM(MW_FORM_VALUE)                                                                         \
    FORM(MW_FORM_REQUEST)                                                                       \
    FORM(MW_FORM_MESSAGE)                                                                       \
    FORM(MW_FORM_REQUEST_MESSAGE)                                                               \
    FORM(MW_FORM_POSTED)                                                                        \
    FORM(MW_FORM_FOUND)                                                                         \
    FORM(MW_FORM_COLLECTIVE)                                                                    \
    FORM(MW_FORM_REQUEST_COLLECTIVE)                                                            \
    FORM(MW_FORM_RMA)                                                                           \
    FORM(MW_FORM_IO)                                                                            \
    FORM(MW_FORM_METRIC)                                                                        \
    FORM(MW_FORM_COURSE)                                                                        \
    FORM(MW_FORM_PARTLY)

enum mw_record_form {
    MW_FORM_NONE, /* there is no such type */
#define MW_FORM(form) form,
    MW_RECORD_FORMS(MW_FORM)
#undef MW_FORM
};

/* A number in a record, behind state, type and words. */
struct mw_record_field {
    uint8_t offset;
    uint8_t bytes; /* 2, 4 or 8 */
    bool is_time;
};

struct mw_record_layout {
    uint8_t bytes; /* the whole of it; of metrics, without values */
    uint8_t count; /* of fields */
    struct mw_record_field fields[MW_RECORD_FIELDS_MAX];
};

#define MW_FIELD(type, member, is_time)                                                         \
    {                                                                                           \
        offsetof(struct type, member), sizeof(((struct type *)NULL)->member), is_time           \
    }
#define MW_FIELD_COMM MW_FIELD(mw_member, comm, false)
#define MW_FIELDS_MESSAGE                                                                       \
    MW_FIELD_COMM, MW_FIELD(mw_message_member, peer, false),                                    \
        MW_FIELD(mw_message_member, tag, false), MW_FIELD(mw_message_member, bytes, false)
#define MW_FIELDS_COLLECTIVE                                                                    \
    MW_FIELD_COMM, MW_FIELD(mw_collective_member, root, false),                                 \
        MW_FIELD(mw_collective_member, operation, false),                                       \
        MW_FIELD(mw_collective_member, bytes_sent, false),                                      \
        MW_FIELD(mw_collective_member, bytes_received, false)

/* Here, and not behind a function, so that code is made for each. */
static const struct mw_record_layout mw_record_layouts[] = {
    [MW_FORM_NONE] = {0},
    [MW_FORM_CALL] = {sizeof(struct mw_call_record), 4,
                      {MW_FIELD(mw_call_record, call, false),
                       MW_FIELD(mw_call_record, repeat, false),
                       MW_FIELD(mw_call_record, enter, true),
                       MW_FIELD(mw_call_record, leave, true)}},
    [MW_FORM_MEMBER] = {sizeof(struct mw_member), 1, {MW_FIELD_COMM}},
    [MW_FORM_VALUE] = {sizeof(struct mw_value_member), 2,
                       {MW_FIELD_COMM, MW_FIELD(mw_value_member, value, false)}},
    [MW_FORM_REQUEST] = {sizeof(struct mw_request_member), 2,
                         {MW_FIELD_COMM, MW_FIELD(mw_request_member, request, false)}},
    [MW_FORM_MESSAGE] = {sizeof(struct mw_message_member), 4, {MW_FIELDS_MESSAGE}},
    [MW_FORM_REQUEST_MESSAGE] = {sizeof(struct mw_request_message_member), 5,
                                 {MW_FIELDS_MESSAGE,
                                  MW_FIELD(mw_request_message_member, request, false)}},
    [MW_FORM_POSTED] = {sizeof(struct mw_posted_member), 4,
                        {MW_FIELD_COMM, MW_FIELD(mw_posted_member, source, false),
                         MW_FIELD(mw_posted_member, tag, false),
                         MW_FIELD(mw_posted_member, request, false)}},
    [MW_FORM_FOUND] = {sizeof(struct mw_found_member), 3,
                       {MW_FIELD_COMM, MW_FIELD(mw_found_member, source, false),
                        MW_FIELD(mw_found_member, tag, false)}},
    [MW_FORM_COLLECTIVE] = {sizeof(struct mw_collective_member), 5, {MW_FIELDS_COLLECTIVE}},
    [MW_FORM_REQUEST_COLLECTIVE] = {sizeof(struct mw_request_collective_member), 6,
                                    {MW_FIELDS_COLLECTIVE,
                                     MW_FIELD(mw_request_collective_member, request, false)}},
    [MW_FORM_RMA] = {sizeof(struct mw_rma_member), 6,
                     {MW_FIELD_COMM, MW_FIELD(mw_rma_member, target, false),
                      MW_FIELD(mw_rma_member, what, false),
                      MW_FIELD(mw_rma_member, bytes_sent, false),
                      MW_FIELD(mw_rma_member, bytes_received, false),
                      MW_FIELD(mw_rma_member, id, false)}},
    [MW_FORM_IO] = {sizeof(struct mw_io_member), 6,
                    {MW_FIELD_COMM, MW_FIELD(mw_io_member, mode, false),
                     MW_FIELD(mw_io_member, flags, false), MW_FIELD(mw_io_member, bytes, false),
                     MW_FIELD(mw_io_member, offset, false), MW_FIELD(mw_io_member, id, false)}},
    /* Flags, type, form and count are one number; values follow. */
    [MW_FORM_METRIC] = {sizeof(struct mw_metric_member), 3,
                        {MW_FIELD_COMM, MW_FIELD(mw_metric_member, metric, false),
                         {offsetof(struct mw_metric_member, flags), sizeof(uint32_t), false}}},
    [MW_FORM_COURSE] = {sizeof(struct mw_course_member), 5,
                        {MW_FIELD_COMM, MW_FIELD(mw_course_member, mean_lower, false),
                         MW_FIELD(mw_course_member, mean_upper, false),
                         MW_FIELD(mw_course_member, low, false),
                         MW_FIELD(mw_course_member, high, false)}},
    [MW_FORM_PARTLY] = {sizeof(struct mw_partly_member), 6,
                        {MW_FIELD_COMM, MW_FIELD(mw_partly_member, seen.mean_lower, false),
                         MW_FIELD(mw_partly_member, seen.mean_upper, false),
                         MW_FIELD(mw_partly_member, seen.low, false),
                         MW_FIELD(mw_partly_member, seen.high, false),
                         MW_FIELD(mw_partly_member, unseen, false)}},
};

/* enum mw_record_form of each type. */
extern const uint8_t mw_record_forms[MW_RECORD_TYPES];

static inline enum mw_record_form mw_record_form(unsigned type)
{
    return type < MW_RECORD_TYPES ? (enum mw_record_form)mw_record_forms[type] : MW_FORM_NONE;
}

/*
 * The size of the record that begins at record, of which left bytes are there; 0: of no known
 * type, or a metric without values. More than left: the record is not all there.
 */
static inline size_t mw_record_bytes(const char *record, size_t left)
{
    struct mw_metric_member metric;
    enum mw_record_form form;

    if (left < sizeof(struct mw_member)) {
        return sizeof(struct mw_member);
    }
    form = mw_record_form((unsigned char)record[1]);
    if (form != MW_FORM_METRIC || left < sizeof metric) {
        return mw_record_layouts[form].bytes;
    }
    memcpy(&metric, record, sizeof metric);
    return metric.count > 0 ? sizeof metric + metric.count * sizeof metric.values[0] : 0;
}

#endif
