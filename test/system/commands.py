"""The commands of mpiwatch-analyze and the options that they can't do without, for tests that try
all of them. As a program: commands.py ANALYZE prints a line for each."""
import re
import subprocess
import sys

ARGUMENTS = {
    "check": ["--max", "info.ranks=1000000000"],
    "export": ["--perfetto=/dev/null"],
    "info": ["--full"],
    "timeline": ["--comms"],
}
PAGE = ["report", "--html=/dev/null"]
MOVED = ["waits", "--clc"]
# Of how many archives they are.
ARCHIVES = {"compare": 2}


def commands(analyze):
    """A list of command lines without the archive, as --help lists them."""
    words = subprocess.run([analyze, "--help"], stdout=subprocess.PIPE, text=True,
                           check=True).stdout
    names = re.findall(r"^  ([a-z-]+) +\S", words.split("Commands")[1], re.M)
    names = [name for name in names if name not in ("help", "schema")]  # of no archive
    return [[name] + ARGUMENTS.get(name, []) for name in names] + [PAGE, MOVED]


if __name__ == "__main__":
    for each in commands(sys.argv[1]):
        if each[0] not in ARCHIVES:
            print(*each)
