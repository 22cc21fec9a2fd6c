/*
 * make_irregular SHAPE LOSS DIRECTORY: writes an archive of a run in which ranks do different
 * things and get far ahead of each other, or what is left of it. Times are multiples of 10, so that
 * many things happen at the same one.
 *
 *   halo      27 ranks in a cube exchange with up to 6 neighbours, without meeting otherwise
 *   grid      24 ranks reduce along rows, broadcast along columns, non-blocking as well
 *   chapters  the same, and each sends to another, and all meet every few steps, in regions of the
 *             program that last longer than that
 *   workers   a master gives 11 workers tasks, one of which takes them a hundred times as long
 *   tree      7 ranks: each sends all to both below it before these receive the first
 *   flood     a rank sends more calls ahead than any queue holds, and gets as many back
 *   threads   3 ranks of 3 threads send to each other's, and main threads reduce
 *   servers   4 ranks of 3 threads: main threads ask the second of others, and meet; a reply may be
 *             read behind a meeting, and sent before it; a third thread sends now and then
 *   pools     2 ranks of 3 threads, two of which receive the same way; which is first to get a
 *             message is not always the one that came first
 *   clocks    2 ranks of 2 threads: the second one of rank 1 gets what is sent behind a meeting, in
 *             some steps before the last one came to it, by clocks that disagree
 *   crews     4 ranks of 2 threads: the second ones meet on a communicator of their own before main
 *             threads do, while some of these wait for others, or until behind that
 *   windows   6 ranks fence, lock the same targets, post and start for each other
 *   phases    5 ranks of 2 threads, one of which does nothing, meet; of some messages in between
 *             the receive is posted before a meeting and completed behind it, or both behind it
 *   epochs    6 ranks do the same as in windows and meet; some locks are held, some posts and
 *             accesses are open when they do
 *   shares    the same, but that locks are shared, and that nobody unlocks one of them for long
 *   requests  6 ranks meet in each step; sends are complete a step later or never, receives are
 *             posted up to three steps before or at the beginning, and end, are cancelled, or
 *             never end
 *   listeners 26 ranks: each other one waits for a message that comes in the end, and for 3,000
 *             before that, of one whose first sends are cancelled, and end, as late
 *   numbers   2 ranks of 2 threads, one of which only computes, use numbers of requests again, at
 *             the same time, too, and one that is open; now and then they meet in another order
 *   behind    2 ranks: sends are waited for behind the next meeting, every other one of more than
 *             MPIs keep
 *   hands     2 ranks, of which one has a second thread, which completes what the first posts
 *   mistakes  4 ranks disagree on roots and order between some meetings, but not on how often they
 *             do what
 *   ahead     2 ranks without meetings: roots go on behind broadcasts, or are held in the last of a
 *             row until the other comes to the first; those that give to a reduction, too
 *
 *   masters   workers, but that some messages are probed for first: once, twice, or by a matched
 *             probe
 *   probers   threads, the same way
 *   probes    requests, the same way
 *
 *   none      all is there
 *   hole      rank 1 was paused from a third of the run to the middle of it
 *   tail      rank 2 died in the middle
 *   head      the first half of rank 1 was overwritten
 *   filter    rank 0 recorded no receives; where it has none, nothing is lost
 */
#include <stdio.h>
#include <string.h>

#include "test/data/irregular_collectives.h"
#include "test/data/irregular_messages.h"
#include "test/data/irregular_requests.h"
#include "test/data/irregular_windows.h"

static const char *const loss_names[LOSSES] = { "none", "hole", "tail", "head", "filter" };

static const struct {
    const char *name;
    uint32_t ranks;
    uint32_t threads;
    uint64_t length;
    void (*run)(struct run *run);
    bool probes;
} shapes[] = {
    { "halo", 27, 1, 60000, irregular_halo, false },
    { "grid", 24, 1, 86000, irregular_grid, false },
    { "workers", 12, 1, 90000, irregular_workers, false },
    { "tree", 7, 1, 200000, irregular_tree, false },
    { "flood", 2, 1, 6000000, irregular_flood, false },
    { "threads", 3, 3, 22000, irregular_threads, false },
    { "servers", 4, 3, 36000, irregular_servers, false },
    { "pools", 2, 3, 9000, irregular_pools, false },
    { "clocks", 2, 2, 14000, irregular_clocks, false },
    { "crews", 4, 2, 50000, irregular_crews, false },
    { "windows", 6, 1, 60000, irregular_windows, false },
    { "phases", 5, 2, 160000, irregular_phases, false },
    { "requests", 6, 1, 150000, irregular_requests, false },
    { "numbers", 2, 2, 5200, irregular_numbers, false },
    { "listeners", 26, 1, 240000, irregular_listeners, false },
    { "chapters", 24, 1, 120000, irregular_chapters, false },
    { "behind", 2, 1, 18000, irregular_behind, false },
    { "hands", 2, 2, 6000, irregular_hands, false },
    { "mistakes", 4, 1, 30000, irregular_mistakes, false },
    { "ahead", 2, 1, 1850000, irregular_ahead, false },
    { "epochs", 6, 1, 60000, irregular_epochs, false },
    { "shares", 6, 1, 60000, irregular_shares, false },
    { "masters", 12, 1, 90000, irregular_workers, true },
    { "probers", 3, 3, 22000, irregular_threads, true },
    { "probes", 6, 1, 150000, irregular_requests, true },
};

static void make(unsigned shape, enum loss loss, const char *directory)
{
    struct run run = { .ranks = shapes[shape].ranks,
                       .threads = shapes[shape].threads,
                       .length = shapes[shape].length,
                       .loss = loss,
                       .probes = shapes[shape].probes,
                       .random = 88172645463325252u };
    uint64_t last = 0;

    run.maker = maker_create(directory, run.ranks, run.threads);
    if (run.probes) {
        maker_found(run.maker);
    }
    for (uint32_t i = 0; i < run.ranks; i++) {
        maker_init(run_writer(&run, i));
        run.at[i] = RUN_BEGIN + 10;
    }
    shapes[shape].run(&run);
    for (uint32_t i = 0; i < run.ranks; i++) {
        last = later(last, run.at[i]);
    }
    for (uint32_t i = 0; i < run.ranks; i++) {
        if (run_keeps(&run, i, last, false)) {
            maker_finalize(run_writer(&run, i), last);
        }
    }
    maker_length(run.maker, last + 1000);
    maker_finish(run.maker);
}

int main(int argc, char **argv)
{
    for (unsigned i = 0; argc == 4 && i < sizeof shapes / sizeof *shapes; i++) {
        for (unsigned k = 0; k < LOSSES; k++) {
            if (strcmp(argv[1], shapes[i].name) == 0 && strcmp(argv[2], loss_names[k]) == 0) {
                make(i, (enum loss)k, argv[3]);
                return 0;
            }
        }
    }
    fprintf(stderr, "usage: make_irregular SHAPE none|hole|tail|head|filter DIRECTORY, "
                    "SHAPE one of\n");
    for (unsigned i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        fprintf(stderr, "  %s\n", shapes[i].name);
    }
    return 2;
}
