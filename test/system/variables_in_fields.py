#!/usr/bin/python3
"""variables_in_fields.py DIRECTORY: writes a tiny archive of variables with python3-otf2 and
prints what mpiwatch-analyze has to say of it, worked out on paper, as JSON: {"counters": …,
"watermarks": …, "series": …}. The run, between MPI_Init and MPI_Finalize, is 2400 ns,
so that one of 24 windows is 100 ns.

    time     rank 0                                         rank 1
    0        MPI_Init, left at 100                          the same
    100      count 0 (baseline), queue 0, mark 0, phase 0,  queue 0, used 0
             big 2^53 + 1
    200 …    used 10, 20 … 80, at 200, 300 … 900            (rank 1)
    400      queue 3, mark 3
    500      phase 1 on a window                            queue 4
    600      queue 1, mark 5
    700      count 6
    900      phase -1                                       queue 0 (end)
    1000     recording pauses, until 1500
    1300     count 16
    1900     count 15 (reset by the application, end),
             queue 0 (end), mark 5 (end)
    2000     MPI_Isend of 64 bytes                          MPI_Recv entered at 2040
    2100     MPI_Wait left                                  MPI_Recv left
    2500     MPI_Finalize, left at 2900                     the same, used 96 (end)

depth is a level of rank 1 that was read after each call: 0 at 100 (baseline), 2 at 300 (0 until
250 at least), 1 at 700 (meanwhile from 1 to 4, in the mean from 1.5 to 2), 1 at 900 (end; it
stayed so).

phase is a STATE with words for 0 and 1. big, a COUNTER that was rebuilt, is 2^53 + 1 when it is
bound and 2^64 - 2 at 900: a double has neither of them.

count is an unsigned of 32 bits that stood at 2^32 - 10 when it was bound. So it was
2^32 - 10, 2^32 - 4, 6 (wrapped: 10 more) and 5 (reset: 5 more): 6 + 10 + 5 = 21 in all.
"""
import json
import os
import sys

import otf2
from otf2.enums import MetricMode, Paradigm, Type

from ranks_of_mpi import define_ranks

BASELINE, END, RESET = 2, 4, 8

BEGINNING = 100  # of the run: MPI_Init is left; what commands tell counts from there


class Archive:
    """What the two ranks write to, in words that are defined here."""

    def __init__(self, trace):
        define = trace.definitions
        node = define.system_tree_node("machine", class_name="node")
        _, places, self.world = define_ranks(define, node, 2)
        self.writers = [trace.event_writer_from_location(place) for place in places]
        self.regions = {name: define.region(name, paradigm=Paradigm.MPI)
                        for name in ("MPI_Init", "MPI_Finalize", "MPI_Barrier", "MPI_Isend",
                                     "MPI_Wait", "MPI_Recv")}
        self.flags_of = define.attribute("mpiwatch.flags", type=Type.UINT8)
        self.comm_of = define.attribute("mpiwatch.comm", type=Type.COMM)
        self.window_of = define.attribute("mpiwatch.window", type=Type.RMA_WIN)
        self.about = {name: define.attribute("mpiwatch." + name, type=kind)
                      for name, kind in (("held", Type.UINT64), ("mean_lower", Type.DOUBLE),
                                         ("mean_upper", Type.DOUBLE), ("low", Type.DOUBLE),
                                         ("high", Type.DOUBLE))}
        self.window = define.rma_win("halo", comm=self.world)
        self.metrics = {name: define.metric(name, metric_mode=mode, value_type=kind, unit=unit)
                        for name, mode, kind, unit in (
                            ("count", MetricMode.ACCUMULATED_START, Type.UINT64, "#"),
                            ("queue_length", MetricMode.ABSOLUTE_POINT, Type.UINT64, "#"),
                            ("queue_length_max", MetricMode.ABSOLUTE_POINT, Type.UINT64, "#"),
                            ("used", MetricMode.ABSOLUTE_POINT, Type.UINT64, "bytes"),
                            ("big", MetricMode.ACCUMULATED_START, Type.UINT64, "#"),
                            ("phase", MetricMode.ABSOLUTE_NEXT, Type.INT64, ""),
                            ("depth", MetricMode.ABSOLUTE_POINT, Type.UINT64, "#"))}

    def sample(self, rank, time, call, *values, **before):
        """Samples (name, value, flags) in a call that ends at time, or (None) in none; what is
        known of the time before them."""
        writer = self.writers[rank]
        if call == "MPI_Barrier":
            writer.enter(time - 5, self.regions[call])
        for name, value, flags in values:
            attributes = {self.flags_of: flags} if flags else {}
            attributes.update((self.about[key], known) for key, known in before.items())
            if name.startswith("queue"):
                attributes[self.comm_of] = self.world
            if name == "phase":
                attributes[self.window_of] = self.window
            writer.metric(time, self.metrics[name], value, attributes=attributes)
        if call:
            writer.leave(time, self.regions[call])


def write_rank_0(archive):
    """Its events, but for MPI_Finalize."""
    writer, regions = archive.writers[0], archive.regions

    def sample(time, *values):
        archive.sample(0, time, "MPI_Barrier", *values)
    writer.enter(0, regions["MPI_Init"])
    archive.sample(0, 100, "MPI_Init", ("count", 0, BASELINE), ("queue_length", 0, BASELINE),
                   ("queue_length_max", 0, BASELINE), ("phase", 0, BASELINE),
                   ("big", 2**53 + 1, BASELINE))
    sample(400, ("queue_length", 3, 0), ("queue_length_max", 3, 0))
    sample(500, ("phase", 1, 0))
    sample(600, ("queue_length", 1, 0), ("queue_length_max", 5, 0))
    sample(700, ("count", 6, 0))
    sample(900, ("phase", -1, END), ("big", 2**64 - 2, END))
    writer.measurement_on_off(1000, otf2.MeasurementMode.OFF)
    sample(1300, ("count", 16, 0))
    writer.measurement_on_off(1500, otf2.MeasurementMode.ON)
    sample(1900, ("count", 15, RESET | END), ("queue_length", 0, END), ("queue_length_max", 5, END))
    writer.enter(2000, regions["MPI_Isend"])
    writer.mpi_isend(2000, 1, archive.world, 7, 64, 1)
    writer.leave(2050, regions["MPI_Isend"])
    writer.enter(2060, regions["MPI_Wait"])
    writer.mpi_isend_complete(2100, 1)
    writer.leave(2100, regions["MPI_Wait"])


def write_rank_1(archive):
    """The same."""
    writer, regions = archive.writers[1], archive.regions
    writer.enter(0, regions["MPI_Init"])
    archive.sample(1, 100, "MPI_Init", ("queue_length", 0, BASELINE), ("used", 0, 0),
                   ("depth", 0, BASELINE))
    for step in range(1, 9):
        values = [("used", 10 * step, 0)]
        values += [("queue_length", 4, 0)] if step == 4 else []
        values += [("queue_length", 0, END)] if step == 8 else []
        archive.sample(1, 100 + 100 * step, "MPI_Barrier", *values)
        if step == 2:
            archive.sample(1, 300, None, ("depth", 2, 0), held=50)
        if step == 6:
            archive.sample(1, 700, None, ("depth", 1, 0), mean_lower=1.5, mean_upper=2.0, low=1.0,
                           high=4.0)
        if step == 8:
            archive.sample(1, 900, None, ("depth", 1, END), held=0)
    writer.enter(2040, regions["MPI_Recv"])
    writer.mpi_recv(2100, 0, archive.world, 7, 64)
    writer.leave(2100, regions["MPI_Recv"])


def write(directory):
    """Writes the archive."""
    with otf2.writer.open(directory, timer_resolution=10**9) as trace:
        archive = Archive(trace)
        write_rank_0(archive)
        write_rank_1(archive)
        for rank, writer in enumerate(archive.writers):
            writer.enter(2500, archive.regions["MPI_Finalize"])
            if rank == 1:
                writer.metric(2900, archive.metrics["used"], 96,
                              attributes={archive.flags_of: END})
            writer.leave(2900, archive.regions["MPI_Finalize"])


def describe(directory):
    """Writes what OTF2 has no place for."""
    def metric(number, name, kind, bind):
        return {"id": number, "name": name, "class": kind, "effective_class": kind,
                "type": "uint64", "bits": 32, "bind": bind, "form": "list", "first": 0,
                "elements": 1, "rebuilt": name == "big",
                "items": "0=idle;1=busy" if name == "phase" else ""}
    about = {"schema": "mpiwatch-archive/1", "mpi_library": "MPICH Version: 4.0.2",
             "complete": True,
             "ranks": [{"rank": rank, "recorded": True, "ended": True,
                        "lost": {"paused": 3 - 3 * rank}} for rank in range(2)],
             "variables": {"note": "", "metrics": [
                 metric(0, "count", "COUNTER", "NO_OBJECT"),
                 metric(1, "queue_length", "LEVEL", "MPI_COMM"),
                 metric(2, "queue_length_max", "HIGHWATERMARK", "MPI_COMM"),
                 metric(3, "used", "SIZE", "NO_OBJECT"), metric(4, "big", "COUNTER", "NO_OBJECT"),
                 metric(5, "phase", "STATE", "MPI_WIN"),
                 metric(6, "depth", "LEVEL", "NO_OBJECT")],
                 "baselines": [{"metric": 0, "rank": 0, "communicator": None, "object": None,
                                "element": 0, "value_bits": 2**32 - 10}]}}
    with open(os.path.join(directory, "mpiwatch.json"), "w", encoding="utf-8") as out:
        json.dump(about, out)


def counters():
    """Each field of mpiwatch-counters/1 that the manual names, and windows."""
    paused = {"unobserved_ns": 500, "coverage": 1300 / 2400}
    rates = [6 / 600, 10 / 600, 5 / 600]  # per ns
    return [
        # 0 for 600 ns, 6 for 600 less 300 of the pause, 16 for 600 less 200.
        dict(name="count", **{"class": "COUNTER"}, effective_class="COUNTER", reclassified=False,
             bind="NO_OBJECT", unit="#", rank=0, comm=None, total=21, first=0, last=21, min=0,
             max=21, mean=(0 * 600 + 6 * 300 + 16 * 400) / 1300, samples=4, resets=1, wraps=1,
             # Between two samples anything between their values, and all of it in one window.
             mean_lower=(0 * 600 + 6 * 300 + 16 * 400) / 1300,
             mean_upper=(6 * 600 + 16 * 300 + 21 * 400) / 1300,
             rate_per_s=21 / 1800e-9, rate_min_per_s=5 / 600e-9, rate_max_per_s=10 / 600e-9,
             rate_min_lower_per_s=0, rate_min_upper_per_s=5 / 100e-9, rate_max_lower_per_s=0,
             rate_max_upper_per_s=10 / 100e-9,
             windows=[1e9 * rate for rate in rates for _ in range(6)] + [0] * 6,
             windows_lower=[0] * 24,
             windows_upper=[6e7] * 6 + [1e8] * 6 + [5e7] * 6 + [0] * 6, **paused),
        # 0 for 300 ns, 3 for 200, 1 for 1300 less 500.
        dict(name="queue_length", **{"class": "LEVEL"}, effective_class="LEVEL",
             reclassified=False, bind="MPI_COMM", unit="#", rank=0, comm="MPI_COMM_WORLD",
             total=0, first=0, last=0, min=0, max=3, mean=(3 * 200 + 1 * 800) / 1300, samples=4,
             mean_lower=None, mean_upper=None,  # nothing tells what it was between its samples
             resets=0, wraps=0, rate_per_s=None, rate_min_per_s=None, rate_max_per_s=None,
             windows=[0] * 3 + [3] * 2 + [1] * 13 + [0] * 6,
             windows_lower=[0] + [None] * 2 + [3, None, 1] + [None] * 12 + [0] + [None] * 5,
             windows_upper=[None] * 18 + [0] + [None] * 5, **paused),
        dict(name="queue_length", **{"class": "LEVEL"}, effective_class="LEVEL",
             reclassified=False, bind="MPI_COMM", unit="#", rank=1, comm="MPI_COMM_WORLD",
             total=0, first=0, last=0, min=0, max=4, mean=4 * 400 / 800, samples=3, resets=0,
             wraps=0, rate_per_s=None, rate_min_per_s=None, rate_max_per_s=None,
             windows=[0] * 4 + [4] * 4 + [0] * 16, unobserved_ns=0, coverage=800 / 2400),
        dict(name="queue_length_max", **{"class": "HIGHWATERMARK"},
             effective_class="HIGHWATERMARK", reclassified=False, bind="MPI_COMM", unit="#",
             rank=0, comm="MPI_COMM_WORLD", total=5, first=0, last=5, min=0, max=5,
             mean=(3 * 200 + 5 * 800) / 1300, samples=4, resets=0, wraps=0, rate_per_s=None,
             rate_min_per_s=None, rate_max_per_s=None,
             windows=[0] * 3 + [3] * 2 + [5] * 14 + [0] * 5, **paused),
        # A SIZE that only rises, 9 times: 16 in the 1600 ns before MPI_Finalize.
        dict(name="used", **{"class": "SIZE"}, effective_class="COUNTER", reclassified=True,
             bind="NO_OBJECT", unit="bytes", rank=1, comm=None, total=96, first=0, last=96, min=0,
             max=96, mean=(280 * 100 + 80 * 1600) / 2400,
             mean_lower=(280 * 100 + 80 * 1600) / 2400, mean_upper=(360 * 100 + 96 * 1600) / 2400,
             samples=10, resets=0, wraps=0,
             rate_per_s=96 / 2400e-9, rate_min_per_s=1e7, rate_max_per_s=1e8,
             windows=[1e8] * 8 + [1e7] * 16, unobserved_ns=0, coverage=1.0),
        dict(name="big", effective_class="COUNTER", rank=0, total=str(2**64 - 2), first=2**53 + 1,
             last=str(2**64 - 2), min=2**53 + 1, max=str(2**64 - 2), samples=2),
        # 0 for 400 ns, 1 for 400.
        dict(name="phase", effective_class="STATE", rank=0, object="halo", total=-1, first=0,
             last=-1, min=-1, max=1, samples=3, states=[0, 1, -1],
             state_names=["idle", "busy", None], state_ns=[400, 400, 0]),
        # 0 for 150 ns, 0 to 2 for 50, 1.5 to 2 for 400, 1 for 200.
        dict(name="depth", effective_class="LEVEL", rank=1, min=0, max=4, mean=1.1875,
             mean_lower=1, mean_upper=1.375, samples=4, coverage=800 / 2400,
             windows=[0] + [2] + [4] * 4 + [1] * 3 + [0] * 15,
             windows_lower=[0, 0, 2] + [1] * 6 + [None] * 15,
             windows_upper=[0, 2] + [4] * 4 + [1] * 3 + [None] * 15),
    ]


def series():
    """All of mpiwatch-series/1 but what counters tell of the variables as well."""
    def one(name, rank, *values, states=None, bounds=None):
        return {"name": name, "rank": rank, "values": [
            {"t_ns": time - BEGINNING, "value": value, "state": (states or {}).get(value),
             "lower": lower, "upper": upper}
            for (time, value), (lower, upper) in zip(values, bounds or [[None] * 2] * 99)]}

    def rising(*values):
        """A sum is between its values."""
        return [(None, None), *zip(values, values[1:])]

    return [
        one("count", 0, (100, 0), (700, 6), (1300, 16), (1900, 21), bounds=rising(0, 6, 16, 21)),
        one("queue_length", 0, (100, 0), (400, 3), (600, 1), (1900, 0)),
        one("queue_length", 1, (100, 0), (500, 4), (900, 0)),
        one("queue_length_max", 0, (100, 0), (400, 3), (600, 5), (1900, 5)),
        one("used", 1, *((100 + 100 * step, 10 * step) for step in range(9)), (2500, 96),
            bounds=rising(*range(0, 90, 10), 96)),
        one("big", 0, (100, 2**53 + 1), (900, str(2**64 - 2)),
            bounds=rising(2**53 + 1, str(2**64 - 2))),
        one("phase", 0, (100, 0), (500, 1), (900, -1), states={0: "idle", 1: "busy"}),
        one("depth", 1, (100, 0), (300, 2), (700, 1), (900, 1),
            bounds=[(None, None), (0, 2), (1, 4), (1, 1)]),
    ]


def mark(value, t_ns, call, lower, upper, why=""):
    """A high or a low mark: exact where its bounds are one."""
    return {"value": value, "t_ns": t_ns - BEGINNING, "call": call, "exact": lower == upper,
            "lower": lower, "upper": upper, "why": why}


def watermarks():
    """Everything of mpiwatch-watermarks/1."""
    sampled = "sampled: it may have gone further between two samples"
    lossy = "the rank's record has losses or pauses"

    def row(name, source, rank, comm, high, low):
        return {"name": name, "source": source, "rank": rank, "comm": comm, "object": None,
                "high": high, "low": low}

    world = "MPI_COMM_WORLD"
    none = mark(0, 100, "MPI_Init", 0, 0)
    # What follows from rank 0's record, which lacks 3 calls of the pause, is a bound.
    sent = [row(name, "events", 0, comm, mark(high, 2000, "MPI_Isend", high, None, lossy),
                mark(0, 2100, call, None, 0, lossy))
            for name, comms, high, call in (
                ("outstanding requests", [None], 1, "MPI_Wait"),
                ("bytes of outstanding sends", [world, None], 64, "MPI_Wait"),
                ("bytes in flight", [None, world], 64, "MPI_Recv"))
            for comm in comms]
    return [
        # No sample saw 5, but the library's own mark did.
        row("queue_length", "pvar", 0, world, mark(5, 600, "MPI_Barrier", 5, 5), none),
        row("queue_length", "pvar", 1, world, mark(4, 500, "MPI_Barrier", 4, None, sampled), none),
        row("queue_length_max", "pvar", 0, world, mark(5, 600, "MPI_Barrier", 5, 5), none),
        row("depth", "pvar", 1, None, mark(4, 700, None, 4, None, sampled), none),
        *sent,
        *(row("unexpected messages", "events", 1, comm, mark(1, 2000, "MPI_Isend", 1, 1),
              mark(0, 2040, "MPI_Recv", 0, 0)) for comm in (None, world)),
    ], [
        # 0, 3, 7, 5, 1 and 0 of both ranks together.
        {"name": "queue_length", "comm": world, "object": None, "ranks": 2, "peak_of_sum": 7,
         "peak_t_ns": 500 - BEGINNING, "sum_of_peaks": 9},
    ]


def main():
    """Writes and prints."""
    write(sys.argv[1])
    describe(sys.argv[1])
    rows, across = watermarks()
    json.dump({"pvars": counters(), "watermarks": rows, "across_ranks": across,
               "series": series()}, sys.stdout)


main()
