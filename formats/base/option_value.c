/* What options of all programs have for values: the same words, refused in the same way. */
#include "formats/base/option_value.h"

#include <string.h>

bool mw_take_flag(const struct mw_option *option, const char *value, void *member, char *expected)
{
    (void)option, (void)value, (void)expected;
    *(bool *)member = true;
    return true;
}

bool mw_take_text(const struct mw_option *option, const char *value, void *member, char *expected)
{
    (void)option, (void)expected;
    *(const char **)member = value;
    return true;
}

bool mw_take_number(const struct mw_option *option, const char *value, void *member, char *expected)
{
    size_t digits = strspn(value, "0123456789");
    uint64_t number = 0;

    for (size_t i = 0; i < digits && number <= option->most; i++) {
        number = 10 * number + (uint64_t)(value[i] - '0');
    }
    if (digits == 0 || value[digits] || number < option->least || number > option->most) {
        snprintf(expected, MW_EXPECTED_BYTES, "a number from %u to %u", option->least,
                 option->most);
        return false;
    }
    *(uint32_t *)member = (uint32_t)number;
    return true;
}

bool mw_take_choice(const struct mw_option *option, const char *value, void *member, char *expected)
{
    unsigned number = 0;
    size_t used = 0;

    for (const char *word = option->argument; *word; number++) {
        size_t length = strcspn(word, "|");
        bool ends = !word[length];

        if (strlen(value) == length && strncmp(word, value, length) == 0) {
            memcpy(member, &number, sizeof number);
            return true;
        }
        used += (size_t)snprintf(expected + used, MW_EXPECTED_BYTES - used, "%s%.*s",
                                 number == 0 ? "" : ends ? " or " : ", ", (int)length, word);
        word += length + !ends;
    }
    return false;
}
