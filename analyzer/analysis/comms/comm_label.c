/*
 * The same default name may stand for thousands of communicators, and a name that
 * a program gives for as many: only with how it was made can a reader tell rows
 * apart. Long names are cut between characters, since the texts go to screens and
 * into JSON.
 */
#include "analyzer/analysis/comms/comm_label.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const char *mwa_comm_making(const struct mwa_trace *trace, const struct mwa_comm *comm)
{
    const char *parent = comm->parent != MWA_NONE ? trace->comms[comm->parent].default_name : NULL;
    size_t length = parent ? strlen(parent) : 0;

    if (!comm->default_name || comm->predefined) {
        return NULL;
    }
    if (parent && strncmp(comm->default_name, parent, length) == 0 &&
        comm->default_name[length] == '/') {
        return comm->default_name + length + 1;
    }
    return comm->default_name;
}

/* Bytes of text that go into so many, whole characters (UTF-8) only. */
static int whole(const char *text, size_t room)
{
    size_t length = strlen(text);

    if (length > room) {
        for (length = room; length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80;) {
            length--;
        }
    }
    return (int)length;
}

const char *mwa_comm_label(const struct mwa_trace *trace, uint32_t index, char *text)
{
    const struct mwa_comm *comm = &trace->comms[index];
    const char *making = mwa_comm_making(trace, comm);
    const char *name = comm->name[0] ? comm->name : "(no name)";

    if (making && strcmp(comm->name, comm->default_name) != 0) {
        snprintf(text, MWA_COMM_LABEL_BYTES, "%.*s (%.*s)", whole(name, 160), name,
                 whole(making, 80), making);
    } else {
        snprintf(text, MWA_COMM_LABEL_BYTES, "%.*s", whole(name, MWA_COMM_LABEL_BYTES - 1), name);
    }
    return text;
}

const char *mwa_comm_identity(const struct mwa_comm *comm, char *text)
{
    snprintf(text, MWA_COMM_UID_BYTES, "otf2:%" PRIu64, (uint64_t)comm->id);
    return comm->uid ? comm->uid : text;
}
