/* Whose files of Python are: where distributions, pip and virtual environments put them. */
#include <criterion/criterion.h>

#include "recorder/sites/python_package.h"

/* Of a function of a file. */
static uint32_t whose(const char *file)
{
    return mwr_python_package(file, "Solver.step");
}

Test(python_package, files_of_one_package_are_of_one_wherever_it_is_installed)
{
    const uint32_t package = whose("/usr/lib/python3/dist-packages/h5py/_hl/files.py");

    cr_assert(package != MWR_PYTHON_OWN && package != MWR_PYTHON_STANDARD);
    cr_assert_eq(whose("/usr/lib/python3/dist-packages/h5py/__init__.py"), package);
    cr_assert_eq(whose("/v/lib/python3.11/site-packages/h5py/h5.py"), package);
    cr_assert_eq(whose("./site-packages/h5py.py"), package);
}

Test(python_package, packages_are_told_apart)
{
    cr_assert_neq(whose("/usr/lib/python3/dist-packages/h5py/_hl/files.py"),
                  whose("/usr/lib/python3/dist-packages/h5py_cache/_hl/files.py"));
}

Test(python_package, what_is_of_python_is_nobodys)
{
    cr_assert_eq(whose("/usr/lib/python3.11/threading.py"), MWR_PYTHON_STANDARD);
    cr_assert_eq(whose("/usr/lib64/python3.12/runpy.py"), MWR_PYTHON_STANDARD);
    cr_assert_eq(whose("<frozen runpy>"), MWR_PYTHON_STANDARD);
}

Test(python_package, what_starts_programs_is_known_by_its_directory)
{
    cr_assert_eq(whose("/opt/solver/bin/solve"), MWR_PYTHON_STARTS);
    cr_assert_eq(whose("bin/solve"), MWR_PYTHON_STARTS);
    cr_assert_eq(whose("/bin/solve"), MWR_PYTHON_STARTS);
}

Test(python_package, all_else_is_the_programs)
{
    cr_assert_eq(whose("/home/me/run.py"), MWR_PYTHON_OWN);
    cr_assert_eq(whose("run.py"), MWR_PYTHON_OWN);
    cr_assert_eq(whose("<string>"), MWR_PYTHON_OWN);
    cr_assert_eq(whose("/home/me/robin/run.py"), MWR_PYTHON_OWN);
    cr_assert_eq(whose("/home/me/python3/lib/run.py"), MWR_PYTHON_OWN);
}

Test(python_package, what_libraries_write_is_nobodys)
{
    cr_assert_eq(mwr_python_package("<string>", "__create_fn__.<locals>.__init__"),
                 MWR_PYTHON_STANDARD);
    cr_assert_eq(whose("<attrs generated init fields.Field>"), MWR_PYTHON_STANDARD);
    cr_assert_eq(whose("<decorator-gen-17>"), MWR_PYTHON_STANDARD);
}

/* What it reads, is told with -c or types itself is a text as well. */
Test(python_package, texts_of_the_program_are_its_own)
{
    cr_assert_eq(mwr_python_package("<string>", "<module>"), MWR_PYTHON_OWN);
    cr_assert_eq(mwr_python_package("<string>", "Solver.__init__"), MWR_PYTHON_OWN);
    cr_assert_eq(whose("<stdin>"), MWR_PYTHON_OWN);
    cr_assert_eq(whose("<attrs>"), MWR_PYTHON_OWN);
    cr_assert_eq(mwr_python_package("/home/me/run.py", "__create_fn__.<locals>.__init__"),
                 MWR_PYTHON_OWN);
}
