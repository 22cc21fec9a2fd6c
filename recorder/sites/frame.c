/*
 * Unwinders do this for all registers, on any machine and with locks; here it is asked once for
 * each place in MPI's libraries that a call of MPI comes from, and only what is certain is taken:
 * encodings, augmentations and rules that are not the usual ones are no answer.
 */
#include "recorder/sites/frame.h"

#include <stdbool.h>
#include <string.h>

#if defined(__x86_64__)

#define STACK_POINTER 7u /* its number in DWARF */
#define STATES_MAX 8u    /* remembered at a time */
#define FRAME_BYTES_MAX 0x10000u

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
    EXPRESSION = 0x10,
    OFFSET_EXTENDED_SF = 0x11,
    VAL_EXPRESSION = 0x16,
    GNU_ARGS_SIZE = 0x2e
};

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
    struct input common;       /* instructions */
    struct input own;          /* instructions */
    uint64_t code_alignment;
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

/* The augmentations that are understood are "zR" and those with P and L between. */
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
    (void)take_uleb(input); /* of data */
    (void)take(input, 1);   /* the return address's column */
    length = take_uleb(input);
    end = input->next + length;
    if (input->is_cut || augmentation[0] != 'z' || length > (uint64_t)(input->end - input->next)) {
        return false;
    }
    for (augmentation++; *augmentation; augmentation++) {
        uint32_t encoding = take(input, 1);

        switch (*augmentation) {
        case 'R':
            is_relative = encoding == POINTER_RELATIVE;
            break;
        case 'P':
            skip(input, (encoding & 0x0f) == 0x0b || (encoding & 0x0f) == 0x03 ? 4 : 8);
            break;
        case 'L':
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

/* --- what the rule is ------------------------------------------------------------------ */

struct rule {
    uint64_t base; /* a register … */
    uint64_t offset;
    bool is_register; /* … or something else */
};

struct machine {
    struct rule rule;
    struct rule remembered[STATES_MAX];
    unsigned remembered_count;
    uintptr_t location;
};

/* Runs an instruction that moves the location or changes the rule, or goes past it. */
static void run_one(struct machine *machine, struct input *input, uint64_t code_alignment)
{
    uint32_t code = take(input, 1);

    switch (code >= ADVANCE_LOC ? code & 0xc0 : code) {
    case ADVANCE_LOC:
        machine->location += (code & 0x3f) * code_alignment;
        break;
    case ADVANCE_LOC1:
        machine->location += take(input, 1) * code_alignment;
        break;
    case ADVANCE_LOC2:
        machine->location += take(input, 2) * code_alignment;
        break;
    case ADVANCE_LOC4:
        machine->location += take(input, 4) * code_alignment;
        break;
    case DEF_CFA:
        machine->rule.base = take_uleb(input);
        machine->rule.offset = take_uleb(input);
        machine->rule.is_register = true;
        break;
    case DEF_CFA_REGISTER:
        machine->rule.base = take_uleb(input);
        break;
    case DEF_CFA_OFFSET:
        machine->rule.offset = take_uleb(input);
        break;
    case REMEMBER_STATE:
        input->is_cut |= machine->remembered_count == STATES_MAX;
        machine->remembered[machine->remembered_count++ % STATES_MAX] = machine->rule;
        break;
    case RESTORE_STATE:
        input->is_cut |= machine->remembered_count == 0;
        machine->rule = machine->remembered[--machine->remembered_count % STATES_MAX];
        break;
    case OFFSET:
    case RESTORE_EXTENDED:
    case UNDEFINED:
    case SAME_VALUE:
    case GNU_ARGS_SIZE:
        (void)take_uleb(input);
        break;
    case OFFSET_EXTENDED:
    case OFFSET_EXTENDED_SF:
    case IN_REGISTER:
        (void)take_uleb(input);
        (void)take_uleb(input);
        break;
    case EXPRESSION:
    case VAL_EXPRESSION:
        (void)take_uleb(input);
        skip(input, take_uleb(input));
        break;
    case RESTORE:
    case NOP:
        break;
    default: /* the rule is an expression, or the instruction is not known */
        input->is_cut = true;
        break;
    }
}

/* Runs as long as the location is not behind address. */
static void run(struct machine *machine, struct input *input, uint64_t code_alignment,
                uintptr_t address)
{
    while (!input->is_cut && input->next < input->end) {
        struct rule before = machine->rule;

        run_one(machine, input, code_alignment);
        if (machine->location > address) {
            machine->rule = before;
            return;
        }
    }
}

uint32_t mwr_frame_bytes(const void *header, size_t bytes, uintptr_t address)
{
    const unsigned char *at = header ? find_description(header, bytes, address - 1) : NULL;
    struct description description;
    struct machine machine = {.rule = {0}};

    address--; /* in the call, not behind it, where another function may begin */
    if (!at || !read_description(at, &description) || address < description.begin ||
        address >= description.end) {
        return 0;
    }
    machine.location = description.begin;
    run(&machine, &description.common, description.code_alignment, address);
    run(&machine, &description.own, description.code_alignment, address);
    return !description.common.is_cut && !description.own.is_cut && machine.rule.is_register &&
                   machine.rule.base == STACK_POINTER && machine.rule.offset >= 8 &&
                   machine.rule.offset < FRAME_BYTES_MAX
               ? (uint32_t)machine.rule.offset
               : 0;
}

#else

uint32_t mwr_frame_bytes(const void *header, size_t bytes, uintptr_t address)
{
    return 0;
}

#endif
