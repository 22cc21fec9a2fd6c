#include "test/data/maker_kit.h"

#include <stdbool.h>
#include <stdlib.h>

#define CHUNK     (256u * 1024u)
#define COMMS_FIRST 16u
#define CLOCK_MAX 16u
#define GROUPS_MAX 16u
#define GROUPS_FIRST 1000u /* the id of the first that maker_group makes */
#define STRING_WINDOW        14u
#define STRINGS_FIRST_REGION 21u
#define STRINGS_FIRST_COMM   64u

struct made_comm {
    const char *name;
    uint32_t parent;
    bool inter;
    uint32_t count[2];
    const uint64_t *members[2];
};

struct made_group {
    uint32_t count;
    const uint64_t *members;
};

struct made_clock {
    uint32_t rank;
    uint64_t time;
    int64_t offset;
};

struct maker {
    OTF2_Archive *archive;
    uint32_t ranks;
    uint32_t threads;
    OTF2_EvtWriter **writers; /* null: not open yet, or through */
    uint64_t *events;         /* of writers that are through */
    uint64_t length;
    uint32_t second_host; /* its first rank; 0: hosts take turns */
    struct made_comm *comms; /* the first two are not set */
    uint32_t comm_count;
    uint32_t comm_room;
    struct made_clock clocks[CLOCK_MAX];
    uint32_t clock_count;
    struct made_group groups[GROUPS_MAX];
    uint32_t group_count;
    bool tells_found;
    bool has_window;
    uint32_t window_comm;
    bool has_file;
    uint32_t file_comm;
};

static const char *const region_names[MAKER_REGIONS] = {
    [MAKER_INIT] = "MPI_Init",           [MAKER_FINALIZE] = "MPI_Finalize",
    [MAKER_SEND] = "MPI_Send",           [MAKER_RECV] = "MPI_Recv",
    [MAKER_ISEND] = "MPI_Isend",         [MAKER_IRECV] = "MPI_Irecv",
    [MAKER_WAIT] = "MPI_Wait",           [MAKER_WAITALL] = "MPI_Waitall",
    [MAKER_TEST] = "MPI_Test",           [MAKER_ALLREDUCE] = "MPI_Allreduce",
    [MAKER_COMM_DUP] = "MPI_Comm_dup",   [MAKER_COMM_FREE] = "MPI_Comm_free",
    [MAKER_CANCEL] = "MPI_Cancel",       [MAKER_REDUCE] = "MPI_Reduce",
    [MAKER_BCAST] = "MPI_Bcast",         [MAKER_SCAN] = "MPI_Scan",
    [MAKER_BARRIER] = "MPI_Barrier",     [MAKER_IALLREDUCE] = "MPI_Iallreduce",
    [MAKER_NEIGHBOR] = "MPI_Neighbor_alltoall",
    [MAKER_INEIGHBOR] = "MPI_Ineighbor_alltoall",
    [MAKER_ALLTOALLV] = "MPI_Alltoallv", [MAKER_IALLTOALLV] = "MPI_Ialltoallv",
    [MAKER_START] = "MPI_Start",         [MAKER_IPROBE] = "MPI_Iprobe",
    [MAKER_USER] = "solve",
    [MAKER_WIN_CREATE] = "MPI_Win_create", [MAKER_WIN_FENCE] = "MPI_Win_fence",
    [MAKER_WIN_POST] = "MPI_Win_post",     [MAKER_WIN_START] = "MPI_Win_start",
    [MAKER_WIN_COMPLETE] = "MPI_Win_complete",
    [MAKER_WIN_WAIT] = "MPI_Win_wait",     [MAKER_WIN_TEST] = "MPI_Win_test",
    [MAKER_WIN_LOCK] = "MPI_Win_lock",     [MAKER_WIN_UNLOCK] = "MPI_Win_unlock",
    [MAKER_WIN_FLUSH] = "MPI_Win_flush",   [MAKER_PUT] = "MPI_Put",
    [MAKER_GET] = "MPI_Get",               [MAKER_PROBE] = "MPI_Probe",
    [MAKER_FILE_WRITE] = "MPI_File_write", [MAKER_FILE_CLOSE] = "MPI_File_close",
    [MAKER_FILE_IWRITE] = "MPI_File_iwrite",
};

static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
                                void *caller, bool final)
{
    return OTF2_FLUSH;
}

struct maker *maker_create(const char *directory, uint32_t ranks, uint32_t threads)
{
    static const OTF2_FlushCallbacks flush = { .otf2_pre_flush = pre_flush };
    struct maker *maker = need(calloc(1, sizeof *maker));

    maker->ranks = ranks;
    maker->threads = threads;
    maker->comm_count = 2;
    maker->comm_room = COMMS_FIRST;
    maker->comms = need(calloc(COMMS_FIRST, sizeof *maker->comms));
    maker->length = 100000;
    maker->writers = need(calloc((size_t)ranks * threads, sizeof(OTF2_EvtWriter *)));
    maker->events = need(calloc((size_t)ranks * threads, sizeof *maker->events));
    maker->archive = need(OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, CHUNK,
                                            4 * CHUNK, OTF2_SUBSTRATE_POSIX,
                                            OTF2_COMPRESSION_NONE));
    check(OTF2_Archive_SetFlushCallbacks(maker->archive, &flush, NULL), "flush callbacks");
    check(OTF2_Archive_SetSerialCollectiveCallbacks(maker->archive), "collective callbacks");
    check(OTF2_Archive_SetCreator(maker->archive, "maker"), "creator");
    check(OTF2_Archive_OpenEvtFiles(maker->archive), "event files");
    return maker;
}

void maker_length(struct maker *maker, uint64_t length)
{
    maker->length = length;
}

void maker_second_host(struct maker *maker, uint32_t first)
{
    maker->second_host = first;
}

/* A new communicator, not set. */
static struct made_comm *add_comm(struct maker *maker)
{
    if (maker->comm_count == maker->comm_room) {
        maker->comm_room *= 2;
        maker->comms = need(realloc(maker->comms, maker->comm_room * sizeof *maker->comms));
    }
    return &maker->comms[maker->comm_count++];
}

void maker_comm(struct maker *maker, const char *name, uint32_t parent, uint32_t count,
                const uint64_t *members)
{
    *add_comm(maker) = (struct made_comm){
        .name = name, .parent = parent, .count = { count }, .members = { members }
    };
}

void maker_inter_comm(struct maker *maker, const char *name, uint32_t parent, uint32_t count_a,
                      const uint64_t *members_a, uint32_t count_b, const uint64_t *members_b)
{
    *add_comm(maker) = (struct made_comm){ .name = name,
                                           .parent = parent,
                                           .inter = true,
                                           .count = { count_a, count_b },
                                           .members = { members_a, members_b } };
}

uint32_t maker_group(struct maker *maker, uint32_t count, const uint64_t *members)
{
    maker->groups[maker->group_count] = (struct made_group){ count, members };
    return GROUPS_FIRST + maker->group_count++;
}

void maker_window(struct maker *maker, uint32_t comm)
{
    maker->has_window = true;
    maker->window_comm = comm;
}

void maker_found(struct maker *maker)
{
    maker->tells_found = true;
}

void maker_file(struct maker *maker, uint32_t comm)
{
    maker->has_file = true;
    maker->file_comm = comm;
}

void maker_clock(struct maker *maker, uint32_t rank, uint64_t time, int64_t offset)
{
    maker->clocks[maker->clock_count++] = (struct made_clock){ rank, time, offset };
}

OTF2_EvtWriter *maker_writer(struct maker *maker, uint32_t rank, uint32_t thread)
{
    OTF2_EvtWriter **writer = &maker->writers[rank * maker->threads + thread];

    if (!*writer) {
        *writer = need(OTF2_Archive_GetEvtWriter(maker->archive, (uint64_t)thread << 32 | rank));
    }
    return *writer;
}

void maker_through(struct maker *maker, uint32_t rank, uint32_t thread)
{
    uint32_t i = rank * maker->threads + thread;

    check(OTF2_EvtWriter_GetNumberOfEvents(maker->writers[i], &maker->events[i]),
          "number of events");
    check(OTF2_Archive_CloseEvtWriter(maker->archive, maker->writers[i]), "events");
    maker->writers[i] = NULL;
}

static void write_strings(struct maker *maker, OTF2_GlobalDefWriter *global)
{
    static const char *const texts[STRINGS_FIRST_REGION] = {
        "", "mpiwatch.repeat", "mpiwatch.inside", "machine", "node", "one", "two", "Master thread",
        "Thread 1", "MPI Rank", "MPI_COMM_WORLD", "MPI_COMM_SELF",
        "mpiwatch.neighbors", "mpiwatch.sources", "window", "", "mpiwatch.marker", MAKER_MARKER,
        "mpiwatch.found_comm", "mpiwatch.found_source", "mpiwatch.found_tag"
    };

    for (uint32_t i = 0; i < STRINGS_FIRST_REGION; i++) {
        check(OTF2_GlobalDefWriter_WriteString(global, i, texts[i]), "string");
    }
    for (uint32_t i = STRINGS_FIRST_REGION; i < STRINGS_FIRST_COMM; i++) {
        uint32_t region = i - STRINGS_FIRST_REGION;

        check(OTF2_GlobalDefWriter_WriteString(
                  global, i, region < MAKER_REGIONS ? region_names[region] : ""),
              "string");
    }
    for (uint32_t i = 2; i < maker->comm_count; i++) {
        check(OTF2_GlobalDefWriter_WriteString(global, STRINGS_FIRST_COMM + i - 2,
                                               maker->comms[i].name),
              "string");
    }
}

static void write_regions(const struct maker *maker, OTF2_GlobalDefWriter *global)
{
    static const OTF2_Type found[] = { OTF2_TYPE_COMM, OTF2_TYPE_INT32, OTF2_TYPE_INT32 };

    check(OTF2_GlobalDefWriter_WriteAttribute(global, 0, 1, 0, OTF2_TYPE_UINT64), "attribute");
    check(OTF2_GlobalDefWriter_WriteAttribute(global, 1, 2, 0, OTF2_TYPE_UINT64), "attribute");
    check(OTF2_GlobalDefWriter_WriteAttribute(global, 2, 12, 0, OTF2_TYPE_GROUP), "attribute");
    check(OTF2_GlobalDefWriter_WriteAttribute(global, 3, 13, 0, OTF2_TYPE_GROUP), "attribute");
    for (uint32_t i = 0; maker->tells_found && i < 3; i++) {
        check(OTF2_GlobalDefWriter_WriteAttribute(global, FOUND_COMM + i, 18 + i, 0, found[i]),
              "attribute");
    }
    check(OTF2_GlobalDefWriter_WriteParameter(global, 0, 16, OTF2_PARAMETER_TYPE_STRING),
          "parameter");
    for (uint32_t i = 0; i < MAKER_REGIONS; i++) {
        uint32_t name = STRINGS_FIRST_REGION + i;

        check(OTF2_GlobalDefWriter_WriteRegion(
                  global, i, name, name, 0, OTF2_REGION_ROLE_FUNCTION,
                  i == MAKER_USER ? OTF2_PARADIGM_USER : OTF2_PARADIGM_MPI, OTF2_REGION_FLAG_NONE,
                  0, 0, 0),
              "region");
    }
}

/* Ranks are on node "one" or "two". */
static void write_system(struct maker *maker, OTF2_GlobalDefWriter *global)
{
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(global, 0, 3, 3,
                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE),
          "machine");
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(global, 1, 5, 4, 0), "node one");
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(global, 2, 6, 4, 0), "node two");
    for (uint32_t rank = 0; rank < maker->ranks; rank++) {
        const bool is_second = maker->second_host > 0 ? rank >= maker->second_host : rank % 2 == 1;

        check(OTF2_GlobalDefWriter_WriteLocationGroup(global, rank, 9,
                                                      OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                      is_second ? 2 : 1,
                                                      OTF2_UNDEFINED_LOCATION_GROUP),
              "location group");
    }
    for (uint32_t i = 0; i < maker->ranks * maker->threads; i++) {
        uint32_t thread = i % maker->threads;

        check(OTF2_GlobalDefWriter_WriteLocation(
                  global, (uint64_t)thread << 32 | i / maker->threads, thread ? 8 : 7,
                  OTF2_LOCATION_TYPE_CPU_THREAD, maker->events[i], i / maker->threads),
              "location");
    }
}

static void write_comms(struct maker *maker, OTF2_GlobalDefWriter *global)
{
    uint64_t *world = need(calloc(maker->ranks, sizeof *world));
    uint32_t group = 3;

    for (uint32_t i = 0; i < maker->ranks; i++) {
        world[i] = i;
    }
    check(OTF2_GlobalDefWriter_WriteGroup(global, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, maker->ranks,
                                          world),
          "locations");
    check(OTF2_GlobalDefWriter_WriteGroup(global, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, maker->ranks,
                                          world),
          "world");
    check(OTF2_GlobalDefWriter_WriteGroup(global, 2, 0, OTF2_GROUP_TYPE_COMM_SELF,
                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 0, NULL),
          "self");
    for (uint32_t i = 2; i < maker->comm_count; i++) {
        for (int side = 0; side < 1 + maker->comms[i].inter; side++) {
            check(OTF2_GlobalDefWriter_WriteGroup(global, group++, 0, OTF2_GROUP_TYPE_COMM_GROUP,
                                                  OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                                  maker->comms[i].count[side],
                                                  maker->comms[i].members[side]),
                  "group");
        }
    }
    for (uint32_t i = 0; i < maker->group_count; i++) {
        check(OTF2_GlobalDefWriter_WriteGroup(global, GROUPS_FIRST + i, 0,
                                              OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                              OTF2_GROUP_FLAG_NONE, maker->groups[i].count,
                                              maker->groups[i].members),
              "group");
    }
    check(OTF2_GlobalDefWriter_WriteComm(global, 0, 10, 1, OTF2_UNDEFINED_COMM,
                                         OTF2_COMM_FLAG_NONE),
          "world");
    check(OTF2_GlobalDefWriter_WriteComm(global, 1, 11, 2, OTF2_UNDEFINED_COMM,
                                         OTF2_COMM_FLAG_NONE),
          "self");
    group = 3;
    for (uint32_t i = 2; i < maker->comm_count; i++) {
        const struct made_comm *comm = &maker->comms[i];
        uint32_t name = STRINGS_FIRST_COMM + i - 2;

        if (comm->inter) {
            check(OTF2_GlobalDefWriter_WriteInterComm(global, i, name, group, group + 1,
                                                      comm->parent, OTF2_COMM_FLAG_NONE),
                  "intercommunicator");
        } else {
            check(OTF2_GlobalDefWriter_WriteComm(global, i, name, group, comm->parent,
                                                 OTF2_COMM_FLAG_NONE),
                  "communicator");
        }
        group += 1 + comm->inter;
    }
    free(world);
}

static void write_local(struct maker *maker)
{
    check(OTF2_Archive_OpenDefFiles(maker->archive), "definition files");
    for (uint32_t i = 0; i < maker->ranks * maker->threads; i++) {
        uint64_t location = (uint64_t)(i % maker->threads) << 32 | i / maker->threads;
        OTF2_DefWriter *local = need(OTF2_Archive_GetDefWriter(maker->archive, location));

        for (uint32_t k = 0; k < maker->clock_count; k++) {
            if (maker->clocks[k].rank == i / maker->threads) {
                check(OTF2_DefWriter_WriteClockOffset(local, maker->clocks[k].time,
                                                      maker->clocks[k].offset, 0.0),
                      "clock offset");
            }
        }
        check(OTF2_Archive_CloseDefWriter(maker->archive, local), "local definitions");
    }
    check(OTF2_Archive_CloseDefFiles(maker->archive), "definition files");
}

static void write_objects(struct maker *maker, OTF2_GlobalDefWriter *global)
{
    if (maker->has_window) {
        check(OTF2_GlobalDefWriter_WriteRmaWin(global, 0, STRING_WINDOW, maker->window_comm,
                                               OTF2_RMA_WIN_FLAG_NONE),
              "window");
    }
    if (maker->has_file) {
        check(OTF2_GlobalDefWriter_WriteIoParadigm(global, 0, 0, 0,
                                                   OTF2_IO_PARADIGM_CLASS_PARALLEL,
                                                   OTF2_IO_PARADIGM_FLAG_NONE, 0, NULL, NULL,
                                                   NULL),
              "MPI-IO");
        check(OTF2_GlobalDefWriter_WriteIoHandle(global, 0, 0, OTF2_UNDEFINED_IO_FILE, 0,
                                                 OTF2_IO_HANDLE_FLAG_NONE, maker->file_comm,
                                                 OTF2_UNDEFINED_IO_HANDLE),
              "file");
    }
}

void maker_finish(struct maker *maker)
{
    OTF2_GlobalDefWriter *global;

    for (uint32_t i = 0; i < maker->ranks * maker->threads; i++) {
        if (maker->writers[i] || maker->events[i] == 0) {
            (void)maker_writer(maker, i / maker->threads, i % maker->threads);
            maker_through(maker, i / maker->threads, i % maker->threads);
        }
    }
    write_local(maker);
    global = need(OTF2_Archive_GetGlobalDefWriter(maker->archive));
    check(OTF2_GlobalDefWriter_WriteClockProperties(global, 1000000000, 0, maker->length,
                                                    UINT64_C(1700000000000000000)),
          "clock");
    write_strings(maker, global);
    write_regions(maker, global);
    write_system(maker, global);
    write_comms(maker, global);
    write_objects(maker, global);
    check(OTF2_Archive_CloseEvtFiles(maker->archive), "event files");
    check(OTF2_Archive_Close(maker->archive), "archive");
    free(maker->comms);
    free(maker->events);
    free(maker->writers);
    free(maker);
}
