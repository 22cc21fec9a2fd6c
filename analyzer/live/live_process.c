/*
 * A process is held by its directory in /proc, which does not become another's when its number is
 * given away.
 */
#include "analyzer/live/live_process.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NUMBERS_MAX 1000000u /* of communicators and threads that are told apart */

/* Makes room for number in an array of process; what is new is filled with byte. */
static bool grow(struct mwa_live_process *process, void *array, uint32_t *count, size_t size,
                 uint32_t number, int byte)
{
    void **items = array;
    const size_t wanted = number < *count ? *count : number + (size_t)number / 2 + 8;
    char *grown;

    if (number < *count || number >= NUMBERS_MAX) {
        return number < *count;
    }
    grown = realloc(*items, wanted * size);
    if (!grown) {
        process->lacks_memory = true;
        return false;
    }
    memset(grown + *count * size, byte, (wanted - *count) * size);
    *items = grown;
    *count = (uint32_t)wanted;
    return true;
}

static void take_site(struct mwa_live_process *process, uint32_t site, uint32_t call)
{
    if (call < MW_CALL_COUNT && site < MW_SITES_MAX &&
        grow(process, &process->site_calls, &process->site_count, sizeof *process->site_calls,
             site, 0xff)) {
        process->site_calls[site] = (uint16_t)call;
    }
}

static void take_comm(struct mwa_live_process *process, const struct mw_define_comm *definition)
{
    if (grow(process, &process->comms, &process->comm_count, sizeof *process->comms,
             definition->comm, 0)) {
        process->comms[definition->comm].call = definition->call;
        process->comms[definition->comm].sequence = definition->sequence;
    }
}

static void take_name(struct mwa_live_process *process, const struct mw_define_comm_name *name)
{
    const bool is_named = name->source != MW_NAME_UNREGISTERED;

    if (name->comm < process->comm_count) {
        struct mwa_live_comm *comm = &process->comms[name->comm];

        free(comm->name);
        comm->name = is_named ? strdup(name->name) : NULL;
        process->lacks_memory |= is_named && !comm->name;
    }
}

enum mw_status mwa_live_process_comm(struct mwa_live_process *process, uint32_t number,
                                     const char *name, unsigned call, uint32_t sequence)
{
    if (!grow(process, &process->comms, &process->comm_count, sizeof *process->comms, number, 0)) {
        return MW_ERROR_MEMORY;
    }
    free(process->comms[number].name);
    process->comms[number] = (struct mwa_live_comm){.call = call, .sequence = sequence};
    if (name[0]) {
        process->comms[number].name = strdup(name);
    }
    return !name[0] || process->comms[number].name ? MW_OK : MW_ERROR_MEMORY;
}

static void take_end(struct mwa_live_process *process, const struct mw_define_end *end)
{
    static const enum mw_run_state states[] = {
        [MW_ENDED_FINALIZE] = MW_RUN_FINALIZED,
        [MW_ENDED_ABORT] = MW_RUN_ABORTED,
        [MW_ENDED_EXIT] = MW_RUN_EXITED,
        [MW_ENDED_ERROR] = MW_RUN_FAILED,
    };

    if (end->how <= MW_ENDED_ERROR) {
        process->state = states[end->how];
        process->code = (int)end->code;
    }
}

static void take(struct mwa_live_process *process, const struct mw_definition *definition)
{
    switch (definition->kind) {
    case MW_DEFINE_THREAD:
        if (grow(process, &process->begins, &process->thread_count, sizeof *process->begins,
                 definition->of.thread.thread, 0)) {
            process->begins[definition->of.thread.thread] = definition->of.thread.time;
        }
        break;
    case MW_DEFINE_COMM:
        take_comm(process, &definition->of.comm);
        break;
    case MW_DEFINE_COMM_NAME:
        take_name(process, &definition->of.comm_name);
        break;
    case MW_DEFINE_SITE:
        take_site(process, definition->of.site.site, definition->of.site.call);
        break;
    case MW_DEFINE_LINE:
        take_site(process, definition->of.line.site, definition->of.line.call);
        break;
    case MW_DEFINE_STACK:
        take_site(process, definition->of.stack.site, definition->of.stack.call);
        break;
    case MW_DEFINE_END:
        take_end(process, &definition->of.end);
        break;
    default:
        break;
    }
}

/* What mw_merge_site takes. */
static bool is_of_site(const struct mw_definition *definition)
{
    return definition->kind == MW_DEFINE_MODULE || definition->kind == MW_DEFINE_SITE ||
           definition->kind == MW_DEFINE_LINE || definition->kind == MW_DEFINE_FRAME ||
           definition->kind == MW_DEFINE_LINE_FRAME || definition->kind == MW_DEFINE_STACK;
}

/* Takes it in; a module's texts are the reader's, and are wanted for longer. */
static bool take_site_of(struct mwa_live_process *process, const struct mw_definition *definition)
{
    struct mw_merged_sites *sites = process->all_sites;
    const uint32_t known = sites->module_count;
    const bool is_merged = mw_merge_site(sites, &process->map, definition);
    struct mw_merged_module *added;

    if (sites->module_count == known) {
        return is_merged;
    }
    added = &sites->modules[known];
    added->path = strdup(added->path);
    added->build_id = strdup(added->build_id);
    return is_merged && added->path && added->build_id;
}

static enum mw_status read_definitions(struct mwa_live_process *process)
{
    struct mw_definition_reader *reader;
    struct mw_definition definition;
    bool has_memory = mw_definition_follow(&process->definitions, process->spool->path, &reader);

    if (!has_memory || !reader) {
        return has_memory ? MW_OK : MW_ERROR_MEMORY;
    }
    process->lacks_memory = false;
    mw_site_map_fini(&process->map); /* all of it comes again: sites are numbered as they come */
    while (has_memory && mw_definition_reader_next(reader, &definition, NULL) == MW_OK) {
        take(process, &definition);
        has_memory = !process->lacks_memory &&
                     (!is_of_site(&definition) || take_site_of(process, &definition));
    }
    mw_definition_followed(&process->definitions, reader);
    return has_memory ? MW_OK : MW_ERROR_MEMORY;
}

enum mw_status mwa_live_process_init(struct mwa_live_process *process,
                                     const struct mw_run_spool *spool,
                                     struct mw_merged_sites *sites)
{
    char path[64];
    char host[64] = "";

    *process = (struct mwa_live_process){.spool = spool, .state = spool->state, .proc = -1};
    process->code = spool->code;
    process->all_sites = sites;
    process->is_elsewhere = spool->host && gethostname(host, sizeof host - 1) == 0 &&
                            strcmp(host, spool->host) != 0;
    if (spool->state == MW_RUN_RUNNING) {
        snprintf(path, sizeof path, "/proc/%u", spool->pid);
        process->proc = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    }
    return read_definitions(process);
}

bool mwa_live_process_lives(const struct mwa_live_process *process)
{
    char word[256] = "";
    const char *name_end;
    int file = process->proc < 0 ? -1 : openat(process->proc, "stat", O_RDONLY | O_CLOEXEC);
    ssize_t got = file < 0 ? -1 : read(file, word, sizeof word - 1);

    if (file >= 0) {
        close(file);
    }
    name_end = got > 0 ? strrchr(word, ')') : NULL;
    return name_end && name_end[1] && name_end[2] != 'Z' && name_end[2] != 'X';
}

enum mw_status mwa_live_process_look(struct mwa_live_process *process)
{
    enum mw_status status = read_definitions(process);

    /* Spools go when the archive is written, and not before. */
    if (process->state == MW_RUN_RUNNING && access(process->spool->path, F_OK) != 0) {
        process->state = MW_RUN_FINALIZED;
    } else if (process->state == MW_RUN_RUNNING && !mwa_live_process_lives(process)) {
        process->state = MW_RUN_SILENT;
    }
    return status;
}

unsigned mwa_live_process_call(const struct mwa_live_process *process, unsigned code)
{
    const unsigned site = code - MW_CALL_COUNT;

    if (code < MW_CALL_COUNT) {
        return code;
    }
    return site < process->site_count && process->site_calls[site] < MW_CALL_COUNT
               ? process->site_calls[site]
               : (unsigned)MW_CALL_COUNT;
}

void mwa_live_process_sites_fini(struct mw_merged_sites *sites)
{
    for (uint32_t i = 0; i < sites->module_count; i++) {
        free((char *)sites->modules[i].path);
        free((char *)sites->modules[i].build_id);
    }
    mw_merged_sites_fini(sites);
}

void mwa_live_process_fini(struct mwa_live_process *process)
{
    for (uint32_t i = 0; i < process->comm_count; i++) {
        free(process->comms[i].name);
    }
    free(process->comms);
    free(process->site_calls);
    free(process->begins);
    mw_site_map_fini(&process->map);
    mw_definition_follower_fini(&process->definitions);
    if (process->proc > 0) {
        close(process->proc);
    }
    if (process->told) {
        mw_run_spool_fini(process->told);
        free(process->told);
    }
    *process = (struct mwa_live_process){.proc = -1};
}
