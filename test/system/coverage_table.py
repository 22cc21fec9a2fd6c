"""Writes a Markdown table of what is recorded of each MPI function.

usage: coverage_table.py TOP_SRCDIR OUTPUT [NAME=MPICC...]

The functions are those of the mpi.h that each MPICC compiles with (Open MPI, MPICH), what
is recorded is what the function's kind in formats/table/calls.def means. Exits with 1, and says
which, when a function has no row or a kind has no words here.
"""

import re
import sys

from compare_calls_table import preprocess, prototypes

ROWS = """
#define MW_CALL(prefix, name, upper, type, group, kind, ...) @ROW prefix##_##name group kind @END
#define MW_CALL_VOID(prefix, name, upper, type, group, kind) @ROW prefix##_##name group kind @END
#define MW_CALL_VARIADIC(prefix, name, upper, type, group, kind, ...) \\
    @ROW prefix##_##name group kind @END
#include "formats/table/calls.def"
"""

# The first expression that matches a kind gives its meaning.
CALL = "enter and leave"
MEANINGS = (
    ("PLAIN|VALUE|PROBE|ABORT|GREQUEST", CALL),
    ("INIT", CALL + "; recording begins"),
    ("FINALIZE", CALL + "; recording ends, the archive is written"),
    ("SESSION_INIT|SESSION_FINALIZE", CALL + "; recording goes on and pauses, without MPI_Init"),
    ("PCONTROL", "recording pauses or goes on"),
    (r"ERRHANDLER|KEYVAL\(.*|ATTRIBUTE\(.*",
     CALL + "; that MPI may call functions of the program is known"),
    ("SEND", "message sent"),
    ("ISEND", "message begun, followed to its completion"),
    ("RECV|MRECV", "message received"),
    ("IRECV|IMRECV", "receive posted, followed to its completion"),
    ("SENDRECV(_REPLACE)?", "message sent and received"),
    ("ISENDRECV(_REPLACE)?", "messages begun, followed to their completion"),
    ("SEND_INIT|RECV_INIT|PSEND_INIT|PRECV_INIT", "each start is followed to its completion"),
    (r"PREADY\(.*", "message sent, where all of its partitions are ready"),
    (r"LOOK\(.*", CALL + "; polls are coalesced"),
    ("IPROBE|IMPROBE|MPROBE", "matched messages are followed; polls are coalesced"),
    ("STARTS?|STARTALL", "messages and collectives begun"),
    ("CANCEL|REQUEST_FREE", "what becomes of the request"),
    ("(WAIT|TEST)(ALL|ANY|SOME)?", "completions; polls are coalesced"),
    ("COMM_FREE", "end of a communicator"),
    ("COMM_SET_NAME", "name of a communicator"),
    ("COMM_.*|INTERCOMM_.*", "communicator: members, parent, beginning"),
    (r"(NON)?BLOCKING\(NEIGHBOR_.*", "collective with the bytes to and from the neighbours"),
    (r"(NON)?BLOCKING\(.*", "collective with root and bytes"),
    (r"PERSISTENT\(.*", "each start is a collective with its bytes"),
    (r"R?ACCESS\(.*", "one-sided operation: target and bytes, followed to its completion"),
    ("WIN_(CREATE|ALLOCATE|FREE|SET_NAME)", "beginning, name and end of a window"),
    ("WIN_.*", "synchronization of a window, completions of its operations"),
    ("FILE_(OPEN|CLOSE|DELETE|SEEK|SEEK_SHARED|SYNC|VIEW)", "file by name, pointer, state"),
    ("FILE_.*", "transfer: offset where known, bytes asked for and done"),
    ("T_.*", "what the application does with MPI_T does not disturb the recorder's variables"),
)


def meaning(kind):
    for pattern, words in MEANINGS:
        if re.fullmatch(pattern, kind):
            return words
    return None


def rows(top_srcdir):
    text = preprocess(["cpp", "-P", "-I", top_srcdir, "-"], ROWS)
    return {name: (group, kind) for name, group, kind in
            re.findall(r"@ROW\s+(\w+)\s+(\w+)\s+(.+?)\s+@END", text)}


def main():
    top_srcdir, output, *compilers = sys.argv[1:]
    table = rows(top_srcdir)
    names = []
    declared = []
    for compiler in compilers:
        name, mpicc = compiler.split("=", maxsplit=1)
        names.append(name)
        declared.append(prototypes(mpicc, ["-DOMPI_OMIT_MPI1_COMPAT_DECLS=0"]))
    functions = sorted(set().union(table, *declared))
    wrong = [f"{name} has no row in formats/table/calls.def"
             for name in functions if name not in table]
    wrong += [f"kind {kind} has no words in coverage_table.py"
              for kind in sorted({kind for _, kind in table.values()}) if not meaning(kind)]
    with open(output, "w", encoding="utf-8") as page:
        page.write("# What is recorded of each MPI function\n\n| function | group | "
                   + " | ".join(names) + " |\n|---|---|" + "---|" * len(names) + "\n")
        for function in functions:
            group, kind = table.get(function, ("?", "?"))
            what = meaning(kind) or "NOT RECORDED"
            cells = [what if function in has else "has no such function" for has in declared]
            page.write(f"| `{function}` | {group.lower()} | " + " | ".join(cells) + " |\n")
    print("\n".join(wrong) if wrong else
          f"{output}: {len(functions)} functions, "
          + ", ".join(f"{name} {len(has)}" for name, has in zip(names, declared)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
