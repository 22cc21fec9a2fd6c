/* Without a launcher no MPI is looked for: spools are recovered also where there is none. */
#include "config.h"

#include "recorder/recover/together.h"

#include "formats/archive/lent_library.h"
#include "formats/base/launched_job.h"

enum mw_status mwr_together_begin(struct mw_transport *transport,
                                  struct mw_diagnostic *diagnostic)
{
    return mw_launched_size() > 1 ? mw_lent_begin(NULL, PACKAGE_STRING, transport, diagnostic)
                                  : mw_transport_serial_init(transport, diagnostic);
}
