/*
 * Rank 0 decides whatever could differ between hosts (settings, nonce, output) and
 * tells the others: environments are not always the same everywhere. A rank that
 * then can't record goes on without a spool, for to step aside alone would make
 * the others wait.
 */
#include "config.h"

#include "recorder/finalize/start.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "recorder/dispatch/chain.h"
#include "recorder/dispatch/tools.h"
#include "recorder/finalize/ending.h"
#include "recorder/finalize/circumstances.h"
#include "recorder/finalize/hosts.h"
#include "recorder/finalize/manifest.h"
#include "recorder/finalize/names.h"
#include "recorder/finalize/siblings.h"
#include "recorder/finalize/terminating.h"
#include "recorder/finalize/transport_mpi.h"
#include "recorder/finalize/watching.h"
#include "recorder/finalize/without_zeros.h"
#include "recorder/hooks/clock_renewal.h"
#include "recorder/recorder.h"
#include "recorder/sites/stacks.h"
#include "recorder/state/comm_filter.h"
#include "recorder/state/comms.h"
#include "recorder/state/crew.h"
#include "recorder/state/lineage.h"
#include "recorder/state/reductions.h"
#include "recorder/state/requests.h"
#include "recorder/state/signals.h"
#include "recorder/state/types.h"
#include "recorder/variables/variables.h"

/* All spools of a host together take at most this share of the free space. */
#define SPOOL_SHARE_OF_FREE 0.8

/* What rank 0 decides for all. */
struct decisions {
    uint64_t nonce;
    struct mwr_settings settings;
    char output[MWR_PATH_BYTES];
};

/*
 * A job of several programs (MPMD) may hold ranks without the recorder, which would
 * never come to its collectives. The variable is Open MPI's and equal on all ranks.
 */
static bool is_unsafe_mpmd(const struct mwr_settings *settings)
{
    const char *contexts = getenv("OMPI_NUM_APP_CTX");

    return contexts && strtol(contexts, NULL, 10) > 1 && !settings->mpmd;
}

/* Whether rank is the first one of its program: Open MPI lists how many each of them has. */
static bool is_first_of_program(int rank)
{
    const char *counts = getenv("OMPI_APP_CTX_NUM_PROCS");
    long first = 0;
    char *end;

    for (; counts && first < rank; counts = end) {
        first += strtol(counts, &end, 10);
        if (end == counts) {
            return false;
        }
    }
    return first == rank;
}

/* Rank 0: settings, nonce, output. Its own spool directory is no one else's business. */
static void decide(struct decisions *decisions)
{
    struct mwr_settings *settings = &decisions->settings;

    *settings = mwr_recorder.settings;
    if (getrandom(&decisions->nonce, sizeof decisions->nonce, 0) !=
        (ssize_t)sizeof decisions->nonce) {
        decisions->nonce = mwr_wall_clock() ^ (uint64_t)getpid() << 48;
    }
    mwr_name_output(settings, decisions->output, sizeof decisions->output);
}

static void print_warnings(const struct mwr_warnings *warnings)
{
    for (unsigned i = 0; i < warnings->count && i < MWR_WARNINGS_MAX; i++) {
        mwr_say("%s", warnings->text[i]);
    }
    if (warnings->count > MWR_WARNINGS_MAX) {
        mwr_say("and %u more such warnings", warnings->count - MWR_WARNINGS_MAX);
    }
}

/* Most of it is room behind texts, which is not sent. Room is for what is. */
static enum mw_status broadcast_packed(const struct mw_transport *transport, char *room,
                                       struct decisions *decisions,
                                       struct mw_diagnostic *diagnostic)
{
    uint64_t bytes = transport->rank == 0
                         ? mwr_without_zeros(decisions, sizeof *decisions, room)
                         : 0;
    enum mw_status status =
        transport->broadcast(transport->context, &bytes, sizeof bytes, diagnostic);

    if (status == MW_OK) {
        status = transport->broadcast(transport->context, room, bytes, diagnostic);
    }
    if (status == MW_OK && transport->rank != 0) {
        mwr_with_zeros(room, bytes, decisions, sizeof *decisions);
    }
    return status;
}

static enum mw_status broadcast(const struct mw_transport *transport,
                                struct decisions *decisions, struct mw_diagnostic *diagnostic)
{
    char *room = malloc(MWR_WITHOUT_ZEROS_MAX(sizeof *decisions));
    enum mw_status worst = MW_OK;
    enum mw_status status = transport->agree(transport->context, room ? MW_OK : MW_ERROR_MEMORY,
                                             &worst, diagnostic);

    if (status == MW_OK) {
        status = worst == MW_OK ? broadcast_packed(transport, room, decisions, diagnostic) : worst;
    }
    free(room);
    return status;
}

/* Rank 0's decisions become everyone's; what belongs to the host stays. */
static enum mw_status take_decisions(const struct mw_transport *transport,
                                     struct mw_diagnostic *diagnostic)
{
    struct decisions *decisions = calloc(1, sizeof *decisions);
    char spool[MWR_SETTING_PATH_BYTES];
    enum mw_status status = decisions ? MW_OK : MW_ERROR_MEMORY;
    enum mw_status worst = MW_OK;

    if (transport->agree(transport->context, status, &worst, diagnostic) != MW_OK ||
        worst != MW_OK) {
        free(decisions);
        return worst;
    }
    if (transport->rank == 0) {
        decide(decisions);
    }
    status = broadcast(transport, decisions, diagnostic);
    if (status == MW_OK) {
        memcpy(spool, mwr_recorder.settings.spool, sizeof spool);
        mwr_recorder.settings = decisions->settings;
        memcpy(mwr_recorder.settings.spool, spool, sizeof spool);
        memcpy(mwr_recorder.output, decisions->output, sizeof mwr_recorder.output);
        mwr_recorder.nonce = decisions->nonce;
    }
    free(decisions);
    return status;
}

/* The most bytes that one event spool of this process may have. */
static uint64_t spool_limit(const char *directory, uint32_t ranks)
{
    struct statvfs space;
    uint64_t limit = mwr_recorder.settings.max_spool;

    if (limit == 0 && statvfs(directory, &space) == 0) {
        limit = (uint64_t)((double)space.f_bavail * (double)space.f_frsize *
                           SPOOL_SHARE_OF_FREE / ranks);
    }
    return limit;
}

/* This process's spool directory and definitions. */
static enum mw_status make_spool(struct mw_diagnostic *diagnostic)
{
    char path[MWR_PATH_BYTES + 32];
    int length = snprintf(mwr_recorder.spool, sizeof mwr_recorder.spool,
                          "%s/mpiwatch-%016llx-%u", mwr_recorder.settings.spool,
                          (unsigned long long)mwr_recorder.nonce, mwr_recorder.rank);
    enum mw_status status;

    if (length >= (int)sizeof mwr_recorder.spool) {
        mwr_recorder.spool[0] = '\0';
        return mw_fail(diagnostic, MW_ERROR_USAGE, mwr_recorder.settings.spool,
                       MW_DIAGNOSTIC_OFFSET_NONE, "the spool directory's path is too long");
    }
    if (mkdir(mwr_recorder.spool, 0700) != 0) {
        status = mw_fail(diagnostic, MW_ERROR_SYSTEM, mwr_recorder.spool,
                         MW_DIAGNOSTIC_OFFSET_NONE, "can't make the spool directory");
        mwr_recorder.spool[0] = '\0';
        return status;
    }
    snprintf(path, sizeof path, "%s/definitions", mwr_recorder.spool);
    status = mw_definition_writer_create(path, mwr_recorder.nonce, mwr_recorder.rank,
                                         &mwr_recorder.definitions, diagnostic);
    if (status != MW_OK) {
        mwr_recorder.definitions = NULL;
        rmdir(mwr_recorder.spool);
        mwr_recorder.spool[0] = '\0';
        return status;
    }
    mwr_recorder.spool_limit = spool_limit(mwr_recorder.spool, mwr_recorder.size);
    return MW_OK;
}

static void define_setting(const char *name, const char *value)
{
    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_SETTING,
        .of.setting = {.name = name, .value = value},
    });
}

/* The settings, and which of them are what they are when nothing is said, as "defaults". */
static void define_settings(void)
{
    char value[MWR_SETTING_PATH_BYTES];
    char defaults[1024] = "";
    size_t length = 0;
    const struct mwr_setting *setting;

    for (unsigned i = 0; (setting = mwr_setting_at(i)) != NULL; i++) {
        if (setting->group == MWR_SETTINGS_LAUNCH) {
            continue;
        }
        mwr_setting_value(&mwr_recorder.settings, setting, value, sizeof value);
        if (mwr_setting_is_default(&mwr_recorder.settings, setting) &&
            length + strlen(setting->name) + 2 < sizeof defaults) {
            length += (size_t)snprintf(defaults + length, sizeof defaults - length, "%s%s",
                                       length > 0 ? "," : "", setting->name);
        }
        if (strcmp(setting->name, "tools") == 0) {
            mwr_tools_list(value, sizeof value); /* those that are there */
        }
        define_setting(setting->name, value);
    }
    define_setting("defaults", defaults);
}

/* Classes of errors have numbers of the ABI's own, whichever MPI is behind it. */
#ifdef MWR_MPI_IS_ABI
#define BY_ABI " (MPI ABI)"
#else
#define BY_ABI ""
#endif

/* The first line of what the MPI says of itself. */
static void library_version(char *text, size_t size)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;

    MWR_PMPI(Get_library_version)(version, &length);
    snprintf(text, size, "%.*s" BY_ABI, (int)strcspn(version, "\n"), version);
}

static void define_process(int thread_level)
{
    char host[64];
    char program[MWR_PATH_BYTES];
    char arguments[8192];
    char directory[MWR_PATH_BYTES] = "";
    char library[512];

    mwr_host_name(host, sizeof host);
    mwr_name_program(program, sizeof program);
    mwr_name_arguments(arguments, sizeof arguments);
    library_version(library, sizeof library);
    if (!getcwd(directory, sizeof directory)) {
        directory[0] = '\0';
    }
    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_PROCESS,
        .of.process = {.rank = mwr_recorder.rank,
                       .size = mwr_recorder.size,
                       .host = mwr_recorder.host,
                       .pid = (uint32_t)getpid(),
                       .time_ticks = mwr_clock(),
                       .time_realtime = mwr_wall_clock(),
                       .time_resolution = 1000000000u,
                       .thread_level = (uint32_t)thread_level,
                       .host_name = host,
                       .program = program,
                       .arguments = arguments,
                       .working_directory = directory,
                       .mpi_library = library,
                       .recorder = PACKAGE_STRING},
    });
}

/* 0 to MW_THREADS_MULTIPLE of the MPI's thread levels, whatever numbers the MPI gives them. */
static int thread_level(void)
{
    int provided = MPI_THREAD_SINGLE;

    MWR_PMPI(Query_thread)(&provided);
    mwr_recorder.is_multiple = provided == MPI_THREAD_MULTIPLE;
    if (provided == MPI_THREAD_MULTIPLE) {
        return MW_THREADS_MULTIPLE;
    }
    if (provided == MPI_THREAD_SERIALIZED) {
        return 2;
    }
    return provided == MPI_THREAD_FUNNELED ? 1 : 0;
}

/* Communicators of our own, of a session: of all processes, by their ranks, and of this one. */
static bool make_session_communicators(MPI_Comm all)
{
    int rank = 0;

    mwr_recorder.self = MPI_COMM_NULL;
    MWR_PMPI(Group_rank)(mwr_recorder.world, &rank);
    if (MWR_PMPI(Comm_split)(all, 0, rank, &mwr_recorder.comm) != MPI_SUCCESS ||
        MWR_PMPI(Comm_split)(all, rank, 0, &mwr_recorder.self) != MPI_SUCCESS) {
        return false;
    }
    MWR_PMPI(Comm_set_errhandler)(mwr_recorder.self, MPI_ERRORS_RETURN);
    return true;
}

/* One of all processes without what a tool has attached to MPI_COMM_WORLD, which would be asked to
 * copy it. */
static bool make_job_communicator(void)
{
    MPI_Group group;
    bool made;

    if (MWR_PMPI(Comm_group)(MPI_COMM_WORLD, &group) != MPI_SUCCESS) {
        return false;
    }
    made = MWR_PMPI(Comm_create)(MPI_COMM_WORLD, group, &mwr_recorder.comm) == MPI_SUCCESS;
    MWR_PMPI(Group_free)(&group);
    return made;
}

/* A communicator of our own, on which errors are returned. session: null after MPI_Init. */
static bool make_communicator(MPI_Comm session)
{
    int rank = 0;
    int size = 1;
    bool made = session != MPI_COMM_NULL ? make_session_communicators(session)
                                         : make_job_communicator();

    if (!made) {
        mwr_recorder.comm = MPI_COMM_NULL;
        return false;
    }
    MWR_PMPI(Comm_set_errhandler)(mwr_recorder.comm, MPI_ERRORS_RETURN);
    MWR_PMPI(Comm_rank)(mwr_recorder.comm, &rank);
    MWR_PMPI(Comm_size)(mwr_recorder.comm, &size);
    mwr_recorder.rank = (uint32_t)rank;
    mwr_recorder.size = (uint32_t)size;
    return true;
}

/*
 * Everything of this process's own. A rank that can't is without a spool, with the reason in
 * diagnostic, and goes on.
 */
static void start_process(struct mw_diagnostic *diagnostic)
{
    char text[2048];
    int level = thread_level();

    mwr_types_init();
    mwr_reductions_init();
    mwr_requests_init(mwr_recorder.is_multiple);
    if (make_spool(diagnostic) != MW_OK) {
        return;
    }
    mwr_clock_start(mwr_recorder.settings.clock == MWR_CLOCK_AUTO);
    if (mwr_recorder.settings.sites.frames > 0 && !MWR_HAS_STACKS) {
        if (mwr_recorder.settings.sites.way == MWR_SITES_STACK) {
            mwr_say("rank %u: stacks are told on x86-64 and AArch64 only; lines are",
                    mwr_recorder.rank);
        }
        mwr_recorder.settings.sites = (struct mwr_site_setting){MWR_SITES_LINE, 0};
    }
    if (mwr_recorder.settings.sites.way != MWR_SITES_OFF) {
        mwr_sites_start(&mwr_recorder.settings.sites);
    }
    define_process(level);
    define_settings();
    mwr_circumstances_define();
    mwr_lineage_define();
    mwr_filter_start();
    mwr_hooks_start();
    if (mwr_comms_init(diagnostic) != MW_OK) {
        mwr_say("rank %u records without communicators: %s", mwr_recorder.rank,
                mw_diagnostic_text(diagnostic, text, sizeof text));
    }
    mwr_variables_find();
}

static void pass_barrier(void)
{
    MWR_PMPI(Barrier)(mwr_recorder.comm);
    mwr_recorder_note_traffic(0, 0);
}

/*
 * Behind all that the recorder sends itself, which is told. Nobody is in the second barrier before
 * all have read their variables: they see what comes to them there of the recorder's, which is as
 * much as what comes in MPI_Finalize before they are there themselves. What they gain behind it
 * is the program's until some rank is in MPI_Finalize.
 */
static void start_variables(void)
{
    const struct mwr_own_traffic *own = &mwr_recorder.own_traffic;

    mwr_variables_bind_first();
    pass_barrier();
    pass_barrier();
    mwr_recorder_define(&(struct mw_definition){
        .kind = MW_DEFINE_OWN_TRAFFIC,
        .of.own_traffic = {own->calls, own->sent, own->received},
    });
    mwr_variables_start();
}

/* A child of fork() is no rank: it shares the spool's memory and must not write there. */
static void leave_child_alone(void)
{
    mwr_thread.recording = NULL;
    mwr_computing_forget(&mwr_thread.computing);
    mwr_crew_forget();
    mwr_sites_stop(); /* its lock may be held by a thread that the child does not have */
    mwr_recorder_enter(MWR_FINISHED);
    mwr_chain_bypass();
}

/* The own rank, before there is a communicator. */
static int world_rank(void)
{
    int rank = 0;

    if (mwr_recorder.world != MPI_GROUP_NULL) {
        MWR_PMPI(Group_rank)(mwr_recorder.world, &rank);
    } else {
        MWR_PMPI(Comm_rank)(MPI_COMM_WORLD, &rank);
    }
    return rank;
}

/* Whether recording would wait for ranks that never come; says so. */
static bool steps_aside(MPI_Comm session)
{
    if (is_unsafe_mpmd(&mwr_recorder.settings)) {
        if (is_first_of_program(world_rank())) {
            mwr_say("not recording: the job has several application contexts; if every rank runs "
                    "under mpiwatch-record, say --mpmd to each");
        }
        return true;
    }
    return session == MPI_COMM_NULL && !mwr_recorder.settings.mpmd && mwr_siblings_are_missing();
}

/* session: null after MPI_Init. */
static void start(MPI_Comm session)
{
    struct mwr_warnings warnings = {0};
    struct mwr_mpi_transport state;
    struct mw_transport transport;
    struct mw_diagnostic diagnostic = {0};
    struct mw_diagnostic trouble = {0};
    char text[2048];

    mwr_settings_from_environment(&mwr_recorder.settings, environ, &warnings);
    if (world_rank() == 0) {
        print_warnings(&warnings);
    }
    if (steps_aside(session) || !make_communicator(session)) {
        mwr_chain_bypass();
        return;
    }
    mwr_siblings_unmark();
    if (session == MPI_COMM_NULL) {
        mwr_siblings_tell_strangers();
    }
    mwr_transport_mpi_init(&transport, &state, mwr_recorder.comm);
    if (take_decisions(&transport, &diagnostic) != MW_OK ||
        mwr_hosts_init(&transport, &diagnostic) != MW_OK) {
        mwr_say("not recording: %s", mw_diagnostic_text(&diagnostic, text, sizeof text));
        mwr_chain_bypass();
        return;
    }
    start_process(&trouble);
    if (mwr_hosts_measure_clocks(&transport, &diagnostic) != MW_OK) {
        mwr_say("clocks not compared: %s", mw_diagnostic_text(&diagnostic, text, sizeof text));
    }
    if (session == MPI_COMM_NULL) {
        mwr_renewal_start(&transport);
    }
    mwr_manifest_write(&transport, mw_diagnostic_text(&trouble, text, sizeof text));
    mwr_watching_start();
    start_variables();
    mwr_running_start();
    mwr_computing_start();
    pthread_atfork(NULL, NULL, leave_child_alone);
    mwr_chain_select(mwr_recorder.settings.events);
    mwr_ending_watch();
    mwr_signals_install();
    mwr_terminating_install();
    mwr_recorder_enter(MWR_RECORDING);
    if (mwr_recorder.rank == 0) {
        mwr_say_verbose("recording %u ranks to %s", mwr_recorder.size, mwr_recorder.output);
    }
}

void mwr_start(void)
{
    mwr_thread.is_own = true;
    start(MPI_COMM_NULL);
    mwr_thread.is_own = false;
}

void mwr_start_in_session(MPI_Comm comm)
{
    mwr_thread.is_own = true;
    start(comm);
    mwr_recorder.is_apart = mwr_recorder.phase != MWR_IDLE;
    if (mwr_recorder.comm != MPI_COMM_NULL) {
        MWR_PMPI(Comm_free)(&mwr_recorder.comm);
    }
    mwr_thread.is_own = false;
}
