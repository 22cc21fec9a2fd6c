/*
 * Readers show objects by their names, and programs seldom name a window: it is
 * called after its communicator and the call that made it, as communicators are.
 */
#include "formats/archive/object_definitions.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/table/calls.h"

#define PARADIGM_MPI_IO 0u
#define MACHINE_NODE 0u

static uint32_t comm_of(const struct mw_defining *defining, struct mw_uid uid)
{
    uint32_t comm = mw_merged_find_comm(defining->merged, uid);

    return comm != MW_MERGED_NONE ? comm : OTF2_UNDEFINED_COMM;
}

/* A window that the program did not name: "MPI_COMM_WORLD/MPI_Win_create#2". */
static uint32_t name_of_window(struct mw_defining *defining, const struct mw_merged_object *object,
                               uint32_t comm)
{
    const struct mw_define_object *define = &object->define;
    const char *parent = comm != OTF2_UNDEFINED_COMM ? defining->merged->comms[comm].name : "?";
    const char *call = mw_call_name(define->call);
    char name[512];

    if (object->name && object->name[0]) {
        return mw_defining_string(defining, object->name);
    }
    snprintf(name, sizeof name, "%s/%s#%" PRIu32, parent, call ? call : "window",
             define->sequence);
    return mw_defining_string(defining, name);
}

static void define_window(struct mw_defining *defining, const struct mw_merged_object *object)
{
    uint32_t comm = comm_of(defining, object->define.comm);
    uint32_t name = name_of_window(defining, object, comm);

    mw_defining_note(defining,
                     OTF2_GlobalDefWriter_WriteRmaWin(defining->writer, object->id, name, comm,
                                                      OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS));
}

static void define_file(struct mw_defining *defining, const struct mw_merged_object *object)
{
    uint32_t name;

    if (object->id == 0) {
        uint32_t paradigm = mw_defining_string(defining, "MPI-IO");

        mw_defining_note(defining, OTF2_GlobalDefWriter_WriteIoParadigm(
                                       defining->writer, PARADIGM_MPI_IO, paradigm, paradigm,
                                       OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE,
                                       0, NULL, NULL, NULL));
    }
    name = mw_defining_string(defining, object->define.name);
    mw_defining_note(defining, OTF2_GlobalDefWriter_WriteIoRegularFile(defining->writer, object->id,
                                                                       name, MACHINE_NODE));
}

static void define_handle(struct mw_defining *defining, const struct mw_merged_object *object)
{
    const struct mw_merged_object *file =
        mw_objects_find(&defining->merged->objects, MW_OBJECT_FILE, object->define.file);
    uint32_t name = mw_defining_string(defining, object->define.name);

    mw_defining_note(defining, OTF2_GlobalDefWriter_WriteIoHandle(
                                   defining->writer, object->id, name,
                                   file ? file->id : OTF2_UNDEFINED_IO_FILE, PARADIGM_MPI_IO,
                                   OTF2_IO_HANDLE_FLAG_NONE, comm_of(defining, object->define.comm),
                                   OTF2_UNDEFINED_IO_HANDLE));
}

void mw_object_definitions_write(struct mw_defining *defining)
{
    static void (*const define[MW_OBJECT_KIND_COUNT])(struct mw_defining *,
                                                      const struct mw_merged_object *) = {
        [MW_OBJECT_WINDOW] = define_window,
        [MW_OBJECT_FILE] = define_file,
        [MW_OBJECT_HANDLE] = define_handle,
    };
    const struct mw_merged_objects *objects = &defining->merged->objects;

    for (unsigned kind = 0; kind < MW_OBJECT_KIND_COUNT; kind++) {
        for (uint32_t i = 0; i < objects->count; i++) {
            if (objects->objects[i].define.kind == kind) {
                define[kind](defining, &objects->objects[i]);
            }
        }
    }
}

OTF2_ErrorCode mw_object_maps_write(OTF2_DefWriter *writer, const struct mw_object_map *map)
{
    static const OTF2_MappingType types[MW_OBJECT_KIND_COUNT] = {
        [MW_OBJECT_WINDOW] = OTF2_MAPPING_RMA_WIN,
        [MW_OBJECT_FILE] = OTF2_MAPPING_IO_FILE,
        [MW_OBJECT_HANDLE] = OTF2_MAPPING_IO_HANDLE,
    };
    OTF2_ErrorCode code = OTF2_SUCCESS;

    for (unsigned kind = 0; code == OTF2_SUCCESS && kind < MW_OBJECT_KIND_COUNT; kind++) {
        if (map->counts[kind] > 0) {
            OTF2_IdMap *ids =
                OTF2_IdMap_CreateFromUint32Array(map->counts[kind], map->ids[kind], false);

            if (!ids) {
                return OTF2_ERROR_MEM_ALLOC_FAILED;
            }
            code = OTF2_DefWriter_WriteMappingTable(writer, types[kind], ids);
            OTF2_IdMap_Free(ids);
        }
    }
    return code;
}
