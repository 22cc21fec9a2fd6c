/* Without it nobody knows whose rank 3 is, and how good times between two hosts are. */
#include "analyzer/report/text.h"

#include <inttypes.h>

#include "analyzer/table/tables.h"

void mwa_text_jobs(const struct mwa_results *results, FILE *out)
{
    const struct mwa_trace *trace = results->trace;
    const struct mwa_cell root = { .results = results, .row = results };
    uint64_t others = results->matching.other_job_sends + results->matching.other_job_receives;
    bool is_doubtful = false;

    if (trace->job_count == 0) {
        return;
    }
    mwa_table_text(&mwa_jobs_table, &root, UINT64_MAX, NULL, out);
    fprintf(out, "communicators that two of them have in common: %" PRIu64 "\n",
            trace->joint_comm_count);
    if (trace->half_comm_count > 0) {
        fprintf(out, "note: of %" PRIu64 " communicators with another job the other half is not "
                     "here, or can't be told\n",
                trace->half_comm_count);
    }
    for (uint64_t i = 0; i < trace->job_count; i++) {
        is_doubtful |= trace->jobs[i].clock != MWA_JOB_CLOCK_SHARED;
    }
    if (is_doubtful) {
        fputs("note: jobs are of hosts whose clocks were not compared: times between them are as "
              "good as these clocks agree\n",
              out);
    }
    if (others > 0) {
        fprintf(out, "note: %" PRIu64 " messages have their other end in a job that is not here, "
                     "or on a communicator that was not recognized\n",
                others);
    }
    putc('\n', out);
}
