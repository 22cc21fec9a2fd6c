#include "recorder/dispatch/tools.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/base/launched_job.h"
#include "recorder/recorder.h"

#define NAME_BYTES 256 /* QMPI_MAX_TOOL_NAME_LENGTH */
#define SEPARATORS ":,"

struct tool {
    char name[NAME_BYTES];
    void (*init)(int id);
    struct tool *following;
};

/* Written by mwr_tools_start, under the lock of mwr_chain_prepare; fixed afterwards. */
struct mwr_tools mwr_tools;

/* What has registered; constructors of several threads may be at it. */
static struct {
    pthread_mutex_t lock;
    struct tool *tools;
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* --- words -------------------------------------------------------------------- */

/* The next word of *list, which moves past it; null after the last. */
static const char *next_word(const char **list, const char *separators, size_t *length)
{
    const char *word = *list + strspn(*list, separators);

    *length = strcspn(word, separators);
    *list = word + *length;
    return *length > 0 ? word : NULL;
}

static bool is_word(const char *word, size_t length, const char *name)
{
    return strlen(name) == length && memcmp(word, name, length) == 0;
}

static void warn(const char *format, ...) MW_PRINTF(1, 2);

static void warn(const char *format, ...)
{
    char text[1024];
    va_list arguments;

    if (mw_launched_first()) {
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        mwr_say("%s", text);
    }
}

/* --- registration --------------------------------------------------------------- */

/* The registry's lock must be held. */
static struct tool *find_tool(const char *name, size_t length)
{
    struct tool *tool = registry.tools;

    while (tool && !is_word(name, length, tool->name)) {
        tool = tool->following;
    }
    return tool;
}

static int add_tool(const char *name, void (*init)(int id))
{
    struct tool *tool;

    if (mwr_tools.state != MWR_TOOLS_REGISTER) {
        return MPI_ERR_OTHER;
    }
    if (find_tool(name, strlen(name))) {
        return MPI_ERR_ARG;
    }
    tool = calloc(1, sizeof *tool);
    if (!tool) {
        return MPI_ERR_OTHER;
    }
    snprintf(tool->name, sizeof tool->name, "%s", name);
    tool->init = init;
    tool->following = registry.tools;
    registry.tools = tool;
    return MPI_SUCCESS;
}

int mwr_tools_register(const char *name, void (*init)(int id))
{
    int result;

    if (!name || !init || !*name || *name == '-' || strlen(name) >= NAME_BYTES ||
        strpbrk(name, SEPARATORS) || strcmp(name, MWR_RECORDER_NAME) == 0) {
        return MPI_ERR_ARG;
    }
    pthread_mutex_lock(&registry.lock);
    result = add_tool(name, init);
    pthread_mutex_unlock(&registry.lock);
    return result;
}

/* The init function of a name in the list, or null. */
static void (*init_of(const char *name, size_t length))(int id)
{
    struct tool *tool;

    pthread_mutex_lock(&registry.lock);
    tool = find_tool(name, length);
    pthread_mutex_unlock(&registry.lock);
    return tool ? tool->init : NULL;
}

/* --- the list --------------------------------------------------------------------- */

static const char *list_of_tools(void)
{
    static const char *const variables[] = {"MPIWATCH_TOOLS", "MPIR_CVAR_QMPI_TOOL_LIST",
                                            "QMPI_TOOL_LIST"};

    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *list = getenv(variables[i]);

        if (list && *list) {
            return list;
        }
    }
    return "";
}

/* A tool library brings its tools by registering them in a constructor. */
static void open_libraries(void)
{
    const char *paths = getenv("MPIWATCH_TOOLS_PATH");
    const char *path;
    size_t length;

    while (paths && (path = next_word(&paths, ":", &length)) != NULL) {
        char name[MWR_PATH_BYTES];

        snprintf(name, sizeof name, "%.*s", (int)length, path);
        if (!dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
            warn("a library of tools can't be loaded: %s", dlerror());
        }
    }
}

static bool has_all_registered(const char *list)
{
    const char *word;
    size_t length;

    while ((word = next_word(&list, SEPARATORS, &length)) != NULL) {
        if (*word != '-' && !is_word(word, length, MWR_RECORDER_NAME) && !init_of(word, length)) {
            return false;
        }
    }
    return true;
}

/* Puts an instance at the chain's end, of which there is room; returns its id. */
static int enter_instance(struct mwr_instance *instance)
{
    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        instance->next[call].function = mwr_base_of(call); /* until all are known */
    }
    mwr_tools.instances[++mwr_tools.count] = instance;
    return mwr_tools.count;
}

/* \return the new instance's id, 0 when there can't be one. */
static int add_instance(const char *name, size_t length)
{
    struct mwr_instance *instance;

    if (mwr_tools.count == MWR_TOOLS_MAX) {
        warn("a chain has at most %d tools: %.*s is left out", MWR_TOOLS_MAX, (int)length, name);
        return 0;
    }
    instance = calloc(1, sizeof *instance);
    if (!instance || !(instance->name = strndup(name, length))) {
        warn("no memory for tool %.*s: it is left out", (int)length, name);
        free(instance);
        return 0;
    }
    return enter_instance(instance);
}

/*
 * The recorder stands in the chain of every rank, also where there is no memory: the
 * others would wait for one that does not take part.
 */
static void add_recorder(void)
{
    static struct mwr_instance instance = {.name = MWR_RECORDER_NAME};
    int id;

    if (mwr_tools.count == MWR_TOOLS_MAX) {
        warn("a chain has at most %d tools: " MWR_RECORDER_NAME " is left out", MWR_TOOLS_MAX);
        return;
    }
    id = enter_instance(&instance);
    mwr_tools.recorder = id;
    for (unsigned call = 0; call < MW_CALL_COUNT; call++) {
        instance.functions[call] = mwr_gate_of(call);
    }
}

/* Makes the instances of the list; inits gets their init functions, by id. */
static void make_instances(const char *list, void (**inits)(int id))
{
    bool without_recorder = false;
    const char *word;
    size_t length;

    while ((word = next_word(&list, SEPARATORS, &length)) != NULL) {
        void (*init)(int id) = init_of(word, length);

        if (init) {
            int id = add_instance(word, length);

            inits[id] = init;
        } else if (is_word(word, length, "-" MWR_RECORDER_NAME)) {
            without_recorder = true;
        } else if (!is_word(word, length, MWR_RECORDER_NAME)) {
            warn("there is no tool \"%.*s\": it is left out", (int)length, word);
        } else if (mwr_tools.recorder == 0) {
            add_recorder();
        } else {
            warn("the list of tools has " MWR_RECORDER_NAME " twice: the second is left out");
        }
    }
    if (!without_recorder && mwr_tools.recorder == 0) {
        add_recorder();
    }
}

/* --- an MPI that has QMPI itself ---------------------------------------------------- */

static void be_no_tool(int id)
{
}

/*
 * Most libraries that have the functions of QMPI return an error from all of them.
 * Registering a tool that no list names has no consequence in one that does not.
 */
static bool is_in_library(void)
{
    int (*register_name)(const char *, void (*)(int)) =
        (int (*)(const char *, void (*)(int)))dlsym(RTLD_NEXT, "QMPI_Register_tool_name");

    return dlsym(RTLD_NEXT, "QMPI_Send") ||
           (register_name && register_name("mpiwatch-asks", be_no_tool) == MPI_SUCCESS);
}

/*
 * Our functions stand before the library's, where tools then register: it would look
 * for the names of its list in vain (MPICH 4.0 crashes over that), so it gets none.
 */
static void take_over(void)
{
    if (is_in_library()) {
        unsetenv("MPIR_CVAR_QMPI_TOOL_LIST");
        unsetenv("MPIR_PARAM_QMPI_TOOL_LIST");
        unsetenv("MPICH_QMPI_TOOL_LIST");
        unsetenv("QMPI_TOOL_LIST");
        warn("this MPI has QMPI itself; mpiwatch runs the tools in its place");
    }
}

/* --- the start ---------------------------------------------------------------------- */

static void set_state(enum mwr_tools_state state)
{
    pthread_mutex_lock(&registry.lock);
    mwr_tools.state = state;
    pthread_mutex_unlock(&registry.lock);
}

static void run_tools(const char *list)
{
    void (*inits[MWR_TOOLS_MAX + 1])(int id) = {NULL};

    set_state(MWR_TOOLS_INIT);
    make_instances(list, inits);
    for (int id = 1; id <= mwr_tools.count; id++) {
        if (inits[id]) {
            inits[id](id);
        }
    }
    set_state(MWR_TOOLS_FIXED);
}

bool mwr_tools_start(bool must)
{
    static bool is_open;
    char *list;

    if (!is_open) {
        is_open = true;
        open_libraries();
    }
    if (!must && !has_all_registered(list_of_tools())) {
        return false;
    }
    list = strdup(list_of_tools());
    if (list && *list) {
        take_over();
    } else if (registry.tools && getenv("MPIWATCH_TOOLS_PATH")) {
        warn("tools were loaded by --tools-path, but none is named by --tools");
    }
    run_tools(list ? list : "");
    free(list);
    return true;
}

void mwr_tools_list(char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (int id = 1; id <= mwr_tools.count && used < size; id++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", id > 1 ? ":" : "",
                                 mwr_tools.instances[id]->name);
    }
}
