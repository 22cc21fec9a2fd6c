/*
 * What the types of records consist of, once: readers check sizes by it, and the records of a
 * block are written and read field by field.
 */
#include "formats/spool/record_layout.h"

#include <string.h>

const uint8_t mw_record_forms[MW_RECORD_TYPES] = {
    [MW_RECORD_CALL] = MW_FORM_CALL,
    [MW_RECORD_PAUSE] = MW_FORM_CALL,
    [MW_RECORD_RESUME] = MW_FORM_CALL,
    [MW_RECORD_SAMPLE] = MW_FORM_CALL,
    [MW_RECORD_USER] = MW_FORM_CALL,
    [MW_RECORD_THREAD_BEGIN] = MW_FORM_CALL,
    [MW_RECORD_THREAD_END] = MW_FORM_CALL,
    [MW_MEMBER_SEND] = MW_FORM_MESSAGE,
    [MW_MEMBER_RECV] = MW_FORM_MESSAGE,
    [MW_MEMBER_ISEND] = MW_FORM_REQUEST_MESSAGE,
    [MW_MEMBER_IRECV_POST] = MW_FORM_REQUEST,
    [MW_MEMBER_SEND_COMPLETE] = MW_FORM_REQUEST,
    [MW_MEMBER_RECV_COMPLETE] = MW_FORM_REQUEST_MESSAGE,
    [MW_MEMBER_TEST] = MW_FORM_REQUEST,
    [MW_MEMBER_CANCELLED] = MW_FORM_REQUEST,
    [MW_MEMBER_COLL] = MW_FORM_COLLECTIVE,
    [MW_MEMBER_COLL_POST] = MW_FORM_REQUEST,
    [MW_MEMBER_COLL_COMPLETE] = MW_FORM_REQUEST_COLLECTIVE,
    [MW_MEMBER_COMM_CREATE] = MW_FORM_MEMBER,
    [MW_MEMBER_COMM_DESTROY] = MW_FORM_MEMBER,
    [MW_MEMBER_INSIDE] = MW_FORM_VALUE,
    [MW_MEMBER_ERROR] = MW_FORM_VALUE,
    [MW_MEMBER_COMM_ENDED] = MW_FORM_VALUE,
    [MW_MEMBER_WIN_CREATE] = MW_FORM_MEMBER,
    [MW_MEMBER_WIN_DESTROY] = MW_FORM_MEMBER,
    [MW_MEMBER_RMA_COLLECTIVE] = MW_FORM_RMA,
    [MW_MEMBER_RMA_PUT] = MW_FORM_RMA,
    [MW_MEMBER_RMA_GET] = MW_FORM_RMA,
    [MW_MEMBER_RMA_ATOMIC] = MW_FORM_RMA,
    [MW_MEMBER_RMA_DONE] = MW_FORM_RMA,
    [MW_MEMBER_RMA_LOCK] = MW_FORM_RMA,
    [MW_MEMBER_RMA_UNLOCK] = MW_FORM_RMA,
    [MW_MEMBER_RMA_SYNC] = MW_FORM_RMA,
    [MW_MEMBER_IO_OPEN] = MW_FORM_IO,
    [MW_MEMBER_IO_CLOSE] = MW_FORM_IO,
    [MW_MEMBER_IO_DELETE] = MW_FORM_IO,
    [MW_MEMBER_IO_SEEK] = MW_FORM_IO,
    [MW_MEMBER_IO_BEGIN] = MW_FORM_IO,
    [MW_MEMBER_IO_END] = MW_FORM_IO,
    [MW_MEMBER_METRIC] = MW_FORM_METRIC,
    [MW_MEMBER_METRIC_ENTER] = MW_FORM_METRIC,
    [MW_MEMBER_WILDCARDS] = MW_FORM_MEMBER,
    [MW_MEMBER_REGION_BEGIN] = MW_FORM_MEMBER,
    [MW_MEMBER_REGION_END] = MW_FORM_MEMBER,
    [MW_MEMBER_MARKER] = MW_FORM_MEMBER,
    [MW_MEMBER_REGISTERED] = MW_FORM_VALUE,
    [MW_MEMBER_UNREGISTERED] = MW_FORM_VALUE,
};

size_t mw_record_bytes(const char *record, size_t left)
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
