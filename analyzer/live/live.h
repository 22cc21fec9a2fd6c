#ifndef MWA_LIVE_LIVE_H
#define MWA_LIVE_LIVE_H

#include "analyzer/live/live_process.h"
#include "formats/spool/live_message.h"

/*
 * A run while it runs: what each of its threads that call MPI does, and how much. A source says it:
 * the spools on this host, or who tells of them (live_hosts.h); who shows it does not know which.
 * One thread at a time; nothing of the run is locked, told or changed.
 */

struct mwa_live;
struct mwa_live_variables;

#define MWA_LIVE_LOOKS 16u /* that are kept */

/* What a thread had done at one moment; times in ns of CLOCK_MONOTONIC. */
struct mwa_live_look {
    uint64_t time;
    uint64_t inside; /* ns in MPI since its beginning, the call that is open included */
    uint64_t calls;
    uint64_t messages; /* sent and received */
    uint64_t bytes;    /* in them and in collective operations, sent and received */
    uint64_t waited;   /* ns since the look before, of calls that were told; with has_waits */
};

struct mwa_live_thread {
    uint32_t process; /* index */
    uint32_t thread;
    uint64_t begin;   /* 0: not known */
    uint64_t first;   /* when its first call was entered, which may come before; 0: not known */
    struct mw_spool_follower *follower;
    struct mw_spool_moment moment;
    struct mwa_live_look looks[MWA_LIVE_LOOKS]; /* a ring */
    uint32_t look_count; /* in all: the latest is at (look_count - 1) % MWA_LIVE_LOOKS */
    char *line;          /* from which it called, as somebody tells it; null: nobody does */
    bool has_waits;      /* events are read that tell of waits (live_waits.h): */
    uint64_t waited;     /* ns, in all */
    uint64_t told;       /* ns in calls of which it is known whether they waited */
    uint64_t read;       /* calls whose events were read by who tells of it */
    bool is_final;       /* there are no more to be read */
};

/* What it did in the time up to the latest look. */
struct mwa_live_rate {
    bool is_known;
    double share;    /* of the time, in MPI, 0 to 1 */
    bool has_waits;  /* the next two have a meaning */
    double waited;   /* share of the time that it is known to have waited, in MPI */
    double doubtful; /* share of it in MPI of which that is not known */
    double calls;    /* a second */
    double messages;
    double bytes;
};

/* One of those that tell of the run, each what there is on its host. */
struct mwa_live_host {
    char name[MW_LIVE_TEXT_BYTES]; /* "": it has not said yet */
    uint64_t heard;    /* when it last told something, in ns of CLOCK_MONOTONIC; 0: never */
    uint64_t next;     /* sequence number of what it will tell */
    uint64_t dropped;  /* messages of it that did not arrive, as nobody waits for them */
    bool is_silent;    /* it has not told anything for longer than it should take */
    bool is_over;      /* nothing will come any more */
    bool has_answered; /* it has told how much ranks wait, or why it does not know: */
    uint8_t unknown;   /* enum mw_live_no_waits: why it does not know how much its ranks wait */
    uint64_t clock_error; /* ns, as in struct mw_live_waits */
    char refused[512]; /* why it is not listened to, a sentence; "": it is */
};

/* Where all this comes from; the first member of what it needs itself. */
struct mwa_live_source {
    /* As mwa_live_look. */
    enum mw_status (*look)(struct mwa_live *live, struct mw_diagnostic *diagnostic);
    void (*end)(struct mwa_live *live);
};

struct mwa_live {
    struct mw_runs runs;
    const struct mw_run *run;
    bool is_chosen;   /* the names are of that run and of no other */
    uint32_t others;  /* runs of the same user that run, too, and are not watched */
    struct mwa_live_process *processes; /* by rising rank */
    uint32_t process_count;
    struct mwa_live_thread *threads; /* by process and thread */
    uint32_t thread_count;
    struct mw_merged_sites *sites; /* from which all of them call */
    const char **names; /* what the user named, up to a null; the caller's */
    struct mwa_live_source *source; /* null: spools on this host */
    struct mwa_live_host *hosts;    /* that tell of the run, by number; none: this one looks */
    uint32_t host_count;
    uint32_t wish; /* enum mw_live_wish_flag: what these are to tell beside; of whoever watches */
    struct mwa_live_variables *variables; /* that they tell, the source's; null: nobody does */
};

/*
 * Begins to watch the run that names tell of (mw_runs_add); without any the newest one that runs
 * on this host. mwa_live_fini is due in either case.
 *
 * \return MW_OK; MW_ERROR_FORMAT: there is none, or several, with a sentence; MW_ERROR_MEMORY.
 */
enum mw_status mwa_live_begin(struct mwa_live *live, const char **names,
                              struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* The runs that run, newest first, as indices of live->runs; *count of them. The caller's to free;
 * null: no memory. */
uint32_t *mwa_live_running(const struct mwa_live *live, uint32_t *count);

/* When the run's latest rank here began, ns since 1970. */
uint64_t mwa_live_started(const struct mw_run *run);

/* Watches another run of live->runs. \return as mwa_live_begin. */
enum mw_status mwa_live_switch(struct mwa_live *live, uint32_t run,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Looks again. \return MW_OK, MW_ERROR_MEMORY, or what a spool that is damaged makes. */
enum mw_status mwa_live_look(struct mwa_live *live, struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* Keeps what the thread's moment says, which was so at that time, as its latest look. */
void mwa_live_note(struct mwa_live_thread *thread, uint64_t time);

/* Its latest look; null: there was none. */
const struct mwa_live_look *mwa_live_latest(const struct mwa_live_thread *thread);

/* The index of a thread of a process, or the one that it belongs at. */
uint32_t mwa_live_place(const struct mwa_live *live, uint32_t process, uint32_t thread);

/* Puts a thread at that index, which becomes the array's. \return MW_OK; MW_ERROR_MEMORY. */
enum mw_status mwa_live_insert(struct mwa_live *live, uint32_t place,
                               const struct mwa_live_thread *thread,
                               struct mw_diagnostic *diagnostic) MW_MUST_CHECK;

/* ns of CLOCK_MONOTONIC. */
uint64_t mwa_live_time(void);

/* Of the last so many ns; 0: since the thread's beginning. Not known before it has been watched so
 * long, and where the recorder tells no counts. */
struct mwa_live_rate mwa_live_rate(const struct mwa_live_thread *thread, uint64_t ns);

/* Since when it does what it does, in ns before the latest look; false: not known, or its process
 * has ended. */
bool mwa_live_since(const struct mwa_live *live, const struct mwa_live_thread *thread,
                    uint64_t *ns);

/* Whether a process of the run still runs, or may: nobody was heard of where it does. */
bool mwa_live_is_running(const struct mwa_live *live);

/* ns for which no thread of a process that runs has left or entered a call; 0: one is outside of
 * MPI, none runs, or of some it is not known. */
uint64_t mwa_live_stuck(const struct mwa_live *live);

void mwa_live_fini(struct mwa_live *live);

#endif
