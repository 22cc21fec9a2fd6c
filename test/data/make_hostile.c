/*
 * make_hostile NAME DIRECTORY: writes an OTF2 archive that libotf2 lets pass and nobody
 * should believe, one lie each; without arguments lists the names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <otf2/otf2.h>

enum lie {
    LIE_NONE,
    LIE_STRING,    /* a region's name is string 99 */
    LIE_GROUP,     /* the communicator's group is 99 */
    LIE_PARENT,    /* the location group hangs below node 99 */
    LIE_TWICE,     /* the region is defined twice */
    LIE_MEMBER,    /* the communicator has a member that is no rank */
    LIE_WORLD,     /* the world has a location that is not there */
    LIE_COUNT,     /* the location says it has 1000 events */
    LIE_MILLION,   /* a million locations without files */
    LIE_REGION,    /* an event enters region 99 */
    LIE_COMM,      /* a message on communicator 99 */
    LIE_PEER,      /* a message to rank 99 */
    LIE_LEAVE,     /* a region is left that was not entered */
    LIE_METRIC,    /* a sample of metric 99 */
    LIE_SOURCES,   /* an operation takes something from group 99 */
    LIE_WINDOW,    /* a rank is waited for on window 99 */
    LIE_TARGET,    /* rank 99 of a window is locked */
    LIES
};

static const char *const names[LIES] = { "none", "string", "group", "parent", "twice",
                                         "member", "world", "count", "million", "region",
                                         "comm", "peer", "leave", "metric", "sources",
                                         "window", "target" };

static OTF2_FlushType on_flush(void *user, OTF2_FileType type, OTF2_LocationRef location,
                               void *caller, bool final)
{
    return OTF2_FLUSH;
}

/* Calls in the region are collective, and say whom something comes from. */
static void write_collective(OTF2_EvtWriter *writer, OTF2_GroupRef sources)
{
    OTF2_AttributeList *list = OTF2_AttributeList_New();

    OTF2_AttributeList_AddGroupRef(list, 0, sources);
    OTF2_EvtWriter_Enter(writer, NULL, 50, 0);
    OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, 50);
    OTF2_EvtWriter_MpiCollectiveEnd(writer, list, 60, OTF2_COLLECTIVE_OP_ALLTOALLV, 0,
                                    OTF2_UNDEFINED_UINT32, 8, 8);
    OTF2_EvtWriter_Leave(writer, NULL, 60, 0);
    OTF2_AttributeList_Delete(list);
}

static void write_events(OTF2_Archive *archive, enum lie lie)
{
    OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, 0);
    OTF2_Type type = OTF2_TYPE_UINT64;
    OTF2_MetricValue value = { .unsigned_int = 1 };

    OTF2_EvtWriter_Enter(writer, NULL, 10, lie == LIE_REGION ? 99 : 0);
    OTF2_EvtWriter_MpiSend(writer, NULL, 10, lie == LIE_PEER ? 99 : 0, lie == LIE_COMM ? 99 : 0,
                           7, 8);
    OTF2_EvtWriter_Leave(writer, NULL, 20, lie == LIE_REGION ? 99 : 0);
    OTF2_EvtWriter_Enter(writer, NULL, 30, 0);
    OTF2_EvtWriter_MpiRecv(writer, NULL, 40, 0, 0, 7, 8);
    OTF2_EvtWriter_Leave(writer, NULL, 40, 0);
    if (lie == LIE_LEAVE) {
        OTF2_EvtWriter_Leave(writer, NULL, 50, 0);
    }
    if (lie == LIE_METRIC) {
        OTF2_EvtWriter_Metric(writer, NULL, 50, 99, 1, &type, &value);
    }
    if (lie == LIE_SOURCES) {
        write_collective(writer, 99);
    }
    if (lie == LIE_WINDOW) {
        OTF2_EvtWriter_RmaSync(writer, NULL, 50, 99, 0, OTF2_RMA_SYNC_TYPE_NOTIFY_IN);
    }
    if (lie == LIE_TARGET) {
        OTF2_EvtWriter_RmaAcquireLock(writer, NULL, 50, 0, 99, 1, OTF2_LOCK_EXCLUSIVE);
    }
    OTF2_Archive_CloseEvtWriter(archive, writer);
}

static void write_places(OTF2_GlobalDefWriter *writer, enum lie lie)
{
    uint64_t events = lie == LIE_COUNT                           ? 1000
                      : lie == LIE_LEAVE || lie == LIE_METRIC ? 7
                      : lie == LIE_WINDOW || lie == LIE_TARGET ? 7
                      : lie == LIE_SOURCES                    ? 10
                                                              : 6;

    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    OTF2_GlobalDefWriter_WriteLocationGroup(writer, 0, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                            lie == LIE_PARENT ? 99 : 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
    OTF2_GlobalDefWriter_WriteLocation(writer, 0, 0, OTF2_LOCATION_TYPE_CPU_THREAD, events, 0);
    for (uint64_t i = 1; lie == LIE_MILLION && i < 1000000; i++) {
        OTF2_GlobalDefWriter_WriteLocation(writer, i, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 2, 0);
    }
}

static void write_definitions(OTF2_Archive *archive, enum lie lie)
{
    OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);
    const uint64_t world[] = { 0, 77 };
    const uint64_t members[] = { 0, 5 };

    OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000000, 0, 100, 0);
    OTF2_GlobalDefWriter_WriteString(writer, 0, "MPI_Sendrecv");
    OTF2_GlobalDefWriter_WriteString(writer, 1, "mpiwatch.sources");
    OTF2_GlobalDefWriter_WriteAttribute(writer, 0, 1, 1, OTF2_TYPE_GROUP);
    write_places(writer, lie);
    for (int i = 0; i < (lie == LIE_TWICE ? 2 : 1); i++) {
        OTF2_GlobalDefWriter_WriteRegion(writer, 0, lie == LIE_STRING ? 99 : 0, 0, 0,
                                         OTF2_REGION_ROLE_POINT2POINT, OTF2_PARADIGM_MPI,
                                         OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0);
    }
    OTF2_GlobalDefWriter_WriteGroup(writer, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                    OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                    lie == LIE_WORLD ? 2 : 1, world);
    OTF2_GlobalDefWriter_WriteGroup(writer, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, lie == LIE_MEMBER ? 2 : 1, members);
    OTF2_GlobalDefWriter_WriteComm(writer, 0, 0, lie == LIE_GROUP ? 99 : 1, OTF2_UNDEFINED_COMM,
                                   OTF2_COMM_FLAG_NONE);
    OTF2_GlobalDefWriter_WriteRmaWin(writer, 0, 0, 0, OTF2_RMA_WIN_FLAG_NONE);
    OTF2_Archive_CloseGlobalDefWriter(archive, writer);
}

static void write_archive(const char *directory, enum lie lie)
{
    static const OTF2_FlushCallbacks flush = { on_flush, NULL };
    OTF2_Archive *archive = OTF2_Archive_Open(directory, "traces", OTF2_FILEMODE_WRITE, 262144,
                                              4194304, OTF2_SUBSTRATE_POSIX,
                                              OTF2_COMPRESSION_NONE);
    OTF2_DefWriter *local;

    OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    write_events(archive, lie);
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_Archive_OpenDefFiles(archive);
    local = OTF2_Archive_GetDefWriter(archive, 0);
    OTF2_Archive_CloseDefWriter(archive, local);
    OTF2_Archive_CloseDefFiles(archive);
    write_definitions(archive, lie);
    OTF2_Archive_Close(archive);
}

int main(int argc, char **argv)
{
    for (int i = 0; i < LIES; i++) {
        if (argc != 3) {
            puts(names[i]);
        } else if (strcmp(argv[1], names[i]) == 0) {
            write_archive(argv[2], (enum lie)i);
            return 0;
        }
    }
    return argc != 3 ? 0 : 2;
}
