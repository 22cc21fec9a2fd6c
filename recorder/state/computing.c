/*
 * What the kernel has noted is counted by the thread itself, in a table that never moves: who ends
 * the process reads the tables of all threads while others may still be counting.
 */
#include "recorder/state/computing.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "formats/spool/definition.h"
#include "recorder/recorder.h"
#include "recorder/sites/site_numbers.h"
#include "recorder/state/crew.h"
#include "recorder/state/thread.h"

#define TOLD_FIRST 100u /* notes, behind which what is counted is told; then twice as many, … */
#define SWITCHES_LOOK 500000000u /* ns on a core, behind which switches are looked at */
#define STOPPED "the kernel switches between threads so often that samples would slow them down"
#define NS_A_SECOND 1000000000u
#define NS_A_MICROSECOND 1000u

struct mwr_computed {
    struct mwr_computed *next;
    pid_t thread; /* 0: it has ended: the next new one goes on in it; under the lock */
    uint64_t due; /* notes, behind which all is told */
    struct mwr_noted noted;
};

/* Written before recording begins: notes in a second; 0: none are made. */
static uint32_t rate;
/* Written under the lock: those of all threads, and why a thread has none. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mwr_computed *all;
/* Written by each thread that begins: how many have. */
static uint32_t begun;
static int refused;
static bool has_stopped;

void mwr_computing_start(void)
{
    rate = mwr_recorder.settings.functions;
    mwr_notes_start(rate);
    mwr_crew_start(rate > 0);
    mwr_computing_tell(); /* of a rank that is killed at once: it was to be sampled */
}

/* --- what is counted ---------------------------------------------------------------------- */

static uint64_t ns_of(const struct timeval *time)
{
    return (uint64_t)time->tv_sec * NS_A_SECOND + (uint64_t)time->tv_usec * NS_A_MICROSECOND;
}

/* What the kernel knows of the thread: ru_utime is its time in user mode. */
static struct rusage usage_now(void)
{
    struct rusage usage = {.ru_utime = {0}};

    (void)getrusage(RUSAGE_THREAD, &usage);
    return usage;
}

/* Takes out all notes: between calls, on the way to that of code, or in a call. */
static void take(struct mwr_computing *computing, const struct rusage *usage, bool is_outside,
                 unsigned code)
{
    struct mwr_noted *noted = &computing->computed->noted;
    const uint64_t ran = ns_of(&usage->ru_utime);
    const uint64_t head = mwr_notes_head(&computing->ring);
    const bool is_full = mwr_notes_are_full(&computing->ring, head);
    const uint32_t unloaded = is_outside ? mwr_noted_unloaded() : 0;
    struct mwr_note note;

    while (mwr_notes_next(&computing->ring, head, &note)) {
        if (note.lost > 0) {
            mwr_noted_settle(&computing->owed, note.lost);
        } else if (is_outside) {
            (void)mwr_noted_count(noted, note.address, code, unloaded);
        } else {
            mwr_noted_add(&noted->inside, 1);
        }
    }
    if (is_full) {
        mwr_noted_owe(&computing->owed, is_outside ? &noted->lost : &noted->inside,
                      mwr_notes_in(ran - computing->ran), mwr_notes_room(&computing->ring));
    }
    computing->ran = ran;
    mwr_notes_done(&computing->ring, head);
}

/* Switches cost some us more with notes, since the clock's timer stops and starts with the thread:
 * ranks that share cores and yield them in each call may switch 300,000 times a second. */
static bool switches_too_often(struct mwr_computing *computing, const struct rusage *usage)
{
    const uint64_t now = ns_of(&usage->ru_utime) + ns_of(&usage->ru_stime);
    const uint64_t switches = (uint64_t)usage->ru_nvcsw + (uint64_t)usage->ru_nivcsw;
    bool is_too_often;

    if (now - computing->checked < SWITCHES_LOOK) {
        return false;
    }
    is_too_often = (switches - computing->switches) * (NS_A_SECOND / MWR_NOTES_SWITCHES_MOST) >
                   now - computing->checked;
    computing->checked = now;
    computing->switches = switches;
    return is_too_often;
}

/* Of what comes now nothing is known but how long it is. */
static void stop_if_due(struct mwr_computing *computing, const struct rusage *usage)
{
    if (switches_too_often(computing, usage)) {
        mwr_notes_close(&computing->ring);
        computing->is_stopped = true;
        pthread_mutex_lock(&lock);
        has_stopped = true;
        pthread_mutex_unlock(&lock);
    }
}

static void take_and_look(struct mwr_computing *computing, bool is_outside, unsigned code)
{
    const struct rusage usage = usage_now();

    computing->is_taking = true;
    take(computing, &usage, is_outside, code);
    stop_if_due(computing, &usage);
    computing->is_taking = false;
}

/* What a thread has run since it was stopped is lost. */
static void lose_stopped(struct mwr_computing *computing)
{
    if (computing->is_stopped) {
        const struct rusage usage = usage_now();
        const uint64_t ran = ns_of(&usage.ru_utime);

        mwr_noted_add(&computing->computed->noted.lost,
                      mwr_notes_in(ran - computing->ran));
        computing->ran = ran;
    }
}

static void begin_to_look(struct mwr_computing *computing)
{
    const struct rusage usage = usage_now();

    computing->ran = ns_of(&usage.ru_utime);
    computing->checked = computing->ran + ns_of(&usage.ru_stime);
    computing->switches = (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

/* A process that is killed has told half of it at least, and one that runs for days no more than
 * some times. */
void mwr_computing_enter(struct mwr_computing *computing, unsigned code)
{
    struct mwr_computed *computed = computing->computed;
    const int error = errno;
    uint64_t notes;

    if (computing->is_taking) {
        return;
    }
    take_and_look(computing, true, code);
    notes = computed->noted.outside + computed->noted.inside;
    if (notes >= computed->due) {
        computed->due = 2 * notes;
        mwr_computing_tell();
    }
    errno = error;
}

void mwr_computing_leave(struct mwr_computing *computing)
{
    const int error = errno;

    if (!computing->is_taking) {
        take_and_look(computing, false, 0);
    }
    errno = error;
}

/* --- beginning and end ---------------------------------------------------------------------- */

/* Of a thread that has ended; null: there is none. */
static struct mwr_computed *take_idle(pid_t thread)
{
    struct mwr_computed *computed;

    pthread_mutex_lock(&lock);
    computed = all;
    while (computed && computed->thread != 0) {
        computed = computed->next;
    }
    if (computed) {
        computed->thread = thread;
    }
    pthread_mutex_unlock(&lock);
    return computed;
}

static void leave_idle(struct mwr_computed *computed)
{
    pthread_mutex_lock(&lock);
    computed->thread = 0;
    pthread_mutex_unlock(&lock);
}

/* Its counts outlive the thread. */
static struct mwr_computed *make_computed(void)
{
    const pid_t thread = (pid_t)syscall(SYS_gettid);
    struct mwr_computed *computed = take_idle(thread);

    __atomic_add_fetch(&begun, 1, __ATOMIC_RELAXED);
    if (computed) {
        return computed;
    }
    computed = calloc(1, sizeof *computed);
    if (computed) {
        computed->due = TOLD_FIRST;
        computed->thread = thread;
        pthread_mutex_lock(&lock);
        computed->next = all;
        all = computed;
        pthread_mutex_unlock(&lock);
    }
    return computed;
}

uint32_t mwr_computing_begun(void)
{
    return __atomic_load_n(&begun, __ATOMIC_RELAXED);
}

bool mwr_computing_has(pid_t thread)
{
    const struct mwr_computed *computed;

    if (pthread_mutex_trylock(&lock) != 0) {
        return false; /* or a thread that won't come back has it */
    }
    for (computed = all; computed && computed->thread != thread;) {
        computed = computed->next;
    }
    pthread_mutex_unlock(&lock);
    return computed;
}

static void note_refusal(int error)
{
    pthread_mutex_lock(&lock);
    refused = error;
    pthread_mutex_unlock(&lock);
}

void mwr_computing_begin(struct mwr_computing *computing)
{
    const int error = errno;

    if (computing->ring.head) {
        begin_to_look(computing);
        computing->owed = (struct mwr_noted_owed){.to = NULL}; /* nor what is lost by now */
        mwr_notes_pass(&computing->ring);
    } else if (rate > 0 && !computing->is_tried) {
        computing->is_tried = true;
        computing->computed = make_computed();
        if (computing->computed && mwr_notes_open(&computing->ring, 0, true)) {
            begin_to_look(computing);
        } else {
            note_refusal(errno);
            mwr_computing_end(computing);
        }
    }
    errno = error;
}

void mwr_computing_end(struct mwr_computing *computing)
{
    struct mwr_computed *computed = computing->computed;
    const int error = errno;

    mwr_notes_close(&computing->ring);
    if (computed) {
        lose_stopped(computing);
        leave_idle(computed);
    }
    mwr_computing_forget(computing);
    errno = error;
}

void mwr_computing_forget(struct mwr_computing *computing)
{
    *computing = (struct mwr_computing){.is_tried = true};
}

/* Under the lock. */
static void add_up(const struct mwr_noted *noted, struct mw_define_samples *sum)
{
    sum->outside += __atomic_load_n(&noted->outside, __ATOMIC_RELAXED);
    sum->inside += __atomic_load_n(&noted->inside, __ATOMIC_RELAXED);
    sum->lost += __atomic_load_n(&noted->lost, __ATOMIC_RELAXED);
}

void mwr_computing_tell(void)
{
    struct mw_define_samples sum = {.rate = rate, .refused = ""};

    if (rate == 0 || pthread_mutex_trylock(&lock) != 0) {
        return; /* or a thread that won't come back has it */
    }
    lose_stopped(&mwr_thread.computing);
    for (const struct mwr_computed *one = all; one; one = one->next) {
        add_up(&one->noted, &sum);
    }
    sum.refused = refused ? strerror(refused) : has_stopped ? STOPPED : "";
    mwr_recorder_define(&(struct mw_definition){.kind = MW_DEFINE_SAMPLES, .of.samples = sum});
    if (mwr_sites_lock()) {
        for (struct mwr_computed *one = all; one; one = one->next) {
            mwr_noted_tell(&one->noted, false);
        }
        mwr_crew_tell();
        mwr_sites_unlock();
    }
    pthread_mutex_unlock(&lock);
}
