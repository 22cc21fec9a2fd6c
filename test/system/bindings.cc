// Calls MPI by its C++ bindings, which its headers inline here ("flatten"): each of the calls below
// stands in the line that its comment names. For calls_know_their_lines.sh.
#include <mpi.h>

__attribute__((flatten, noinline)) static void talk()
{
    MPI::Intracomm copy = MPI::COMM_WORLD.Dup(); // MPI_Comm_dup
    copy.Free();                                 // MPI_Comm_free
}

__attribute__((flatten)) int main(int count, char **words)
{
    MPI::Init(count, words); // MPI_Init
    talk();
    MPI::Finalize(); // MPI_Finalize
    return 0;
}
