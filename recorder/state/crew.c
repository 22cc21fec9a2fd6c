/* Threads come and go without a word to us, so that the kernel is asked for them. */
#include "recorder/state/crew.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "recorder/recorder.h"
#include "recorder/state/computing.h"
#include "recorder/state/kernel_counts.h"
#include "recorder/state/noted_places.h"
#include "recorder/state/notes_ring.h"

#define MEMBERS_MAX 256u /* what more there are is told as not looked at */
#define NOTES_ENOUGH 10u /* between calls of one that computes: of who only helps MPI are fewer */
#define COUNT_NS    20000000u   /* between looks at how many threads there are … */
#define LIST_NS     1000000000u /* … and at which */
#define SWITCHES_LEAST_NS 100000000u /* on a core, of which switches are told */
#define OUTSIDE_SHARE 10u /* of a stretch 1/10 at least is between calls: all notes count so */
#define NS_A_SECOND 1000000000u

struct member {
    pid_t thread;
    struct mwr_notes_ring ring; /* none: it records itself, or could not be looked at */
    bool is_seen;      /* in the list that is being read */
    bool is_refused;
    uint64_t notes;    /* between calls */
    uint64_t there;    /* ns, while the main thread was between calls */
    uint64_t used;     /* ns on a core, when notes were taken out last */
    struct mwr_noted_owed owed;
    uint64_t ran;      /* ns on a core, when that was looked at last, and how often until then … */
    uint64_t switches; /* … it had got one */
};

/* Written before recording begins. */
static bool is_wanted;
/* The main thread's, from when it begins on. */
static struct member members[MEMBERS_MAX];
static uint32_t member_count;
static uint32_t left_out; /* that there is no room for, of those that are listed */
static pid_t own;
static bool is_looking;  /* a signal's handler that calls MPI has to leave it alone */
static uint64_t threads; /* of the process, when they were listed, … */
static uint32_t begun;   /* … and how many of them had ever begun to record */
static uint64_t counted; /* when they were counted last, … */
static uint64_t listed;  /* … listed, without a reason, … */
static uint64_t looked;  /* … and looked at; 0: not yet */
static uint64_t ended;   /* ns that members which have ended were there */
/* Written by the main thread, and read by who ends the process. */
static struct mwr_noted *noted;
static uint64_t there_told;
static uint32_t threads_told;
static uint32_t refused_told;

void mwr_crew_start(bool is_to)
{
    is_wanted = is_to;
}

/* --- who there is --------------------------------------------------------------------------- */

static bool computes(const struct member *member)
{
    return member->notes >= NOTES_ENOUGH;
}

static void drop(uint32_t index)
{
    struct member *member = &members[index];

    ended += computes(member) ? member->there : 0;
    mwr_notes_close(&member->ring);
    *member = members[--member_count];
}

static struct member *find(pid_t thread)
{
    for (uint32_t i = 0; i < member_count; i++) {
        if (members[i].thread == thread) {
            return &members[i];
        }
    }
    return NULL;
}

static void add(pid_t thread)
{
    struct member *member = &members[member_count++];

    *member = (struct member){.thread = thread, .is_seen = true};
    if (!mwr_computing_has(thread)) {
        member->used = mwr_kernel_ran_ns(thread);
        member->is_refused = !mwr_notes_open(&member->ring, thread, false) && errno != ESRCH;
    }
}

/* Takes in one that the kernel tells. */
static void meet(pid_t thread)
{
    struct member *member = find(thread);

    if (thread == own) {
        return;
    }
    if (member) {
        member->is_seen = true;
        if (member->ring.page && mwr_computing_has(thread)) {
            mwr_notes_close(&member->ring); /* it has begun to call MPI */
        }
    } else if (member_count < MEMBERS_MAX) {
        add(thread);
    } else {
        left_out++;
    }
}

/* A thread that is switched to and from all the time would be slowed down by its notes. */
static void look_at_switches(struct member *member)
{
    uint64_t ran;
    uint64_t switches;

    if (!member->ring.page || !mwr_kernel_turns(member->thread, &ran, &switches) ||
        ran - member->ran < SWITCHES_LEAST_NS) {
        return;
    }
    if (member->ran > 0 &&
        (switches - member->switches) * (NS_A_SECOND / MWR_NOTES_SWITCHES_MOST) >
            ran - member->ran) {
        mwr_notes_close(&member->ring);
        member->is_refused = true;
    }
    member->ran = ran;
    member->switches = switches;
}

static void note_refused(void)
{
    uint32_t refused = left_out;

    for (uint32_t i = 0; i < member_count; i++) {
        refused += members[i].is_refused;
    }
    if (refused > refused_told) {
        __atomic_store_n(&refused_told, refused, __ATOMIC_RELAXED);
    }
}

static void list(void)
{
    for (uint32_t i = 0; i < member_count; i++) {
        members[i].is_seen = false;
    }
    left_out = 0;
    if (mwr_kernel_each_thread(meet)) {
        for (uint32_t i = member_count; i > 0; i--) {
            if (!members[i - 1].is_seen) {
                drop(i - 1);
            }
        }
    }
}

static void list_if_due(uint64_t now)
{
    const bool is_due = now - listed >= LIST_NS;
    const uint32_t begun_now = mwr_computing_begun();
    uint64_t there;

    if (now - counted < COUNT_NS) {
        return;
    }
    counted = now;
    there = mwr_kernel_thread_count();
    if (is_due || there != threads || begun_now != begun) {
        threads = there;
        begun = begun_now;
        list();
    }
    for (uint32_t i = 0; is_due && i < member_count; i++) {
        look_at_switches(&members[i]);
    }
    note_refused();
    listed = is_due ? now : listed;
}

/* --- what they do ----------------------------------------------------------------------------- */

/* False: there was no room for all, and it has ended, so that nobody knows how many these were. */
static bool take(struct member *member, bool is_outside, uint32_t code)
{
    const uint64_t head = mwr_notes_head(&member->ring);
    const bool is_full = mwr_notes_are_full(&member->ring, head);
    const uint64_t used = mwr_kernel_ran_ns(member->thread);
    const uint32_t unloaded = is_outside ? mwr_noted_unloaded() : 0;
    struct mwr_note note;

    while (mwr_notes_next(&member->ring, head, &note)) {
        if (note.lost > 0) {
            mwr_noted_settle(&member->owed, note.lost);
        } else if (!is_outside) {
            mwr_noted_add(&noted->inside, 1);
        } else {
            member->notes += mwr_noted_count(noted, note.address, code, unloaded);
        }
    }
    if (is_full && used > member->used) {
        mwr_noted_owe(&member->owed, is_outside ? &noted->lost : &noted->inside,
                      mwr_notes_in(used - member->used), mwr_notes_room(&member->ring));
    }
    member->used = used;
    mwr_notes_done(&member->ring, head);
    return used > 0 || !is_full;
}

static void take_all(bool is_outside, uint32_t code, uint64_t outside)
{
    uint64_t there = ended;
    uint32_t computing = 0;

    for (uint32_t i = 0; i < member_count; i++) {
        struct member *member = &members[i];
        const bool is_noted = member->ring.page;
        const bool is_known = is_noted && (!mwr_notes_are_there(&member->ring) ||
                                           take(member, is_outside, code));

        member->there += is_known && is_outside ? outside : 0;
        there += computes(member) ? member->there : 0;
        computing += is_noted && computes(member);
    }
    __atomic_store_n(&there_told, there, __ATOMIC_RELAXED);
    if (computing > threads_told) {
        __atomic_store_n(&threads_told, computing, __ATOMIC_RELAXED);
    }
}

void mwr_crew_look(uint64_t outside, uint32_t code, uint64_t now)
{
    const uint64_t stretch = looked > 0 && now > looked ? now - looked : 0;
    const int error = errno;

    if (!noted || is_looking) {
        return;
    }
    is_looking = true;
    take_all(stretch > 0 && outside >= stretch / OUTSIDE_SHARE, code,
             outside < stretch ? outside : stretch);
    list_if_due(now);
    looked = now;
    is_looking = false;
    errno = error;
}

/* --- beginning and end ------------------------------------------------------------------------ */

void mwr_crew_begin(void)
{
    if (is_wanted && !noted) {
        struct mwr_noted *room = calloc(1, sizeof *room);

        own = (pid_t)syscall(SYS_gettid);
        __atomic_store_n(&noted, room, __ATOMIC_RELEASE);
    }
    for (uint32_t i = 0; i < member_count; i++) {
        if (members[i].ring.page) {
            mwr_notes_pass(&members[i].ring);
            members[i].owed = (struct mwr_noted_owed){.to = NULL}; /* nor what is lost by now */
            members[i].used = mwr_kernel_ran_ns(members[i].thread);
        }
    }
    looked = 0;
}

void mwr_crew_end(void)
{
    while (member_count > 0) {
        drop(member_count - 1);
    }
    is_looking = true; /* from now on */
}

void mwr_crew_forget(void)
{
    member_count = 0;
    is_looking = true;
}

void mwr_crew_tell(void)
{
    struct mwr_noted *all = __atomic_load_n(&noted, __ATOMIC_ACQUIRE);

    if (!all || (threads_told == 0 && refused_told == 0)) {
        return;
    }
    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_CREW,
        .of.crew = {.threads = __atomic_load_n(&threads_told, __ATOMIC_RELAXED),
                    .refused = __atomic_load_n(&refused_told, __ATOMIC_RELAXED),
                    .there = __atomic_load_n(&there_told, __ATOMIC_RELAXED),
                    .outside = __atomic_load_n(&all->outside, __ATOMIC_RELAXED),
                    .inside = __atomic_load_n(&all->inside, __ATOMIC_RELAXED),
                    .lost = __atomic_load_n(&all->lost, __ATOMIC_RELAXED)}});
    mwr_noted_tell(all, true);
}
