#include "formats/merge/merge_texts.h"

#include <stdlib.h>
#include <string.h>

#include "formats/base/array.h"
#include "formats/spool/definition_layout.h"

static bool text_is(const void *context, uint32_t index, const void *key)
{
    return strcmp(((char *const *)context)[index], key) == 0;
}

/* Finds the text, or keeps it; null without memory. */
static const char *keep(struct mw_merged_texts *texts, const char *text)
{
    uint64_t hash = mw_hash_bytes(MW_HASH_START, text, strlen(text));
    uint32_t index = mw_index_find(&texts->by_text, hash, text_is, texts->texts, text);
    char *kept;

    if (index != MW_INDEX_NONE) {
        return texts->texts[index];
    }
    kept = strdup(text);
    if (!kept || !mw_array_grow((void **)&texts->texts, texts->count, sizeof *texts->texts) ||
        !mw_index_add(&texts->by_text, hash, texts->count)) {
        free(kept);
        return NULL;
    }
    texts->texts[texts->count++] = kept;
    return kept;
}

bool mw_merge_keep_texts(struct mw_merged_texts *texts, struct mw_definition *definition)
{
    const struct mw_definition_layout *layout = mw_definition_layout(definition->kind);
    bool enough = true;

    for (size_t i = 0; enough && layout && i < layout->count; i++) {
        const struct mw_field *field = &layout->fields[i];

        if (field->type == MW_FIELD_TEXT) {
            const char **text = (const char **)(void *)((char *)&definition->of + field->offset);

            *text = keep(texts, *text);
            enough = *text;
        }
    }
    return enough;
}

void mw_merged_texts_fini(struct mw_merged_texts *texts)
{
    for (uint32_t i = 0; i < texts->count; i++) {
        free(texts->texts[i]);
    }
    free(texts->texts);
    mw_index_fini(&texts->by_text);
    memset(texts, 0, sizeof *texts);
}
