"""Holds formats/table/calls.def against the mpi.h of one MPI.

usage: compare_calls_table.py TOP_SRCDIR MPICC [DEFINE...]

Both are run through a C preprocessor, and from then on nothing is shared with mpiwatch:
the prototypes of the header and the rows of the table are read here as text. Prints what
differs and exits with 1; else prints how many prototypes there were.
"""

import re
import subprocess
import sys

ROWS = """
#define MW_CALL(prefix, name, upper, type, group, kind, parameters, arguments) \\
    @ROW prefix##_##name parameters @END
#define MW_CALL_VOID(prefix, name, ...) @ROW prefix##_##name (void) @END
#define MW_CALL_VARIADIC(prefix, name, upper, type, group, kind, parameters, ...) \\
    @ROW prefix##_##name parameters @END
#include "formats/table/calls.def"
"""


# Open MPI declares its MPIX_ functions in a header of their own.
HEADERS = """
#include <mpi.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
"""


def preprocess(command, text):
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    return re.sub(r"^#.*$", "", done.stdout, flags=re.M)


def group_end(text, start):
    """The index after the parenthesis that closes the one at start."""
    depth = 0
    for index in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if depth == 0:
            return index + 1
    raise ValueError(text[start : start + 80])


def arity(parameters):
    """How many parameters a text such as "(int a, int b[][3])" declares; ... counts."""
    inner = parameters.strip()[1:-1].strip()
    if inner in ("", "void"):
        return 0
    depth = 0
    count = 1
    for letter in inner:
        depth += {"(": 1, ")": -1}.get(letter, 0)
        count += letter == "," and depth == 0
    return count


def table(top_srcdir):
    text = preprocess(["cpp", "-P", "-I", top_srcdir, "-"], ROWS)
    rows = {}
    for match in re.finditer(r"@ROW\s+(\w+)\s*(\()", text):
        assert match[1] not in rows, f"{match[1]} has two rows"
        rows[match[1]] = arity(text[match.start(2) : group_end(text, match.start(2))])
    return rows


def prototypes(mpicc, defines):
    text = preprocess([mpicc, "-E", "-P", *defines, "-x", "c", "-"], HEADERS)
    found = {}
    # A type, then the name, then its parameters, at the end of a declaration.
    pattern = r"(?:^|[;}\s])(?:int|double|MPI_\w+|void)[\s*]+((?:MPI|MPIX)_\w+)\s*(\()"
    for match in re.finditer(pattern, text):
        end = group_end(text, match.start(2))
        if re.match(r"\s*(;|__attribute__)", text[end:]):
            found[match[1]] = arity(text[match.start(2) : end])
    return found


def main():
    top_srcdir, mpicc, *defines = sys.argv[1:]
    rows = table(top_srcdir)
    declared = prototypes(mpicc, defines)
    wrong = [f"{name} is declared in mpi.h and has no row" for name in declared.keys() - rows]
    wrong += [
        f"{name} takes {count} arguments in mpi.h and {rows[name]} in the table"
        for name, count in declared.items()
        if name in rows and rows[name] != count
    ]
    print("\n".join(sorted(wrong)) if wrong else len(declared))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
