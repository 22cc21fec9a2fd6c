# Functions of C++ templates, of which no lines are known: where a request that never completes was
# begun, and where the run was when it was killed, is told by the function's name, not by what it
# is a template of and for. The archive keeps all of it.
. "$TOP_SRCDIR/test/system/lib.sh"
recover=$TOP_BUILDDIR/mpiwatch-recover
export COLUMNS=500 # sentences are looked for on one line

cat >exchange.cc <<'PROGRAM'
#include <unistd.h>
#include <mpi.h>
#include <vector>

namespace halo
{
template <class Values> struct Exchange {
    static void post(Values &values, MPI_Request *request)
    {
        MPI_Irecv(values.data(), 1, MPI_INT, 0, 7, MPI_COMM_SELF, request);
    }

    /* Nobody sends; whoever else has come is ended by then. */
    static void take(Values &values)
    {
        MPI_Recv(values.data(), 1, MPI_INT, 0, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
};
} // namespace halo

int main(int argc, char **argv)
{
    std::vector<int> values(1);
    MPI_Request request;

    MPI_Init(&argc, &argv);
    if (argc > 1) {
        alarm(3);
        halo::Exchange<std::vector<int>>::take(values);
    }
    halo::Exchange<std::vector<int>>::post(values, &request);
    MPI_Finalize();
    return 0;
}
PROGRAM

for mpi in $(mpis); do
    if ! "mpicxx.$mpi" -O0 -w -o "exchange-$mpi" exchange.cc 2>err; then
        skip "no C++ for $mpi: $(head -1 err)"
    fi
    rm -f ./*.zip ./*.run
    run_mpi "$mpi" 1 "$record" -q -o run.otf2.zip "./exchange-$mpi" >out 2>err ||
        fail "$mpi: $(head -5 err)"
    "$analyze" mistakes run.otf2.zip >said
    assert_matches "$(cat said)" \
        '^begun by rank 0 in MPI_Irecv in halo::Exchange::post\+0x[0-9a-f]+: '
    "$analyze" sites --json -o sites.json run.otf2.zip
    assert_matches "$(json sites.json '[s["function"] for s in d["sites"]
        if s["call"] == "MPI_Irecv"][0]')" \
        '^halo::Exchange<std::vector<int, std::allocator<int> > >::post\(.*\)\+0x[0-9a-f]+$'

    # Who calls them likewise, on screen; CSV has the whole name, as JSON has it.
    run_mpi "$mpi" 1 "$record" -q --force --sites=stack -o stacks.otf2.zip "./exchange-$mpi" >out \
        2>err || fail "$mpi, stacks: $(head -5 err)"
    if tells_stacks; then
        assert_matches "$("$analyze" sites --stacks stacks.otf2.zip)" \
            'halo::Exchange::post(\+0x[0-9a-f]+)? < main'
        assert_contains "$("$analyze" sites --stacks --csv stacks.otf2.zip)" \
            "halo::Exchange<std::vector<int, std::allocator<int> > >::post("
    fi

    run_mpi "$mpi" 1 "$record" -q -o killed.otf2.zip "./exchange-$mpi" waits >out 2>err &&
        fail "$mpi: it was not ended"
    "$recover" killed.otf2.zip.run -o back.otf2.zip >recovered 2>&1 || true
    "$analyze" hang back.otf2.zip >said 2>/dev/null || true
    assert_matches "$(cat said)" \
        '^deadlock: rank 0 in MPI_Recv from 0 .* in halo::Exchange::take\+0x'
    assert_lacks "$(cat said)" "std::vector"
done

# Functions that no other file sees, for which compilers write "relax" and "operator()", are told
# from others of that name; so are lambdas that were inlined. One that is
# inlined here and called there is one.
cat >own.cc <<'PROGRAM'
#include <mpi.h>

static int rounds;
#define ALONE  __attribute__((noinline))
#define INSIDE __attribute__((always_inline))

static void ALONE relax(int by) { MPI_Barrier(MPI_COMM_SELF), rounds += by; }
static void ALONE relax(long by) { MPI_Barrier(MPI_COMM_SELF), rounds -= by; }
namespace { struct Grid {
    void ALONE relax(int by) { MPI_Barrier(MPI_COMM_SELF), rounds *= by; }
    inline void INSIDE smooth() { MPI_Barrier(MPI_COMM_SELF), rounds *= 7; }
}; }
static inline void both(int by) { MPI_Barrier(MPI_COMM_SELF), rounds *= by; }
static void (*volatile apart)(int) = both;
template <class Loop> static void each(Loop const &loop) { loop(rounds); }

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    each([](int i) INSIDE { MPI_Barrier(MPI_COMM_SELF), rounds += 2 * i; });
    each([](int i) INSIDE { MPI_Barrier(MPI_COMM_SELF), rounds += 3 * i; });
    each([](int i) ALONE { MPI_Barrier(MPI_COMM_SELF), rounds += 5 * i; });
    relax(argc);
    relax(7L);
    Grid().relax(argc);
    Grid().smooth();
    both(2);
    apart(3);
    MPI_Finalize();
    return 0;
}
PROGRAM
"mpicxx.$mpi" -g -O1 -w -o own own.cc || fail "own.cc"
run_mpi "$mpi" 1 "$record" -q -o own.otf2.zip ./own >out 2>err || fail "own: $(head -5 err)"
first=$(grep -n '2 \* i' own.cc | cut -d: -f1)
"$analyze" sites --json -o sites.json own.otf2.zip
assert_equal "(anonymous namespace)::Grid::relax(int) | Grid::smooth | both | \
main::{lambda(int)#3}::operator()(int) const | operator() at own.cc:$first | \
operator() at own.cc:$((first + 1)) | relax(int) | relax(long)" \
    "$(json sites.json '" | ".join(sorted(s["function"] for s in d["sites"]
        if s["call"] == "MPI_Barrier"))')" "functions of their file"
