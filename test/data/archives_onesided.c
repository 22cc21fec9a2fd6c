#include "test/data/archives_onesided.h"

#include "test/data/maker.h"

#define RANKS_MAX 4u
#define ALL       UINT32_MAX

static OTF2_EvtWriter *w[RANKS_MAX];

static struct maker *begin(const char *directory, uint32_t ranks)
{
    struct maker *maker = maker_create(directory, ranks, 1);

    maker_window(maker, MAKER_WORLD);
    for (uint32_t i = 0; i < ranks; i++) {
        w[i] = maker_writer(maker, i, 0);
        maker_init(w[i]);
    }
    return maker;
}

static void finish(struct maker *maker, uint32_t ranks, uint64_t time)
{
    for (uint32_t i = 0; i < ranks; i++) {
        maker_finalize(w[i], time);
    }
    maker_finish(maker);
}

/* A call that ends with a notice to, or one from, the ranks whose bits are set. */
static void sync_with(uint32_t rank, uint64_t enter, uint64_t leave, uint32_t region,
                      unsigned others)
{
    OTF2_RmaSyncType type = region == MAKER_WIN_POST || region == MAKER_WIN_COMPLETE
                                ? OTF2_RMA_SYNC_TYPE_NOTIFY_OUT
                                : OTF2_RMA_SYNC_TYPE_NOTIFY_IN;

    maker_enter(w[rank], enter, region);
    for (uint32_t i = 0; i < RANKS_MAX; i++) {
        if (others & 1u << i) {
            OTF2_EvtWriter_RmaSync(w[rank], NULL, leave, 0, i, type);
        }
    }
    maker_leave(w[rank], leave, region);
}

static void put(uint32_t rank, uint64_t enter, uint64_t leave, uint32_t target)
{
    maker_enter(w[rank], enter, MAKER_PUT);
    OTF2_EvtWriter_RmaPut(w[rank], NULL, enter, 0, target, 8, target + 1);
    maker_leave(w[rank], leave, MAKER_PUT);
}

static void lock(uint32_t rank, uint64_t enter, uint64_t leave, uint32_t target, OTF2_LockType type)
{
    maker_enter(w[rank], enter, MAKER_WIN_LOCK);
    OTF2_EvtWriter_RmaRequestLock(w[rank], NULL, enter, 0, target, 7, type);
    OTF2_EvtWriter_RmaAcquireLock(w[rank], NULL, leave, 0, target, 7, type);
    maker_leave(w[rank], leave, MAKER_WIN_LOCK);
}

static void unlock(uint32_t rank, uint64_t enter, uint64_t leave, uint32_t target)
{
    maker_enter(w[rank], enter, MAKER_WIN_UNLOCK);
    OTF2_EvtWriter_RmaReleaseLock(w[rank], NULL, leave, 0, target, 7);
    maker_leave(w[rank], leave, MAKER_WIN_UNLOCK);
}

static void flush(uint32_t rank, uint64_t enter, uint64_t leave, uint32_t target)
{
    maker_enter(w[rank], enter, MAKER_WIN_FLUSH);
    OTF2_EvtWriter_RmaOpCompleteRemote(w[rank], NULL, leave, 0, target + 1);
    maker_leave(w[rank], leave, MAKER_WIN_FLUSH);
}

static void on_window(uint32_t rank, uint64_t enter, uint64_t leave, uint32_t region,
                      OTF2_CollectiveOp operation)
{
    maker_enter(w[rank], enter, region);
    OTF2_EvtWriter_RmaCollectiveBegin(w[rank], NULL, enter);
    OTF2_EvtWriter_RmaCollectiveEnd(w[rank], NULL, leave, operation, OTF2_RMA_SYNC_LEVEL_PROCESS,
                                    0, OTF2_UNDEFINED_UINT32, 0, 0);
    maker_leave(w[rank], leave, region);
}

/*
 * Rank 0 accesses windows of 1 and 2.
 *
 *   1  start 200-500; 1 posts at 300, 2 at 450                  late post 250 in start, by 2
 *      complete at 800; 1 waits from 320; 0's put on it ended   early wait 480, of it late
 *      at 515; 2 waits from 805                                 complete 285, by 0
 *   2  start 1000-1005, put 1010-1300; 1 posts at 1200          late post 190 in put, by 1
 *      put -1320, complete at 1330; 1 waits from 1220           early wait 110, late complete 10
 *   3  start, put -1515, complete 1520-1900; 2 posts at 1700    late post 180 in complete, by 2
 *   4  start to complete 2000-2030; 2 posts at 2100             nothing: 0 did not wait
 *   5  start -2300, no operation, complete at 2500;             early wait 100, late complete 100
 *      1 waits from 2400
 *   6  complete at 2700; 1 tests 2690-2720                      nothing: a test does not wait
 *
 * Late post 620, all of rank 0; by 2 430, by 1 190. Early wait 690, late complete 395, of 1, by 0.
 */
void make_onesided_posts(const char *directory)
{
    struct maker *maker = begin(directory, 3);

    sync_with(0, 200, 500, MAKER_WIN_START, 6);
    sync_with(1, 300, 310, MAKER_WIN_POST, 1);
    sync_with(2, 450, 460, MAKER_WIN_POST, 1);
    put(0, 510, 515, 1);
    put(0, 520, 530, 2);
    sync_with(0, 800, 820, MAKER_WIN_COMPLETE, 6);
    sync_with(1, 320, 900, MAKER_WIN_WAIT, 1);
    sync_with(2, 805, 830, MAKER_WIN_WAIT, 1);

    sync_with(0, 1000, 1005, MAKER_WIN_START, 2);
    put(0, 1010, 1300, 1);
    put(0, 1310, 1320, 1);
    sync_with(0, 1330, 1340, MAKER_WIN_COMPLETE, 2);
    sync_with(1, 1200, 1210, MAKER_WIN_POST, 1);
    sync_with(1, 1220, 1400, MAKER_WIN_WAIT, 1);

    sync_with(0, 1500, 1505, MAKER_WIN_START, 4);
    put(0, 1510, 1515, 2);
    sync_with(0, 1520, 1900, MAKER_WIN_COMPLETE, 4);
    sync_with(2, 1700, 1710, MAKER_WIN_POST, 1);
    sync_with(2, 1720, 1905, MAKER_WIN_WAIT, 1);

    sync_with(0, 2000, 2005, MAKER_WIN_START, 4);
    put(0, 2010, 2015, 2);
    sync_with(0, 2020, 2030, MAKER_WIN_COMPLETE, 4);
    sync_with(2, 2100, 2110, MAKER_WIN_POST, 1);
    sync_with(2, 2120, 2130, MAKER_WIN_WAIT, 1);

    sync_with(1, 2150, 2160, MAKER_WIN_POST, 1);
    sync_with(0, 2200, 2300, MAKER_WIN_START, 2);
    sync_with(0, 2500, 2510, MAKER_WIN_COMPLETE, 2);
    sync_with(1, 2400, 2520, MAKER_WIN_WAIT, 1);

    sync_with(1, 2600, 2610, MAKER_WIN_POST, 1);
    sync_with(0, 2620, 2630, MAKER_WIN_START, 2);
    sync_with(0, 2700, 2710, MAKER_WIN_COMPLETE, 2);
    sync_with(1, 2690, 2720, MAKER_WIN_TEST, 1);
    finish(maker, 3, 5000);
}

/*
 * Locks on rank 0's window, exclusive ones where nothing else is said.
 *
 *   1  rank 1 has it 200-510, 2 asks at 300 and has it until     2 waits 210 for 1; 3 waits
 *      710, 3 asks at 250 and gets it at 715                     260 for 1, then 200 for 2
 *   2  1 has it shared 1000-1210, 2 shared 1010-1110, 3 asks     3 waits 160 for 1
 *      at 1050
 *   3  1 has it 1500-1810; 2 locks and puts at once, and         2 waits 190 for 1, in unlock
 *      unlocks 1620-1830
 *   4  1 unlocks 2300-2330, 2 locks 2100-2310                    2 waits 210 for 1: until it
 *                                                                had the lock
 *   5  1 has it 2500-2710, 2 asks 2600-2720 for 3's window       nothing
 *   6  1 has all 3000-3210, shared, 2 asks 3100-3220 for 3's     2 waits 110 for 1
 *   7  1 has it 3400-3710; 2 locks at once, shared, and gets     2 waits 200 for 1, in get
 *      3510-3715
 *
 * In all 1540, 8 times; rank 2 920, rank 3 620; by 1 1340, by 2 200.
 */
void make_onesided_locks(const char *directory)
{
    struct maker *maker = begin(directory, 4);

    lock(1, 200, 210, 0, OTF2_LOCK_EXCLUSIVE);
    unlock(1, 500, 510, 0);
    lock(2, 300, 512, 0, OTF2_LOCK_EXCLUSIVE);
    unlock(2, 700, 710, 0);
    lock(3, 250, 715, 0, OTF2_LOCK_EXCLUSIVE);
    unlock(3, 800, 805, 0);

    lock(1, 1000, 1001, 0, OTF2_LOCK_SHARED);
    unlock(1, 1200, 1210, 0);
    lock(2, 1010, 1011, 0, OTF2_LOCK_SHARED);
    unlock(2, 1100, 1110, 0);
    lock(3, 1050, 1220, 0, OTF2_LOCK_EXCLUSIVE);
    unlock(3, 1250, 1260, 0);

    lock(1, 1500, 1501, 0, OTF2_LOCK_EXCLUSIVE);
    put(1, 1510, 1512, 0);
    flush(1, 1520, 1530, 0);
    unlock(1, 1800, 1810, 0);
    lock(2, 1600, 1601, 0, OTF2_LOCK_EXCLUSIVE);
    put(2, 1610, 1612, 0);
    unlock(2, 1620, 1830, 0);

    lock(1, 2000, 2001, 0, OTF2_LOCK_EXCLUSIVE);
    unlock(1, 2300, 2330, 0);
    lock(2, 2100, 2310, 0, OTF2_LOCK_EXCLUSIVE);
    unlock(2, 2400, 2410, 0);

    lock(1, 2500, 2501, 0, OTF2_LOCK_EXCLUSIVE);
    unlock(1, 2700, 2710, 0);
    lock(2, 2600, 2720, 3, OTF2_LOCK_EXCLUSIVE);
    unlock(2, 2730, 2740, 3);

    lock(1, 3000, 3001, ALL, OTF2_LOCK_SHARED);
    unlock(1, 3200, 3210, ALL);
    lock(2, 3100, 3220, 3, OTF2_LOCK_EXCLUSIVE);
    unlock(2, 3250, 3260, 3);

    lock(1, 3400, 3401, 0, OTF2_LOCK_EXCLUSIVE);
    unlock(1, 3700, 3710, 0);
    lock(2, 3500, 3501, 0, OTF2_LOCK_SHARED);
    maker_enter(w[2], 3510, MAKER_GET);
    OTF2_EvtWriter_RmaGet(w[2], NULL, 3510, 0, 0, 8, 1);
    maker_leave(w[2], 3715, MAKER_GET);
    unlock(2, 3720, 3730, 0);
    finish(maker, 4, 5000);
}

/*
 * Rank 0 accesses windows of 1 and 2, of which 1 posts at once; an MPI that gets posts late.
 *
 *   1  2 posts at 700, for which 0 waits in complete 230-720; 1   late post 470 in complete, by 2
 *      waits 300-730, until 2 had posted, and not 0 completed     early wait 400, by 2; completing
 *                                                                 at once would have saved nothing
 *   2  2 posts at 1700, for which 0 waits in complete 1230-1720;  late post 470 in complete, by 2
 *      1 waits 1220-1240: it was told before                      early wait 10, late complete 5
 */
void make_onesided_held_up(const char *directory)
{
    struct maker *maker = begin(directory, 3);

    for (uint32_t i = 0; i < 2; i++) {
        const uint64_t at = UINT64_C(1000) * i;

        sync_with(1, at + 150, at + 160, MAKER_WIN_POST, 1);
        sync_with(1, at + (i ? 220 : 300), at + (i ? 240 : 730), MAKER_WIN_WAIT, 1);
        sync_with(0, at + 200, at + 205, MAKER_WIN_START, 6);
        put(0, at + 210, at + 215, 2);
        put(0, at + 220, at + 225, 1);
        sync_with(0, at + 230, at + 720, MAKER_WIN_COMPLETE, 6);
        sync_with(2, at + 700, at + 710, MAKER_WIN_POST, 1);
        sync_with(2, at + 715, at + 725, MAKER_WIN_WAIT, 1);
    }
    finish(maker, 3, 5000);
}

/*
 * Rank 0 locks its window 110-120, computes, unlocks 500-520; rank 1 asks at 200 and has the lock
 * at 580. Rank 0 receives from 620 on what rank 1 sends 780-790.
 *
 * Rank 1 waits 320 for the unlock, until that is left at 520. Both left MPI_Init at 100. Since then
 * rank 0 has computed 390, rank 1 100 before it asked: the wait comes of 290 of computing, 10 in
 * MPI_Win_lock and 20 in MPI_Win_unlock.
 *
 * Rank 0 waits 160 for the send. Both met when the unlock was left, at 520. Since then rank 0 has
 * computed 100 and rank 1 20 + 120, and was 60 in MPI_Win_lock, where nobody had the lock any more,
 * and 60 in MPI_Win_unlock: 40 of computing, 60 and 60.
 */
void make_onesided_turns(const char *directory)
{
    struct maker *maker = begin(directory, 2);

    lock(0, 110, 120, 0, OTF2_LOCK_EXCLUSIVE);
    unlock(0, 500, 520, 0);
    lock(1, 200, 580, 0, OTF2_LOCK_EXCLUSIVE);
    unlock(1, 600, 660, 0);
    maker_enter(w[0], 620, MAKER_RECV);
    maker_enter(w[1], 780, MAKER_SEND);
    OTF2_EvtWriter_MpiSend(w[1], NULL, 780, 0, 0, 1, 8);
    maker_leave(w[1], 790, MAKER_SEND);
    OTF2_EvtWriter_MpiRecv(w[0], NULL, 800, 1, 0, 1, 8);
    maker_leave(w[0], 800, MAKER_RECV);
    finish(maker, 2, 1000);
}

/*
 * An MPI that gets locks as late as in the unlock, where the put is done. Exclusive, of rank 0.
 *
 *   1  rank 1 unlocks 300-400, rank 2 310-490: neither had done     2 waits 90 for 1, which had
 *      anything there before                                        it first, and 1 for nobody
 *   2  rank 1 has done a put, and flushed it, before it unlocks     2 waits 100 for 1
 *      1310-1440; rank 2 puts in its unlock, 1300-1400
 */
void make_onesided_late_locks(const char *directory)
{
    struct maker *maker = begin(directory, 3);

    for (uint32_t rank = 1; rank < 3; rank++) {
        lock(rank, 210, 215, 0, OTF2_LOCK_EXCLUSIVE);
        put(rank, 220, 225, 0);
    }
    unlock(1, 300, 400, 0);
    unlock(2, 310, 490, 0);
    for (uint32_t rank = 1; rank < 3; rank++) {
        lock(rank, 1210, 1215, 0, OTF2_LOCK_EXCLUSIVE);
        put(rank, 1220, 1225, 0);
    }
    flush(1, 1230, 1240, 0);
    unlock(1, 1310, 1440, 0);
    unlock(2, 1300, 1400, 0);
    finish(maker, 3, 5000);
}

/*
 * Three ranks.
 *
 *   1  a window is made, entered at 200, 210, 220, left at 250      wait at window 30, by 2
 *   2  a fence, entered at 300, 350, 400, left at 450               wait at fence 150, by 2
 *   3  a fence that is local, by assertions, at 500-510, 520-530,   nothing
 *      540-550
 */
void make_onesided_fences(const char *directory)
{
    struct maker *maker = begin(directory, 3);

    for (uint32_t i = 0; i < 3; i++) {
        on_window(i, 200 + 10 * i, 250, MAKER_WIN_CREATE, OTF2_COLLECTIVE_OP_CREATE_HANDLE);
        on_window(i, 300 + 50 * i, 450, MAKER_WIN_FENCE, OTF2_COLLECTIVE_OP_BARRIER);
        on_window(i, 500 + 20 * i, 510 + 20 * i, MAKER_WIN_FENCE, OTF2_COLLECTIVE_OP_BARRIER);
    }
    finish(maker, 3, 1000);
}

/*
 * Rank 1 posts 1000-1010; 0 starts 200-1020, puts 1030-1040, completes 1050-1060; 1 waits
 * 1015-1070, and locks 0's window 1100-1110, to unlock it 1500-1510; 0 locks it 1200-1512,
 * unlocks it 1520-1530. 0 ends at 2000, 1 at 1600.
 *
 * Ideal: 1 has computed 900 when it posts, so has 0 when it has started, 920 when it completes,
 * so has 1 when it has waited. 1 computes 30, has the lock at 950, and computes 390: 1340. 0
 * computes 140: 1060, when it asks for the lock, and has it at 1340; computes 8: 1348, unlocks,
 * and computes 470: 1818, the end. 1 ends at 1340 + 90 = 1430.
 *
 * The critical path, backwards: 0 from 2000 to 1512, in lock to 1500; 1 to 1070, in wait to 1050;
 * 0 to 1020, in start to 1000; 1 to 100. Length 1900, of 0 550 (488, 12, 30, 20), of 1 1350
 * (430, 20, 900).
 */
void make_onesided_path(const char *directory)
{
    struct maker *maker = begin(directory, 2);

    sync_with(1, 1000, 1010, MAKER_WIN_POST, 1);
    sync_with(0, 200, 1020, MAKER_WIN_START, 2);
    put(0, 1030, 1040, 1);
    sync_with(0, 1050, 1060, MAKER_WIN_COMPLETE, 2);
    sync_with(1, 1015, 1070, MAKER_WIN_WAIT, 1);
    lock(1, 1100, 1110, 0, OTF2_LOCK_EXCLUSIVE);
    unlock(1, 1500, 1510, 0);
    lock(0, 1200, 1512, 0, OTF2_LOCK_EXCLUSIVE);
    unlock(0, 1520, 1530, 0);
    maker_finalize(w[0], 2000);
    maker_finalize(w[1], 1600);
    maker_finish(maker);
}

/*
 * Three ranks. A fence that is local at 110-120, 130-140, 150-160; one entered at 200, 1000, 202,
 * and left at 1010, 1011, 1012. 2 ends at 2000, the others at 1100.
 *
 * Ideal: nobody waits in the first. 1 has computed 30 + 860 = 890 when it enters the second, so
 * has everybody when it is left; 2 computes 988: 1878; 0 90: 980; 1 89: 979.
 *
 * The critical path: 2 from 2000 to 1000, of this 12 in the fence, and 1 to 100, of this 10.
 */
void make_onesided_fence_path(const char *directory)
{
    static const uint64_t enters[] = { 200, 1000, 202 };
    struct maker *maker = begin(directory, 3);

    for (uint32_t i = 0; i < 3; i++) {
        on_window(i, 110 + 20 * i, 120 + 20 * i, MAKER_WIN_FENCE, OTF2_COLLECTIVE_OP_BARRIER);
        on_window(i, enters[i], 1010 + i, MAKER_WIN_FENCE, OTF2_COLLECTIVE_OP_BARRIER);
        maker_finalize(w[i], i == 2 ? 2000 : 1100);
    }
    maker_finish(maker);
}
