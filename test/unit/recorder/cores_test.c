/*
 * Limits of control groups, in directories that are made as /sys/fs/cgroup and /proc/self/cgroup
 * are (kernel: Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/).
 */
#include "recorder/state/cores.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[64];

static void make_root(void)
{
    snprintf(root, sizeof root, "/tmp/mpiwatch-cores.XXXXXX");
    cr_assert(mkdtemp(root));
}

static void remove_root(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -r '%s'", root);
    cr_assert(system(command) == 0);
}

TestSuite(cores, .init = make_root, .fini = remove_root);

static void put_file(const char *name, const char *text)
{
    char path[256];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    file = fopen(path, "w");
    cr_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
}

static void expect(const char *groups, uint64_t limit, const char *group)
{
    char path[128];

    cr_expect_eq(mwr_cores_limit(root, groups, path, sizeof path), limit);
    cr_expect_str_eq(path, group);
}

Test(cores, a_group_of_version_2_limits)
{
    put_file("slurm/job_7/step_0/cpu.max", "150000 100000\n");
    put_file("slurm/job_7/cpu.max", "max 100000\n");
    expect("0::/slurm/job_7/step_0\n", 1500, "/slurm/job_7/step_0");
}

Test(cores, a_group_above_limits_more)
{
    put_file("a/b/cpu.max", "400000 100000\n");
    put_file("a/cpu.max", "50000 100000\n");
    expect("0::/a/b\n", 500, "/a");
}

Test(cores, a_group_of_version_1_limits)
{
    put_file("cpu,cpuacct/x/cpu.cfs_quota_us", "200000\n");
    put_file("cpu,cpuacct/x/cpu.cfs_period_us", "100000\n");
    expect("5:cpuset:/x\n4:cpu,cpuacct:/x\n1:name=systemd:/x\n", 2000, "/x");
}

Test(cores, no_limit_is_none)
{
    put_file("cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    put_file("cpu,cpuacct/cpu.cfs_period_us", "100000\n");
    put_file("x/cpu.max", "max 100000\n");
    expect("4:cpu,cpuacct:/\n0::/x\n", 0, "");
    expect("", 0, "");
    expect("nonsense\n:\n::\n0::", 0, "");
}

Test(cores, the_namespaces_own_top_limits)
{
    put_file("cpu.max", "100000 100000\n");
    expect("0::/\n", 1000, "/");
}

/* As Linux tells it on x86-64, on AArch64, and where it tells nothing of it. */
Test(cores, have_a_model_on_each_machine)
{
    char text[100];

    mwr_cores_model_in("processor\t: 0\nmodel\t\t: 1\nmodel name\t: AMD EPYC 7763\nflags\t: fpu\n",
                       text, sizeof text);
    cr_expect_str_eq(text, "AMD EPYC 7763");
    mwr_cores_model_in("processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
                       "CPU part\t: 0xd4f\nCPU revision\t: 0\n\nCPU part\t: 0xd03\n",
                       text, sizeof text);
    cr_expect_str_eq(text, "implementer 0x41, part 0xd4f");
    mwr_cores_model_in("processor\t: 0\n", text, sizeof text);
    cr_expect_str_eq(text, "");
}
