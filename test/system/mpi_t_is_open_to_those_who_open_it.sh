# To a program MPI_T is initialized as long as it says so itself, though the recorder has done so,
# too: each MPI_T call of the table returns what it does without the recorder, before the program
# has initialized it, when it has finalized it, once too often as well, and where the MPI bears it
# behind MPI_Finalize. Under Open MPI, whose own count tells, also to a program that initializes or
# finalizes it past the recorder, by the library's own functions. A tool below the recorder that
# initializes it inside of MPI_Init is served in a thread of its own.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >asks.c <<'PROGRAM'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int function(long, long, long, long, long, long, long, long, long, long, long, long);

/* Each of those named that there is, with nothing but zeros. */
static void ask(const char *when, char **names)
{
    for (; *names; names++) {
        function *call = (function *)dlsym(RTLD_DEFAULT, *names);

        if (call) {
            printf("%s: %s %d\n", when, *names, call(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0));
        }
    }
}

/* A function of the library itself, past what is preloaded. */
static function *own(const char *name)
{
    Dl_info about;

    dladdr((void *)(intptr_t)MPI_COMM_WORLD, &about);
    return (function *)dlsym(dlopen(about.dli_fname, RTLD_NOW | RTLD_NOLOAD), name);
}

static int call_own(const char *name, void *provided)
{
    return own(name)(MPI_THREAD_SINGLE, (long)provided, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

static void ask_open(void)
{
    int count = -1, result = MPI_T_cvar_get_num(&count);

    printf("open %d %d\n", result, count > 0);
}

static void come_past(void)
{
    int provided;

    printf("past %d\n", call_own("MPI_T_init_thread", &provided));
    ask_open();
    printf("finalize %d\n", MPI_T_finalize());
    ask_open();
    printf("init %d\n", MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
    printf("past %d\n", call_own("PMPI_T_finalize", NULL));
    ask_open();
    printf("once more %d\n", MPI_T_finalize());
}

int main(int argc, char **argv)
{
    const int is_served = !strcmp(argv[1], "served");
    int provided, count = -1;

    MPI_Init(NULL, NULL);
    if (is_served) {
        printf("%d\n", MPI_T_cvar_get_num(&count) == MPI_SUCCESS && count > 0);
    } else if (!strcmp(argv[1], "past")) {
        come_past();
    } else {
        ask("before", argv + 2);
        printf("init %d\n", MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
        printf("init %d\n", MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
        printf("finalize %d\n", MPI_T_finalize());
        ask_open();
        printf("finalize %d\n", MPI_T_finalize());
        ask("behind", argv + 2);
        printf("once more %d\n", MPI_T_finalize());
    }
    if (!strcmp(argv[1], "again")) {
        printf("again %d\n", MPI_T_init_thread(MPI_THREAD_SINGLE, &provided));
        ask_open();
        printf("finalize %d\n", MPI_T_finalize());
    }
    MPI_Finalize();
    if (!strcmp(argv[1], "again")) {
        ask("at the end", argv + 2);
    }
    return 0;
}
PROGRAM
cat >below.c <<'TOOL'
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

/* What a thread of the tool's is told. */
static void *sample(void *unused)
{
    int count = -1, result = PMPI_T_cvar_get_num(&count);

    fprintf(stderr, "tool %d %d\n", result, count > 0);
    return NULL;
}

int MPI_Init(int *argc, char ***argv)
{
    int provided, result;
    pthread_t thread;

    PMPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided);
    result = PMPI_Init(argc, argv);
    pthread_create(&thread, NULL, sample, NULL);
    pthread_join(thread, NULL);
    return result;
}
TOOL
names=$(sed -n 's/^MW_CALL[_A-Z]*(MPI, \(T_[a-z_]*\),.*/MPI_\1/p' \
    "$TOP_SRCDIR/formats/table/calls.def" | grep -v -e MPI_T_init_thread)
[ "$(wc -w <<<"$names")" -gt 45 ] || fail "names of calls: $names"

for mpi in $(mpis); do
    "$(mpicc_of "$mpi")" -o asks asks.c -ldl
    # (MPICH crashes where it is initialized anew, and behind MPI_Finalize.)
    [ "$mpi" = mpich ] && until=finalize || until=again
    run_mpi "$mpi" 1 ./asks $until $names >native 2>err || fail "$mpi: $(cat err)"
    grep -q "^before: MPI_T_cvar_get_num [1-9]" native || fail "$mpi serves anybody: $(cat native)"
    # (--pvars=all: handles of the recorder's are open that others must not close)
    run_mpi "$mpi" 1 "$record" -q --force -o a.otf2.zip --pvars=all --cvars='*' \
        ./asks $until $names >recorded 2>err || fail "$mpi: $(cat err)"
    diff native recorded || fail "$mpi: MPI_T calls return something else than without"
    unzip -qp a.otf2.zip mpiwatch.json >about.json
    assert_equal true "$(json about.json 'len(d["variables"]["cvars"]) > 300')" \
        "the recorder's own MPI_T, $mpi"

    if [ "$mpi" = openmpi ]; then
        run_mpi "$mpi" 1 ./asks past >native 2>err || fail "$(cat err)"
        assert_contains "$(cat native)" "open 0 1"
        run_mpi "$mpi" 1 "$record" -q --force -o c.otf2.zip ./asks past >recorded 2>err ||
            fail "past the recorder: $(cat err)"
        diff native recorded || fail "MPI_T, initialized past the recorder, is another"
    fi

    "$(mpicc_of "$mpi")" -shared -fPIC -o below.so below.c -lpthread
    run_mpi "$mpi" 1 "$record" -q --force -o b.otf2.zip \
        env LD_PRELOAD="$(library "$mpi"):$PWD/below.so" ./asks served \
        >served 2>err || fail "$mpi, with a tool: $(cat err)"
    assert_equal 1 "$(cat served)" "$mpi: a program beside a tool that has initialized MPI_T"
    assert_contains "$(cat err)" "tool 0 1"
done
