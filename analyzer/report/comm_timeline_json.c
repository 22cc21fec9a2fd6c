#include "analyzer/report/comm_timeline_text.h"

#include <inttypes.h>

#include <jansson.h>

#include "analyzer/table/csv.h"
#include "analyzer/table/values.h"

/* The edge of a bin since the trace's beginning. */
static uint64_t edge_ns(const struct mwa_trace *trace, const struct mwa_window *window,
                        uint32_t bin)
{
    return mwa_trace_since_begin(trace, mwa_window_edge(window, bin));
}

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

static json_t *intervals_of(const struct mwa_comms *comms, const struct mwa_comm_row *row)
{
    json_t *list = json_array();

    for (uint64_t i = 0; i < row->life_count; i++) {
        const struct mwa_comm_life *life = &comms->lives[row->first_life + i];

        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o}", "rank",
                            known_or_null(life->rank != MWA_NONE, life->rank), "created_ns",
                            known_or_null(life->has_created, life->created_ns), "freed_ns",
                            known_or_null(life->has_freed, life->freed_ns)));
    }
    return list;
}

static json_t *registered_of(const struct mwa_comms *comms, const struct mwa_comm_row *row)
{
    json_t *list = json_array();

    for (uint64_t i = 0; i < row->registration_count; i++) {
        const struct mwa_registration *each = &comms->registrations[row->first_registration + i];

        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:o}", "rank", mwa_json_number(each->rank), "name",
                            mwa_json_text(each->name), "from_ns", mwa_json_number(each->from_ns),
                            "to_ns", known_or_null(each->has_end, each->to_ns)));
    }
    return list;
}

static json_t *activity_of(const struct mwa_comm_lane *lane)
{
    json_t *list = json_array();

    for (uint64_t i = 0; i < lane->cell_count; i++) {
        const struct mwa_comm_cell *cell = &lane->cells[i];

        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:o}", "bin", mwa_json_number(cell->bin), "calls",
                            mwa_json_number(cell->calls), "bytes", mwa_json_number(cell->bytes),
                            "time_ns", mwa_json_number(cell->time_ns)));
    }
    return list;
}

static json_t *lane_object(const struct mwa_trace *trace, const struct mwa_comms *comms,
                           const struct mwa_comm_lane *lane)
{
    const struct mwa_comm *comm = &trace->comms[lane->row->comm];

    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "uid",
                     mwa_json_comm_uid(trace, lane->row->comm), "name", mwa_json_text(comm->name),
                     "parent", mwa_json_comm_uid(trace, comm->parent), "created_by",
                     mwa_json_text(comm->created_by), "members", members_of(trace, lane->row->comm),
                     "intervals", intervals_of(comms, lane->row), "registered",
                     registered_of(comms, lane->row), "activity", activity_of(lane));
}

/* Writes value as an element of a list and frees it; false when it is null. */
static bool put_element(json_t *value, bool is_first, FILE *out)
{
    bool is_there = value != NULL;

    fputs(is_first ? "\n  " : ",\n  ", out);
    if (value) {
        json_dumpf(value, out, JSON_COMPACT);
    }
    json_decref(value);
    return is_there;
}

bool mwa_json_comm_timeline(const struct mwa_trace *trace, const struct mwa_comms *comms,
                            const struct mwa_comm_timeline *timeline, FILE *out)
{
    const struct mwa_window *window = &timeline->window;
    bool is_fine = true;

    fputs("{\n \"schema\": \"mpiwatch-comm-timeline/1\",\n \"bins\": [", out);
    for (uint32_t i = 0; i < window->bins && is_fine; i++) {
        is_fine = put_element(json_pack("{s:o, s:o}", "from_ns",
                                        mwa_json_number(edge_ns(trace, window, i)), "to_ns",
                                        mwa_json_number(edge_ns(trace, window, i + 1))),
                              i == 0, out);
    }
    fputs("\n ],\n \"communicators\": [", out);
    for (uint64_t i = 0; i < timeline->count && is_fine; i++) {
        is_fine = put_element(lane_object(trace, comms, &timeline->lanes[i]), i == 0, out);
    }
    fputs("\n ],\n \"alive\": [", out);
    for (uint64_t i = 0; i < timeline->alive_count && is_fine; i++) {
        is_fine = put_element(json_pack("[o, o]", mwa_json_number(timeline->alive[i].t_ns),
                                        mwa_json_number(timeline->alive[i].count)),
                              i == 0, out);
    }
    fputs("\n ]\n}\n", out);
    return is_fine;
}

/* The uid without JSON's quotes. */
static bool put_uid(const struct mwa_trace *trace, uint32_t comm, FILE *out)
{
    json_t *uid = mwa_json_comm_uid(trace, comm);
    bool is_there = json_is_string(uid);

    mwa_csv_text(is_there ? json_string_value(uid) : "", out);
    json_decref(uid);
    return is_there;
}

bool mwa_csv_comm_timeline(const struct mwa_trace *trace,
                           const struct mwa_comm_timeline *timeline, FILE *out)
{
    const struct mwa_window *window = &timeline->window;
    bool is_fine = true;

    fputs("uid,name,bin,from_ns,to_ns,calls,bytes,time_ns\n", out);
    for (uint64_t i = 0; i < timeline->count && is_fine; i++) {
        const struct mwa_comm_lane *lane = &timeline->lanes[i];

        for (uint64_t k = 0; k < lane->cell_count && is_fine; k++) {
            const struct mwa_comm_cell *cell = &lane->cells[k];

            is_fine = put_uid(trace, lane->row->comm, out);
            putc(',', out);
            mwa_csv_text(trace->comms[lane->row->comm].name, out);
            fprintf(out,
                    ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
                    cell->bin, edge_ns(trace, window, cell->bin),
                    edge_ns(trace, window, cell->bin + 1), cell->calls, cell->bytes,
                    cell->time_ns);
        }
    }
    return is_fine;
}
