#include "analyzer/sidecar/side_by_side_crc.h"

#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>
#include <zlib.h>

#define THREADS_MOST 4u
#define BYTES_LEAST  ((uint64_t)16 << 20) /* of a thread */

struct part {
    const unsigned char *bytes;
    uint64_t count;
    uint32_t crc;
    pthread_t thread;
    bool is_running;
};

static void *run(void *user)
{
    struct part *part = user;

    part->crc = (uint32_t)crc32_z(0, part->bytes, part->count);
    return NULL;
}

static unsigned thread_count(uint64_t bytes)
{
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned most = processors < 1                ? 1u
                          : processors < THREADS_MOST ? (unsigned)processors
                                                        : THREADS_MOST;

    return bytes / BYTES_LEAST < most ? (unsigned)(bytes / BYTES_LEAST) : most;
}

uint32_t mwa_side_by_side_crc(const void *bytes, uint64_t count)
{
    const unsigned threads = thread_count(count) > 1 ? thread_count(count) : 1;
    struct part parts[THREADS_MOST] = { 0 };
    uint32_t crc = 0;

    for (unsigned i = 0; i < threads; i++) {
        const uint64_t from = count / threads * i;

        parts[i].bytes = (const unsigned char *)bytes + from;
        parts[i].count = i + 1 < threads ? count / threads : count - from;
        parts[i].is_running = i + 1 < threads &&
                              pthread_create(&parts[i].thread, NULL, run, &parts[i]) == 0;
    }
    for (unsigned i = threads; i-- > 0;) {
        if (!parts[i].is_running) {
            run(&parts[i]);
        }
    }
    for (unsigned i = 0; i < threads; i++) {
        if (parts[i].is_running) {
            pthread_join(parts[i].thread, NULL);
        }
        crc = (uint32_t)crc32_combine(crc, parts[i].crc, (z_off_t)parts[i].count);
    }
    return crc;
}
