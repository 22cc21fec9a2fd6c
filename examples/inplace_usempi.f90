! MPI_IN_PLACE from Fortran 90 (use mpi): a sum over ranks 1 ... n in place, which
! recorders that call C from Fortran get wrong.
!
! Expected in the archive of n ranks:
!     MPI_Allreduce      n
!     MPI_Sendrecv       n
!     messages           n
!     bytes              n * 8
!     collectives        n
!     moved ALLREDUCE    4 * n * (n - 1)
program inplace
    use mpi
    implicit none
    integer :: rank, ranks, total, next, previous, error
    double precision :: mine(1), theirs(1)

    call MPI_Init(error)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    total = rank + 1
    call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    next = mod(rank + 1, ranks)
    previous = mod(rank + ranks - 1, ranks)
    mine = rank
    call MPI_Sendrecv(mine, 1, MPI_DOUBLE_PRECISION, next, 0, theirs, 1, &
                      MPI_DOUBLE_PRECISION, previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    if (rank == 0) print '(a,i0)', 'sum ', total
    call MPI_Finalize(error)
    if (total /= ranks * (ranks + 1) / 2) stop 1
    if (nint(theirs(1)) /= previous) stop 2
end program inplace
