#include "analyzer/model/function_name.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define ANONYMOUS "(anonymous namespace)"
#define OPERATOR  "operator"

#define WORK_BYTES     4200u /* of a name while it is read */
#define DISTANCE_BYTES 64u   /* of that, of how far in the function it is */
#define ARGUMENT_BYTES 28u   /* of what tells functions of one name apart */

/* A name that is being shortened: what is kept stands at the front of the text that is read. */
struct shortening {
    char *kept;
    size_t count;
    char *arguments; /* of templates, and the parameters: what is left out of the name */
    size_t argument_count;
    size_t template_count; /* of these, up to the last parameters */
    size_t name;       /* where what is returned ends */
    unsigned braces;   /* open, as in "{unnamed type#1}" … */
    bool has_operator; /* … or what comes is an operator's: spaces are of the name */
    bool has_parameters;
};

static void keep(struct shortening *name, const char *from, size_t count)
{
    memmove(name->kept + name->count, from, count);
    name->count += count;
}

static void leave_out(struct shortening *name, const char *from, const char *to)
{
    memmove(name->arguments + name->argument_count, from, (size_t)(to - from));
    name->argument_count += (size_t)(to - from);
}

static bool begins_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Behind what at opens, which has as many of all kinds of brackets closed as opened. */
static const char *behind_brackets(const char *at)
{
    const char opening = *at;
    unsigned round = 0, angled = 0;

    do {
        round += *at == '(';
        round -= *at == ')' && round > 0;
        angled += opening == '<' && round == 0 && *at == '<';
        angled -= opening == '<' && round == 0 && *at == '>' && angled > 0;
    } while (*at++ && (round > 0 || angled > 0) && *at);
    return at;
}

/* Behind what may stand between parameters and a member of their function. */
static const char *behind_qualifiers(const char *at)
{
    static const char *const qualifiers[] = { " const", " volatile", " noexcept", " &&", " &" };

    for (size_t i = 0; i < sizeof qualifiers / sizeof *qualifiers; i++) {
        at += begins_with(at, qualifiers[i]) ? strlen(qualifiers[i]) : 0;
    }
    return at;
}

/* Takes what stands at at into name, and returns where the rest is; null: that is left out. */
static const char *take(struct shortening *name, const char *at)
{
    const char *next = at + 1;

    if (begins_with(at, OPERATOR) && (name->count == 0 || name->kept[name->count - 1] == ':' ||
                                      name->kept[name->count - 1] == ' ')) {
        next = at + strlen(OPERATOR);
        next += begins_with(next, "()") ? 2 : strspn(next, "<=>-+*/%&|^!~,[]");
        keep(name, at, (size_t)(next - at));
        name->has_operator = true;
    } else if (begins_with(at, ANONYMOUS)) {
        next = at + strlen(ANONYMOUS);
        keep(name, at, strlen(ANONYMOUS));
    } else if (*at == '(') {
        next = behind_qualifiers(behind_brackets(at));
        name->template_count = name->argument_count;
        leave_out(name, at, next);
        name->has_parameters = true;
        name->has_operator = false;
        return begins_with(next, "::") || *next == '}' || *next == '#' ? next : NULL;
    } else if (*at == '<') {
        next = behind_brackets(at);
        leave_out(name, at, next);
    } else {
        keep(name, at, 1);
        name->braces += *at == '{';
        name->braces -= *at == '}' && name->braces > 0;
        if (*at == ' ' && !name->has_operator && name->braces == 0) {
            name->name = name->count;
            name->argument_count = 0;
        }
    }
    return next;
}

/* The name in kept, with what is left out of it in arguments, both of WORK_BYTES; null: it has no
 * parameters, nor those of others in its template's arguments ("each<run(int)::<lambda(int)>>", as
 * gcc names what is inlined), and is the function's as it is. */
static const char *shorten(const char *function, char *kept, char *arguments,
                           struct shortening *name)
{
    const char *distance = strstr(function, ")") ? strrchr(function, '+') : NULL;
    char read[WORK_BYTES];
    const char *at = read;

    *name = (struct shortening){ .kept = kept, .arguments = arguments };
    distance = distance && begins_with(distance, "+0x") ? distance : function + strlen(function);
    if (!strchr(function, '(') || (size_t)(distance - function) >= sizeof read - DISTANCE_BYTES) {
        return NULL;
    }
    snprintf(read, sizeof read, "%.*s", (int)(distance - function), function);
    while (at && *at) {
        at = take(name, at);
    }
    while (name->count > name->name && kept[name->count - 1] == ' ') {
        name->count--;
    }
    if ((!name->has_parameters && name->argument_count == 0) || name->count == name->name) {
        return NULL;
    }
    name->template_count = name->has_parameters ? name->template_count : name->argument_count;
    snprintf(kept + name->count, WORK_BYTES - name->count, "%.40s", distance);
    arguments[name->argument_count] = '\0';
    return kept + name->name;
}

/* Its end, in text of size bytes: of names in namespaces without the one that is cut ("okkos::"),
 * where half of the room or more is taken then, too. */
static void put_end(const char *shown, char *text, size_t size)
{
    const size_t length = strlen(shown);

    if (length >= size) {
        const char *part;

        shown += length - (size - 1);
        part = shown[-1] == ':' ? NULL : strstr(shown, "::");
        shown = part && strlen(part) > size / 2 ? part + strlen("::") : shown;
        while ((*shown & 0xc0) == 0x80) { /* not in the midst of a character */
            shown++;
        }
    }
    snprintf(text, size, "%s", shown);
}

const char *mwa_function_name(const char *function, char *text, size_t size)
{
    char kept[WORK_BYTES], arguments[WORK_BYTES];
    struct shortening name;
    const char *shown = shorten(function, kept, arguments, &name);

    put_end(shown ? shown : function, text, size);
    return text;
}

/* --- which one of several ------------------------------------------------------------------ */

#define ELLIPSIS "\xe2\x80\xa6"

/* What of their arguments is compared with whose. */
enum comparison {
    TEMPLATES,       /* those of templates with all others' */
    OTHER_TEMPLATES, /* the same with those others that have other ones */
    PARAMETERS,      /* parameters with those others that have the same ones of templates */
    ALL              /* all with all others' */
};

/* Arguments of a template or parameters, of whom, what goes before others' differences. */
struct difference {
    const char *own;
    size_t length;
    size_t same;     /* at the front, as all others have it */
    size_t same_end; /* and at the end */
    size_t first;    /* where the argument begins in which it is not the same, or has one */
    uint64_t others; /* that it was compared with */
    bool is_told;    /* by that argument alone */
};

static size_t argument_length(const char *at)
{
    return strcspn(at, ",<>()");
}

static void compare(struct difference *difference, const char *other, size_t other_length)
{
    const char *own = difference->own;
    size_t same = 0, same_end = 0;

    while (same < difference->length && same < other_length && own[same] == other[same]) {
        same++;
    }
    while (same_end < difference->length - same && same_end < other_length - same &&
           own[difference->length - 1 - same_end] == other[other_length - 1 - same_end]) {
        same_end++;
    }
    difference->same = same < difference->same ? same : difference->same;
    difference->same_end = same_end < difference->same_end ? same_end : difference->same_end;
}

static const char *compared_part(const struct shortening *name, enum comparison by, size_t *length)
{
    const size_t begin = by == PARAMETERS ? name->template_count : 0;
    const size_t end = by == TEMPLATES || by == OTHER_TEMPLATES ? name->template_count
                                                                : name->argument_count;

    *length = end - begin;
    return name->arguments + begin;
}

/* What of another function is compared, if anything is; its texts are kept and arguments. */
static const char *compared(const struct shortening *own, const char *other, enum comparison by,
                            char *kept, char *arguments, size_t *length)
{
    struct shortening name;
    bool is_same;

    if (!shorten(other, kept, arguments, &name)) {
        return NULL;
    }
    is_same = own->template_count == name.template_count &&
              memcmp(own->arguments, arguments, name.template_count) == 0;
    return (by == OTHER_TEMPLATES && is_same) || (by == PARAMETERS && !is_same)
               ? NULL
               : compared_part(&name, by, length);
}

/* Of a function and those others. False: that does not tell it from one of them. */
static bool find_difference(const struct shortening *own, const char *const *others, size_t count,
                            enum comparison by, struct difference *difference)
{
    char kept[WORK_BYTES], arguments[WORK_BYTES];
    const char *part;
    size_t length;
    bool is_told = true;

    *difference = (struct difference){ .same = SIZE_MAX, .same_end = SIZE_MAX, .is_told = true };
    difference->own = compared_part(own, by, &difference->length);
    for (size_t i = 0; i < count && is_told; i++) {
        part = compared(own, others[i], by, kept, arguments, &length);
        if (part) {
            compare(difference, part, length);
            is_told = length != difference->length || memcmp(part, difference->own, length) != 0;
            difference->others++;
        }
    }
    is_told = is_told && (difference->same < difference->length || difference->others == 0);
    difference->first = is_told && difference->others > 0 ? difference->same : 0;
    while (difference->first > 0 && !strchr("<,( ", difference->own[difference->first - 1])) {
        difference->first--;
    }
    difference->first += is_told && strchr("<(", difference->own[difference->first]); /* or none */
    for (size_t i = 0; i < count && is_told; i++) {
        const char *first = difference->own + difference->first;

        part = compared(own, others[i], by, kept, arguments, &length);
        if (part && difference->first < length) {
            part += difference->first;
            difference->is_told &= argument_length(part) != argument_length(first) ||
                                   strncmp(part, first, argument_length(first)) != 0;
        }
    }
    return is_told;
}

/* The arguments that tell it from others, as far as there is room, in brackets behind text, which
 * is of size bytes; parameters that are not told by one of them alone from the first one on. */
static void add_difference(const struct difference *difference, enum comparison by, char *text,
                           size_t size)
{
    const bool is_template = by == TEMPLATES || by == OTHER_TEMPLATES;
    const bool is_whole = by == PARAMETERS && !difference->is_told;
    const size_t length = strlen(text);
    const size_t first = is_whole ? 1 : difference->first;
    size_t end = difference->is_told ? first : difference->length - difference->same_end;
    bool is_cut;

    end += argument_length(difference->own + end);
    end = end < difference->length ? end : difference->length;
    is_cut = end - first > ARGUMENT_BYTES;
    end = is_cut ? first + ARGUMENT_BYTES : end;
    snprintf(text + length, size - length, "%c%.*s%s%c", is_template ? '<' : '(',
             (int)(end - first), difference->own + first, is_cut ? ELLIPSIS : "",
             is_template ? '>' : ')');
}

/* How many bytes add_difference may add. */
#define DIFFERENCE_BYTES (ARGUMENT_BYTES + sizeof ELLIPSIS + 2)

const char *mwa_function_name_among(const char *function, const char *const *others, size_t count,
                                    char *text, size_t size)
{
    char kept[WORK_BYTES], arguments[WORK_BYTES], which[2 * DIFFERENCE_BYTES] = "";
    struct shortening own;
    struct difference difference, parameters;
    const char *shown = shorten(function, kept, arguments, &own);

    if (!shown || count == 0) {
        return mwa_function_name(function, text, size);
    }
    if (find_difference(&own, others, count, TEMPLATES, &difference)) {
        add_difference(&difference, TEMPLATES, which, sizeof which);
    } else if (find_difference(&own, others, count, OTHER_TEMPLATES, &difference) &&
               find_difference(&own, others, count, PARAMETERS, &parameters)) {
        if (difference.others > 0) {
            add_difference(&difference, OTHER_TEMPLATES, which, sizeof which);
        }
        add_difference(&parameters, PARAMETERS, which, sizeof which);
    } else if (find_difference(&own, others, count, ALL, &difference)) {
        add_difference(&difference, ALL, which, sizeof which);
    }
    if (size <= strlen(which)) {
        which[0] = '\0';
    }
    put_end(shown, text, size - strlen(which));
    strncat(text, which, size - strlen(text) - 1);
    return text;
}
