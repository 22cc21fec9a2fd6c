! A field in columns, one block of them for each rank, whose edges go to the neighbours in
! every step: by a communicator of its own that is registered as "columns", in regions.
!
! Expected in the archive of n ranks:
!     MPI_Cart_create           n
!     MPI_Cart_shift            n
!     MPI_Isend                 20 * 2 * n
!     MPI_Irecv                 20 * 2 * n
!     MPI_Waitall               20 * n
!     MPI_Allreduce             20 * n
!     MPI_Comm_free             n
!     messages                  20 * 2 * (n - 1)
!     bytes                     20 * 2 * (n - 1) * 100 * 8
!     collectives               20 * n
!     moved ALLREDUCE           20 * n * n * 8
!     region step               20 * n
!     region exchange           20 * n
!     region relax              20 * n
!     marker done               n
!     marker columns            n
!
! and of each rank a counter "residual" with 20 values.
module field_in_columns
    use mpi_f08
    use mpiwatch
    implicit none
    integer, parameter :: rows = 100, width = 8
    type(MPI_Comm) :: columns
    integer :: left, right
    real(kind(1d0)) :: field(rows, 0:width + 1), change

contains

    ! The columns at the edges of the field are whole in memory, so no type is needed.
    subroutine exchange()
        type(MPI_Request) :: requests(4)

        call mpiwatch_region_begin('exchange')
        call MPI_Irecv(field(:, 0), rows, MPI_DOUBLE_PRECISION, left, 1, columns, requests(1))
        call MPI_Irecv(field(:, width + 1), rows, MPI_DOUBLE_PRECISION, right, 2, columns, &
            requests(2))
        call MPI_Isend(field(:, width), rows, MPI_DOUBLE_PRECISION, right, 1, columns, &
            requests(3))
        call MPI_Isend(field(:, 1), rows, MPI_DOUBLE_PRECISION, left, 2, columns, requests(4))
        call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
        call mpiwatch_region_end('exchange')
    end subroutine

    subroutine relax()
        real(kind(1d0)) :: old(rows, 0:width + 1), mine

        call mpiwatch_region_begin('relax')
        old = field
        field(:, 1:width) = (old(:, 0:width - 1) + old(:, 1:width) + old(:, 2:width + 1)) / 3
        mine = maxval(abs(field - old))
        call MPI_Allreduce(mine, change, 1, MPI_DOUBLE_PRECISION, MPI_MAX, columns)
        call mpiwatch_region_end('relax')
    end subroutine
end module

program halo_columns
    use field_in_columns
    implicit none
    integer, parameter :: steps = 20
    integer :: step, rank, everyone(1)

    call MPI_Init()
    call MPI_Comm_size(MPI_COMM_WORLD, everyone(1))
    call MPI_Cart_create(MPI_COMM_WORLD, 1, everyone, [.false.], .false., columns)
    call mpiwatch_comm_register(columns, 'columns')
    call MPI_Cart_shift(columns, 0, 1, left, right)
    call MPI_Comm_rank(columns, rank)
    field = rank
    do step = 1, steps
        call mpiwatch_region_begin('step')
        call exchange()
        call relax()
        call mpiwatch_counter_set('residual', change)
        call mpiwatch_region_end('step')
    end do
    call mpiwatch_marker('done')
    call MPI_Comm_free(columns)
    call MPI_Finalize()
end program
