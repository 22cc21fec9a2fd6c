/* Keys stay: what comes later comes beside them. What is not known is null. */
#include "analyzer/live/live_json.h"

#include <stdlib.h>

#include <jansson.h>

#include "analyzer/live/live_lines.h"
#include "analyzer/live/live_tables.h"
#include "analyzer/live/live_words.h"
#include "analyzer/model/shortage.h"
#include "analyzer/table/clean.h"

#define SECOND 1000000000u

static json_t *text_of(const char *text)
{
    char clean[1024];

    return text ? json_string(mwa_clean(text, clean, sizeof clean)) : json_null();
}

static json_t *number_if(bool is_known, double number)
{
    return is_known ? json_real(number) : json_null();
}

static json_t *count_if(bool is_known, uint64_t number)
{
    return is_known ? json_integer((json_int_t)number) : json_null();
}

static void put_call(const struct mwa_live *live, const struct mwa_live_thread *thread,
                     json_t *object)
{
    const struct mw_now *now = &thread->moment.now;
    const unsigned what = thread->moment.has_now ? now->what : 0;
    const bool has_peer = what & (MW_NOW_SENDS | MW_NOW_TARGET | MW_NOW_ROOT);
    char comm[128];
    char line[256];

    json_object_set_new(object, "line",
                        mwa_live_line(live, thread, line, sizeof line) ? text_of(line)
                                                                       : json_null());
    json_object_set_new(object, "call", text_of(mwa_live_call_name(live, thread)));
    json_object_set_new(object, "comm",
                        what & MW_NOW_ON_COMM
                            ? text_of(mwa_live_comm_name(live, thread, now->comm, comm,
                                                         sizeof comm))
                            : json_null());
    json_object_set_new(object, "peer", has_peer ? json_integer(now->peer) : json_null());
    json_object_set_new(object, "tag",
                        what & MW_NOW_SENDS ? json_integer(now->tag) : json_null());
    json_object_set_new(object, "source",
                        what & MW_NOW_RECEIVES ? json_integer(now->source) : json_null());
    json_object_set_new(object, "source_tag",
                        what & MW_NOW_RECEIVES ? json_integer(now->source_tag) : json_null());
    json_object_set_new(object, "requests", count_if(what & MW_NOW_COMPLETES, now->count));
}

static void put_counts(const struct mwa_live_thread *thread, json_t *object)
{
    const struct mw_spool_moment *moment = &thread->moment;
    const struct mw_counts *counts = &moment->counts;
    const bool is_known = moment->is_counted;

    json_object_set_new(object, "calls", count_if(is_known, counts->calls));
    json_object_set_new(object, "messages_sent", count_if(is_known, counts->sent));
    json_object_set_new(object, "messages_received", count_if(is_known, counts->received));
    json_object_set_new(object, "bytes_sent", count_if(is_known, counts->bytes_sent));
    json_object_set_new(object, "bytes_received", count_if(is_known, counts->bytes_received));
    json_object_set_new(object, "collective_bytes_sent",
                        count_if(is_known, counts->collective_sent));
    json_object_set_new(object, "collective_bytes_received",
                        count_if(is_known, counts->collective_received));
    json_object_set_new(object, "lost", count_if(true, moment->lost));
    json_object_set_new(object, "behind", json_boolean(moment->is_behind));
}

static void put_waits(const struct mwa_live_rate *rate, const char *waiting, const char *doubtful,
                      json_t *object)
{
    const bool is_known = rate->is_known && rate->has_waits;

    json_object_set_new(object, waiting, number_if(is_known, rate->waited));
    json_object_set_new(object, doubtful, number_if(is_known, rate->doubtful));
}

static json_t *thread_of(const struct mwa_live *live, const struct mwa_live_thread *thread)
{
    const struct mwa_live_rate now = mwa_live_rate(thread, SECOND);
    const struct mwa_live_rate ten = mwa_live_rate(thread, 10 * (uint64_t)SECOND);
    const struct mwa_live_rate all = mwa_live_rate(thread, 0);
    json_t *object = json_object();
    uint64_t since = 0;
    const bool has_since = mwa_live_since(live, thread, &since);
    char words[256];

    json_object_set_new(object, "rank",
                        json_integer(live->processes[thread->process].spool->rank));
    json_object_set_new(object, "thread", json_integer(thread->thread));
    json_object_set_new(object, "state",
                        text_of(mwa_live_state_name(mwa_live_state(live, thread))));
    json_object_set_new(object, "now",
                        text_of(mwa_live_words(live, thread, words, sizeof words)));
    json_object_set_new(object, "for_s", number_if(has_since, (double)since / SECOND));
    put_call(live, thread, object);
    json_object_set_new(object, "mpi_share_1s", number_if(now.is_known, now.share));
    json_object_set_new(object, "mpi_share_10s", number_if(ten.is_known, ten.share));
    json_object_set_new(object, "mpi_share_all", number_if(all.is_known, all.share));
    json_object_set_new(object, "waited_ns", count_if(thread->has_waits, thread->waited));
    put_waits(&now, "waiting_share_1s", "doubtful_share_1s", object);
    put_waits(&ten, "waiting_share_10s", "doubtful_share_10s", object);
    put_waits(&all, "waiting_share_all", "doubtful_share_all", object);
    json_object_set_new(object, "calls_per_s", number_if(now.is_known, now.calls));
    json_object_set_new(object, "messages_per_s", number_if(now.is_known, now.messages));
    json_object_set_new(object, "bytes_per_s", number_if(now.is_known, now.bytes));
    put_counts(thread, object);
    return object;
}

static json_t *hosts_of(const struct mwa_live *live)
{
    const uint64_t now = mwa_live_time();
    json_t *hosts = json_array();

    for (uint32_t i = 0; i < live->host_count; i++) {
        const struct mwa_live_host *host = &live->hosts[i];
        const bool is_known = host->heard > 0;
        json_t *object = json_object();

        json_object_set_new(object, "name", text_of(host->name[0] ? host->name : NULL));
        json_object_set_new(object, "heard_s",
                            number_if(is_known, (double)(now - host->heard) / SECOND));
        json_object_set_new(object, "silent", json_boolean(host->is_silent));
        json_object_set_new(object, "dropped", count_if(true, host->dropped));
        json_object_set_new(object, "refused", text_of(host->refused[0] ? host->refused : NULL));
        json_array_append_new(hosts, object);
    }
    return hosts;
}

static json_t *run_of(const struct mwa_live *live)
{
    json_t *root = json_object();
    json_t *threads = json_array();
    const struct mw_run_spool *first = live->process_count > 0 ? live->processes[0].spool : NULL;
    char nonce[32];

    snprintf(nonce, sizeof nonce, "%016llx", (unsigned long long)live->run->nonce);
    json_object_set_new(root, "schema", json_integer(1));
    json_object_set_new(root, "run", json_string(nonce));
    json_object_set_new(root, "program", text_of(first ? first->program : NULL));
    json_object_set_new(root, "ranks", json_integer(live->run->size));
    json_object_set_new(root, "running", json_boolean(mwa_live_is_running(live)));
    json_object_set_new(root, "stuck_s", json_real((double)mwa_live_stuck(live) / SECOND));
    json_object_set_new(root, "hosts", hosts_of(live));
    for (uint32_t i = 0; i < live->thread_count; i++) {
        json_array_append_new(threads, thread_of(live, &live->threads[i]));
    }
    json_object_set_new(root, "threads", threads);
    return root;
}

bool mwa_live_json_print(json_t *root, size_t flags, uint64_t shortages, FILE *out)
{
    char *text = json_dumps(root, flags);
    const bool is_whole = text && mwa_shortage_count() == shortages;
    const bool is_written = is_whole && fprintf(out, "%s\n", text) >= 0;

    json_decref(root);
    free(text);
    return is_written;
}

enum mw_status mwa_live_json(const struct mwa_live_watch *watch, FILE *out,
                             struct mw_diagnostic *diagnostic)
{
    const uint64_t shortages = mwa_shortage_count();
    json_t *root = run_of(watch->live);
    enum mw_status status = MW_OK;
    bool is_written;

    if (watch->detail) {
        struct mwa_live_found found;
        json_t *events = json_object();

        status = mwa_live_detail_find(watch->detail, watch->live, &found, diagnostic);
        if (status == MW_OK) {
            mwa_live_tables_json(watch->detail, &found, events);
        }
        if (watch->live->host_count > 0) {
            json_object_set_new(events, "clock_error_ns",
                                count_if(true, mwa_live_detail_clock_error(watch->detail)));
        }
        json_object_set_new(root, "events", events);
        mwa_live_found_fini(&found);
    }
    if (status != MW_OK) {
        json_decref(root);
        return status;
    }
    is_written = mwa_live_json_print(root, JSON_COMPACT | JSON_REAL_PRECISION(9), shortages, out);
    if (mwa_shortage_count() > shortages) {
        return mw_no_memory(diagnostic, NULL, "for the JSON");
    }
    return is_written && fflush(out) == 0
               ? MW_OK
               : mw_fail(diagnostic, MW_ERROR_SYSTEM, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "can't print the JSON");
}
