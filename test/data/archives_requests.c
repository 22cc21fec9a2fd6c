/* What MPI_Wait and its like are of is told by their events, and not by their names. */
#include "test/data/archives_requests.h"

#include "test/data/maker.h"

static const struct maker_part part = { .operation = OTF2_COLLECTIVE_OP_ALLREDUCE,
                                        .region = MAKER_IALLREDUCE,
                                        .comm = MAKER_WORLD,
                                        .root = UINT32_MAX,
                                        .sent = 8,
                                        .received = 8 };

static void test_in_vain(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint64_t request)
{
    maker_enter(writer, enter, MAKER_TEST);
    OTF2_EvtWriter_MpiRequestTest(writer, NULL, leave, request);
    maker_leave(writer, leave, MAKER_TEST);
}

/* A transfer that does not block, and the MPI_Wait that completes it. */
static void write_file(OTF2_EvtWriter *writer, uint64_t enter, uint64_t wait, uint64_t leave)
{
    maker_enter(writer, enter, MAKER_FILE_IWRITE);
    OTF2_EvtWriter_IoOperationBegin(writer, NULL, enter, 0, OTF2_IO_OPERATION_MODE_WRITE,
                                    OTF2_IO_OPERATION_FLAG_NON_BLOCKING, 512, 3);
    OTF2_EvtWriter_IoOperationIssued(writer, NULL, enter + 1, 0, 3);
    maker_leave(writer, enter + 1, MAKER_FILE_IWRITE);
    maker_enter(writer, wait, MAKER_WAIT);
    OTF2_EvtWriter_IoOperationComplete(writer, NULL, leave, 0, 512, 3);
    maker_leave(writer, leave, MAKER_WAIT);
}

static void write_rank_0(OTF2_EvtWriter *writer)
{
    maker_icollective(writer, 200, MAKER_IALLREDUCE, 1);
    maker_wait_collective(writer, 300, 400, &part, 1);
    maker_icollective(writer, 500, MAKER_IALLREDUCE, 2);
    test_in_vain(writer, 550, 560, 2);
    maker_wait_collective(writer, 600, 750, &part, 2);
    write_file(writer, 800, 850, 900);

    maker_irecv(writer, 1000, 4);
    maker_icollective(writer, 1002, MAKER_IALLREDUCE, 5);
    test_in_vain(writer, 1050, 1060, 4);
    maker_enter(writer, 1100, MAKER_WAITALL);
    OTF2_EvtWriter_MpiIrecv(writer, NULL, 1200, 1, MAKER_WORLD, 1, 10, 4);
    OTF2_EvtWriter_NonBlockingCollectiveComplete(writer, NULL, 1200, part.operation, part.comm,
                                                 part.root, part.sent, part.received, 5);
    maker_leave(writer, 1200, MAKER_WAITALL);

    maker_enter(writer, 1300, MAKER_START);
    OTF2_EvtWriter_NonBlockingCollectiveRequest(writer, NULL, 1300, 6);
    maker_leave(writer, 1400, MAKER_START);
    maker_wait_collective(writer, 1450, 1500, &part, 6);
    maker_enter(writer, 1600, MAKER_START);
    OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, 1600, 7);
    maker_leave(writer, 1650, MAKER_START);
    maker_wait_recv(writer, 1700, 1750, MAKER_WORLD, 1, 2, 10, 7);
    maker_enter(writer, 1800, MAKER_WAIT);
    maker_leave(writer, 1850, MAKER_WAIT);

    maker_irecv(writer, 1880, 5);
    test_in_vain(writer, 1900, 1950, 5);
    maker_wait_recv(writer, 2000, 2020, MAKER_WORLD, 1, 3, 10, 5);
}

/*
 * Rank 0, run 100 to 3000, in ticks by what its calls are of; the same requests of rank 1 are ready
 * when it waits for them, but for one:
 *
 *                                                     p2p  collective  I/O  other  waiting
 *   200  MPI_Iallreduce; MPI_Wait 300-400                     1 + 100
 *   500  another one, which rank 1 begins at 700;
 *        MPI_Test in vain 550-560; MPI_Wait 600-750      1 + 10 + 50                    100
 *   800  MPI_File_iwrite; MPI_Wait 850-900                              1 + 50
 *  1000  MPI_Irecv, MPI_Iallreduce; MPI_Test in vain
 *        for the one 1050-1060; MPI_Waitall for both    1 + 10      1          100
 *  1300  MPI_Start of a persistent operation, to 1400,
 *        and MPI_Wait 1450-1500                               100 + 50
 *  1600  MPI_Start of a persistent receive, to 1650,
 *        and MPI_Wait 1700-1750                        50 + 50
 *  1800  MPI_Wait for what was complete at once             50
 *  1880  MPI_Irecv, whose request has the number of the
 *        operation of 1002; MPI_Test in vain 1900-1950;
 *        MPI_Wait 2000-2020                          1 + 50 + 20
 *                                                     232       313    51    100      100
 *
 * Rank 1: collective 20 + 10 + 7 + 20, p2p three times 5.
 */
void make_requests(const char *directory)
{
    struct maker *maker = maker_create(directory, 2, 1);
    OTF2_EvtWriter *zero, *one;

    maker_file(maker, MAKER_WORLD);
    zero = maker_writer(maker, 0, 0);
    one = maker_writer(maker, 1, 0);
    maker_init(zero);
    maker_init(one);
    write_rank_0(zero);
    maker_icollective(one, 250, MAKER_IALLREDUCE, 1);
    maker_wait_collective(one, 251, 270, &part, 1);
    maker_icollective(one, 700, MAKER_IALLREDUCE, 2);
    maker_wait_collective(one, 701, 710, &part, 2);
    maker_icollective(one, 1005, MAKER_IALLREDUCE, 5);
    maker_wait_collective(one, 1006, 1012, &part, 5);
    maker_send(one, 1020, 1025, MAKER_WORLD, 0, 1, 10);
    maker_icollective(one, 1310, MAKER_IALLREDUCE, 6);
    maker_wait_collective(one, 1311, 1330, &part, 6);
    maker_send(one, 1620, 1625, MAKER_WORLD, 0, 2, 10);
    maker_send(one, 1890, 1895, MAKER_WORLD, 0, 3, 10);
    maker_finalize(zero, 3000);
    maker_finalize(one, 3000);
    maker_finish(maker);
}
