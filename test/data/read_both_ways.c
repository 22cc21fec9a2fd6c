/*
 * read_both_ways ARCHIVE …: reads the events of each archive by analyzer/load's own reader and by
 * libotf2's, and compares every field of every record: type, time, position, fields, values,
 * attributes. Prints how many there are, and in how many locations both readers refuse something;
 * what differs first, or who alone refuses it, with exit status 1.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/load/callback.h"
#include "analyzer/load/otf2_input.h"
#include "analyzer/load/record_reader.h"

/* The records that libotf2 reads, held against those that the other reader has next. */
struct comparison {
    struct mwa_record_reader *reader;
    struct mw_diagnostic diagnostic;
    enum mw_status status; /* of the other reader */
    struct mwa_attributes attributes;
    uint64_t attribute_capacity;
    uint64_t count;
    char difference[256]; /* "": none so far */
};

static uint64_t events;  /* compared in all */
static uint64_t refused; /* locations, by both readers */

static void differ(struct comparison *comparison, uint64_t position, const char *what,
                   uint64_t theirs, uint64_t ours)
{
    if (!comparison->difference[0]) {
        snprintf(comparison->difference, sizeof comparison->difference,
                 "event %" PRIu64 ": %s is %" PRIu64 " to libotf2, %" PRIu64 " to us", position,
                 what, theirs, ours);
    }
}

/* Compares what both tell; false: it is not the same. */
static bool expect(struct comparison *comparison, uint64_t position, const char *what,
                   uint64_t theirs, uint64_t ours)
{
    if (theirs != ours) {
        differ(comparison, position, what, theirs, ours);
    }
    return theirs == ours;
}

static void compare_attributes(struct comparison *comparison, const struct mwa_record *record)
{
    const struct mwa_attributes *theirs = &comparison->attributes;

    if (!expect(comparison, record->position, "the number of attributes", theirs->count,
                record->attributes.count)) {
        return;
    }
    for (uint64_t i = 0; i < theirs->count; i++) {
        const struct mwa_attribute *their = &theirs->list[i], *own = &record->attributes.list[i];

        expect(comparison, record->position, "an attribute", their->id, own->id);
        expect(comparison, record->position, "the type of an attribute", their->type, own->type);
        expect(comparison, record->position, "the value of an attribute", their->bits, own->bits);
    }
}

/* Metric's third and fourth parameter, and ProgramBegin's third, are addresses of so many. */
static void compare_values(struct comparison *comparison, const struct mwa_record *record,
                           const uint64_t *fields)
{
    const OTF2_Type *types = (const OTF2_Type *)(uintptr_t)fields[2];
    const OTF2_MetricValue *values = (const OTF2_MetricValue *)(uintptr_t)fields[3];
    const OTF2_StringRef *strings = (const OTF2_StringRef *)(uintptr_t)fields[2];

    for (uint64_t i = 0; i < record->fields[1]; i++) {
        if (record->type == MWA_RECORD_METRIC) {
            expect(comparison, record->position, "the type of a value", types[i],
                   record->types[i]);
            expect(comparison, record->position, "a value", values[i].unsigned_int,
                   record->values[i]);
        } else {
            expect(comparison, record->position, "an argument", strings[i], record->values[i]);
        }
    }
}

static OTF2_CallbackCode compare(struct comparison *comparison, unsigned type, uint64_t time,
                                 uint64_t position, const OTF2_AttributeList *attributes,
                                 const uint64_t *fields, size_t field_count)
{
    const struct mwa_record *record = &comparison->reader->block.record;
    const bool has_values = type == MWA_RECORD_METRIC || type == MWA_RECORD_PROGRAM_BEGIN;

    if (comparison->status == MW_OK) {
        comparison->status = mwa_record_reader_next(comparison->reader, &comparison->diagnostic);
    }
    if (comparison->status != MW_OK) {
        return OTF2_CALLBACK_SUCCESS; /* let libotf2 come to its own end */
    }
    comparison->count++;
    if (type == 0 && !mwa_record_name(record->type)) {
        type = record->type; /* neither knows it */
    }
    if (!mwa_attributes_copy(attributes, &comparison->attributes,
                             &comparison->attribute_capacity)) {
        abort();
    }
    if (expect(comparison, position, "the kind", type, record->type)) {
        for (size_t i = 0; i < (has_values ? 2 : field_count); i++) {
            expect(comparison, position, "a field", fields[i], record->fields[i]);
        }
        if (has_values && !comparison->difference[0]) {
            compare_values(comparison, record, fields);
        }
    }
    expect(comparison, position, "the time", time, record->time);
    expect(comparison, position, "the position", position, record->position);
    compare_attributes(comparison, record);
    return comparison->difference[0] ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

/* The number of the kind that OTF2 calls so. */
static unsigned type_of(const char *name)
{
    unsigned type = 0;

    while (type < MWA_CHUNK_TYPES &&
           (!mwa_record_name(type) || strcmp(mwa_record_name(type), name) != 0)) {
        type++;
    }
    return type;
}

/* The parameters as numbers, whatever their types, and how many they are; a 0 comes first. */
#define NUMBERS_(z, a, b, c, d, e, f, ...)                                                         \
    (uint64_t)(a), (uint64_t)(b), (uint64_t)(c), (uint64_t)(d), (uint64_t)(e), (uint64_t)(f)
#define NUMBERS(...) NUMBERS_(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)
#define COUNT_(z, a, b, c, d, e, f, n, ...) n
#define COUNT(...) COUNT_(__VA_ARGS__, 6, 5, 4, 3, 2, 1, 0, 0)

#define EVENT(name, parameters, arguments)                                                         \
    static OTF2_CallbackCode on_##name(OTF2_LocationRef location, OTF2_TimeStamp time,             \
                                       uint64_t position, void *user,                              \
                                       OTF2_AttributeList *attributes BEHIND parameters)           \
    {                                                                                              \
        const uint64_t fields[] = { NUMBERS(0 BEHIND arguments) };                                 \
                                                                                                   \
        return compare(user, type_of(#name), time, position, attributes, fields,                   \
                       COUNT(0 BEHIND arguments));                                                 \
    }
#define BEHIND(...) , ##__VA_ARGS__
#define OF_OPENMP                                                                                  \
    EVENT(OmpFork, (uint32_t count), (count))                                                      \
    EVENT(OmpJoin, (), ())                                                                         \
    EVENT(OmpAcquireLock, (uint32_t lock, uint32_t order), (lock, order))                          \
    EVENT(OmpReleaseLock, (uint32_t lock, uint32_t order), (lock, order))                          \
    EVENT(OmpTaskCreate, (uint64_t task), (task))                                                  \
    EVENT(OmpTaskSwitch, (uint64_t task), (task))                                                  \
    EVENT(OmpTaskComplete, (uint64_t task), (task))
OF_OPENMP /* which nobody copies */
#include "analyzer/export/otf2_records.def"

MWA_CALLBACK(on_unknown)
{
    return compare(user, 0, time, position, attributes, NULL, 0);
}

static OTF2_EvtReaderCallbacks *make_callbacks(void)
{
    OTF2_EvtReaderCallbacks *all = OTF2_EvtReaderCallbacks_New();

    if (!all) {
        abort();
    }
#define EVENT(name, parameters, arguments)                                                         \
    OTF2_EvtReaderCallbacks_Set##name##Callback(all, on_##name);
    OF_OPENMP
#include "analyzer/export/otf2_records.def"
    OTF2_EvtReaderCallbacks_SetUnknownCallback(all, on_unknown);
    return all;
}

/* Both have to come to an end of their own. */
static void compare_ends(struct comparison *comparison, enum mw_status theirs,
                         const struct mw_diagnostic *diagnostic)
{
    char their_text[512], own_text[512];

    /* libotf2 gets no block that is damaged; the other reader gets as far as the damage. */
    while (comparison->status == MW_OK) {
        comparison->status = mwa_record_reader_next(comparison->reader, &comparison->diagnostic);
        if (comparison->status == MW_OK && theirs == MW_OK) {
            differ(comparison, comparison->count + 1, "a further event", 0, 1);
        }
    }
    if (!comparison->difference[0] && (comparison->status == MW_END) != (theirs == MW_OK)) {
        snprintf(comparison->difference, sizeof comparison->difference,
                 "behind event %" PRIu64 ": libotf2: %.100s; us: %.100s", comparison->count,
                 theirs == MW_OK ? "fine" : mw_diagnostic_text(diagnostic, their_text, 512),
                 comparison->status == MW_END
                     ? "fine"
                     : mw_diagnostic_text(&comparison->diagnostic, own_text, 512));
    }
}

static bool compare_location(struct mwa_input *ours, struct mwa_input *theirs, uint32_t location,
                             const OTF2_EvtReaderCallbacks *callbacks)
{
    struct mwa_record_reader reader;
    struct comparison comparison = { .reader = &reader };
    struct mw_diagnostic diagnostic;
    enum mw_status status;
    uint64_t count;

    comparison.status =
        mwa_record_reader_init(&reader, ours, mwa_input_trace(ours)->locations[location].id,
                               &comparison.diagnostic);
    if (comparison.status != MW_OK) {
        reader = (struct mwa_record_reader){ 0 };
    }
    status = mwa_input_scan(theirs, location, callbacks, &comparison, &count, &diagnostic);
    if (!comparison.difference[0]) {
        compare_ends(&comparison, status, &diagnostic);
    }
    if (comparison.difference[0]) {
        printf("location %" PRIu64 ": %s\n", mwa_input_trace(ours)->locations[location].id,
               comparison.difference);
    }
    events += comparison.count;
    refused += status != MW_OK && !comparison.difference[0];
    mwa_files_log(mwa_input_files(ours))->fault = (struct mw_diagnostic){ 0 };
    mwa_files_log(mwa_input_files(theirs))->fault = (struct mw_diagnostic){ 0 };
    mwa_record_reader_fini(&reader);
    free(comparison.attributes.list);
    return !comparison.difference[0];
}

/* False: something differs. */
static bool compare_archive(const char *path)
{
    OTF2_EvtReaderCallbacks *callbacks = make_callbacks();
    struct mwa_input *ours = NULL, *theirs = NULL;
    struct mw_diagnostic diagnostic;
    bool is_same = true;

    if (mwa_input_open(path, &ours, &diagnostic) == MW_OK &&
        mwa_input_open(path, &theirs, &diagnostic) == MW_OK) {
        for (uint32_t i = 0; i < mwa_input_trace(ours)->location_count; i++) {
            is_same &= compare_location(ours, theirs, i, callbacks);
        }
    }
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    mwa_input_close(theirs);
    mwa_input_close(ours);
    return is_same;
}

int main(int argc, char **argv)
{
    bool is_same = true;

    for (int i = 1; i < argc; i++) {
        if (!compare_archive(argv[i])) {
            printf("%s is not the same to libotf2 and to us\n", argv[i]);
            is_same = false;
        }
    }
    printf("%" PRIu64 " events, %" PRIu64 " locations refused\n", events, refused);
    return is_same ? 0 : 1;
}
