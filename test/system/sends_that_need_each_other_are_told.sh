# mpiwatch-analyze mistakes: ranks that all send before they receive, two of them or a ring, with
# their lines and how often; and nothing of programs that exchange as much and are right.
. "$TOP_SRCDIR/test/system/lib.sh"

cat >exchange.c <<'PROGRAM'
#include <mpi.h>
#include <stdlib.h>

static int rank, size, mine, other;

static void ring(void)
{
    MPI_Send(&mine, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD); /* ring */
    MPI_Recv(&other, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Of 4 or 8 bytes by rank 0, by turns, of 12 by rank 1. */
static void pair(int each)
{
    int many[3] = { 0 }, others[3];

    if (rank < 2) {
        MPI_Send(many, rank ? 3 : 1 + each % 2, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD); /* pair */
        MPI_Recv(others, 3, MPI_INT, 1 - rank, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* One rank receives first, so that the others come one after the other. */
static void one_receives(void)
{
    if (rank == 0) {
        MPI_Recv(&other, 1, MPI_INT, size - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Send(&mine, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD);
    if (rank > 0) {
        MPI_Recv(&other, 1, MPI_INT, rank - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void posted(void)
{
    MPI_Request request;

    MPI_Irecv(&other, 1, MPI_INT, (rank + size - 1) % size, 4, MPI_COMM_WORLD, &request);
    MPI_Send(&mine, 1, MPI_INT, (rank + 1) % size, 4, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void begun(void)
{
    MPI_Request request;

    MPI_Isend(&mine, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD, &request);
    MPI_Recv(&other, 1, MPI_INT, (rank + size - 1) % size, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void both(void)
{
    MPI_Sendrecv(&mine, 1, MPI_INT, (rank + 1) % size, 6, &other, 1, MPI_INT,
                 (rank + size - 1) % size, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Kept in memory of the program's own. */
static void kept(void)
{
    const int bytes = 100 + MPI_BSEND_OVERHEAD;
    void *memory = malloc(bytes);
    int detached;

    MPI_Buffer_attach(memory, bytes);
    MPI_Bsend(&mine, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
    MPI_Recv(&other, 1, MPI_INT, (rank + size - 1) % size, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&memory, &detached);
    free(memory);
}

/* Rank 0 sends what it is asked for. */
static void asked(void)
{
    for (int i = 1; rank == 0 && i < size; i++) {
        MPI_Recv(&other, 1, MPI_INT, i, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&mine, 1, MPI_INT, i, 8, MPI_COMM_WORLD);
    }
    if (rank > 0) {
        MPI_Send(&mine, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
        MPI_Recv(&other, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 20; i++) {
        if (argc > 1) {
            ring();
            pair(i);
        }
        one_receives();
        posted();
        begun();
        both();
        kept();
        asked();
    }
    MPI_Finalize();
    return 0;
}
PROGRAM

# line MARK: of the program.
line() {
    grep -n "/\* $1 \*/" exchange.c | cut -d: -f1
}
hangs="each sends before it receives, which hangs where the MPI does not keep messages"
# Those of a ring are an int. A pair hangs where neither of its two is kept, be the smaller one of 4
# bytes or of 8, as it is in half of them.
declare -A extent=([ring]="20 times, of up to 4 B" [pair]="20 times, of up to 8 B")
for mpi in $(mpis); do
    rm -f ./*.otf2.zip
    "$(mpicc_of "$mpi")" -g -o "exchange-$mpi" exchange.c
    run_mpi "$mpi" 3 "$record" -q -o wrong.otf2.zip "./exchange-$mpi" wrong >out 2>err ||
        fail "$mpi: $(head -5 err)"
    "$analyze" mistakes wrong.otf2.zip >said || fail "$mpi: mistakes"
    for what in pair ring; do
        call="MPI_Send at exchange.c:$(line $what)"
        assert_contains "$(cat said)" "rank 0 in $call, rank 1 in $call on MPI_COMM_WORLD: $hangs \
(${extent[$what]})"
    done
    assert_equal 2 "$(wc -l <said)" "$mpi: $(cat said)"
    "$analyze" report --json wrong.otf2.zip >report.json || fail "$mpi: report"
    assert_contains "$(json report.json '[c["sentence"] for c in d["causes"]
        if c["id"] == "sends_in_a_circle"][0]')" \
        "ranks 0 and 1 send before they receive, MPI_Send, exchange.c:"
    "$analyze" mistakes --json wrong.otf2.zip >mistakes.json || fail "$mpi: mistakes --json"
    assert_equal "[4, 8]" "$(json mistakes.json 'sorted(m["bytes_sent"] for m in d["mistakes"])')"
    for way in "-j1" "-j2" "--no-cache"; do
        "$analyze" mistakes $way wrong.otf2.zip | diff said - || fail "$mpi: $way"
    done

    run_mpi "$mpi" 3 "$record" -q -o right.otf2.zip "./exchange-$mpi" >out 2>err ||
        fail "$mpi: $(head -5 err)"
    assert_matches "$("$analyze" mistakes right.otf2.zip)" '^none: '
    "$analyze" report --json right.otf2.zip >report.json || fail "$mpi: report"
    assert_lacks "$(json report.json '[c["id"] for c in d["causes"]]')" sends_in_a_circle
done
