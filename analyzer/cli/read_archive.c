/* Commands of several archives read each as those of one do, and say which lacks something. */
#include "analyzer/cli/read_archive.h"

#include "analyzer/analysis/clocks/controlled_clock.h"
#include "analyzer/analysis/summary.h"
#include "analyzer/cli/kept_states.h"
#include "analyzer/cli/print.h"
#include "analyzer/cli/progress.h"
#include "analyzer/validate/defined.h"

/* Opens it, and begins to show progress. */
static enum mw_status open_archive(const struct mwa_options *options,
                                   const struct mwa_processes *processes, const char *path,
                                   struct mwa_read_archive *archive,
                                   struct mwa_progress_line *progress,
                                   struct mw_diagnostic *diagnostic)
{
    const struct mwa_team *team = mwa_processes_team(processes);
    enum mw_status status = mwa_input_open(path, &archive->input, diagnostic);

    if (status == MW_OK) {
        mwa_input_set_threads(archive->input, mwa_processes_threads(processes, options));
        if (!options->quiet && processes->is_first) {
            mwa_progress_begin(progress, archive->input);
            progress->all /= team ? team->transport.size : 1;
        }
        status = mwa_require_definitions(archive->input, diagnostic);
    }
    if (status == MW_OK) {
        status = mwa_input_begin_together(archive->input, diagnostic);
    }
    if (status == MW_OK && options->clc) {
        status = mwa_controlled_clock_make(archive->input, &archive->clocks, diagnostic);
    }
    status = mwa_processes_agree(processes, archive->input ? mwa_input_trace(archive->input) : NULL,
                                 status, diagnostic);
    if (status != MW_OK && options->archive_count > 1 && !diagnostic->where[0]) {
        snprintf(diagnostic->where, sizeof diagnostic->where, "%s", path);
    }
    return status;
}

enum mw_status mwa_read_archive(const struct mwa_options *options,
                                const struct mwa_processes *processes, const char *path,
                                struct mwa_read_archive *archive, bool *complete,
                                struct mw_diagnostic *diagnostic)
{
    const uint64_t needs = options->command->needs;
    struct mwa_progress_line progress = { 0 };
    struct mwa_scope scope = { MWA_ALL_OF_IT, .team = mwa_processes_team(processes) };
    struct mwa_block_states *known = NULL;
    enum mw_status status;

    *archive = (struct mwa_read_archive){ .input = NULL };
    status = open_archive(options, processes, path, archive, &progress, diagnostic);
    if (status == MW_OK) {
        status = mwa_kept_chapters(archive->input, options, scope.team, needs, &known, diagnostic);
    }
    if (status == MW_OK) {
        scope.known = known;
        status = mwa_collect(archive->input, path, needs, &scope, &archive->results, diagnostic);
    }
    mwa_progress_end(&progress);
    if (status == MW_OK) {
        mwa_processes_say_whole(processes, options, archive->input, known, &archive->results);
    }
    mwa_block_states_close(known);
    if (status == MW_OK && processes->is_first && !mwa_is_complete(&archive->results)) {
        *complete = false;
        if (options->archive_count > 1) {
            mwa_say_incomplete(options, path);
        }
    }
    return status;
}

void mwa_read_archive_fini(struct mwa_read_archive *archive)
{
    mwa_results_fini(&archive->results);
    mwa_input_close(archive->input);
    mwa_logical_clocks_fini(&archive->clocks);
}
