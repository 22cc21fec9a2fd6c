/*
 * libotf2_reads DIRECTORY: what libotf2 takes to read all events of the archive, location after
 * location, for callbacks of entering and leaving that do nothing. Prints how many events it read:
 * the yardstick of test/bench/speed.py.
 */
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

struct locations {
    OTF2_LocationRef *list;
    uint64_t count, capacity;
};

static OTF2_CallbackCode take_location(void *user, OTF2_LocationRef id, OTF2_StringRef name,
                                       OTF2_LocationType type, uint64_t events,
                                       OTF2_LocationGroupRef group)
{
    struct locations *locations = user;

    if (locations->count < locations->capacity) {
        locations->list[locations->count++] = id;
    }
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode take_call(OTF2_LocationRef location, OTF2_TimeStamp time,
                                   uint64_t position, void *user,
                                   OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    return OTF2_CALLBACK_SUCCESS;
}

static void read_definitions(OTF2_Reader *reader, struct locations *locations)
{
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    uint64_t read;

    OTF2_Reader_GetNumberOfLocations(reader, &locations->capacity);
    locations->list = calloc(locations->capacity + 1, sizeof *locations->list);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, take_location);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, locations);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read);
}

static uint64_t read_events(OTF2_Reader *reader, OTF2_LocationRef location,
                            OTF2_EvtReaderCallbacks *callbacks)
{
    OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader, location);
    uint64_t read = 0;

    OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, NULL);
    OTF2_Reader_ReadAllLocalEvents(reader, events, &read);
    OTF2_Reader_CloseEvtReader(reader, events);
    return read;
}

int main(int argc, char **argv)
{
    struct locations locations = { .list = NULL };
    OTF2_EvtReaderCallbacks *callbacks;
    OTF2_Reader *reader;
    char path[4096];
    uint64_t events = 0;

    if (argc != 2) {
        fprintf(stderr, "usage: libotf2_reads DIRECTORY\n");
        return 2;
    }
    snprintf(path, sizeof path, "%s/traces.otf2", argv[1]);
    reader = OTF2_Reader_Open(path);
    if (!reader) {
        return 3;
    }
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    read_definitions(reader, &locations);
    for (uint64_t i = 0; i < locations.count; i++) {
        OTF2_Reader_SelectLocation(reader, locations.list[i]);
    }
    OTF2_Reader_OpenEvtFiles(reader);
    callbacks = OTF2_EvtReaderCallbacks_New();
    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, take_call);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, take_call);
    for (uint64_t i = 0; i < locations.count; i++) {
        events += read_events(reader, locations.list[i], callbacks);
    }
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    OTF2_Reader_CloseEvtFiles(reader);
    OTF2_Reader_Close(reader);
    free(locations.list);
    printf("%" PRIu64 "\n", events);
    return 0;
}
