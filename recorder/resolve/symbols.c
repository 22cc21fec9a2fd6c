/*
 * libdwfl reads all symbols of a file for each address that it is asked for, which takes 8 ms with
 * the 240,000 of a large C++ library (deal.II), and seconds for hundreds of calls: here they are
 * read once, and sorted.
 */
#include "recorder/resolve/symbols.h"

#include <string.h>

#include "formats/base/array.h"

static int by_low(const void *left, const void *right)
{
    const struct mwr_symbol *a = left;
    const struct mwr_symbol *b = right;

    if (a->low != b->low) {
        return a->low > b->low ? 1 : -1;
    }
    return (a->index > b->index) - (a->index < b->index);
}

static void sort(struct mwr_symbol *list, size_t count)
{
    if (count > 0) {
        qsort(list, count, sizeof *list, by_low);
    }
    for (size_t i = 0; i < count; i++) {
        list[i].reach = i > 0 && list[i - 1].reach > list[i].high ? list[i - 1].reach
                                                                  : list[i].high;
    }
}

/* Whether code may be of the symbol, by what libdwfl asks. */
static bool may_have_code(const char *name, const GElf_Sym *symbol)
{
    const int type = GELF_ST_TYPE(symbol->st_info);

    return name && *name && symbol->st_shndx != SHN_UNDEF && type != STT_SECTION &&
           type != STT_FILE && type != STT_TLS;
}

static bool add(struct mwr_symbol **list, size_t *count, const struct mwr_symbol *symbol)
{
    if (!mw_array_grow((void **)list, *count, sizeof **list)) {
        return false;
    }
    (*list)[(*count)++] = *symbol;
    return true;
}

static void read_all(struct mwr_symbols *symbols, Dwfl_Module *module)
{
    const int count = dwfl_module_getsymtab(module);
    bool fits = true;

    symbols->is_read = true;
    for (int i = 1; i < count && fits; i++) {
        GElf_Sym symbol;
        GElf_Addr low;
        const char *name = dwfl_module_getsym_info(module, i, &symbol, &low, NULL, NULL, NULL);

        if (may_have_code(name, &symbol)) {
            const struct mwr_symbol found = {.low = low,
                                             .high = low + symbol.st_size,
                                             .index = i,
                                             .binding = GELF_ST_BIND(symbol.st_info)};

            fits = symbol.st_size > 0 ? add(&symbols->list, &symbols->count, &found)
                                      : add(&symbols->labels, &symbols->label_count, &found);
        }
    }
    if (!fits) {
        mwr_symbols_fini(symbols);
        symbols->is_read = true; /* libdwfl is asked, each time */
    }
    sort(symbols->list, symbols->count);
    sort(symbols->labels, symbols->label_count);
}

/* How many of the list begin at the address or before. */
static size_t begun(const struct mwr_symbol *list, size_t count, GElf_Addr address)
{
    size_t low = 0;

    while (low < count) {
        const size_t middle = low + (count - low) / 2;

        if (list[middle].low <= address) {
            low = middle + 1;
        } else {
            count = middle;
        }
    }
    return low;
}

/* Whether the name of one says more of what is in both than the name of the other: local ones are
 * what has no other name, then the nearest; of aliases the smaller one, what is global, and the
 * first. */
static bool is_better(const struct mwr_symbol *one, const struct mwr_symbol *than)
{
    const bool is_local = one->binding == STB_LOCAL;
    const bool is_weak = one->binding == STB_WEAK;

    if (!than || is_local != (than->binding == STB_LOCAL)) {
        return !than || !is_local;
    }
    if (one->low != than->low || one->high != than->high) {
        return one->low > than->low || (one->low == than->low && one->high < than->high);
    }
    if (is_weak != (than->binding == STB_WEAK)) {
        return !is_weak;
    }
    return one->index < than->index;
}

/* By libdwfl, which knows in what sections labels are. */
static const char *find_slowly(Dwfl_Module *module, GElf_Addr address, uint64_t *offset)
{
    GElf_Off beyond = 0;
    GElf_Sym symbol;
    const char *name = dwfl_module_addrinfo(module, address, &beyond, &symbol, NULL, NULL, NULL);

    *offset = beyond;
    /* The nearest one says nothing where another function is, whose name was removed. */
    return name && (symbol.st_size == 0 || beyond < symbol.st_size) ? name : NULL;
}

const char *mwr_symbols_find(struct mwr_symbols *symbols, Dwfl_Module *module, GElf_Addr address,
                             uint64_t *offset)
{
    const struct mwr_symbol *best = NULL;
    size_t before, labels;
    GElf_Sym symbol;
    GElf_Addr low;

    if (!symbols->is_read) {
        read_all(symbols, module);
    }
    if (!symbols->list) {
        return find_slowly(module, address, offset);
    }
    before = begun(symbols->list, symbols->count, address);
    for (size_t i = before; i > 0 && symbols->list[i - 1].reach > address; i--) {
        const struct mwr_symbol *each = &symbols->list[i - 1];

        if (each->high > address && is_better(each, best)) {
            best = each;
        }
    }
    if (best) {
        *offset = address - best->low;
        return dwfl_module_getsym_info(module, best->index, &symbol, &low, NULL, NULL, NULL);
    }
    /* A label is not of what lies behind a function that began after it. */
    labels = begun(symbols->labels, symbols->label_count, address);
    if (labels > 0 &&
        (before == 0 || symbols->labels[labels - 1].low >= symbols->list[before - 1].reach)) {
        return find_slowly(module, address, offset);
    }
    return NULL;
}

bool mwr_symbols_alone(struct mwr_symbols *symbols, Dwfl_Module *module, GElf_Addr address,
                       const char *name)
{
    const size_t length = strlen(name);
    GElf_Addr bias = 0;

    if (!symbols->is_read) {
        read_all(symbols, module);
    }
    if (!dwfl_module_getelf(module, &bias)) {
        return false;
    }
    for (size_t i = begun(symbols->list, symbols->count, address + bias);
         i > 0 && symbols->list[i - 1].low == address + bias; i--) {
        GElf_Sym symbol;
        GElf_Addr low;
        const char *each = dwfl_module_getsym_info(module, symbols->list[i - 1].index, &symbol,
                                                   &low, NULL, NULL, NULL);

        if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC &&
            (strncmp(each, name, length) != 0 || (each[length] && each[length] != '.'))) {
            return false;
        }
    }
    return true;
}

static int by_name(const void *left, const void *right)
{
    const struct mwr_named_symbol *a = left;
    const struct mwr_named_symbol *b = right;
    const int order = strcmp(a->name, b->name);

    return order != 0 ? order : b->is_defined - a->is_defined;
}

static void read_named(struct mwr_symbols *symbols, Dwfl_Module *module)
{
    const int count = dwfl_module_getsymtab(module);

    symbols->are_named = true;
    for (int i = 1; i < count; i++) {
        struct mwr_named_symbol found;
        GElf_Sym symbol;

        found.name = dwfl_module_getsym_info(module, i, &symbol, &found.low, NULL, NULL, NULL);
        found.is_defined = symbol.st_shndx != SHN_UNDEF &&
                           GELF_ST_TYPE(symbol.st_info) == STT_FUNC;
        if (found.name && *found.name && GELF_ST_BIND(symbol.st_info) != STB_LOCAL) {
            if (!mw_array_grow((void **)&symbols->named, symbols->named_count, sizeof found)) {
                return;
            }
            symbols->named[symbols->named_count++] = found;
        }
    }
    if (symbols->named_count > 0) {
        qsort(symbols->named, symbols->named_count, sizeof *symbols->named, by_name);
    }
}

/* The first of the name, which is one that is defined if any is; null: none. */
static const struct mwr_named_symbol *find_named(struct mwr_symbols *symbols, Dwfl_Module *module,
                                                 const char *name)
{
    const struct mwr_named_symbol asked = {.name = name, .is_defined = true};
    size_t low = 0;
    size_t high;

    if (!symbols->are_named) {
        read_named(symbols, module);
    }
    for (high = symbols->named_count; low < high;) {
        const size_t middle = low + (high - low) / 2;

        if (by_name(&symbols->named[middle], &asked) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < symbols->named_count && strcmp(symbols->named[low].name, name) == 0
               ? &symbols->named[low]
               : NULL;
}

GElf_Addr mwr_symbols_global(struct mwr_symbols *symbols, Dwfl_Module *module, const char *name)
{
    const struct mwr_named_symbol *found = find_named(symbols, module, name);
    GElf_Addr bias = 0;

    return found && found->is_defined && dwfl_module_getelf(module, &bias) ? found->low - bias : 0;
}

bool mwr_symbols_has(struct mwr_symbols *symbols, Dwfl_Module *module, const char *name)
{
    return find_named(symbols, module, name) != NULL;
}

void mwr_symbols_fini(struct mwr_symbols *symbols)
{
    free(symbols->named);
    free(symbols->list);
    free(symbols->labels);
    *symbols = (struct mwr_symbols){0};
}
