/*
 * Unwinders do this for all registers, on any machine and with locks; here it is asked once for
 * each place that a call comes by, and only what is certain is taken: encodings, augmentations and
 * rules that are not the usual ones are no answer.
 */
#include "recorder/sites/frame.h"

#include <stdbool.h>
#include <string.h>

#define FRAME_BYTES_MAX 0x10000 /* of mwr_frame_fixed … */
#define BACK_WORDS_MAX 0x1000
#define STATES_MAX 8u /* remembered at a time */
#define WORD 8

/* System V ABI, AMD64 supplement, figure 3.36; DWARF for the Arm 64-bit Architecture, 4.1. */
const struct mwr_frame_machine mwr_frame_of_x86_64 = {6, 7, 16, true};
const struct mwr_frame_machine mwr_frame_of_aarch64 = {29, 31, 30, false};

enum {
    POINTER_RELATIVE = 0x1b, /* DW_EH_PE_pcrel | DW_EH_PE_sdata4 */
    COUNT_UNSIGNED = 0x03,   /* DW_EH_PE_udata4 */
    TABLE_RELATIVE = 0x3b    /* DW_EH_PE_datarel | DW_EH_PE_sdata4 */
};

/* The instructions that are told apart (DWARF 5, table 7.29, and GNU's). */
enum {
    ADVANCE_LOC = 0x40,
    OFFSET = 0x80,
    RESTORE = 0xc0,
    NOP = 0x00,
    SET_LOC = 0x01,
    ADVANCE_LOC1 = 0x02,
    ADVANCE_LOC2 = 0x03,
    ADVANCE_LOC4 = 0x04,
    OFFSET_EXTENDED = 0x05,
    RESTORE_EXTENDED = 0x06,
    UNDEFINED = 0x07,
    SAME_VALUE = 0x08,
    IN_REGISTER = 0x09,
    REMEMBER_STATE = 0x0a,
    RESTORE_STATE = 0x0b,
    DEF_CFA = 0x0c,
    DEF_CFA_REGISTER = 0x0d,
    DEF_CFA_OFFSET = 0x0e,
    DEF_CFA_EXPRESSION = 0x0f,
    EXPRESSION = 0x10,
    OFFSET_EXTENDED_SF = 0x11,
    VAL_OFFSET = 0x14,
    VAL_EXPRESSION = 0x16,
    /* AArch64's: from here on the address is signed, or not. An address is told in any case. */
    NEGATE_RA_STATE_WITH_PC = 0x2c,
    NEGATE_RA_STATE = 0x2d,
    GNU_ARGS_SIZE = 0x2e
};

/* Operations of expressions (DWARF 5, table 7.9). */
enum { OP_DEREF = 0x06, OP_BREG0 = 0x70 };

/* What is left to be read. */
struct input {
    const unsigned char *next;
    const unsigned char *end;
    bool is_cut; /* more was asked for than there is, or what is not understood was met */
};

static uint32_t take(struct input *input, size_t bytes)
{
    uint32_t value = 0;

    if ((size_t)(input->end - input->next) < bytes) {
        input->is_cut = true;
        input->next = input->end;
        return 0;
    }
    memcpy(&value, input->next, bytes);
    input->next += bytes;
    return value;
}

static void skip(struct input *input, uint64_t bytes)
{
    if ((uint64_t)(input->end - input->next) < bytes) {
        input->is_cut = true;
        bytes = (uint64_t)(input->end - input->next);
    }
    input->next += bytes;
}

static uint64_t take_uleb(struct input *input)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint32_t byte;

    do {
        byte = take(input, 1);
        if (shift < 64) {
            value |= (uint64_t)(byte & 0x7f) << shift;
        }
        shift += 7;
    } while (byte & 0x80);
    return value;
}

static int64_t take_sleb(struct input *input)
{
    const unsigned char *begin = input->next;
    uint64_t value = take_uleb(input);
    unsigned bits = 7u * (unsigned)(input->next - begin);

    if (!input->is_cut && bits < 64 && (input->next[-1] & 0x40)) {
        value |= UINT64_MAX << bits;
    }
    return (int64_t)value;
}

/* --- where the function is described ------------------------------------------------- */

static const unsigned char *pointer(const unsigned char *base, uint32_t apart)
{
    return base + (int32_t)apart;
}

/* The description of the function that has address; null: there is none. */
static const unsigned char *find_description(const unsigned char *header, size_t bytes,
                                             uintptr_t address)
{
    struct input input = {header, header + bytes, false};
    const unsigned char *table;
    uint32_t encodings = take(&input, 4); /* version, of the pointer, the count, the table */
    uint32_t low = 0;
    uint32_t count;

    (void)take(&input, 4);
    count = take(&input, 4);
    table = input.next;
    if (input.is_cut || count == 0 || count > (size_t)(input.end - table) / 8 ||
        encodings != (1u | POINTER_RELATIVE << 8 | COUNT_UNSIGNED << 16 |
                      (uint32_t)TABLE_RELATIVE << 24)) {
        return NULL;
    }
    for (uint32_t high = count; high - low > 1;) {
        uint32_t middle = low + (high - low) / 2;
        uint32_t begin;

        memcpy(&begin, table + middle * (size_t)8, sizeof begin);
        if ((uintptr_t)pointer(header, begin) <= address) {
            low = middle;
        } else {
            high = middle;
        }
    }
    memcpy(&count, table + low * (size_t)8 + 4, sizeof count);
    return pointer(header, count);
}

/* What is common to many functions, and what is one's own. */
struct description {
    const struct mwr_frame_machine *of;
    struct input common;       /* instructions */
    struct input own;          /* instructions */
    uint64_t code_alignment;
    int64_t data_alignment;
    uintptr_t begin;           /* of the function */
    uintptr_t end;
};

/* An entry of .eh_frame, behind its length. False: there is none of a usual length. */
static bool open_entry(const unsigned char *at, struct input *input)
{
    uint32_t length;

    memcpy(&length, at, sizeof length);
    *input = (struct input){at + 4, at + 4 + length, false};
    return length >= 4 && length < 0xfffffff0u;
}

/* The augmentations that are understood are "zR" and those with P, L and, on AArch64, B between. */
static bool read_common(const unsigned char *at, struct description *description)
{
    struct input *input = &description->common;
    const char *augmentation;
    const unsigned char *end;
    bool is_relative = false;
    uint64_t length;

    if (!open_entry(at, input) || take(input, 4) != 0 || take(input, 1) != 1) {
        return false;
    }
    augmentation = (const char *)input->next;
    skip(input, strnlen(augmentation, (size_t)(input->end - input->next)) + 1);
    description->code_alignment = take_uleb(input);
    description->data_alignment = take_sleb(input);
    if (take(input, 1) != description->of->return_address) {
        return false;
    }
    length = take_uleb(input);
    end = input->next + length;
    if (input->is_cut || augmentation[0] != 'z' || length > (uint64_t)(input->end - input->next)) {
        return false;
    }
    for (augmentation++; *augmentation; augmentation++) {
        uint32_t encoding = *augmentation == 'B' ? 0 : take(input, 1);

        switch (*augmentation) {
        case 'R':
            is_relative = encoding == POINTER_RELATIVE;
            break;
        case 'P':
            skip(input, (encoding & 0x0f) == 0x0b || (encoding & 0x0f) == 0x03 ? 4 : 8);
            break;
        case 'L':
        case 'B': /* AArch64's other key signs; no machine else has it */
            break;
        default:
            return false; /* S: of a signal handler's, the address is not behind a call */
        }
    }
    input->next = end;
    return is_relative && !input->is_cut;
}

static bool read_description(const unsigned char *at, struct description *description)
{
    struct input *input = &description->own;
    const unsigned char *place;
    uint32_t apart;

    if (!open_entry(at, input)) {
        return false;
    }
    place = input->next;
    apart = take(input, 4);
    if (apart == 0 || !read_common(place - apart, description)) {
        return false;
    }
    place = input->next;
    description->begin = (uintptr_t)pointer(place, take(input, 4));
    description->end = description->begin + take(input, 4);
    skip(input, take_uleb(input)); /* of the augmentation */
    return !input->is_cut;
}

/* --- what its instructions say ---------------------------------------------------------- */

/* Where a register of the caller's is found. */
enum place_of {
    AS_IT_IS,    /* nothing was said: it is what it was */
    AT_CFA,      /* at the CFA and a number … */
    AT_POINTER,  /* … or at the base pointer and a number */
    NOWHERE,     /* it has been lost, of the return address: there is no caller */
    IN_ANY_OTHER /* way, which is not understood */
};

struct place {
    enum place_of of;
    int64_t number;
};

struct row {
    uint64_t base; /* a register … */
    int64_t offset;
    bool is_register; /* … or what lies at the base pointer and offset … */
    bool is_unknown;  /* … or something else */
    struct place base_pointer;
    struct place return_address;
};

struct machine {
    const struct mwr_frame_machine *of;
    struct row row;
    struct row initial; /* as the common instructions leave it */
    struct row remembered[STATES_MAX];
    unsigned remembered_count;
    uintptr_t location;
    uint64_t code_alignment;
    int64_t data_alignment;
};

/* Notes where a register is; of two that matter. */
static void put(struct machine *machine, uint64_t number, struct place place)
{
    if (number == machine->of->base_pointer) {
        machine->row.base_pointer = place;
    } else if (number == machine->of->return_address) {
        machine->row.return_address = place;
    }
}

static void put_back(struct machine *machine, uint64_t number)
{
    put(machine, number,
        number == machine->of->base_pointer ? machine->initial.base_pointer
                                            : machine->initial.return_address);
}

/* An expression of the base pointer and a number, and whether what lies there is meant. */
static bool take_expression(const struct mwr_frame_machine *of, struct input *input,
                            int64_t *number, bool *is_content)
{
    struct input words = {input->next, input->next, false};
    uint64_t length = take_uleb(input);

    words.next = input->next;
    skip(input, length);
    words.end = input->next;
    if (input->is_cut || take(&words, 1) != OP_BREG0 + (uint32_t)of->base_pointer) {
        return false;
    }
    *number = take_sleb(&words);
    *is_content = words.next < words.end && take(&words, 1) == OP_DEREF;
    return !words.is_cut && words.next == words.end;
}

/* Runs an instruction that moves the location; false: it is another one. */
static bool run_advance(struct machine *machine, struct input *input, uint32_t code)
{
    switch (code >= ADVANCE_LOC ? code & 0xc0 : code) {
    case ADVANCE_LOC:
        machine->location += (code & 0x3f) * machine->code_alignment;
        return true;
    case ADVANCE_LOC1:
        machine->location += take(input, 1) * machine->code_alignment;
        return true;
    case ADVANCE_LOC2:
        machine->location += take(input, 2) * machine->code_alignment;
        return true;
    case ADVANCE_LOC4:
        machine->location += take(input, 4) * machine->code_alignment;
        return true;
    default:
        return false;
    }
}

/* Runs one that says what the CFA is; false: it is another one. */
static bool run_frame(struct machine *machine, struct input *input, uint32_t code)
{
    struct row *row = &machine->row;
    bool is_content = false;

    switch (code) {
    case DEF_CFA:
        row->base = take_uleb(input);
        row->offset = (int64_t)take_uleb(input);
        row->is_register = true;
        row->is_unknown = false;
        return true;
    case DEF_CFA_REGISTER:
        row->base = take_uleb(input);
        return true;
    case DEF_CFA_OFFSET:
        row->offset = (int64_t)take_uleb(input);
        return true;
    case DEF_CFA_EXPRESSION: /* of a function that aligns its frame */
        row->is_register = false;
        row->is_unknown = !take_expression(machine->of, input, &row->offset, &is_content) ||
                          !is_content;
        return true;
    case REMEMBER_STATE:
        input->is_cut |= machine->remembered_count == STATES_MAX;
        machine->remembered[machine->remembered_count++ % STATES_MAX] = *row;
        return true;
    case RESTORE_STATE:
        input->is_cut |= machine->remembered_count == 0;
        *row = machine->remembered[--machine->remembered_count % STATES_MAX];
        return true;
    default:
        return false;
    }
}

/* Runs one that says where a register is; false: it is another one. */
static bool run_register(struct machine *machine, struct input *input, uint32_t code)
{
    uint64_t number = code & 0x3f;
    struct place place = {IN_ANY_OTHER, 0};
    bool is_content = false;

    switch (code >= OFFSET ? code & 0xc0 : code) {
    case OFFSET:
        put(machine, number,
            (struct place){AT_CFA, (int64_t)take_uleb(input) * machine->data_alignment});
        return true;
    case OFFSET_EXTENDED:
    case OFFSET_EXTENDED_SF:
        number = take_uleb(input);
        place.of = AT_CFA;
        place.number = (code == OFFSET_EXTENDED ? (int64_t)take_uleb(input) : take_sleb(input)) *
                       machine->data_alignment;
        put(machine, number, place);
        return true;
    case RESTORE:
        put_back(machine, number);
        return true;
    case RESTORE_EXTENDED:
        put_back(machine, take_uleb(input));
        return true;
    case UNDEFINED:
        put(machine, take_uleb(input), (struct place){NOWHERE, 0});
        return true;
    case SAME_VALUE:
        put(machine, take_uleb(input), (struct place){AS_IT_IS, 0});
        return true;
    case IN_REGISTER:
    case VAL_OFFSET:
    case VAL_OFFSET + 1: /* signed */
        put(machine, take_uleb(input), place);
        (void)take_uleb(input);
        return true;
    case EXPRESSION:
        number = take_uleb(input);
        if (take_expression(machine->of, input, &place.number, &is_content) && !is_content) {
            place.of = AT_POINTER;
        }
        put(machine, number, place);
        return true;
    case VAL_EXPRESSION:
        put(machine, take_uleb(input), place);
        skip(input, take_uleb(input));
        return true;
    default:
        return false;
    }
}

/* Runs as long as the location is not behind address. */
static void run(struct machine *machine, struct input *input, uintptr_t address)
{
    while (!input->is_cut && input->next < input->end) {
        struct row before = machine->row;
        uint32_t code = take(input, 1);

        if (code == NOP || (!machine->of->is_pushed &&
                            (code == NEGATE_RA_STATE || code == NEGATE_RA_STATE_WITH_PC))) {
            continue;
        }
        if (code == GNU_ARGS_SIZE) {
            (void)take_uleb(input);
        } else if (!run_advance(machine, input, code) && !run_frame(machine, input, code) &&
                   !run_register(machine, input, code)) {
            input->is_cut = true; /* not known */
        }
        if (machine->location > address) {
            machine->row = before;
            return;
        }
    }
}

/* --- what the rule is ------------------------------------------------------------------ */

/* Of a frame that begins at a pointer; what lies below it is somebody else's. */
static bool has_place(int64_t number, int64_t nearest, int64_t offset)
{
    return number <= nearest && number >= -offset && number % WORD == 0;
}

static enum mwr_pointer_rule pointer_rule(const struct mwr_frame_machine *of,
                                          const struct row *row)
{
    const int64_t number = row->base_pointer.number;
    const bool is_by_base = !row->is_register || row->base != of->stack_pointer;
    bool is_there;

    switch (row->base_pointer.of) {
    case AS_IT_IS:
        return MWR_POINTER_SAME;
    case AT_CFA:
        is_there = of->is_pushed && is_by_base
                       ? number == -2 * WORD
                       : has_place(number, of->is_pushed ? -2 * WORD : -WORD, row->offset);
        return is_there ? MWR_POINTER_AT_FRAME : MWR_POINTER_LOST;
    case AT_POINTER:
        return !row->is_register && number == 0 ? MWR_POINTER_AT_POINTER : MWR_POINTER_LOST;
    default:
        return MWR_POINTER_LOST;
    }
}

/* Whether the return address lies where it can, in what is known of the frame. */
static bool has_return(const struct mwr_frame_machine *of, const struct row *row)
{
    const struct place *back = &row->return_address;

    return back->of == AT_CFA && (of->is_pushed ? back->number == -WORD
                                                : has_place(back->number, -WORD, row->offset));
}

static enum mwr_frame_base base_of(const struct mwr_frame_machine *of, const struct row *row)
{
    if (row->return_address.of == NOWHERE) {
        return MWR_FRAME_OUTERMOST;
    }
    if (row->is_unknown || row->offset >= INT32_MAX || row->offset <= INT32_MIN ||
        row->offset % WORD != 0 || !has_return(of, row)) {
        return MWR_FRAME_UNKNOWN;
    }
    if (!row->is_register) {
        return MWR_FRAME_AT_POINTER;
    }
    if (row->base == of->stack_pointer && row->offset >= WORD) {
        return MWR_FRAME_STACK;
    }
    return row->base == of->base_pointer &&
                   (of->is_pushed ? row->offset == 2 * WORD : row->offset >= WORD)
               ? MWR_FRAME_POINTER
               : MWR_FRAME_UNKNOWN;
}

/* Says it of what was run; MWR_FRAME_UNKNOWN: it is no rule that is understood. */
static void take_rule(const struct mwr_frame_machine *of, const struct row *row,
                      struct mwr_frame_rule *rule)
{
    rule->base = base_of(of, row);
    if (rule->base > MWR_FRAME_OUTERMOST) {
        rule->offset = (int32_t)row->offset;
        rule->pointer = pointer_rule(of, row);
        rule->saved = (int32_t)row->base_pointer.number;
        rule->back = (int32_t)row->return_address.number;
    }
}

void mwr_frame_find(const struct mwr_frame_machine *of, const void *header, size_t bytes,
                    uintptr_t address, struct mwr_frame_rule *rule)
{
    const unsigned char *at =
        of && header ? find_description(header, bytes, address - 1) : NULL;
    struct description description = {.of = of};
    struct machine machine = {.of = of, .row = {.is_unknown = true}};

    memset(rule, 0, sizeof *rule);
    address--; /* in the call, not behind it, where another function may begin */
    if (!at || !read_description(at, &description) || address < description.begin ||
        address >= description.end) {
        return;
    }
    machine.location = description.begin;
    machine.code_alignment = description.code_alignment;
    machine.data_alignment = description.data_alignment;
    run(&machine, &description.common, address);
    machine.initial = machine.row;
    run(&machine, &description.own, address);
    if (!description.common.is_cut && !description.own.is_cut) {
        take_rule(of, &machine.row, rule);
    }
}

uint32_t mwr_frame_fixed(const void *header, size_t bytes, uintptr_t address)
{
    struct mwr_frame_rule rule;
    uint32_t words;

    mwr_frame_find(MWR_FRAME_OF_HERE, header, bytes, address, &rule);
    words = (uint32_t)-rule.back / WORD;
    return rule.base == MWR_FRAME_STACK && rule.offset < FRAME_BYTES_MAX && words < BACK_WORDS_MAX
               ? (uint32_t)rule.offset | words << 16
               : 0;
}
