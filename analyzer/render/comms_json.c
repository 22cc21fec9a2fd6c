#include "analyzer/render/comms.h"

#include <stdlib.h>

#include "analyzer/model/ranges.h"
#include "analyzer/render/csv.h"
#include "analyzer/render/values.h"
#include "formats/archive_words.h"

static json_t *known_or_null(bool known, uint64_t value)
{
    return known ? mwa_json_number(value) : json_null();
}

static json_t *members_of(const struct mwa_trace *trace, uint32_t comm)
{
    json_t *list = json_array();

    for (unsigned group = 0; group < 2; group++) {
        uint64_t count;
        const uint32_t *members = mwa_trace_members(trace, comm, group, &count);

        for (uint64_t i = 0; i < count; i++) {
            json_array_append_new(list, known_or_null(members[i] != MWA_NONE, members[i]));
        }
    }
    return list;
}

static json_t *ranges_of(const struct mwa_trace *trace, uint32_t comm)
{
    char *ranges = mwa_ranges_of_comm(trace, comm, 0);
    json_t *text = ranges ? json_string(ranges) : NULL;

    free(ranges);
    return text;
}

static json_t *names_of(const struct mwa_trace *trace, const struct mwa_comm *comm)
{
    json_t *list = json_array();

    for (uint64_t i = 0; i < comm->name_count; i++) {
        const struct mwa_comm_name *name = &comm->names[i];
        json_t *object = json_object();

        json_object_set_new(object, "name", mwa_json_text(name->text));
        json_object_set_new(object, "source", json_string(mw_name_source_word(name->source)));
        json_object_set_new(object, "rank", known_or_null(name->rank != MWA_NONE, name->rank));
        json_object_set_new(object, "time_ns",
                            known_or_null(name->time != UINT64_MAX,
                                          mwa_trace_since_begin(trace, name->time)));
        json_array_append_new(list, object);
    }
    return list;
}

static json_t *registered_of(const struct mwa_comms *comms, const struct mwa_comm_row *row)
{
    json_t *list = json_array();

    for (uint64_t i = 0; i < row->registration_count; i++) {
        const struct mwa_registration *each = &comms->registrations[row->first_registration + i];
        json_t *object = json_object();

        json_object_set_new(object, "rank", mwa_json_number(each->rank));
        json_object_set_new(object, "name", mwa_json_text(each->name));
        json_object_set_new(object, "from_ns", mwa_json_number(each->from_ns));
        json_object_set_new(object, "to_ns", known_or_null(each->has_end, each->to_ns));
        json_array_append_new(list, object);
    }
    return list;
}

static void set_life(json_t *object, const struct mwa_comm_row *row)
{
    bool has_lifetime = row->has_created && row->has_freed && row->freed_ns >= row->created_ns;

    json_object_set_new(object, "created_ns", known_or_null(row->has_created, row->created_ns));
    json_object_set_new(object, "freed_ns", known_or_null(row->has_freed, row->freed_ns));
    json_object_set_new(object, "lifetime_ns",
                        known_or_null(has_lifetime, row->freed_ns - row->created_ns));
}

/* Of all MPI time. */
static json_t *share_of(const struct mwa_comms *comms, uint64_t time_ns)
{
    return comms->mpi_ns ? mwa_json_ratio((double)time_ns / (double)comms->mpi_ns) : json_null();
}

static void set_use(json_t *object, const struct mwa_comms *comms, const struct mwa_comm_row *row)
{
    json_object_set_new(object, "messages", mwa_json_number(row->messages));
    json_object_set_new(object, "bytes", mwa_json_number(row->bytes));
    json_object_set_new(object, "collectives", mwa_json_number(row->collectives));
    json_object_set_new(object, "time_ns", mwa_json_number(row->time_ns));
    json_object_set_new(object, "share", share_of(comms, row->time_ns));
    json_object_set_new(object, "collective_bytes", mwa_json_number(row->collective_bytes));
    json_object_set_new(object, "calls", mwa_json_number(row->calls));
    json_object_set_new(object, "filtered_calls", mwa_json_number(row->filtered_calls));
    json_object_set_new(object, "filtered_bytes", mwa_json_number(row->filtered_bytes));
}

/* Lists of objects are left out of tables. */
static json_t *comm_object(const struct mwa_results *results, const struct mwa_comm_row *row,
                           bool is_table)
{
    const struct mwa_trace *trace = results->trace;
    const struct mwa_comm *comm = &trace->comms[row->comm];
    uint64_t size = mwa_trace_comm_total(trace, row->comm);
    uint64_t local_size;
    json_t *object = json_object();

    json_object_set_new(object, "uid", mwa_json_comm_uid(trace, row->comm));
    json_object_set_new(object, "name", mwa_json_text(comm->name));
    json_object_set_new(object, "size", mwa_json_number(size));
    json_object_set_new(object, "members", members_of(trace, row->comm));
    json_object_set_new(object, "member_ranges", ranges_of(trace, row->comm));
    json_object_set_new(object, "parent", mwa_json_comm_uid(trace, comm->parent));
    json_object_set_new(object, "created_by", mwa_json_text(comm->created_by));
    json_object_set_new(object, "default_name", mwa_json_text(comm->default_name));
    set_life(object, row);
    json_object_set_new(object, "inter", json_boolean(comm->inter));
    set_use(object, &results->comms, row);
    mwa_trace_members(trace, row->comm, 0, &local_size);
    json_object_set_new(object, "local_size", mwa_json_number(comm->inter ? local_size : size));
    json_object_set_new(object, "predefined", json_boolean(comm->predefined));
    json_object_set_new(object, "foreign", json_boolean(comm->foreign));
    if (!is_table) {
        json_object_set_new(object, "names", names_of(trace, comm));
        json_object_set_new(object, "registered", registered_of(&results->comms, row));
    }
    return object;
}

static json_t *finding_object(const struct mwa_trace *trace,
                              const struct mwa_comm_finding *finding)
{
    bool is_rate = finding->kind == MWA_COMM_CREATED_FAST;
    char text[MWA_COMM_FINDING_BYTES];
    json_t *object = json_object();
    json_t *list = json_array();

    for (uint64_t i = 0; i < finding->count; i++) {
        json_array_append_new(list, mwa_json_comm_uid(trace, finding->comms[i]));
    }
    json_object_set_new(object, "kind", json_string(mwa_comm_finding_name(finding->kind)));
    json_object_set_new(object, "text",
                        mwa_json_text(mwa_comm_finding_text(trace, finding, text)));
    json_object_set_new(object, "communicators", list);
    json_object_set_new(object, "rank", known_or_null(is_rate, finding->rank));
    json_object_set_new(object, "creations", known_or_null(is_rate, finding->creations));
    json_object_set_new(object, "from_ns", known_or_null(is_rate, finding->from_ns));
    return object;
}

json_t *mwa_json_comm_findings(const struct mwa_results *results)
{
    const struct mwa_comm_findings *findings = &results->comm_findings;
    json_t *list = json_array();

    for (uint32_t i = 0; i < findings->count; i++) {
        json_array_append_new(list, finding_object(results->trace, &findings->list[i]));
    }
    return list;
}

static bool is_shown(const struct mwa_results *results, uint32_t comm)
{
    return !results->selected_comms || results->selected_comms[comm];
}

json_t *mwa_json_comms(const struct mwa_results *results)
{
    const struct mwa_comms *comms = &results->comms;
    json_t *object = json_object();
    json_t *list = json_array();

    for (uint64_t i = 0; i < comms->count; i++) {
        if (is_shown(results, comms->rows[i].comm)) {
            json_array_append_new(list, comm_object(results, &comms->rows[i], false));
        }
    }
    json_object_set_new(object, "schema", json_string("mpiwatch-comms/1"));
    json_object_set_new(object, "communicators", list);
    json_object_set_new(object, "alive_max", mwa_json_number(comms->alive_max));
    json_object_set_new(object, "filtered_calls", mwa_json_number(comms->filtered_calls));
    json_object_set_new(object, "filtered_bytes", mwa_json_number(comms->filtered_bytes));
    json_object_set_new(object, "findings", mwa_json_comm_findings(results));
    json_object_set_new(object, "created", mwa_json_number(comms->created));
    json_object_set_new(object, "mpi_ns", mwa_json_number(comms->mpi_ns));
    json_object_set_new(object, "none_ns", mwa_json_number(comms->none_ns));
    json_object_set_new(object, "none_share", share_of(comms, comms->none_ns));
    return object;
}

void mwa_csv_comms(const struct mwa_results *results, FILE *out)
{
    const struct mwa_comms *comms = &results->comms;
    json_t *list = json_array();
    json_t *object = json_object();

    for (uint64_t i = 0; i < comms->count; i++) {
        if (is_shown(results, comms->by_time[i]->comm)) {
            json_array_append_new(list, comm_object(results, comms->by_time[i], true));
        }
    }
    json_object_set_new(object, "communicators", list);
    mwa_csv_table(object, "communicators",
                  "uid,name,size,members,member_ranges,parent,created_by,default_name,created_ns,"
                  "freed_ns,lifetime_ns,inter,messages,bytes,collectives,time_ns,share,"
                  "collective_bytes,calls,filtered_calls,filtered_bytes,local_size,predefined,"
                  "foreign",
                  out);
}
