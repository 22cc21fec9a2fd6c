/*
 * All terms are tried and the last one that fits counts, so that a user adds to
 * "default" without repeating it. What is known of single variables (dangers,
 * classes that the MPI tells wrongly) stands in tables, since no MPI can be asked
 * for it.
 */
#include "recorder/variables/pvar_selection.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/archive/archive_words.h"

static const char *const verbosity_words[] = {
    "USER_BASIC", "USER_DETAIL", "USER_ALL", "TUNER_BASIC", "TUNER_DETAIL",
    "TUNER_ALL", "MPIDEV_BASIC", "MPIDEV_DETAIL", "MPIDEV_ALL"};

#define VERBOSITIES (sizeof verbosity_words / sizeof verbosity_words[0])

uint32_t mwr_verbosity_of_word(const char *word)
{
    for (uint32_t i = 0; i < VERBOSITIES; i++) {
        if (strcmp(verbosity_words[i], word) == 0) {
            return i + 1;
        }
    }
    return 0;
}

const char *mwr_verbosity_word(uint32_t verbosity)
{
    return verbosity >= 1 && verbosity <= VERBOSITIES ? verbosity_words[verbosity - 1] : "?";
}

/* --- reading ---------------------------------------------------------------- */

/*
 * Reads "world,halo*": words go to the set, what is none of them to names (of
 * MWR_PATTERN_BYTES), as globs; false: there is nothing.
 */
static bool read_comms(const char *text, uint32_t *comms, char *names)
{
    static const char *const words[] = {"world", "self", "named", "registered", "all"};
    size_t used = 0;

    *comms = 0;
    names[0] = '\0';
    while (*text) {
        size_t length = strcspn(text, ",");
        bool is_word = false;

        for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) {
            if (strlen(words[i]) == length && strncmp(words[i], text, length) == 0) {
                *comms |= 1u << i;
                is_word = true;
            }
        }
        if (!is_word && length > 0) {
            used += (size_t)snprintf(names + used, MWR_PATTERN_BYTES - used, "%s%.*s",
                                     used > 0 ? "," : "", (int)length, text);
        }
        text += length + (text[length] == ',');
    }
    return *comms != 0 || used > 0;
}

static bool read_classes(const char *text, uint32_t *classes)
{
    *classes = 0;
    while (*text) {
        size_t length = strcspn(text, ",");
        uint32_t class = mw_class_of(text, length);

        if (class == MW_CLASS_COUNT) {
            return false;
        }
        *classes |= 1u << class;
        text += length + (text[length] == ',');
    }
    return *classes != 0;
}

/* Whether words, with commas between, has word. */
static bool has_word(const char *words, const char *word)
{
    size_t length;

    for (; *words; words += length + (words[length] == ',')) {
        length = strcspn(words, ",");
        if (strlen(word) == length && strncmp(words, word, length) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether each of words is one of MPI_T's scopes, without its prefix. */
static bool are_scopes(const char *words)
{
    static const char scopes[] = "CONSTANT,READONLY,LOCAL,GROUP,GROUP_EQ,ALL,ALL_EQ";
    char word[MWR_PATTERN_BYTES];
    bool any = false;
    size_t length;

    for (; *words; words += length + (words[length] == ',')) {
        length = strcspn(words, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        if (!has_word(scopes, word)) {
            return false;
        }
        any = true;
    }
    return any;
}

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* Reads a name's glob, with a class behind it perhaps. */
static bool read_name(char *text, struct mwr_term *term)
{
    char *colon = strchr(text, ':');

    term->kind = MWR_BY_NAME;
    term->classes = UINT32_MAX;
    if (colon) {
        *colon = '\0';
        if (!read_classes(colon + 1, &term->classes)) {
            return false;
        }
    }
    snprintf(term->pattern, sizeof term->pattern, "%s", text);
    return text[0] != '\0';
}

/* Reads one term, which is altered. */
static bool read_term(char *text, struct mwr_term *term)
{
    char *at = strstr(text, "@comm=");

    *term = (struct mwr_term){.comms = MWR_COMMS_WORLD | MWR_COMMS_NAMED};
    if (at) {
        *at = '\0';
        if (!read_comms(at + strlen("@comm="), &term->comms, term->comm_names)) {
            return false;
        }
    }
    if (text[0] == '!') {
        term->is_excluded = true;
        text++;
    }
    if (starts_with(text, "class:")) {
        term->kind = MWR_BY_CLASS;
        return read_classes(text + strlen("class:"), &term->classes);
    }
    if (starts_with(text, "cat:") || starts_with(text, "bind:")) {
        term->kind = text[0] == 'c' ? MWR_BY_CATEGORY : MWR_BY_BIND;
        snprintf(term->pattern, sizeof term->pattern, "%s", strchr(text, ':') + 1);
        return term->pattern[0] != '\0';
    }
    if (starts_with(text, "scope:")) {
        term->kind = MWR_BY_SCOPE;
        snprintf(term->pattern, sizeof term->pattern, "%s", strchr(text, ':') + 1);
        return are_scopes(term->pattern);
    }
    if (starts_with(text, "verb<=")) {
        term->kind = MWR_BY_VERBOSITY;
        term->verbosity = mwr_verbosity_of_word(text + strlen("verb<="));
        return term->verbosity > 0;
    }
    return read_name(text, term);
}

static enum mw_status add_terms(struct mwr_selection *selection, const char *text,
                                struct mw_diagnostic *diagnostic);

static enum mw_status add_term(struct mwr_selection *selection, const char *text, size_t length,
                               struct mw_diagnostic *diagnostic)
{
    char copy[MWR_PATTERN_BYTES];

    if (length < sizeof copy) {
        snprintf(copy, sizeof copy, "%.*s", (int)length, text);
        if (strcmp(copy, "default") == 0) {
            return add_terms(selection, MWR_PVARS_DEFAULT, diagnostic);
        }
        if (strcmp(copy, "none") == 0 || strcmp(copy, "all") == 0) {
            selection->count = 0;
            return copy[0] == 'n' ? MW_OK : add_term(selection, "*@comm=all", 10, diagnostic);
        }
    }
    if (length >= sizeof copy || selection->count == MWR_TERMS_MAX ||
        !read_term(copy, &selection->terms[selection->count])) {
        return mw_fail(diagnostic, MW_ERROR_USAGE, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "\"%.*s\" is no selection of variables such as pml_*, class:LEVEL, "
                       "verb<=USER_ALL or !NAME",
                       (int)(length < 60 ? length : 60), text);
    }
    selection->count++;
    return MW_OK;
}

static enum mw_status add_terms(struct mwr_selection *selection, const char *text,
                                struct mw_diagnostic *diagnostic)
{
    static const char separators[] = "; \t\n";

    text += strspn(text, separators);
    while (*text) {
        size_t length = strcspn(text, separators);
        enum mw_status status = add_term(selection, text, length, diagnostic);

        if (status != MW_OK) {
            return status;
        }
        text += length;
        text += strspn(text, separators);
    }
    return MW_OK;
}

enum mw_status mwr_selection_parse(struct mwr_selection *selection, const char *text,
                                   struct mw_diagnostic *diagnostic)
{
    selection->count = 0;
    return add_terms(selection, text, diagnostic);
}

/* --- matching ----------------------------------------------------------------- */

static bool fits(const struct mwr_term *term, const struct mwr_candidate *candidate)
{
    switch (term->kind) {
    case MWR_BY_NAME:
        return fnmatch(term->pattern, candidate->name, 0) == 0 &&
               (term->classes == UINT32_MAX || term->classes >> candidate->class & 1);
    case MWR_BY_CLASS:
        return term->classes >> candidate->class & 1;
    case MWR_BY_CATEGORY:
        return candidate->is_in_category && candidate->is_in_category(candidate, term->pattern);
    case MWR_BY_BIND:
        return fnmatch(term->pattern, candidate->bind, 0) == 0;
    case MWR_BY_VERBOSITY:
        return candidate->verbosity <= term->verbosity;
    case MWR_BY_SCOPE:
        return candidate->scope && has_word(term->pattern, candidate->scope);
    }
    return false;
}

const struct mwr_term *mwr_selection_takes(const struct mwr_selection *selection,
                                           const struct mwr_candidate *candidate)
{
    const struct mwr_term *last = NULL;

    for (unsigned i = 0; i < selection->count; i++) {
        if (fits(&selection->terms[i], candidate)) {
            last = &selection->terms[i];
        }
    }
    return last && !last->is_excluded ? last : NULL;
}

bool mwr_term_takes_comm(const struct mwr_term *term, uint32_t sets, const char *name)
{
    const char *glob = term->comm_names;
    char copy[MWR_PATTERN_BYTES];

    if (term->comms & (sets | MWR_COMMS_ALL)) {
        return true;
    }
    while (name && *glob) {
        size_t length = strcspn(glob, ",");

        snprintf(copy, sizeof copy, "%.*s", (int)length, glob);
        if (fnmatch(copy, name, 0) == 0) {
            return true;
        }
        glob += length + (glob[length] == ',');
    }
    return false;
}

/* --- what is known of variables -------------------------------------------------- */

struct danger {
    const char *pattern;
    const char *reason;
};

static const char *find_danger(const struct danger *dangers, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (fnmatch(dangers[i].pattern, name, 0) == 0) {
            return dangers[i].reason;
        }
    }
    return NULL;
}

/* Whether all windows are those of Open MPI's component osc/rdma, as the user says. */
static bool is_osc_rdma_alone(void)
{
    const char *components = getenv("OMPI_MCA_osc");

    return components && strcmp(components, "rdma") == 0;
}

const char *mwr_pvar_danger(const char *name)
{
    static const struct danger dangers[] = {
        {"osc_rdma_*", "reads memory past a window of another component than osc/rdma; with "
                       "--mca osc rdma, where there is no other, it can be recorded"},
        {"mtl_psm*", "left behind by a component that Open MPI has unloaded; touching it crashes"},
        {"pml_monitoring_flush", "binding it sets all monitoring counters to 0"},
    };

    if (is_osc_rdma_alone() && strncmp(name, "osc_rdma_", strlen("osc_rdma_")) == 0) {
        return NULL;
    }
    return find_danger(dangers, sizeof dangers / sizeof dangers[0], name);
}

const char *mwr_cvar_danger(const char *name)
{
    static const char unloaded[] =
        "left behind by a component that Open MPI has unloaded; reading it crashes";
    static const struct danger dangers[] = {
        {"opal_common_ofi_*", unloaded}, {"opal_common_ucx_*", unloaded},
        {"btl_ofi_verbose", unloaded}, {"mtl_ofi_verbose", unloaded}, /* the first one's, too */
        {"osc_ucx_*", unloaded}, {"pml_ucx_*", unloaded}};

    return find_danger(dangers, sizeof dangers / sizeof dangers[0], name);
}

bool mwr_pvar_is_known(const char *name)
{
    static const struct danger known[] = {
        {"pml_ob1_*_length", "known"},         {"pml_monitoring_messages_*", "known"},
        {"osc_monitoring_*", "known"},         {"coll_monitoring_*", "known"},
        {"mpool_hugepage_*", "known"},         {"runtime_spc_*", "known"},
    };

    return find_danger(known, sizeof known / sizeof known[0], name) != NULL;
}

/* Open MPI has one switch for what its monitoring counts. */
bool mwr_pvar_stops_for_all(const char *name)
{
    return fnmatch("*_monitoring_*", name, 0) == 0;
}

/* Those of pml and coll, and of osc half, count what is sent. */
bool mwr_pvar_counts_own_calls(const char *name)
{
    return fnmatch("pml_monitoring_*", name, 0) == 0 ||
           fnmatch("coll_monitoring_*", name, 0) == 0 ||
           fnmatch("osc_monitoring_messages_sent_*", name, 0) == 0;
}

struct known_class {
    const char *pattern;
    uint32_t class;
    bool read_resets;
};

static const struct known_class known_classes[] = {
    {"*_monitoring_messages_count", MW_CLASS_COUNTER, false},
    {"*_monitoring_messages_size", MW_CLASS_AGGREGATE, false},
    {"osc_monitoring_messages_*", MW_CLASS_COUNTER, false},
    {"runtime_spc_OMPI_SPC_MAX_*", MW_CLASS_HIGHWATERMARK, true},
    {"runtime_spc_OMPI_SPC_*_IN_QUEUE", MW_CLASS_LEVEL, false},
    {"runtime_spc_*", MW_CLASS_COUNTER, false},
};

/* Reads "GLOB=CLASS[,read_resets]" of length; false if it is none. */
static bool read_override(const char *text, size_t length, struct known_class *known,
                          char *pattern, size_t size)
{
    const char *equals = memchr(text, '=', length);
    size_t word;

    if (!equals || equals == text || (size_t)(equals - text) >= size) {
        return false;
    }
    snprintf(pattern, size, "%.*s", (int)(equals - text), text);
    length -= (size_t)(equals + 1 - text);
    word = strcspn(equals + 1, ",; \t\n");
    known->pattern = pattern;
    known->class = mw_class_of(equals + 1, word < length ? word : length);
    known->read_resets = word < length;
    return known->class < MW_CLASS_COUNT &&
           (word >= length || (length - word == strlen(",read_resets") &&
                               strncmp(equals + 1 + word, ",read_resets", length - word) == 0));
}

/* Finds the last override in text that fits name (null: none does); false: it is no list. */
static bool search_overrides(const char *text, const char *name, struct known_class *found,
                             bool *is_found)
{
    static const char separators[] = "; \t\n";

    *is_found = false;
    text += strspn(text, separators);
    while (*text) {
        size_t length = strcspn(text, separators);
        char pattern[MWR_PATTERN_BYTES];
        struct known_class known;

        if (!read_override(text, length, &known, pattern, sizeof pattern)) {
            return false;
        }
        if (name && fnmatch(pattern, name, 0) == 0) {
            *found = known;
            *is_found = true;
        }
        text += length;
        text += strspn(text, separators);
    }
    return true;
}

bool mwr_class_overrides_are_valid(const char *text)
{
    struct known_class found;
    bool is_found;

    return search_overrides(text, NULL, &found, &is_found);
}

bool mwr_class_override(const char *text, const char *name, uint32_t *class, bool *read_resets)
{
    struct known_class found;
    bool is_found;

    (void)search_overrides(text, name, &found, &is_found);
    for (size_t i = 0; !is_found && i < sizeof known_classes / sizeof known_classes[0]; i++) {
        if (fnmatch(known_classes[i].pattern, name, 0) == 0) {
            found = known_classes[i];
            is_found = true;
        }
    }
    if (is_found) {
        *class = found.class;
        *read_resets = found.read_resets;
    }
    return is_found;
}
