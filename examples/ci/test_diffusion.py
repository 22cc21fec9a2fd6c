"""What diffusion.py does with MPI, as tests of pytest: it is recorded once, and each test holds
numbers of the archive against limits. A test that fails shows what mpiwatch-analyze says.

    python3 -m pytest test_diffusion.py

With PERFORMANCE_BASELINE, a directory of archives of earlier runs on this machine, the run time is
tested, too.
"""
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).parent
RANKS, STEPS, CELLS = 2, 100, 200
PROGRAM = os.environ.get("PERFORMANCE_PROGRAM", "diffusion.py %d %d" % (STEPS, CELLS))


@pytest.fixture(scope="session")
def archive(tmp_path_factory):
    """The program's archive."""
    path = tmp_path_factory.mktemp("mpiwatch") / "diffusion.otf2.zip"
    program, *arguments = PROGRAM.split()
    subprocess.run(["mpirun", "-n", str(RANKS), "mpiwatch-record", "-o", path,
                    sys.executable, HERE / program, *arguments], check=True, timeout=120)
    return path


def check(archive, *words):
    """Fails with what mpiwatch-analyze check says when a limit is not kept."""
    done = subprocess.run(["mpiwatch-analyze", "check", *words, archive], text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        pytest.fail(done.stdout, pytrace=False)


def test_neighbours_exchange_a_cell_a_step_and_no_more(archive):
    messages = 2 * (RANKS - 1) * STEPS  # one to the left, one to the right
    check(archive, "--max=messages.messages=%d" % messages, "--min=messages.messages=%d" % messages,
          "--max=messages.bytes=%dB" % (8 * messages))


def test_all_agree_every_tenth_step(archive):
    check(archive, "--max=calls.calls.MPI_Allreduce.count=%d" % (RANKS * STEPS // 10))


def test_nobody_talks_to_all(archive):
    check(archive, "--max=calls.calls.MPI_Alltoall.count=0", "--max=calls.calls.MPI_Bcast.count=0")


def test_ranks_compute_alike(archive):
    check(archive, "--min=pop.load_balance=0.6")


@pytest.mark.skipif("PERFORMANCE_BASELINE" not in os.environ, reason="there is no baseline")
def test_it_is_as_fast_as_before(archive):
    baselines = sorted(pathlib.Path(os.environ["PERFORMANCE_BASELINE"]).glob("*.otf2.zip"))
    check(archive, "--max=pop.runtime_ns", "--tolerance=10%", "--baseline", *baselines)
