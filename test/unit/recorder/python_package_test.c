/* Whose files of Python are: where distributions, pip and virtual environments put them. */
#include <criterion/criterion.h>

#include "recorder/sites/python_package.h"

Test(python_package, files_of_one_package_are_of_one_wherever_it_is_installed)
{
    const uint32_t package = mwr_python_package("/usr/lib/python3/dist-packages/h5py/_hl/files.py");

    cr_assert(package != MWR_PYTHON_OWN && package != MWR_PYTHON_STANDARD);
    cr_assert_eq(mwr_python_package("/usr/lib/python3/dist-packages/h5py/__init__.py"), package);
    cr_assert_eq(mwr_python_package("/v/lib/python3.11/site-packages/h5py/h5.py"), package);
    cr_assert_eq(mwr_python_package("./site-packages/h5py.py"), package);
}

Test(python_package, packages_are_told_apart)
{
    cr_assert_neq(mwr_python_package("/usr/lib/python3/dist-packages/h5py/_hl/files.py"),
                  mwr_python_package("/usr/lib/python3/dist-packages/h5py_cache/_hl/files.py"));
}

Test(python_package, what_is_of_python_is_nobodys)
{
    cr_assert_eq(mwr_python_package("/usr/lib/python3.11/threading.py"), MWR_PYTHON_STANDARD);
    cr_assert_eq(mwr_python_package("/usr/lib64/python3.12/runpy.py"), MWR_PYTHON_STANDARD);
    cr_assert_eq(mwr_python_package("<frozen runpy>"), MWR_PYTHON_STANDARD);
}

Test(python_package, what_starts_programs_is_known_by_its_directory)
{
    cr_assert_eq(mwr_python_package("/opt/solver/bin/solve"), MWR_PYTHON_STARTS);
    cr_assert_eq(mwr_python_package("bin/solve"), MWR_PYTHON_STARTS);
    cr_assert_eq(mwr_python_package("/bin/solve"), MWR_PYTHON_STARTS);
}

Test(python_package, all_else_is_the_programs)
{
    cr_assert_eq(mwr_python_package("/home/me/run.py"), MWR_PYTHON_OWN);
    cr_assert_eq(mwr_python_package("run.py"), MWR_PYTHON_OWN);
    cr_assert_eq(mwr_python_package("<string>"), MWR_PYTHON_OWN);
    cr_assert_eq(mwr_python_package("/home/me/robin/run.py"), MWR_PYTHON_OWN);
    cr_assert_eq(mwr_python_package("/home/me/python3/lib/run.py"), MWR_PYTHON_OWN);
}
