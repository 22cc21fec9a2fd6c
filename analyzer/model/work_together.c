/* For what needs no input of its own: of locations load/each_location.h does the same with one. */
#include "analyzer/model/work_together.h"

#include <pthread.h>
#include <stdlib.h>

void mwa_work_together(uint32_t threads, void *(*work)(void *user), void *user)
{
    pthread_t *others = calloc(threads, sizeof *others);
    uint32_t started = 0;

    while (others && started + 1 < threads &&
           pthread_create(&others[started], NULL, work, user) == 0) {
        started++;
    }
    work(user);
    for (uint32_t i = 0; i < started; i++) {
        pthread_join(others[i], NULL);
    }
    free(others);
}
