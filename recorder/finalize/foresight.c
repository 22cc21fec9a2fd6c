/*
 * How much a run will record, nobody knows before. A call takes 5 to 15 bytes of a spool and about
 * as many of the archive, so that what has less room than ROOM_BYTES for a rank is full after one
 * or two million calls of it, which many programs make in seconds.
 */
#include "recorder/finalize/foresight.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>

#include "formats/spool/spool_writer.h"
#include "recorder/finalize/outcome.h"

#define ROOM_BYTES (UINT64_C(16) << 20)
#define BYTES_OF_A_CALL 10u

void mwr_foresight_take_trouble(struct mwr_foresight *foresight, uint32_t rank,
                                const char *reason)
{
    if (foresight->without++ == 0) {
        foresight->first = rank;
        snprintf(foresight->reason, sizeof foresight->reason, "%s", reason);
    }
}

void mwr_foresight_take_room(struct mwr_foresight *foresight, uint32_t rank, uint64_t room,
                             const char *spool)
{
    if (room > 0 && (foresight->room == 0 || room < foresight->room)) {
        foresight->room = room;
        foresight->rank = rank;
        snprintf(foresight->spool, sizeof foresight->spool, "%s", spool);
    }
}

/* calls, as thousands where there are thousands. */
static uint64_t about(uint64_t calls)
{
    return calls < 1000 ? calls : calls / 1000 * 1000;
}

static void say_trouble(const struct mwr_foresight *foresight)
{
    if (foresight->without == 1) {
        mwr_say("rank %u records nothing: %s", foresight->first, foresight->reason);
    } else if (foresight->without > 1) {
        mwr_say("%u of %u ranks record nothing; of rank %u: %s", foresight->without,
                mwr_recorder.size, foresight->first, foresight->reason);
    }
}

static bool wraps(void)
{
    return mwr_recorder.settings.on_full == MWR_ON_FULL_WRAP;
}

/* Unless the user has said how much it may be. */
static void say_room(const struct mwr_foresight *foresight)
{
    char bytes[32];
    char least[32];

    if (mwr_recorder_has_no_room(foresight->room)) {
        mwr_say("rank %u has room for %s in %s, and a spool takes %s: its calls will be LOST; "
                "--spool names another place",
                foresight->rank, mwr_bytes_text(bytes, sizeof bytes, foresight->room),
                foresight->spool,
                mwr_bytes_text(least, sizeof least, mw_spool_bytes_min(wraps())));
    } else if (foresight->room > 0 && foresight->room < ROOM_BYTES &&
        mwr_recorder.settings.max_spool == 0) {
        mwr_say("rank %u has room for %s in %s, some %" PRIu64 " calls: %s; --spool names another "
                "place",
                foresight->rank, mwr_bytes_text(bytes, sizeof bytes, foresight->room),
                foresight->spool, about(foresight->room / BYTES_OF_A_CALL),
                wraps() ? "earlier ones go" : "later ones will be LOST");
    }
}

/* The directory that text, a path, lies in. */
static void cut_name(char *text)
{
    char *slash = strrchr(text, '/');

    if (slash) {
        slash[slash == text] = '\0';
    }
}

static void say_room_of_archive(void)
{
    char directory[MWR_PATH_BYTES];
    struct statvfs space;
    char bytes[32];
    uint64_t room;

    memcpy(directory, mwr_recorder.output, sizeof directory);
    cut_name(directory);
    if (statvfs(directory, &space) != 0) {
        return; /* as NAME.run could not be written there either, which is said */
    }
    room = (uint64_t)space.f_bavail * space.f_frsize;
    if (room / ROOM_BYTES < mwr_recorder.size) {
        mwr_say("%s has room for %s, some %" PRIu64 " calls of each rank: of more, no archive can "
                "be written; --output names another place",
                directory, mwr_bytes_text(bytes, sizeof bytes, room),
                about(room / mwr_recorder.size / BYTES_OF_A_CALL));
    }
}

void mwr_foresight_say(const struct mwr_foresight *foresight)
{
    say_trouble(foresight);
    say_room(foresight);
    say_room_of_archive();
}
