/* The commit of a checkout, in files as git writes them (gitrepository-layout(5)). */
#include "recorder/state/checkout.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define COMMIT "0123456789abcdef0123456789abcdef01234567"

static char root[64];

static void make_root(void)
{
    snprintf(root, sizeof root, "/tmp/mpiwatch-checkout.XXXXXX");
    cr_assert(mkdtemp(root));
}

static void remove_root(void)
{
    char command[128];

    snprintf(command, sizeof command, "rm -r '%s'", root);
    cr_assert(system(command) == 0);
}

TestSuite(checkout, .init = make_root, .fini = remove_root);

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

static void expect(const char *program, const char *commit)
{
    char path[256];
    char text[80];

    snprintf(path, sizeof path, "%s/%s", root, program);
    mwr_checkout_commit(path, text, sizeof text);
    cr_expect_str_eq(text, commit);
}

Test(checkout, a_branch_has_its_commit_in_a_file)
{
    put_file("x/.git/HEAD", "ref: refs/heads/main\n");
    put_file("x/.git/refs/heads/main", COMMIT "\n");
    expect("x/build/bin/program", COMMIT);
    expect("x/program", COMMIT);
}

Test(checkout, a_detached_head_is_the_commit)
{
    put_file(".git/HEAD", COMMIT "\n");
    expect("program", COMMIT);
}

Test(checkout, references_may_be_packed)
{
    put_file(".git/HEAD", "ref: refs/heads/main\n");
    put_file(".git/packed-refs", "# pack-refs with: peeled fully-peeled sorted\n"
                                 "ffffffffffffffffffffffffffffffffffffffff refs/heads/main2\n"
                                 COMMIT " refs/heads/main\n");
    expect("program", COMMIT);
}

Test(checkout, a_worktree_shares_references)
{
    put_file("main/.git/worktrees/w/HEAD", "ref: refs/heads/w\n");
    put_file("main/.git/worktrees/w/commondir", "../..\n");
    put_file("main/.git/refs/heads/w", COMMIT "\n");
    put_file("w/.git", "gitdir: ../main/.git/worktrees/w\n");
    expect("w/program", COMMIT);
}

Test(checkout, what_is_no_checkout_has_none)
{
    put_file("a/.git/HEAD", "ref: refs/heads/unborn\n");
    put_file("b/.git", "something else\n");
    put_file("c/.git/HEAD", "0123 <script>\n");
    expect("a/program", "");
    expect("b/program", "");
    expect("c/program", "");
}
