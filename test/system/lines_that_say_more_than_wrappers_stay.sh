# What is only named as a wrapper of MPI, or is one in another way, keeps the lines that say
# more: a solver that is inlined, as it is called once, has those of its calls; the program's
# own MPI_Barrier around PMPI_Barrier is told by its caller, as any other wrapper; of a
# library's wrapper that one of the program calls it is that one's caller; and a main program
# of Fortran, whose name is that of what it measures, is none.
. "$TOP_SRCDIR/test/system/lib.sh"
. "$TOP_SRCDIR/test/system/recordings.sh"

cat >program.c <<'PROGRAM'
#include <mpi.h>

int lib_MPI_Scan(int number);

static int agreed;

int MPI_Barrier(MPI_Comm comm)
{
    agreed++;
    agreed -= PMPI_Barrier(comm);
    return MPI_SUCCESS;
}

/* No wrapper: it is inlined, as it is called once. */
static inline __attribute__((always_inline)) int mp_solve(int number)
{
    int sum = 0;

    MPI_Allreduce(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* first */
    for (int i = 0; i < 5; i++) {
        MPI_Allreduce(&sum, &number, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD); /* second */
    }
    MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return number;
}

static __attribute__((noinline)) int solve(int number)
{
    number = mp_solve(number); /* has one MPI_Bcast */
    return number + 1;
}

static __attribute__((noinline)) int mp_scan(int number)
{
    number = lib_MPI_Scan(number); /* in a wrapper */
    return number + 1;
}

int main(int argc, char **argv)
{
    int number = argc;

    MPI_Init(&argc, &argv);
    number = solve(number); /* leads to the solver */
    MPI_Barrier(MPI_COMM_WORLD); /* our own */
    number = mp_scan(number); /* leads to the library */
    MPI_Finalize();
    return number < agreed;
}
PROGRAM

cat >library.c <<'LIBRARY'
#include <mpi.h>

int lib_MPI_Scan(int number)
{
    int sum = 0;

    MPI_Scan(&number, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return sum + number;
}
LIBRARY

cat >fortran.f90 <<'FORTRAN'
subroutine my_mpi_barrier
  use mpi
  integer :: error
  call MPI_Barrier(MPI_COMM_WORLD, error)
  if (error /= 0) stop 1
end subroutine

program bench_mpi_barrier
  use mpi
  implicit none
  integer :: error, number
  number = 1
  call MPI_Init(error)
  call MPI_Bcast(number, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
  call my_mpi_barrier
  call MPI_Barrier(MPI_COMM_WORLD, error)
  call MPI_Finalize(error)
end program
FORTRAN

# line FILE CODE: where it stands.
line() {
    grep -n -F "$2" "$1" | tail -1 | cut -d: -f1
}

# places SITES PROGRAM: of a run of two ranks, the calls with their places.
places() {
    run_mpi "$mpi" 2 "$record" -q --force --sites="$1" -o run.zip "./$2" >out 2>err ||
        fail "$*: $(cat err)"
    "$analyze" sites run.zip | awk '/^MPI_/ { sub(/  +[0-9]+ .*/, ""); print $1, $2, $3, $4 }' |
        grep -v -e MPI_Init -e MPI_Finalize | sort
}

tells_stacks || finish
for mpi in $(built_mpis); do
    "$(mpicc_of "$mpi")" -O1 -shared -fPIC -o liblib.so library.c
    "$(mpicc_of "$mpi")" -g -O1 -o program program.c -L. -llib -Wl,-rpath,"$PWD"
    for sites in auto stack; do
        assert_equal "MPI_Allreduce program.c:$(line program.c "/* first")
MPI_Allreduce program.c:$(line program.c "/* second")
MPI_Barrier program.c:$(line program.c "/* our own") via MPI_Barrier
MPI_Bcast program.c:$(line program.c "/* has one")
MPI_Scan program.c:$(line program.c "/* leads to the library") via liblib.so" \
            "$(places $sites program | sed 's/ *$//')" "$mpi, $sites"
        assert_lacks "$("$analyze" report run.zip)" "by wrappers"
    done
    command -v "mpifort.$mpi" >/dev/null || continue
    "mpifort.$mpi" -g -O1 -fno-inline -w -o fortran fortran.f90
    for sites in auto stack; do
        found=$(places $sites fortran | sed 's/ *$//')
        assert_contains "$found" \
            "MPI_Barrier fortran.f90:$(line fortran.f90 "call my_mpi_barrier") via my_mpi_b"
        assert_lacks "$found" "via bench_mpi_barrier"
        assert_lacks "$("$analyze" report run.zip)" "by wrappers"
    done
    # One that only has these letters in its name keeps that.
    sed 's/bench_mpi_barrier/simpic/' fortran.f90 >named.f90
    "mpifort.$mpi" -g -O1 -fno-inline -w -o named named.f90
    run_mpi "$mpi" 2 "$record" -q --force -o run.zip ./named
    "$analyze" sites --json run.zip >sites.json
    assert_equal simpic "$(json sites.json \
        '[s["function"] for s in d["sites"] if s["call"] == "MPI_Init"][0]')" "$mpi"
done
finish
