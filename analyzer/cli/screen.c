/* Commands print to a file as ever, and know nothing of how wide a screen is. */
#include "analyzer/cli/screen.h"

#include <stdlib.h>

#include "analyzer/model/shortage.h"
#include "analyzer/model/text_stream.h"
#include "analyzer/table/layout.h"

unsigned mwa_screen_columns(const struct mwa_options *options)
{
    return mwa_layout_columns(options->width, !options->output);
}

enum mw_status mwa_screen_open(struct mwa_screen_text *text, struct mw_diagnostic *diagnostic)
{
    *text = (struct mwa_screen_text){ .length = 0 };
    text->file = mwa_open_text(&text->text, &text->length);
    return text->file ? MW_OK : mw_no_memory(diagnostic, NULL, "for the text");
}

enum mw_status mwa_screen_close(struct mwa_screen_text *text, unsigned columns, FILE *out,
                                struct mw_diagnostic *diagnostic)
{
    const bool is_whole = fclose(text->file) == 0 && !mwa_shortage_seen();

    if (is_whole) {
        mwa_lay_out(text->text, text->length, columns, out);
    }
    free(text->text);
    return is_whole ? MW_OK : mw_no_memory(diagnostic, NULL, "for the text");
}
