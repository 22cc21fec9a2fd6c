/*
 * Names alone are not enough: many machines are called localhost, and a container on one has a name
 * of its own.
 */
#include "formats/base/host_key.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

void mw_host_key_own(struct mw_host_key *key)
{
    int descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

    memset(key, 0, sizeof *key);
    if (descriptor >= 0) {
        if (read(descriptor, key->boot_id, sizeof key->boot_id - 1) < 0) {
            key->boot_id[0] = '\0';
        }
        close(descriptor);
    }
    if (gethostname(key->name, sizeof key->name) != 0) {
        memset(key->name, 0, sizeof key->name);
    }
    key->name[sizeof key->name - 1] = '\0';
}
