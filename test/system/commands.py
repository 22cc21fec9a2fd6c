"""The commands of mpiwatch-analyze and the options that they can't do without, for tests that try
all of them. As a program: commands.py ANALYZE prints a line for each."""
import re
import subprocess
import sys

# These read as report does, and need limits or two archives.
LEFT_OUT = {"check", "compare"}
ARGUMENTS = {"timeline": ["--comms"], "export": ["--perfetto", "/dev/null"]}
PAGE = ["report", "--html", "/dev/null"]


def commands(analyze):
    """A list of command lines without the archive, as --help lists them."""
    words = subprocess.run([analyze, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    names = re.findall(r"^  ([a-z-]+) +\S", words.split("Commands")[1], re.M)
    return [[name] + ARGUMENTS.get(name, []) for name in names
            if name not in LEFT_OUT] + [PAGE]


if __name__ == "__main__":
    for each in commands(sys.argv[1]):
        print(*each)
