/*
 * The compiler knows where each function's frame begins (__builtin_dwarf_cfa): what is read from
 * its tables has to be the same, or nothing.
 */
#include <alloca.h>
#include <criterion/criterion.h>
#include <string.h>

#include "recorder/sites/frame.h"
#include "recorder/sites/loaded.h"

/* Only GCC can be told what frame a function is to have. */
#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__clang__)

extern char _start;

static uintptr_t frame;   /* where the innermost function's begins */
static uintptr_t address; /* where it returns to */

__attribute__((noipa)) static void look(void)
{
    frame = (uintptr_t)__builtin_dwarf_cfa();
    address = (uintptr_t)__builtin_return_address(0);
}

/* What the tables say of the call of look that was last. */
static uint32_t told(void)
{
    struct mwr_loaded loaded;

    cr_assert(mwr_loaded_find((const void *)address, &loaded));
    cr_assert_neq(loaded.frames, NULL);
    return MWR_FRAME_BYTES(mwr_frame_fixed(loaded.frames, loaded.frames_bytes, address));
}

#define FIXED __attribute__((noipa, optimize("O2", "omit-frame-pointer")))

FIXED static uintptr_t of_little(void)
{
    look();
    return (uintptr_t)__builtin_dwarf_cfa() - frame;
}

FIXED static uintptr_t of_much(char first)
{
    volatile char room[5000];

    room[0] = first;
    look();
    room[4999] = room[0];
    return (uintptr_t)__builtin_dwarf_cfa() - frame;
}

/* Registers are saved, and one of two ways out restores them before the call. */
FIXED static uintptr_t of_branches(int way, const int *numbers)
{
    int sum = 0;

    if (way == 0) {
        look();
        return (uintptr_t)__builtin_dwarf_cfa() - frame;
    }
    for (int i = 0; i < way; i++) {
        look();
        sum += numbers[i] * way;
    }
    look();
    return sum == 0 ? (uintptr_t)__builtin_dwarf_cfa() - frame : 0;
}

__attribute__((noipa, optimize("O2"))) static uintptr_t of_any(size_t bytes)
{
    char *room = alloca(bytes);

    memset(room, 1, bytes);
    look();
    return room[0] ? (uintptr_t)__builtin_dwarf_cfa() - frame : 0;
}

__attribute__((noipa, optimize("O0", "no-omit-frame-pointer"))) static uintptr_t of_pointer(void)
{
    look();
    return (uintptr_t)__builtin_dwarf_cfa() - frame;
}

Test(frame, is_what_the_compiler_says)
{
    static const int zeros[8];
    uintptr_t expected;

    expected = of_little();
    cr_assert_eq(told(), expected);
    expected = of_much(3);
    cr_assert_geq(expected, 5000u);
    cr_assert_eq(told(), expected);
    expected = of_branches(0, zeros);
    cr_assert_eq(told(), expected);
    expected = of_branches(5, zeros);
    cr_assert_eq(told(), expected);
}

/* A frame whose size depends on the call, or is told by another register. */
Test(frame, is_not_told_where_it_is_no_number)
{
    (void)of_any(100);
    cr_assert_eq(told(), 0u);
#if defined(__x86_64__)
    (void)of_pointer();
    cr_assert_eq(told(), 0u);
#endif
}

__attribute__((noipa, optimize("O0", "no-omit-frame-pointer"))) static void of_aligned(void)
{
    volatile char room[64] __attribute__((aligned(64)));

    room[0] = 1;
    look();
    room[1] = room[0];
}

static struct mwr_frame_rule rule_at(uintptr_t at)
{
    struct mwr_loaded loaded;
    struct mwr_frame_rule rule;

    cr_assert(mwr_loaded_find((const void *)at, &loaded));
    mwr_frame_find(MWR_FRAME_OF_HERE, loaded.frames, loaded.frames_bytes, at, &rule);
    return rule;
}

/* What leads on from frames that are no number, and where the caller's rbp is. */
Test(frame, is_told_by_the_base_pointer)
{
    static const int zeros[8];
    struct mwr_frame_rule rule;

    (void)of_pointer();
    rule = rule_at(address);
#if defined(__x86_64__)
    cr_assert_eq(rule.base, MWR_FRAME_POINTER);
    cr_assert_eq(rule.offset, 16);
    cr_assert_eq(rule.saved, -16);
    cr_assert_eq(rule.back, -8);
#else /* it has one, which is not needed to say where the frame is */
    cr_assert_eq(rule.base, MWR_FRAME_STACK);
    cr_assert_eq(rule.saved, -rule.offset);
    cr_assert_eq(rule.back, rule.saved + 8);
#endif
    cr_assert_eq(rule.pointer, MWR_POINTER_AT_FRAME);
    (void)of_any(100);
    cr_assert_eq(rule_at(address).base, MWR_FRAME_POINTER);
    (void)of_little();
    cr_assert_eq(rule_at(address).base, MWR_FRAME_STACK);
#if defined(__x86_64__)
    cr_assert_eq(rule_at(address).pointer, MWR_POINTER_SAME);
#endif
    (void)of_branches(5, zeros); /* it has rbp for something of its own, and keeps the caller's */
    cr_assert_eq(rule_at(address).base, MWR_FRAME_STACK);
    of_aligned();
    rule = rule_at(address);
#if defined(__x86_64__)
    cr_assert(rule.base == MWR_FRAME_POINTER || rule.base == MWR_FRAME_AT_POINTER);
#endif
    cr_assert_neq(rule.pointer, MWR_POINTER_LOST);
}

/* Of a signal's frame nothing is told; nobody has called what a thread begins with. */
Test(frame, has_an_end)
{
    struct mwr_frame_rule rule = {.base = MWR_FRAME_STACK};
    struct mwr_loaded loaded;

    look();
    cr_assert(mwr_loaded_find((const void *)address, &loaded));
    mwr_frame_find(MWR_FRAME_OF_HERE, NULL, 0, address, &rule);
    cr_assert_eq(rule.base, MWR_FRAME_UNKNOWN);
    mwr_frame_find(MWR_FRAME_OF_HERE, loaded.frames, 8, address, &rule);
    cr_assert_eq(rule.base, MWR_FRAME_UNKNOWN);
    cr_assert_eq(rule_at((uintptr_t)&_start + 0x20).base, MWR_FRAME_OUTERMOST);
}

Test(frame, of_no_function_is_not_told)
{
    struct mwr_loaded loaded;

    look();
    cr_assert(mwr_loaded_find((const void *)address, &loaded));
    cr_assert_eq(mwr_frame_fixed(loaded.frames, loaded.frames_bytes, loaded.end + 4096), 0u);
    cr_assert_eq(mwr_frame_fixed(loaded.frames, loaded.frames_bytes, 4096), 0u);
    cr_assert_eq(mwr_frame_fixed(loaded.frames, 8, address), 0u);
    cr_assert_eq(mwr_frame_fixed(NULL, 0, address), 0u);
    cr_assert_not(mwr_loaded_find(&loaded, &loaded));
}

#else

Test(frame, is_told_on_few_machines)
{
    cr_assert_eq(mwr_frame_fixed(NULL, 0, 0), 0u);
}

#endif

/* --- tables of another machine ---------------------------------------------------------- */

/* AArch64's, as GCC and clang write them, for a function of so many bytes; read on any machine. */
#define CODE_BYTES 64

static char code[CODE_BYTES];

static struct {
    unsigned char encodings[4];
    int32_t entries;
    uint32_t count;
    int32_t row[2];
    unsigned char common[24];
    unsigned char own[64];
} tables = {
    .encodings = {1, 0x1b, 0x03, 0x3b},
    .count = 1,
};

static void put_apart(unsigned char *at, const void *to, const void *from)
{
    const int32_t apart = (int32_t)((const char *)to - (const char *)from);

    memcpy(at, &apart, sizeof apart);
}

/* The rule, so many bytes into a function of these instructions, of an augmentation. */
static struct mwr_frame_rule rule_of_arm(const char *augmentation, const void *instructions,
                                         size_t bytes, size_t into)
{
    const uint32_t bytes_of_code = CODE_BYTES;
    const uint32_t of_own = sizeof tables.own - 4;
    const uint32_t of_common = sizeof tables.common - 4;
    unsigned char *at = tables.common + 4;
    struct mwr_frame_rule rule;

    memset(tables.common, 0, sizeof tables.common);
    memset(tables.own, 0, sizeof tables.own);
    memcpy(tables.common, &of_common, 4);
    at += 4; /* that it is common */
    *at++ = 1;
    memcpy(at, augmentation, strlen(augmentation) + 1);
    at += strlen(augmentation) + 1;
    memcpy(at, "\x04\x78\x1e\x01\x1b\x0c\x1f\x00", 8); /* 4, -8, x30; the CFA is sp */
    memcpy(tables.own, &of_own, 4);
    put_apart(tables.own + 4, tables.own + 4, tables.common);
    put_apart(tables.own + 8, code, tables.own + 8);
    memcpy(tables.own + 12, &bytes_of_code, 4);
    memcpy(tables.own + 17, instructions, bytes);
    put_apart((unsigned char *)&tables.row[0], code, &tables);
    put_apart((unsigned char *)&tables.row[1], tables.own, &tables);
    mwr_frame_find(&mwr_frame_of_aarch64, &tables, sizeof tables, (uintptr_t)code + into, &rule);
    return rule;
}

#define RULE_OF_ARM(instructions, into) \
    rule_of_arm("zR", instructions, sizeof instructions - 1, into)

/* stp x29, x30, [sp, -48]!: what GCC begins with. */
Test(frame, of_arm_is_where_its_function_saves_x30)
{
    static const char begin[] = "\x41\x0e\x30\x9d\x06\x9e\x05";
    struct mwr_frame_rule rule = RULE_OF_ARM(begin, 8);

    cr_assert_eq(rule.base, MWR_FRAME_STACK);
    cr_assert_eq(rule.offset, 48);
    cr_assert_eq(rule.pointer, MWR_POINTER_AT_FRAME);
    cr_assert_eq(rule.saved, -48);
    cr_assert_eq(rule.back, -40);
    /* Before, x30 is not saved yet: there is no call, or it is one that can't return. */
    cr_assert_eq(RULE_OF_ARM(begin, 4).base, MWR_FRAME_UNKNOWN);
}

/* paciasp first: the tables say that the address is signed, once more where it no longer is. */
Test(frame, of_arm_is_told_where_addresses_are_signed)
{
    static const char begin[] = "\x41\x2d\x41\x0e\x20\x9d\x04\x9e\x03";
    static const char with_pc[] = "\x41\x2c\x41\x0e\x20\x9d\x04\x9e\x03";
    struct mwr_frame_rule rule = RULE_OF_ARM(begin, 12);

    cr_assert_eq(rule.base, MWR_FRAME_STACK);
    cr_assert_eq(rule.offset, 32);
    cr_assert_eq(rule.back, -24);
    cr_assert_eq(RULE_OF_ARM(with_pc, 12).back, -24);
    rule = rule_of_arm("zRB", begin, sizeof begin - 1, 12); /* by key B */
    cr_assert_eq(rule.back, -24);
}

/* alloca: GCC goes by x29, with the frame's record at its lower end … */
Test(frame, of_arm_may_be_told_by_x29)
{
    static const char of_gcc[] = "\x41\x0e\x40\x9d\x08\x9e\x07\x41\x0d\x1d";
    static const char of_clang[] = "\x43\x0c\x1d\x10\x9e\x01\x9d\x02";
    static const char below[] = "\x41\x0c\x1d\x10\x9e\x01\x9d\x04";
    struct mwr_frame_rule rule = RULE_OF_ARM(of_gcc, 12);

    cr_assert_eq(rule.base, MWR_FRAME_POINTER);
    cr_assert_eq(rule.offset, 64);
    cr_assert_eq(rule.saved, -64);
    cr_assert_eq(rule.back, -56);
    rule = RULE_OF_ARM(of_clang, 16); /* … and clang always, with the record at its upper end */
    cr_assert_eq(rule.base, MWR_FRAME_POINTER);
    cr_assert_eq(rule.offset, 16);
    cr_assert_eq(rule.pointer, MWR_POINTER_AT_FRAME);
    cr_assert_eq(rule.saved, -16);
    cr_assert_eq(rule.back, -8);
    cr_assert_eq(RULE_OF_ARM(below, 8).pointer, MWR_POINTER_LOST);
}

/* A function that saves x30 alone keeps x29; _start has no caller; SVE's frames vary. */
Test(frame, of_arm_has_an_end)
{
    static const char alone[] = "\x41\x0e\x10\x9e\x02";
    static const char start[] = "\x07\x1e";
    static const char of_vectors[] = "\x41\x0f\x03\x8f\x10\x06\x9e\x02";
    static const char above[] = "\x41\x0e\x10\x9e\x06"; /* x30 would lie below sp */
    struct mwr_frame_rule rule = RULE_OF_ARM(alone, 8);

    cr_assert_eq(rule.base, MWR_FRAME_STACK);
    cr_assert_eq(rule.pointer, MWR_POINTER_SAME);
    cr_assert_eq(rule.back, -16);
    cr_assert_eq(RULE_OF_ARM(start, 8).base, MWR_FRAME_OUTERMOST);
    cr_assert_eq(RULE_OF_ARM(of_vectors, 8).base, MWR_FRAME_UNKNOWN);
    cr_assert_eq(RULE_OF_ARM(above, 8).base, MWR_FRAME_UNKNOWN);
    mwr_frame_find(&mwr_frame_of_x86_64, &tables, sizeof tables, (uintptr_t)code + 8, &rule);
    cr_assert_eq(rule.base, MWR_FRAME_UNKNOWN, "another machine's return address");
}
