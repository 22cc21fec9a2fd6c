#include "analyzer/model/function_name.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define ANONYMOUS "(anonymous namespace)"
#define OPERATOR  "operator"

/* A name that is being shortened: what is kept stands at the front of the text that is read. */
struct shortening {
    char *kept;
    size_t count;
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
        name->has_parameters = true;
        name->has_operator = false;
        return begins_with(next, "::") || *next == '}' || *next == '#' ? next : NULL;
    } else if (*at == '<') {
        next = behind_brackets(at);
    } else {
        keep(name, at, 1);
        name->braces += *at == '{';
        name->braces -= *at == '}' && name->braces > 0;
        if (*at == ' ' && !name->has_operator && name->braces == 0) {
            name->name = name->count;
        }
    }
    return next;
}

const char *mwa_function_name(const char *function, char *text, size_t size)
{
    const char *distance = strstr(function, ")") ? strrchr(function, '+') : NULL;
    char shortened[4200];
    struct shortening name = { .kept = shortened };
    size_t length;
    const char *shown = function;

    distance = distance && begins_with(distance, "+0x") ? distance : function + strlen(function);
    if (strchr(function, '(') && (size_t)(distance - function) < sizeof shortened - 64) {
        char read[sizeof shortened];
        const char *at = read;

        snprintf(read, sizeof read, "%.*s", (int)(distance - function), function);
        while (at && *at) {
            at = take(&name, at);
        }
        while (name.count > name.name && shortened[name.count - 1] == ' ') {
            name.count--;
        }
        if (name.has_parameters && name.count > name.name) {
            snprintf(shortened + name.count, sizeof shortened - name.count, "%.40s", distance);
            shown = shortened + name.name;
        }
    }
    length = strlen(shown);
    if (length >= size) {
        shown += length - (size - 1);
        while ((*shown & 0xc0) == 0x80) { /* not in the midst of a character */
            shown++;
        }
    }
    snprintf(text, size, "%s", shown);
    return text;
}
