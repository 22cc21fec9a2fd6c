#ifndef MPIWATCH_QMPI_H
#ifndef QMPI_PROPOSAL
#define QMPI_PROPOSAL
#endif
#include "qmpi.h"
#endif

#ifndef MPIWATCH_QMPI_PROPOSAL_H
#define MPIWATCH_QMPI_PROPOSAL_H

/*
 * QMPI as its proposal of October 2020 has it; part of qmpi.h, where QMPI_PROPOSAL is defined
 * before that is included. A hook gets the context of the call and its arguments, and no id; the
 * next function has the same form, and is called with the context that QMPI_Get_function gives.
 *
 * What is registered here are functions of the form that MPICH and mpiwatch call, one for each
 * function of MPI. They keep for the time of the hook, by thread, what the call's own context is;
 * so it does not matter whether the next function and its context were fetched in this call or once
 * for all. All this is the tool's own: it works with whatever has the functions of qmpi.h.
 */

#define MPIWATCH_QMPI_TOOLS 65 /* instances, and one: ids begin with 1 */

struct mpiwatch_qmpi_link {
    void (*function)(void); /* null: not asked for yet */
    int id;
};

/* What a context of the proposal points to: a hook that runs … */
struct mpiwatch_qmpi_frame {
    int tool_id;
    int is_frame; /* 1, and of an instance 0 */
    QMPI_Context context;
    struct mpiwatch_qmpi_frame *outer;
};

/* … or, as it is to be given to the next function, the instance that goes on. */
struct mpiwatch_qmpi_instance {
    int tool_id;
    int is_frame;
    void (*hooks[MPIWATCH_QMPI_COUNT])(void);
    struct mpiwatch_qmpi_link next[MPIWATCH_QMPI_COUNT];
};

/* One of each in a tool's library, however many of its files include this one. */
#define MPIWATCH_QMPI_ONE __attribute__((weak, visibility("hidden")))
MPIWATCH_QMPI_ONE __thread struct mpiwatch_qmpi_frame *mpiwatch_qmpi_frame;
MPIWATCH_QMPI_ONE struct mpiwatch_qmpi_instance *mpiwatch_qmpi_instances[MPIWATCH_QMPI_TOOLS];

/* Null: the id is none, or there is no memory. Made in the init function, by one thread. */
static inline struct mpiwatch_qmpi_instance *mpiwatch_qmpi_instance_of(int tool_id)
{
    struct mpiwatch_qmpi_instance **place;

    if (tool_id < 1 || tool_id >= MPIWATCH_QMPI_TOOLS) {
        return NULL;
    }
    place = &mpiwatch_qmpi_instances[tool_id];
    if (!__atomic_load_n(place, __ATOMIC_ACQUIRE)) {
        struct mpiwatch_qmpi_instance *none = NULL;
        struct mpiwatch_qmpi_instance *made =
            (struct mpiwatch_qmpi_instance *)calloc(1, sizeof *made);

        if (made) {
            made->tool_id = tool_id;
        }
        if (made && !__atomic_compare_exchange_n(place, &none, made, 0, __ATOMIC_ACQ_REL,
                                                 __ATOMIC_ACQUIRE)) {
            free(made); /* another thread was quicker */
        }
    }
    return __atomic_load_n(place, __ATOMIC_ACQUIRE);
}

/* With whom the instance goes on that context is of; it becomes the call's own. */
static inline struct mpiwatch_qmpi_link mpiwatch_qmpi_go_on(QMPI_Context *context, int number)
{
    const struct mpiwatch_qmpi_frame *frame =
        (const struct mpiwatch_qmpi_frame *)(const void *)context->storage_stack;
    const struct mpiwatch_qmpi_instance *instance =
        frame->is_frame ? mpiwatch_qmpi_instances[frame->tool_id]
                        : (const struct mpiwatch_qmpi_instance *)(const void *)frame;

    if (mpiwatch_qmpi_frame) {
        *context = mpiwatch_qmpi_frame->context;
    } else {
        context->storage_stack = NULL;
    }
    return instance->next[number];
}

#define MPIWATCH_QMPI_ADAPT(prefix, name, number, type, params, args, own_params, own_args)     \
    __attribute__((unused)) static type mpiwatch_hook_##prefix##_##name params                  \
    {                                                                                           \
        struct mpiwatch_qmpi_frame qmpi_frame = {tool_id, 1, context, mpiwatch_qmpi_frame};     \
        void (*qmpi_hook)(void) = mpiwatch_qmpi_instances[tool_id]->hooks[number];              \
        type qmpi_result;                                                                       \
                                                                                                \
        mpiwatch_qmpi_frame = &qmpi_frame;                                                      \
        context.storage_stack = (void **)(void *)&qmpi_frame;                                   \
        qmpi_result = ((Q##prefix##_##name##_t *)qmpi_hook)own_args;                            \
        mpiwatch_qmpi_frame = qmpi_frame.outer;                                                 \
        return qmpi_result;                                                                     \
    }                                                                                           \
                                                                                                \
    __attribute__((unused)) static type mpiwatch_next_##prefix##_##name own_params              \
    {                                                                                           \
        struct mpiwatch_qmpi_link qmpi_next = mpiwatch_qmpi_go_on(&context, number);            \
        int tool_id = qmpi_next.id;                                                             \
                                                                                                \
        return ((type(*) params)qmpi_next.function)args;                                        \
    }
MPIWATCH_QMPI_EACH_PROPOSED(MPIWATCH_QMPI_ADAPT)

/* The pair of a function number; false: there is none. */
static inline int mpiwatch_qmpi_pair_of(int number, void (**hook)(void), void (**next)(void))
{
    switch (number) {
#define MPIWATCH_QMPI_PAIR(prefix, name, number, ...)                                           \
    case number:                                                                                \
        *hook = (void (*)(void))mpiwatch_hook_##prefix##_##name;                                \
        *next = (void (*)(void))mpiwatch_next_##prefix##_##name;                                \
        return 1;
        MPIWATCH_QMPI_EACH_PROPOSED(MPIWATCH_QMPI_PAIR)
    default:
        return 0;
    }
}

/* Fetches what is next for good, where it is not known yet. */
static inline int mpiwatch_qmpi_fetch(struct mpiwatch_qmpi_instance *instance, int number)
{
    void (*function)(void) = NULL;
    int id = 0;
    int error;

    if (__atomic_load_n(&instance->next[number].function, __ATOMIC_ACQUIRE)) {
        return MPI_SUCCESS;
    }
    error = QMPI_Get_function(instance->tool_id, (MPIWATCH_QMPI_NUMBER)number, &function, &id);
    if (error == MPI_SUCCESS) {
        instance->next[number].id = id; /* the same from whichever thread */
        __atomic_store_n(&instance->next[number].function, function, __ATOMIC_RELEASE);
    }
    return error;
}

/*
 * Has function_ptr, in truth a QMPI_X_t, called for every call of X. From the init function only.
 *
 * \return as QMPI_Register_function; MPI_ERR_OTHER also when there is no memory.
 */
static inline int QMPI_Register_tool_function(int tool_id, MPIWATCH_QMPI_NUMBER function_enum,
                                              void (*function_ptr)(void))
{
    void (*hook)(void);
    void (*next)(void);
    struct mpiwatch_qmpi_instance *instance;

    if (!function_ptr || !mpiwatch_qmpi_pair_of((int)function_enum, &hook, &next)) {
        return MPI_ERR_ARG;
    }
    instance = mpiwatch_qmpi_instance_of(tool_id);
    if (!instance) {
        return tool_id < 1 || tool_id >= MPIWATCH_QMPI_TOOLS ? MPI_ERR_ARG : MPI_ERR_OTHER;
    }
    instance->hooks[function_enum] = function_ptr;
    return QMPI_Register_function(tool_id, function_enum, hook);
}

/*
 * The function that an instance calls to go on with a call of the given function, and the context
 * to call it with. Both stay valid until the process ends.
 *
 * \return MPI_SUCCESS; MPI_ERR_ARG; MPI_ERR_OTHER when there is no memory.
 */
static inline int mpiwatch_qmpi_get_function(int tool_id, MPIWATCH_QMPI_NUMBER function_enum,
                                             void (**function_ptr)(void),
                                             QMPI_Context *next_tool_context)
{
    void (*hook)(void);
    struct mpiwatch_qmpi_instance *instance;

    if (!function_ptr || !next_tool_context ||
        !mpiwatch_qmpi_pair_of((int)function_enum, &hook, function_ptr)) {
        return MPI_ERR_ARG;
    }
    instance = mpiwatch_qmpi_instance_of(tool_id);
    if (!instance) {
        return tool_id < 1 || tool_id >= MPIWATCH_QMPI_TOOLS ? MPI_ERR_ARG : MPI_ERR_OTHER;
    }
    next_tool_context->storage_stack = (void **)(void *)instance;
    return mpiwatch_qmpi_fetch(instance, (int)function_enum);
}
#define QMPI_Get_function mpiwatch_qmpi_get_function

/* The pointer that QMPI_Register_tool_storage got, or null. */
static inline int QMPI_Context_get_storage(QMPI_Context context, int tool_id, void **storage)
{
    return QMPI_Get_tool_storage(context, tool_id, storage);
}

/* calling_address: of a void *, which becomes where the call of MPI stands in the program. */
static inline int QMPI_Context_get_calling_address(QMPI_Context context, int tool_id,
                                                   void *calling_address)
{
    const struct mpiwatch_qmpi_frame *frame =
        (const struct mpiwatch_qmpi_frame *)(const void *)context.storage_stack;

    (void)tool_id;
    if (!frame || !frame->is_frame) {
        return MPI_ERR_ARG;
    }
    return QMPI_Get_calling_address(frame->context, (void **)calling_address);
}

#endif
