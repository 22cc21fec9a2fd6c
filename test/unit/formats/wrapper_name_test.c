#include "formats/table/wrapper_name.h"

#include <criterion/criterion.h>

Test(wrapper_name, is_that_of_what_it_calls)
{
    cr_assert(mw_wraps_calls("hypre_MPI_Waitall", "MPI_Waitall"));
    cr_assert(mw_wraps_calls("my_mpi_send_real8_", "MPI_Send"));
    cr_assert(mw_wraps_calls("MPI_Send", "MPI_Send"));
    cr_assert(mw_wraps_calls("mpiAllreduce", "MPI_Allreduce"));
    cr_assert(mw_wraps_calls("my_mpi__send", "MPI_Send"));
    cr_assert_not(mw_wraps_calls("mpiAllreduce", "MPI_Bcast"));
    cr_assert_not(mw_wraps_calls("myMpi", "MPI_Send"));
    cr_assert_not(mw_wraps_calls("exchange", "MPI_Send"));
    cr_assert_not(mw_wraps_calls("send_all", "MPI_Send"));
}

Test(wrapper_name, may_be_that_of_another_call)
{
    cr_assert(mw_wraps_calls("relion_MPI_Recv", "MPI_Irecv"));
    cr_assert(mw_wraps_calls("my_mpi_recv__", NULL));
    cr_assert(mw_wraps_calls("my_MPI_Barrier+0x12", "MPI_Allreduce"));
    cr_assert_not(mw_wraps_calls("setup_mpi_info", "MPI_Bcast"));
    cr_assert_not(mw_wraps_calls("mpi_get_neighbours", "MPI_Sendrecv"));
    cr_assert_not(mw_wraps_calls("use_MPI_Comm", NULL));
}

Test(wrapper_name, may_be_that_of_any_call)
{
    cr_assert(mw_may_wrap_calls("bench_mpi_barrier"));
    cr_assert_not(mw_may_wrap_calls("simpic")); /* it has mpi in it */
    cr_assert_not(mw_may_wrap_calls("MAIN__"));
}

Test(wrapper_name, may_be_of_a_known_module)
{
    cr_assert(mw_wraps_calls("__mp_MOD_mp_sum_rv", "MPI_Allreduce"));
    cr_assert(mw_wraps_calls("mp_sum_rv", "MPI_Allreduce"));
    cr_assert(mw_wraps_calls("__m_xmpi_MOD_xmpi_sum_dp2d", "MPI_Allreduce"));
    cr_assert(mw_wraps_calls("_ZN3lab6mp_sumEi", "MPI_Allreduce"));
    cr_assert(mw_wraps_calls("lab::mp_sum", "MPI_Allreduce")); /* the same one for people */
    cr_assert_not(mw_wraps_calls("lab::damp_all", "MPI_Allreduce"));
    cr_assert_not(mw_wraps_calls("__my_mpi_send_MOD_exchange", "MPI_Send"));
    cr_assert_not(mw_wraps_calls("damp_all", "MPI_Allreduce"));
}

Test(wrapper_name, is_not_asked_for_in_installed_headers)
{
    cr_assert(mw_is_installed_header("/usr/include/boost/mpi/communicator.hpp"));
    cr_assert(mw_is_installed_header("/opt/mpich/include/mpicxx.h"));
    cr_assert(mw_is_installed_header("/opt/x/include/openmpi/ompi/mpi/cxx/comm_inln.h"));
    cr_assert_not(mw_is_installed_header("/home/me/usr/include/mine.h"));
    cr_assert_not(mw_is_installed_header("comm.h"));
}

Test(wrapper_name, may_be_one_of_the_linkers)
{
    cr_assert(mw_wraps_calls("_ZN7MpiNode15relion_MPI_RecvEPvlP10ompi_thing", "MPI_Irecv"));
    cr_assert(mw_wraps_calls("_Z11my_MPI_Sendv", NULL));
    cr_assert_not(mw_wraps_calls("_ZN8MPI_Sent4sendEPv", "MPI_Send"));
    cr_assert_not(mw_wraps_calls("_Z20my_MPI_Send", "MPI_Send")); /* it is longer than the text */
    cr_assert_not(mw_wraps_calls("_ZN7MpiNode8exchangeEv", "MPI_Send"));
}

Test(wrapper_name, may_be_that_of_what_it_calls_without_its_prefix)
{
    cr_assert(mw_wraps_calls("_ZN5amrex18ParallelDescriptor7WaitallERi", "MPI_Waitall"));
    cr_assert(mw_wraps_calls("_ZN5amrex18ParallelDescriptor4RecvIcEENS0_7MessageEPT_", "MPI_Recv"));
    cr_assert(mw_wraps_calls("_ZNK4Comm6IProbeEv", "MPI_Iprobe"));
    cr_assert(mw_wraps_calls("amrex::ParallelDescriptor::Waitall+0x1b", "MPI_Waitall"));
    cr_assert(mw_is_named_as_a_call("_ZN4Comm6IProbeEv"));
    cr_assert_not(mw_wraps_calls("_ZN4Comm4SendEv", "MPI_Recv"));
    cr_assert_not(mw_wraps_calls("_ZN4Send8exchangeE4Recv", "MPI_Send")); /* nor is that its own */
    cr_assert_not(mw_wraps_calls("Comm::send", "MPI_Send"));              /* anybody's word */
    cr_assert_not(mw_wraps_calls("Comm::Send2", "MPI_Send"));
    cr_assert_not(mw_wraps_calls("_ZN4Comm40Send", "MPI_Send")); /* it is longer than the text */
    cr_assert_not(mw_wraps_calls("Send", "exchange"));           /* what others record */
    cr_assert_not(mw_is_named_as_a_call("_ZN4Comm8exchangeEv"));
}
