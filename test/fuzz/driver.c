/*
 * Calls libFuzzer's entry without libFuzzer: PROGRAM RUNS SEED... reads the seeds, then RUNS
 * random variations of them, the same every time. The first byte of a seed, which says what it
 * is, stays.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

#define INPUT_MAX (1u << 20)

#define SEEDS_MAX 64

struct input {
    uint8_t *data;
    size_t bytes;
};

static uint64_t state = 88172645463325252u;

/* Marsaglia's xorshift: the same numbers everywhere. */
static uint64_t chance(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

static struct input load(const char *path)
{
    FILE *file = fopen(path, "r");
    struct input input = { malloc(INPUT_MAX), 0 };

    if (!file || !input.data) {
        fprintf(stderr, "fuzz: can't read %s\n", path);
        exit(2);
    }
    input.bytes = fread(input.data, 1, INPUT_MAX, file);
    fclose(file);
    return input;
}

/* Bits, bytes, numbers that are too large, or the rest cut off. */
static size_t vary(const struct input *seed, uint8_t *data)
{
    uint64_t changes = 1 + chance(6);

    memcpy(data, seed->data, seed->bytes);
    for (uint64_t i = 0; i < changes; i++) {
        size_t at = 1 + (size_t)chance(seed->bytes - 1);
        size_t length = (size_t)1 << chance(4);

        length = length < seed->bytes - at ? length : seed->bytes - at;
        if (chance(3) == 0) {
            data[at] ^= (uint8_t)(1u << chance(8));
        } else if (chance(2) == 0) {
            memset(data + at, chance(2) ? 0xff : 0, length);
        } else {
            memcpy(data + at, seed->data + 1 + chance(seed->bytes - length), length);
        }
    }
    return chance(10) == 0 ? 1 + (size_t)chance(seed->bytes) : seed->bytes;
}

/* In memory of its own, so that a sanitizer sees where the input ends. */
static void hand_over(const uint8_t *data, size_t bytes)
{
    uint8_t *exact = malloc(bytes);

    if (!exact) {
        exit(2);
    }
    memcpy(exact, data, bytes);
    LLVMFuzzerTestOneInput(exact, bytes);
    free(exact);
}

int main(int argc, char **argv)
{
    uint64_t runs = argc > 2 ? strtoull(argv[1], NULL, 10) : 0;
    uint8_t *data = malloc(INPUT_MAX);
    struct input seeds[SEEDS_MAX];
    int count = 0;

    for (int i = 2; i < argc && count < SEEDS_MAX; i++) {
        seeds[count] = load(argv[i]);
        hand_over(seeds[count].data, seeds[count].bytes);
        count++;
    }
    if (count == 0 || !data) {
        fprintf(stderr, "usage: %s RUNS SEED...\n", argv[0]);
        return 2;
    }
    for (uint64_t i = 0; i < runs; i++) {
        const struct input *seed = &seeds[chance((uint64_t)count)];

        hand_over(data, vary(seed, data));
    }
    for (int i = 0; i < count; i++) {
        free(seeds[i].data);
    }
    free(data);
    printf("%s: %d seeds, %llu variations\n", argv[0], count, (unsigned long long)runs);
    return 0;
}
