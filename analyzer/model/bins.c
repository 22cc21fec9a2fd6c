/*
 * Edges are computed, not added up, so that bins never drift; products of two
 * times need 128 bits.
 */
#include "analyzer/model/bins.h"

uint64_t mwa_window_edge(const struct mwa_window *window, uint32_t bin)
{
    unsigned __int128 parts = (unsigned __int128)(window->to - window->from) * bin;

    return window->from + (uint64_t)((parts + window->bins - 1) / window->bins);
}

uint32_t mwa_window_bin(const struct mwa_window *window, uint64_t time)
{
    uint64_t length = window->to - window->from;

    if (time <= window->from || length == 0) {
        return 0;
    }
    if (time >= window->to) {
        return window->bins - 1;
    }
    return (uint32_t)((unsigned __int128)(time - window->from) * window->bins / length);
}

bool mwa_window_next(const struct mwa_window *window, uint64_t from, uint64_t to,
                     struct mwa_piece *piece)
{
    uint64_t end = to < window->to ? to : window->to;
    uint64_t edge;

    if (piece->to > 0) {
        from = piece->to;
    }
    from = from > window->from ? from : window->from;
    if (from >= end) {
        return false;
    }
    piece->bin = mwa_window_bin(window, from);
    edge = mwa_window_edge(window, piece->bin + 1);
    piece->from = from;
    piece->to = edge < end ? edge : end;
    return true;
}

uint64_t mwa_ticks_share(uint64_t ticks, uint64_t begin, uint64_t end, uint64_t from, uint64_t to)
{
    uint64_t length = end - begin;
    unsigned __int128 head, tail;

    if (ticks == length) {
        return to - from;
    }
    head = (unsigned __int128)ticks * (from - begin) / length;
    tail = (unsigned __int128)ticks * (to - begin) / length;
    return (uint64_t)(tail - head);
}
