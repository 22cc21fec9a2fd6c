/*
 * Numbers of MPI_T differ between MPIs, records and archives have one set: here
 * they are translated, and it is said of what is not recorded why.
 */
#include "recorder/variables/pvars.h"

#include "formats/spool/record.h"

struct word {
    int value;
    const char *name;
};

uint32_t mwr_class_of(int var_class)
{
    static const struct {
        int value;
        uint32_t class;
    } classes[] = {
        {MPI_T_PVAR_CLASS_STATE, MW_CLASS_STATE},
        {MPI_T_PVAR_CLASS_LEVEL, MW_CLASS_LEVEL},
        {MPI_T_PVAR_CLASS_SIZE, MW_CLASS_SIZE},
        {MPI_T_PVAR_CLASS_PERCENTAGE, MW_CLASS_PERCENTAGE},
        {MPI_T_PVAR_CLASS_HIGHWATERMARK, MW_CLASS_HIGHWATERMARK},
        {MPI_T_PVAR_CLASS_LOWWATERMARK, MW_CLASS_LOWWATERMARK},
        {MPI_T_PVAR_CLASS_COUNTER, MW_CLASS_COUNTER},
        {MPI_T_PVAR_CLASS_AGGREGATE, MW_CLASS_AGGREGATE},
        {MPI_T_PVAR_CLASS_TIMER, MW_CLASS_TIMER},
        {MPI_T_PVAR_CLASS_GENERIC, MW_CLASS_GENERIC},
    };

    for (unsigned i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        if (classes[i].value == var_class) {
            return classes[i].class;
        }
    }
    return MW_CLASS_GENERIC;
}

static const char *find_word(const struct word *words, unsigned count, int value)
{
    for (unsigned i = 0; i < count; i++) {
        if (words[i].value == value) {
            return words[i].name;
        }
    }
    return "?";
}

#define WORD(prefix, name) {prefix##name, #name}

const char *mwr_bind_word(int bind)
{
    static const struct word words[] = {
        WORD(MPI_T_BIND_, NO_OBJECT),   WORD(MPI_T_BIND_, MPI_COMM),
        WORD(MPI_T_BIND_, MPI_DATATYPE), WORD(MPI_T_BIND_, MPI_ERRHANDLER),
        WORD(MPI_T_BIND_, MPI_FILE),    WORD(MPI_T_BIND_, MPI_GROUP),
        WORD(MPI_T_BIND_, MPI_OP),      WORD(MPI_T_BIND_, MPI_REQUEST),
        WORD(MPI_T_BIND_, MPI_WIN),     WORD(MPI_T_BIND_, MPI_MESSAGE),
        WORD(MPI_T_BIND_, MPI_INFO),
    };

    return find_word(words, sizeof words / sizeof words[0], bind);
}

const char *mwr_scope_word(int scope)
{
    static const struct word words[] = {
        WORD(MPI_T_SCOPE_, CONSTANT), WORD(MPI_T_SCOPE_, READONLY), WORD(MPI_T_SCOPE_, LOCAL),
        WORD(MPI_T_SCOPE_, GROUP),    WORD(MPI_T_SCOPE_, GROUP_EQ), WORD(MPI_T_SCOPE_, ALL),
        WORD(MPI_T_SCOPE_, ALL_EQ),
    };

    return find_word(words, sizeof words / sizeof words[0], scope);
}

uint32_t mwr_verbosity_of(int verbosity)
{
    static const int values[] = {
        MPI_T_VERBOSITY_USER_BASIC,   MPI_T_VERBOSITY_USER_DETAIL,   MPI_T_VERBOSITY_USER_ALL,
        MPI_T_VERBOSITY_TUNER_BASIC,  MPI_T_VERBOSITY_TUNER_DETAIL,  MPI_T_VERBOSITY_TUNER_ALL,
        MPI_T_VERBOSITY_MPIDEV_BASIC, MPI_T_VERBOSITY_MPIDEV_DETAIL, MPI_T_VERBOSITY_MPIDEV_ALL};

    for (uint32_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        if (values[i] == verbosity) {
            return i + 1;
        }
    }
    return 9;
}

enum mwr_bind mwr_bind_of(int bind)
{
    return bind == MPI_T_BIND_NO_OBJECT  ? MWR_BIND_NONE
           : bind == MPI_T_BIND_MPI_COMM ? MWR_BIND_COMM
           : bind == MPI_T_BIND_MPI_WIN  ? MWR_BIND_WINDOW
           : bind == MPI_T_BIND_MPI_FILE ? MWR_BIND_FILE
                                         : MWR_BIND_OTHER;
}

const char *mwr_bind_refusal(int bind)
{
    return mwr_bind_of(bind) == MWR_BIND_OTHER
               ? "objects of this kind come and go unseen, so that its handle would outlive them"
               : NULL;
}

bool mwr_pvar_set_type(struct mwr_pvar *pvar, MPI_Datatype datatype)
{
    static const struct {
        MPI_Datatype datatype;
        uint32_t type;
        uint32_t bytes;
    } types[] = {
        {MPI_UNSIGNED, MW_METRIC_UINT64, sizeof(unsigned)},
        {MPI_UNSIGNED_LONG, MW_METRIC_UINT64, sizeof(unsigned long)},
        {MPI_UNSIGNED_LONG_LONG, MW_METRIC_UINT64, sizeof(unsigned long long)},
        {MPI_COUNT, MW_METRIC_UINT64, sizeof(MPI_Count)},
        {MPI_INT, MW_METRIC_INT64, sizeof(int)},
        {MPI_DOUBLE, MW_METRIC_DOUBLE, sizeof(double)},
    };

    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (types[i].datatype == datatype) {
            pvar->type = types[i].type;
            pvar->element_bytes = types[i].bytes;
            return true;
        }
    }
    return false;
}

const char *mwr_type_refusal(MPI_Datatype datatype)
{
    struct mwr_pvar unused;

    return mwr_pvar_set_type(&unused, datatype) ? NULL : "values of its type are no numbers";
}
