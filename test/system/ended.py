"""Programs that have to end, whatever they are given."""
import resource
import signal
import subprocess

CORE_SECONDS = 60  # what one may take of cores
SECONDS = 900  # and in all, on a machine of whose cores others take most


def run(command, stdout=subprocess.PIPE):
    """What it ended with, "hang" where it did not by itself, its output and its words."""
    with subprocess.Popen(command, stdout=stdout, stderr=subprocess.PIPE) as process:
        resource.prlimit(process.pid, resource.RLIMIT_CPU, (CORE_SECONDS, 2 * CORE_SECONDS))
        try:
            output, words = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            return "hang", b"", ""
    if process.returncode == -signal.SIGXCPU:
        return "hang", b"", ""
    return process.returncode, output, words.decode(errors="replace")
