/* Page, its script and pictures have to agree: readers hold one beside the other. */
#include "analyzer/table/state_looks.h"

#include "analyzer/analysis/time/rank_states.h"

_Static_assert((int)MWA_STATE_WAITING == (int)MWA_LOCATION_SYNC &&
                   (int)MWA_TIMELINE_WAITING == (int)MWA_LOCATION_SYNC,
               "waiting looks the same for all");

const struct mwa_state_look mwa_state_looks[MWA_LOCATION_STATES] = {
    [MWA_STATE_USEFUL] = { "useful", "useful", { 0x00, 0x9e, 0x73, 255 } },
    [MWA_STATE_P2P] = { "p2p", "point to point", { 0xe6, 0x9f, 0x00, 255 } },
    [MWA_STATE_COLLECTIVE] = { "collective", "collective", { 0x56, 0xb4, 0xe9, 255 } },
    [MWA_STATE_IO] = { "io", "I/O", { 0xcc, 0x79, 0xa7, 255 } },
    [MWA_STATE_OTHER] = { "other", "other MPI", { 0x00, 0x72, 0xb2, 255 } },
    [MWA_LOCATION_SYNC] = { "waiting", "waiting", { 0xd5, 0x5e, 0x00, 255 } },
    [MWA_LOCATION_TRANSFER] = { "transfer", "transfer", { 0xf0, 0xe4, 0x42, 255 } },
    /* Faint on light and dark. */
    [MWA_LOCATION_IDLE] = { "idle", "idle", { 0x80, 0x80, 0x80, 70 } },
};

const char *mwa_state_word(const struct mwa_trace *trace, unsigned state)
{
    return state == MWA_STATE_USEFUL && trace->metrics.has_running ? "outside MPI"
                                                                   : mwa_state_looks[state].word;
}

void mwa_put_colour(const struct mwa_colour *colour, FILE *out)
{
    fprintf(out, "#%02x%02x%02x", colour->red, colour->green, colour->blue);
}
