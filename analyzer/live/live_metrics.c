/* Source: OpenMetrics 1.0. Samples of a family stand together, counters end in _total. */
#include "analyzer/live/live_metrics.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "analyzer/export/output.h"
#include "analyzer/live/live_words.h"
#include "analyzer/table/clean.h"

#define SECOND 1000000000.0

struct family {
    const char *name;
    const char *unit; /* null: none */
    const char *help;
    size_t offset;    /* of the count in struct mw_counts */
};

static const struct family counters[] = {
    {"mpiwatch_calls", NULL, "Calls of MPI that were entered.", offsetof(struct mw_counts, calls)},
    {"mpiwatch_messages_sent", NULL, "Messages sent.", offsetof(struct mw_counts, sent)},
    {"mpiwatch_messages_received", NULL, "Messages received.",
     offsetof(struct mw_counts, received)},
    {"mpiwatch_sent_bytes", "bytes", "Bytes sent in messages.",
     offsetof(struct mw_counts, bytes_sent)},
    {"mpiwatch_received_bytes", "bytes", "Bytes received in messages.",
     offsetof(struct mw_counts, bytes_received)},
    {"mpiwatch_collective_sent_bytes", "bytes", "Bytes sent in collective operations.",
     offsetof(struct mw_counts, collective_sent)},
    {"mpiwatch_collective_received_bytes", "bytes", "Bytes received in collective operations.",
     offsetof(struct mw_counts, collective_received)},
};

static void put_family(const char *name, const char *type, const char *unit, const char *help,
                       FILE *out)
{
    fprintf(out, "# TYPE %s %s\n", name, type);
    if (unit) {
        fprintf(out, "# UNIT %s %s\n", name, unit);
    }
    fprintf(out, "# HELP %s %s\n", name, help);
}

/* A value of a label: quoted, without what is not to be printed. */
static void put_label(const char *text, FILE *out)
{
    char clean[512];

    putc('"', out);
    for (const char *at = mwa_clean(text, clean, sizeof clean); *at; at++) {
        if (*at == '"' || *at == '\\') {
            putc('\\', out);
        }
        putc(*at, out);
    }
    putc('"', out);
}

static void put_run(const struct mwa_live *live, FILE *out)
{
    fprintf(out, "{run=\"%016" PRIx64 "\"", live->run->nonce);
}

static void put_thread(const struct mwa_live *live, const struct mwa_live_thread *thread,
                       FILE *out)
{
    put_run(live, out);
    fprintf(out, ",rank=\"%" PRIu32 "\",thread=\"%" PRIu32 "\"}",
            live->processes[thread->process].spool->rank, thread->thread);
}

static void put_counters(const struct mwa_live *live, FILE *out)
{
    for (size_t i = 0; i < sizeof counters / sizeof counters[0]; i++) {
        const struct family *family = &counters[i];

        put_family(family->name, "counter", family->unit, family->help, out);
        for (uint32_t k = 0; k < live->thread_count; k++) {
            const struct mw_spool_moment *moment = &live->threads[k].moment;
            const uint64_t *count =
                (const void *)((const char *)&moment->counts + family->offset);

            if (moment->is_counted) {
                fprintf(out, "%s_total", family->name);
                put_thread(live, &live->threads[k], out);
                fprintf(out, " %" PRIu64 "\n", *count);
            }
        }
    }
}

/* The time that the latest look had of each thread, which counts what an open call took. */
static void put_seconds(const struct mwa_live *live, FILE *out)
{
    put_family("mpiwatch_mpi_seconds", "counter", "seconds", "Time inside of MPI.", out);
    for (uint32_t i = 0; i < live->thread_count; i++) {
        const struct mwa_live_thread *thread = &live->threads[i];

        if (thread->look_count > 0 && thread->moment.is_counted) {
            const struct mwa_live_look *look =
                &thread->looks[(thread->look_count - 1) % MWA_LIVE_LOOKS];

            fputs("mpiwatch_mpi_seconds_total", out);
            put_thread(live, thread, out);
            fprintf(out, " %.9f\n", (double)look->inside / SECOND);
        }
    }
}

/* Of the threads of which it is found, as far as it is known. */
static void put_waits(const struct mwa_live *live, FILE *out)
{
    put_family("mpiwatch_waiting_seconds", "counter", "seconds",
               "Time of waiting that is known so far.", out);
    for (uint32_t i = 0; i < live->thread_count; i++) {
        if (live->threads[i].has_waits) {
            fputs("mpiwatch_waiting_seconds_total", out);
            put_thread(live, &live->threads[i], out);
            fprintf(out, " %.9f\n", (double)live->threads[i].waited / SECOND);
        }
    }
}

static void put_variables(const struct mwa_live *live, const struct mwa_live_detail *detail,
                          FILE *out)
{
    const struct mwa_live_variables *variables = mwa_live_detail_variables(detail);
    uint32_t count;
    const struct mwa_live_variable *list = mwa_live_variables_list(variables, &count);

    put_family("mpiwatch_variable", "gauge", NULL, "A variable of the MPI as recorded last.", out);
    for (uint32_t i = 0; i < count; i++) {
        double *values = mwa_live_variables_ranks(variables, i, live->run->size);

        for (uint32_t rank = 0; values && rank < live->run->size; rank++) {
            if (isfinite(values[rank])) {
                fputs("mpiwatch_variable", out);
                put_run(live, out);
                fprintf(out, ",rank=\"%" PRIu32 "\",variable=", rank);
                put_label(list[i].name, out);
                fprintf(out, "} %.9g\n", values[rank]);
            }
        }
        free(values);
    }
}

static void put_states(const struct mwa_live *live, FILE *out)
{
    put_family("mpiwatch_state", "stateset", NULL, "What a thread does.", out);
    for (uint32_t i = 0; i < live->thread_count; i++) {
        const struct mwa_live_thread *thread = &live->threads[i];

        for (unsigned state = 0; state < MWA_LIVE_STATES; state++) {
            fputs("mpiwatch_state", out);
            put_run(live, out);
            fprintf(out, ",rank=\"%" PRIu32 "\",thread=\"%" PRIu32 "\",mpiwatch_state=\"%s\"} %d\n",
                    live->processes[thread->process].spool->rank, thread->thread,
                    mwa_live_state_name(state), mwa_live_state(live, thread) == state);
        }
    }
}

static void put_all(const struct mwa_live *live, const struct mwa_live_detail *detail, FILE *out)
{
    const char *program = live->process_count > 0 ? live->processes[0].spool->program : NULL;
    uint32_t running = 0;

    for (uint32_t i = 0; i < live->process_count; i++) {
        running += live->processes[i].state == MW_RUN_RUNNING;
    }
    put_family("mpiwatch_ranks", "gauge", NULL, "Ranks of the run.", out);
    fputs("mpiwatch_ranks", out);
    put_run(live, out);
    fputs(",program=", out);
    put_label(program ? program : "", out);
    fprintf(out, "} %" PRIu32 "\n", live->run->size);
    put_family("mpiwatch_ranks_running", "gauge", NULL, "Ranks that run on this host.", out);
    fputs("mpiwatch_ranks_running", out);
    put_run(live, out);
    fprintf(out, "} %" PRIu32 "\n", running);
    put_family("mpiwatch_stuck_seconds", "gauge", "seconds",
               "Time in which no rank has left a call; 0 where one is outside of MPI.", out);
    fputs("mpiwatch_stuck_seconds", out);
    put_run(live, out);
    fprintf(out, "} %.9f\n", (double)mwa_live_stuck(live) / SECOND);
    put_counters(live, out);
    put_seconds(live, out);
    put_waits(live, out);
    put_states(live, out);
    if (detail) {
        put_variables(live, detail, out);
    }
    fputs("# EOF\n", out);
}

enum mw_status mwa_live_metrics(const struct mwa_live *live,
                                const struct mwa_live_detail *detail, const char *path,
                                struct mw_diagnostic *diagnostic)
{
    struct mwa_output output;
    enum mw_status status =
        mwa_output_open(&output, path, MWA_OUTPUT_METRICS, false, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    put_all(live, detail, output.file);
    return mwa_output_close(&output, MW_OK, diagnostic);
}
