#include "analyzer/load/joint_meetings.h"

#include <criterion/criterion.h>

#define COMMS 3

enum { SERVER, CLIENT, OTHER, JOBS };
enum { PLACE = 7, ELSEWHERE = 9 };

/* Jobs of a rank each, on one host, with as many halves as were added. */
static struct mwa_rank ranks[JOBS];
static struct mwa_comm comms[JOBS][COMMS];
static struct mwa_trace traces[JOBS];
static struct mwa_partner partners[JOBS][COMMS];
static struct mwa_meeting_part parts[JOBS];
static uint32_t own[] = { 0 }, foreign[] = { MWA_NONE, MWA_NONE };

static void set_up(void)
{
    for (unsigned job = 0; job < JOBS; job++) {
        ranks[job].host = "one";
        traces[job] = (struct mwa_trace){ .ranks = &ranks[job], .rank_count = 1,
                                          .comms = comms[job], .clock_length = 1000 };
        parts[job] = (struct mwa_meeting_part){ &traces[job], partners[job] };
        for (unsigned i = 0; i < COMMS; i++) {
            partners[job][i] = (struct mwa_partner){ MWA_NONE, MWA_NONE };
        }
    }
}

/* A job's next communicator, of a call from enter to leave. */
static struct mwa_comm *meets(unsigned job, const char *call, uint64_t enter, uint64_t leave)
{
    struct mwa_trace *trace = &traces[job];
    struct mwa_comm *comm = &trace->comms[trace->comm_count++];

    *comm = (struct mwa_comm){ .inter = true, .other_job = true, .created_by = call,
                               .members = { own, foreign }, .member_counts = { 1, 1 },
                               .meeting = { .place = PLACE, .number = trace->comm_count,
                                            .enter = enter, .leave = leave } };
    return comm;
}

/* The half that one of the server's has for its partner, as job * 10 + its number; 0: none. */
static unsigned partner_of(uint32_t comm)
{
    const struct mwa_partner *partner = &partners[SERVER][comm];

    return partner->part == MWA_NONE ? 0 : partner->part * 10 + partner->comm;
}

static void expect_partners(unsigned first, unsigned second)
{
    cr_expect_eq(mwa_joint_meetings_pair(parts, JOBS), MW_OK);
    cr_expect_eq(partner_of(0), first, "the first is %u", partner_of(0));
    cr_expect_eq(partner_of(1), second, "the second is %u", partner_of(1));
    for (uint32_t i = 0; i < traces[SERVER].comm_count; i++) {
        const struct mwa_partner *partner = &partners[SERVER][i];

        cr_expect(partner->part == MWA_NONE ||
                      partners[partner->part][partner->comm].comm == i,
                  "who is a partner has one");
    }
}

Test(joint_meetings, of_two_processes_come_in_their_order, .init = set_up)
{
    meets(SERVER, "MPI_Comm_accept", 10, 20);
    meets(SERVER, "MPI_Comm_accept", 21, 30);
    meets(CLIENT, "MPI_Comm_connect", 5, 22);
    meets(CLIENT, "MPI_Comm_connect", 23, 40);
    expect_partners(10, 11);
}

Test(joint_meetings, are_nobody_elses_if_no_other_call_was_there_meanwhile, .init = set_up)
{
    meets(SERVER, "MPI_Comm_accept", 10, 20); /* for a job that is not here */
    meets(SERVER, "MPI_Comm_accept", 21, 40);
    meets(CLIENT, "MPI_Comm_connect", 25, 41);
    expect_partners(0, 10);
}

Test(joint_meetings, leave_one_for_another, .init = set_up)
{
    meets(SERVER, "MPI_Comm_accept", 10, 20);
    meets(SERVER, "MPI_Comm_accept", 21, 40);
    meets(CLIENT, "MPI_Comm_connect", 5, 25); /* was there at both times */
    meets(OTHER, "MPI_Comm_connect", 30, 41);
    expect_partners(10, 20);
}

Test(joint_meetings, stay_halves_in_doubt, .init = set_up)
{
    meets(SERVER, "MPI_Comm_accept", 10, 20);
    meets(SERVER, "MPI_Comm_accept", 21, 40);
    meets(CLIENT, "MPI_Comm_connect", 5, 25);
    expect_partners(0, 0);
}

Test(joint_meetings, need_both_calls_at_one_time, .init = set_up)
{
    meets(SERVER, "MPI_Comm_accept", 10, 20);
    meets(CLIENT, "MPI_Comm_connect", 21, 25);
    expect_partners(0, 0);
    ranks[CLIENT].host = "two"; /* where times of both say nothing */
    expect_partners(10, 0);
}

Test(joint_meetings, need_the_other_call, .init = set_up)
{
    meets(SERVER, "MPI_Comm_accept", 10, 20);
    meets(CLIENT, "MPI_Comm_accept", 10, 20);
    expect_partners(0, 0);
    comms[SERVER][0].created_by = comms[CLIENT][0].created_by = "MPI_Comm_join";
    expect_partners(10, 0);
}

Test(joint_meetings, need_the_same_place_and_number_of_members, .init = set_up)
{
    struct mwa_comm *first = meets(SERVER, "MPI_Comm_accept", 10, 20);
    struct mwa_comm *second = meets(CLIENT, "MPI_Comm_connect", 10, 20);

    second->meeting.place = ELSEWHERE;
    expect_partners(0, 0);
    second->meeting.place = PLACE;
    first->member_counts[1] = 2;
    expect_partners(0, 0);
    first->meeting.place = second->meeting.place = 0; /* of a recorder that did not tell */
    first->member_counts[1] = 1;
    expect_partners(0, 0);
}
