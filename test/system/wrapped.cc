// Calls MPI by templates of a header that is installed, as those of Boost are: the compiler inlines
// them here, but for one, and each call stands in the line that its comment names. For
// calls_know_their_lines.sh.
#include <mpi.h>

#line 100 "/usr/include/wrapper/communicator.hpp"
template <typename Type> static inline void barrier(Type comm)
{
    MPI_Barrier(comm);
}

template <typename Type> static inline void all_barrier(Type comm)
{
    barrier(comm);
}

template <typename Type> __attribute__((noinline)) static void send_receive(Type comm)
{
    MPI_Sendrecv(nullptr, 0, MPI_INT, 0, 0, nullptr, 0, MPI_INT, 0, 0, comm, MPI_STATUS_IGNORE);
}

#line 23 "wrapped.cc"
static int answer = 1;

int main(int count, char **words)
{
    MPI_Init(&count, &words); // MPI_Init
    all_barrier(MPI_COMM_WORLD); // MPI_Barrier
    send_receive(MPI_COMM_SELF);
    answer = MPI_Finalize(); // MPI_Finalize
    return answer;
}
