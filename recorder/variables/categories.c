/* MPI_T tells what is in a category, and not in which categories a variable is. */
#include "recorder/variables/categories.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/dispatch/chain.h"

struct category {
    int index;
    char name[256];
    int cvars;
    int pvars;
};

static bool get_info(int index, struct category *category)
{
    int length = sizeof category->name;
    int children = 0;
    int none = 0;
    int result;

    memset(category, 0, sizeof *category);
    category->index = index;
    result = MWR_PMPI(T_category_get_info)(index, category->name, &length, NULL, &none,
                                           &category->cvars, &category->pvars, &children);
    category->name[sizeof category->name - 1] = '\0';
    return result == MPI_SUCCESS;
}

static bool has(const struct category *category, enum mwr_variable_kind kind, int variable)
{
    const bool is_control = kind == MWR_CONTROL_VARIABLE;
    const int count = is_control ? category->cvars : category->pvars;
    int *indices = count > 0 ? calloc((size_t)count, sizeof *indices) : NULL;
    bool is_found = false;

    if (indices &&
        (is_control ? MWR_PMPI(T_category_get_cvars)(category->index, count, indices)
                    : MWR_PMPI(T_category_get_pvars)(category->index, count, indices)) ==
            MPI_SUCCESS) {
        for (int i = 0; i < count && !is_found; i++) {
            is_found = indices[i] == variable;
        }
    }
    free(indices);
    return is_found;
}

static int category_count(void)
{
    int count = 0;

    return MWR_PMPI(T_category_get_num)(&count) == MPI_SUCCESS ? count : 0;
}

bool mwr_category_has(enum mwr_variable_kind kind, int index, const char *pattern)
{
    const int count = category_count();
    struct category category;

    for (int i = 0; i < count; i++) {
        if (get_info(i, &category) && fnmatch(pattern, category.name, 0) == 0 &&
            has(&category, kind, index)) {
            return true;
        }
    }
    return false;
}

void mwr_categories_of(enum mwr_variable_kind kind, int index, char *text, size_t size)
{
    const int count = category_count();
    struct category category;
    size_t used = 0;

    text[0] = '\0';
    for (int i = 0; i < count; i++) {
        if (get_info(i, &category) && has(&category, kind, index) &&
            used + strlen(category.name) + 3 <= size) {
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "",
                                     category.name);
        }
    }
}
