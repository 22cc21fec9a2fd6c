/* The jobs whose archives are read as one, and what they have in common. */
#include "analyzer/table/tables.h"

#include "analyzer/analysis/results.h"

static const struct mwa_trace *trace_of(const struct mwa_cell *cell)
{
    return cell->results->trace;
}

static struct mwa_value clock_of(const struct mwa_cell *cell)
{
    static const char *const clocks[] = { [MWA_JOB_CLOCK_SHARED] = "shared",
                                          [MWA_JOB_CLOCK_WALL] = "wall clock",
                                          [MWA_JOB_CLOCK_UNKNOWN] = "unknown" };
    const struct mwa_job *job = cell->row;

    return mwa_text(clocks[job->clock]);
}

#define JOB(member) MWA_IN(struct mwa_job, member)

static const struct mwa_column columns[] = {
    { "first_rank", "rank 0 is", 10, JOB(first_rank) },
    { "ranks", "ranks", 8, .unit = MWA_COUNT, JOB(rank_count) },
    { "clock", "  clock", 12, MWA_BY(MWA_TEXT, clock_of) },
    { "archive", "archive", 0, JOB(archive) },
};

MWA_COUNT_BY(jobs, trace_of(parent)->job_count)
MWA_ROW_BY(job_at, &trace_of(parent)->jobs[index])

const struct mwa_table mwa_jobs_table = { .shape = MWA_LIST,
                                          MWA_COLUMNS(columns),
                                          .count = jobs,
                                          .row = job_at };

MWA_VALUE(joint_comms, mwa_number(trace_of(cell)->joint_comm_count))

MWA_VALUE(half_comms, mwa_number(trace_of(cell)->half_comm_count))

#define RESULT(member) .unit = MWA_COUNT, MWA_IN(struct mwa_results, matching.member)

static const struct mwa_column joint_columns[] = {
    { "jobs", .table = &mwa_jobs_table },
    { "joint_communicators", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, joint_comms) },
    { "half_communicators", .unit = MWA_COUNT, MWA_BY(MWA_NUMBER, half_comms) },
    { "other_job_sends", RESULT(other_job_sends) },
    { "other_job_receives", RESULT(other_job_receives) },
};

MWA_WHETHER(is_joint, trace_of(cell)->job_count > 0)

/* Of one archive there are no such keys. */
const struct mwa_table mwa_joint_table = { .shape = MWA_ROW,
                                           MWA_COLUMNS(joint_columns),
                                           .rows_at = 0,
                                           .is_known = is_joint };
