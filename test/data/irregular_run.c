#include "test/data/irregular_run.h"

/* xorshift64 (Marsaglia). */
uint64_t run_some(struct run *run, uint64_t most)
{
    run->random ^= run->random << 13;
    run->random ^= run->random >> 7;
    run->random ^= run->random << 17;
    return 10 + 10 * (run->random % most);
}

bool run_keeps(const struct run *run, uint32_t rank, uint64_t time, bool is_receive)
{
    switch (run->loss) {
    case LOSS_HOLE:
        return rank != 1 || time < run->length / 3 || time >= run->length / 2;
    case LOSS_TAIL:
        return rank != 2 || time < run->length / 2;
    case LOSS_HEAD:
        return rank != 1 || time >= run->length / 2;
    case LOSS_FILTER:
        return rank != 0 || !is_receive;
    case LOSS_NONE:
    case LOSSES:
        break;
    }
    return true;
}

OTF2_EvtWriter *run_writer(const struct run *run, uint32_t rank)
{
    return maker_writer(run->maker, rank, 0);
}

void run_send(const struct run *run, uint32_t rank, uint64_t enter, uint32_t to, uint32_t tag)
{
    if (run_keeps(run, rank, enter, false)) {
        maker_send(run_writer(run, rank), enter, enter + 10, MAKER_WORLD, to, tag, RUN_BYTES);
    }
}

/* One that is probed for: once, twice, or by a matched probe. */
static void probe(OTF2_EvtWriter *writer, uint64_t enter, uint64_t leave, uint32_t from,
                  uint32_t tag)
{
    const uint64_t request = 1000000 + enter; /* no other one has */

    switch (enter / 10 % 4) {
    case 1:
        maker_probe(writer, enter, leave - 10, MAKER_WORLD, from, tag);
        maker_recv(writer, leave - 10, leave, MAKER_WORLD, from, tag, RUN_BYTES);
        break;
    case 2:
        maker_probe(writer, enter, leave - 10, MAKER_WORLD, from, tag);
        maker_probe(writer, leave - 10, leave, MAKER_WORLD, from, tag);
        maker_recv(writer, leave, leave, MAKER_WORLD, from, tag, RUN_BYTES);
        break;
    case 3:
        maker_enter_probe(writer, enter, MAKER_WORLD, from, tag);
        OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, enter, request);
        maker_leave(writer, leave - 10, MAKER_PROBE);
        maker_wait_recv(writer, leave - 10, leave, MAKER_WORLD, from, tag, RUN_BYTES, request);
        break;
    default:
        maker_recv(writer, enter, leave, MAKER_WORLD, from, tag, RUN_BYTES);
        break;
    }
}

void run_receive_in(const struct run *run, uint32_t rank, uint32_t thread, uint64_t enter,
                    uint64_t leave, uint32_t from, uint32_t tag)
{
    OTF2_EvtWriter *writer = maker_writer(run->maker, rank, thread);

    if (!run_keeps(run, rank, enter, true)) {
        return;
    }
    if (run->probes) {
        probe(writer, enter, leave, from, tag);
    } else {
        maker_recv(writer, enter, leave, MAKER_WORLD, from, tag, RUN_BYTES);
    }
}

void run_receive(const struct run *run, uint32_t rank, uint64_t enter, uint64_t leave,
                 uint32_t from, uint32_t tag)
{
    run_receive_in(run, rank, 0, enter, leave, from, tag);
}

void run_meet(struct run *run, const struct maker_part *part, const uint64_t *members,
              uint32_t count, uint32_t root)
{
    uint64_t last = 0;

    for (uint32_t i = 0; i < count; i++) {
        last = later(last, run->at[members[i]]);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t rank = (uint32_t)members[i];
        uint64_t enter = run->at[rank];
        uint64_t until = root == UINT32_MAX ? last : run->at[members[root]];

        run->at[rank] = i == root ? enter + 20 : later(enter, until) + 20;
        if (run_keeps(run, rank, enter, false)) {
            struct maker_part own = *part;

            own.sent = root == UINT32_MAX || i == root ? part->sent : 0;
            own.received = i == root ? 0 : part->received;
            maker_collective(run_writer(run, rank), enter, run->at[rank], &own);
        }
    }
}
