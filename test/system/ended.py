"""Programs that have to end, whatever they are given."""
import subprocess

SECONDS = 60


def run(command, stdout=subprocess.PIPE):
    """What it ended with, "hang" where it did not by itself, its output and its words."""
    try:
        done = subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "hang", b"", ""
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")
