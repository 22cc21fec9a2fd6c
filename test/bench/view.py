#!/usr/bin/python3
"""How fast mpiwatch-view shows an archive that test/bench/generate makes: the first reading, the
first states of later views, steps of zooming that nothing is in memory of (cold) and the same
steps again (warm), and how much memory it takes without what is mapped.

Run it in the build directory; with what it keeps, an archive takes some 35 bytes an event in
--directory. A step asks what the page asks for 64 rows on a screen of 1,280 pixels: the states in
tiles, six at a time, then single calls and the table. Pages of the cache are let go of by
/proc/sys/vm/drop_caches, which root may write to, else by posix_fadvise.
"""
import argparse
import concurrent.futures
import http.client
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time

CELLS, ROWS, PIXELS, THIN, AT_A_TIME = 256, 32, 1206, 518, 6 # as the page has them, and browsers


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--events", type=int, default=100_000_000)
    parser.add_argument("--ranks", type=int, default=64)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--rows", type=int, default=64, help="that are shown at a time")
    parser.add_argument("--directory", help="where there is room (default: $TMPDIR)")
    parser.add_argument("--archive", help="of generate, instead of making one")
    return parser.parse_args()


class View:
    """One mpiwatch-view, whose cookie we have."""

    def __init__(self, archive, scratch):
        self.begin = time.monotonic()
        self.process = subprocess.Popen(
            ["./mpiwatch-view", "--print-url", archive], stdout=subprocess.PIPE, text=True,
            env=dict(os.environ, XDG_CACHE_HOME=os.path.join(scratch, "cache"), TMPDIR=scratch))
        url = self.process.stdout.readline().strip()
        self.host = url.split("/")[2]
        self.local = threading.local()
        connection = http.client.HTTPConnection(self.host)
        connection.request("GET", url[url.index("/enter"):])
        answer = connection.getresponse()
        answer.read()
        self.cookie = answer.getheader("Set-Cookie").split(";")[0]

    def ask(self, path):
        for attempt in range(2):
            try:
                if getattr(self.local, "connection", None) is None:
                    self.local.connection = http.client.HTTPConnection(self.host)
                self.local.connection.request("GET", path, headers={"Cookie": self.cookie})
                answer = self.local.connection.getresponse()
                return answer.status, answer.read()
            except (http.client.HTTPException, ConnectionError): # it was idle for too long
                self.local.connection = None
        sys.exit("the view has gone: %s" % path)

    def wait(self):
        """Until all is read; seconds since the start, and what /meta says."""
        while True:
            status, body = self.ask("/meta")
            if status == 200:
                return time.monotonic() - self.begin, json.loads(body)
            time.sleep(0.02)

    def memory(self):
        """Peak of what the process has, and what it has now that is no mapped file, in MB."""
        with open("/proc/%d/status" % self.process.pid) as file:
            lines = dict(line.split(":", 1) for line in file)
        return {key: int(lines[key].split()[0]) / 1000 for key in ("VmHWM", "RssAnon")}

    def end(self):
        self.process.terminate()
        if self.process.wait() != 0:
            sys.exit("mpiwatch-view: status %d" % self.process.returncode)


def let_go(directory):
    """The kernel forgets what it has in memory of the files below a directory."""
    os.sync()
    try:
        with open("/proc/sys/vm/drop_caches", "w") as file:
            file.write("1\n")
    except OSError:
        for folder, _, names in os.walk(directory):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def picture(pool, view, begin, end, rows):
    """The states of a stretch: seconds."""
    level = max(0, math.ceil(math.log2(max((end - begin) / PIXELS, 1))))
    width = CELLS << level
    group = 1 if rows < THIN else 1 << (rows // THIN).bit_length()
    block = (ROWS if rows < 90 else 4 * ROWS) * group
    paths = ["/states?from=%d&to=%d&cells=%d&first=%d&rows=%d&group=%d"
             % (index * width, (index + 1) * width, CELLS, first, block, group)
             for first in range(0, rows, block)
             for index in range(begin // width, (end + width - 1) // width)]
    start = time.monotonic()
    for status, _ in pool.map(view.ask, paths):
        if status != 200:
            sys.exit("status %d" % status)
    return time.monotonic() - start


def details(pool, view, begin, end, rows, length):
    """Single calls and the table: seconds."""
    span = end - begin
    start = time.monotonic()
    table = pool.submit(view.ask, "/span?from=%d&to=%d&first=0&rows=%d" % (begin, end, rows))
    for beside in (span, 0):
        _, body = view.ask("/near?from=%d&to=%d&first=0&rows=%d"
                           % (max(0, begin - beside), min(length, end + beside), rows))
        if "many" not in json.loads(body):
            break
    table.result()
    return time.monotonic() - start


def stretches(length, count):
    """From the whole run to a microsecond, again and again, to somewhere else each time."""
    order = random.Random(1)
    while count > 0:
        centre, span = order.randrange(length), length
        while span > 2000 and count > 0:
            begin = max(0, min(centre - span // 2, length - span))
            yield begin, begin + span
            span = span // 4
            count -= 1


def walk(pool, view, meta, options):
    """Medians and the ninetieth of a hundred, in ms: of pictures, of details."""
    times = [(picture(pool, view, begin, end, options.rows),
              details(pool, view, begin, end, options.rows, meta["length"]))
             for begin, end in stretches(meta["length"], options.steps)]
    return [(1000 * statistics.median(part), 1000 * sorted(part)[len(part) * 9 // 10])
            for part in zip(*times)]


def look(archive, scratch, options, name):
    view = View(archive, scratch)
    ready, meta = view.wait()
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        first = picture(pool, view, 0, meta["length"], options.rows)
        print("%s: open %.2f s, first states %.2f s later" % (name, ready, first), flush=True)
        for turn in ("first", "again"):
            states, near = walk(pool, view, meta, options)
            print("%s, %s: states %.0f ms (9 of 10: %.0f), calls and table %.0f ms (%.0f)"
                  % ((name, turn) + states + near), flush=True)
    memory = view.memory()
    view.end()
    print("%s: memory that is no mapped file %.0f MB" % (name, memory["RssAnon"]), flush=True)


def read_first(archive, scratch):
    view = View(archive, scratch)
    cache = os.path.join(scratch, "cache", "mpiwatch")
    ready, _ = view.wait()
    print("reading: %.1f s, memory that is no mapped file %.0f MB"
          % (ready, view.memory()["RssAnon"]), flush=True)
    kept = []
    while not kept:
        kept = [entry for entry in (os.listdir(cache) if os.path.isdir(cache) else [])
                if not entry.startswith(".") and entry.endswith("-view")]
        time.sleep(0.05)
        if time.monotonic() - view.begin - ready > 600:
            sys.exit("it is not kept")
    print("kept: %.1f s later, %.0f MB"
          % (time.monotonic() - view.begin - ready,
             os.path.getsize(os.path.join(cache, kept[0])) / 1e6), flush=True)
    view.end()


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(dir=options.directory, prefix="view_bench.") as scratch:
        archive = options.archive
        if not archive:
            subprocess.run(["test/bench/generate", os.path.join(scratch, "made"),
                            str(options.ranks), str(options.events)], check=True)
            archive = os.path.join(scratch, "made", "traces.otf2")
        read_first(archive, scratch)
        let_go(scratch)
        look(archive, scratch, options, "cold")
        look(archive, scratch, options, "warm")


main()
