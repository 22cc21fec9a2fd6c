! What a Fortran program can say to mpiwatch's recorder; see mpiwatch.h(3), whose functions
! these are. Compile this file with your MPI's Fortran compiler, and link with -lmpiwatch.
!
!     use mpiwatch
!     call mpiwatch_comm_register(columns, 'columns')
!     call mpiwatch_region_begin('solve')
!
! Communicators are INTEGER or TYPE(MPI_Comm). Names end at their last character that is
! no blank. The optional ierror gets what the C function returns.
module mpiwatch
    use, intrinsic :: iso_c_binding, only: c_char, c_double, c_int, c_long_long, c_null_char, &
        c_size_t
    use :: mpi_f08, only: MPI_Comm
    implicit none
    private

    integer, parameter, public :: MPIWATCH_OK = 0
    integer, parameter, public :: MPIWATCH_ABSENT = 1
    integer, parameter, public :: MPIWATCH_IDLE = 2
    integer, parameter, public :: MPIWATCH_ERROR_ARGUMENT = -1
    integer, parameter, public :: MPIWATCH_ERROR_UNBALANCED = -2
    integer, parameter, public :: MPIWATCH_ERROR_INSIDE = -3
    integer, parameter, public :: MPIWATCH_ERROR_LIMIT = -4

    public :: mpiwatch_comm_register, mpiwatch_comm_unregister, mpiwatch_comm_is_registered
    public :: mpiwatch_region_begin, mpiwatch_region_end, mpiwatch_marker
    public :: mpiwatch_counter_set, mpiwatch_counter_add
    public :: mpiwatch_pause, mpiwatch_resume, mpiwatch_snapshot, mpiwatch_is_recording

    interface mpiwatch_comm_register
        module procedure register_integer, register_type
    end interface
    interface mpiwatch_comm_unregister
        module procedure unregister_integer, unregister_type
    end interface
    interface mpiwatch_comm_is_registered
        module procedure is_registered_integer, is_registered_type
    end interface
    ! A value of any kind of integer, or of real.
    interface mpiwatch_counter_set
        module procedure counter_set_integer, counter_set_long, counter_set_real, &
            counter_set_double
    end interface
    interface mpiwatch_counter_add
        module procedure counter_add_integer, counter_add_long
    end interface

    interface
        function c_comm_register(handle, bytes, name) result(status) &
            bind(C, name='mpiwatch_comm_register_handle')
            import :: c_int, c_size_t, c_char
            integer, intent(in) :: handle
            integer(c_size_t), value :: bytes
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int) :: status
        end function
        function c_comm_unregister(handle, bytes) result(status) &
            bind(C, name='mpiwatch_comm_unregister_handle')
            import :: c_int, c_size_t
            integer, intent(in) :: handle
            integer(c_size_t), value :: bytes
            integer(c_int) :: status
        end function
        function c_comm_is_registered(handle, bytes) result(status) &
            bind(C, name='mpiwatch_comm_is_registered_handle')
            import :: c_int, c_size_t
            integer, intent(in) :: handle
            integer(c_size_t), value :: bytes
            integer(c_int) :: status
        end function
        function c_region_begin(name) result(status) bind(C, name='mpiwatch_region_begin')
            import :: c_int, c_char
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int) :: status
        end function
        function c_region_end(name) result(status) bind(C, name='mpiwatch_region_end')
            import :: c_int, c_char
            character(kind=c_char), intent(in) :: name(*)
            integer(c_int) :: status
        end function
        function c_marker(text) result(status) bind(C, name='mpiwatch_marker')
            import :: c_int, c_char
            character(kind=c_char), intent(in) :: text(*)
            integer(c_int) :: status
        end function
        function c_counter_set(name, number) result(status) bind(C, name='mpiwatch_counter_set')
            import :: c_int, c_char, c_long_long
            character(kind=c_char), intent(in) :: name(*)
            integer(c_long_long), value :: number
            integer(c_int) :: status
        end function
        function c_counter_set_double(name, number) result(status) &
            bind(C, name='mpiwatch_counter_set_double')
            import :: c_int, c_char, c_double
            character(kind=c_char), intent(in) :: name(*)
            real(c_double), value :: number
            integer(c_int) :: status
        end function
        function c_counter_add(name, number) result(status) bind(C, name='mpiwatch_counter_add')
            import :: c_int, c_char, c_long_long
            character(kind=c_char), intent(in) :: name(*)
            integer(c_long_long), value :: number
            integer(c_int) :: status
        end function
        function c_pause() result(status) bind(C, name='mpiwatch_pause')
            import :: c_int
            integer(c_int) :: status
        end function
        function c_resume() result(status) bind(C, name='mpiwatch_resume')
            import :: c_int
            integer(c_int) :: status
        end function
        function c_snapshot() result(status) bind(C, name='mpiwatch_snapshot')
            import :: c_int
            integer(c_int) :: status
        end function
        function c_is_recording() result(status) bind(C, name='mpiwatch_is_recording')
            import :: c_int
            integer(c_int) :: status
        end function
    end interface

contains

    subroutine tell(status, ierror)
        integer(c_int), intent(in) :: status
        integer, optional, intent(out) :: ierror

        if (present(ierror)) ierror = int(status)
    end subroutine

    subroutine register_integer(comm, name, ierror)
        integer, intent(in) :: comm
        character(len=*), intent(in) :: name
        integer, optional, intent(out) :: ierror

        call tell(c_comm_register(comm, 0_c_size_t, trim(name)//c_null_char), ierror)
    end subroutine

    subroutine register_type(comm, name, ierror)
        type(MPI_Comm), intent(in) :: comm
        character(len=*), intent(in) :: name
        integer, optional, intent(out) :: ierror

        call register_integer(comm%MPI_VAL, name, ierror)
    end subroutine

    subroutine unregister_integer(comm, ierror)
        integer, intent(in) :: comm
        integer, optional, intent(out) :: ierror

        call tell(c_comm_unregister(comm, 0_c_size_t), ierror)
    end subroutine

    subroutine unregister_type(comm, ierror)
        type(MPI_Comm), intent(in) :: comm
        integer, optional, intent(out) :: ierror

        call unregister_integer(comm%MPI_VAL, ierror)
    end subroutine

    logical function is_registered_integer(comm) result(is_registered)
        integer, intent(in) :: comm

        is_registered = c_comm_is_registered(comm, 0_c_size_t) == 1
    end function

    logical function is_registered_type(comm) result(is_registered)
        type(MPI_Comm), intent(in) :: comm

        is_registered = is_registered_integer(comm%MPI_VAL)
    end function

    subroutine mpiwatch_region_begin(name, ierror)
        character(len=*), intent(in) :: name
        integer, optional, intent(out) :: ierror

        call tell(c_region_begin(trim(name)//c_null_char), ierror)
    end subroutine

    subroutine mpiwatch_region_end(name, ierror)
        character(len=*), intent(in) :: name
        integer, optional, intent(out) :: ierror

        call tell(c_region_end(trim(name)//c_null_char), ierror)
    end subroutine

    subroutine mpiwatch_marker(text, ierror)
        character(len=*), intent(in) :: text
        integer, optional, intent(out) :: ierror

        call tell(c_marker(trim(text)//c_null_char), ierror)
    end subroutine

    subroutine counter_set_integer(name, number, ierror)
        character(len=*), intent(in) :: name
        integer, intent(in) :: number
        integer, optional, intent(out) :: ierror

        call counter_set_long(name, int(number, c_long_long), ierror)
    end subroutine

    subroutine counter_set_long(name, number, ierror)
        character(len=*), intent(in) :: name
        integer(c_long_long), intent(in) :: number
        integer, optional, intent(out) :: ierror

        call tell(c_counter_set(trim(name)//c_null_char, number), ierror)
    end subroutine

    subroutine counter_set_real(name, number, ierror)
        character(len=*), intent(in) :: name
        real, intent(in) :: number
        integer, optional, intent(out) :: ierror

        call counter_set_double(name, real(number, c_double), ierror)
    end subroutine

    subroutine counter_set_double(name, number, ierror)
        character(len=*), intent(in) :: name
        real(c_double), intent(in) :: number
        integer, optional, intent(out) :: ierror

        call tell(c_counter_set_double(trim(name)//c_null_char, number), ierror)
    end subroutine

    subroutine counter_add_integer(name, number, ierror)
        character(len=*), intent(in) :: name
        integer, intent(in) :: number
        integer, optional, intent(out) :: ierror

        call counter_add_long(name, int(number, c_long_long), ierror)
    end subroutine

    subroutine counter_add_long(name, number, ierror)
        character(len=*), intent(in) :: name
        integer(c_long_long), intent(in) :: number
        integer, optional, intent(out) :: ierror

        call tell(c_counter_add(trim(name)//c_null_char, number), ierror)
    end subroutine

    subroutine mpiwatch_pause(ierror)
        integer, optional, intent(out) :: ierror

        call tell(c_pause(), ierror)
    end subroutine

    subroutine mpiwatch_resume(ierror)
        integer, optional, intent(out) :: ierror

        call tell(c_resume(), ierror)
    end subroutine

    subroutine mpiwatch_snapshot(ierror)
        integer, optional, intent(out) :: ierror

        call tell(c_snapshot(), ierror)
    end subroutine

    logical function mpiwatch_is_recording()
        mpiwatch_is_recording = c_is_recording() == 1
    end function

end module
