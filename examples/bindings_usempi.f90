! What bindings have to translate, from Fortran 90 (use mpi): logicals, strings, a Cartesian
! communicator, a section with gaps, MPI_STATUSES_IGNORE, MPI_BOTTOM.
!
! Expected in the archive of n ranks:
!     MPI_Cart_create    n
!     MPI_Cart_get       n
!     MPI_Cart_shift     n
!     MPI_Comm_set_name  n
!     MPI_Sendrecv       2 * n
!     MPI_Isend          n
!     MPI_Irecv          n
!     MPI_Waitall        n
!     MPI_Comm_free      n
!     messages           3 * n
!     bytes              n * (4 * 8 + 2 * 4 + 8)
program bindings
    use mpi
    implicit none
    integer :: ring
    integer :: there
    integer :: requests(2)
    integer :: ranks, previous, next, place(1), extent(1), length, error
    integer :: out(2), in(2)
    integer(kind=MPI_ADDRESS_KIND) :: address(2)
    logical :: periodic(1)
    character(len=MPI_MAX_OBJECT_NAME) :: name
    double precision :: matrix(3, 4), row(4)
    double precision, target :: one, other

    call MPI_Init(error)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., ring, error)
    periodic = .false.
    call MPI_Cart_get(ring, 1, extent, periodic, place, error)
    if (.not. periodic(1) .or. extent(1) /= ranks) stop 1
    call MPI_Comm_set_name(ring, 'ring of Fortran   ', error)
    call MPI_Comm_get_name(ring, name, length, error)
    if (name /= 'ring of Fortran' .or. length /= 15) stop 2
    call MPI_Cart_shift(ring, 0, 1, previous, next, error)

    matrix = 0
    matrix(2, :) = place(1)
    call MPI_Sendrecv(matrix(2, :), 4, MPI_DOUBLE_PRECISION, next, 1, row, 4, &
                      MPI_DOUBLE_PRECISION, previous, 1, ring, MPI_STATUS_IGNORE, error)
    if (any(nint(row) /= previous)) stop 3

    out = place(1)
    call MPI_Irecv(in, 2, MPI_INTEGER, previous, 2, ring, requests(1), error)
    call MPI_Isend(out, 2, MPI_INTEGER, next, 2, ring, requests(2), error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    if (any(in /= previous)) stop 4

    one = place(1)
    call MPI_Get_address(one, address(1), error)
    call MPI_Type_create_hindexed(1, [1], address(1:1), MPI_DOUBLE_PRECISION, there, error)
    call MPI_Type_commit(there, error)
    call MPI_Sendrecv(MPI_BOTTOM, 1, there, next, 3, other, 1, MPI_DOUBLE_PRECISION, previous, &
                      3, ring, MPI_STATUS_IGNORE, error)
    call MPI_Type_free(there, error)
    if (nint(other) /= previous) stop 5
    call MPI_Comm_free(ring, error)
    call MPI_Finalize(error)
end program bindings
