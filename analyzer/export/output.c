#include "analyzer/export/output.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "formats/file.h"

enum mw_status mwa_output_open(struct mwa_output *output, const char *path,
                               struct mw_diagnostic *diagnostic)
{
    struct stat about;
    bool direct = stat(path, &about) == 0 && !S_ISREG(about.st_mode);
    int length = snprintf(output->partial, sizeof output->partial, "%s%s", path,
                          direct ? "" : ".partial");

    output->path = path;
    output->file = NULL;
    if (length < 0 || (size_t)length >= sizeof output->partial) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, path, MW_DIAGNOSTIC_OFFSET_NONE,
                       "the path is too long");
    }
    output->file = fopen(output->partial, "w");
    return output->file ? MW_OK
                        : mw_fail(diagnostic, mw_file_write_error(), path,
                                  MW_DIAGNOSTIC_OFFSET_NONE, "cannot write");
}

enum mw_status mwa_output_close(struct mwa_output *output, enum mw_status status,
                                struct mw_diagnostic *diagnostic)
{
    bool direct = strcmp(output->partial, output->path) == 0;
    bool failed = fflush(output->file) != 0 || ferror(output->file);

    if (diagnostic && !diagnostic->where[0] &&
        (status == MW_ERROR_SPACE || status == MW_ERROR_SYSTEM)) {
        snprintf(diagnostic->where, sizeof diagnostic->where, "%s", output->path);
    }
    failed |= fclose(output->file) != 0;
    failed |= !failed && status == MW_OK && !direct && rename(output->partial, output->path) != 0;
    if (failed && status == MW_OK) {
        status = mw_fail(diagnostic, mw_file_write_error(), output->path,
                         MW_DIAGNOSTIC_OFFSET_NONE, "cannot write the output");
    }
    if (status != MW_OK && !direct) {
        unlink(output->partial);
    }
    return status;
}
