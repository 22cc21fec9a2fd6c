"""Archives of mpiwatch in Python: runs mpiwatch-analyze and hands over what it says.

    import mpiwatch

    archive = mpiwatch.Archive("app.otf2.zip")
    print(archive.report()["verdict"])
    calls = mpiwatch.frame(archive.calls(start="1s", end="2s"))

No number is computed here: documents are the JSON of a command (``mpiwatch-analyze schema`` has
its schema), tables those of ``export --csv``, which mpiwatch-analyze(1) describes. A list of rows
is a list of dictionaries; ``frame`` makes a pandas.DataFrame of it where pandas is installed.

The program is looked for as the environment's MPIWATCH_ANALYZE says, in the folder bin of the
installation that this module is of, and in PATH.
"""
from __future__ import annotations

import csv
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

Value = Union[int, float, str, bool, None]
Row = Dict[str, Value]
Path = Union[str, "os.PathLike[str]"]

__all__ = ["Archive", "MpiwatchError", "Row", "Value", "find_analyzer", "frame"]

_READ = 0
_INCOMPLETE = 4


class MpiwatchError(RuntimeError):
    """mpiwatch-analyze said no; the text is its sentence, status its exit status."""

    def __init__(self, sentence: str, status: int) -> None:
        super().__init__(sentence)
        self.status = status


def find_analyzer() -> str:
    """The path of mpiwatch-analyze. FileNotFoundError: there is none."""
    named = os.environ.get("MPIWATCH_ANALYZE")
    beside = pathlib.Path(__file__).resolve().parents[3:4]  # PREFIX/share/mpiwatch/python/…
    installed = [str(prefix / "bin" / "mpiwatch-analyze") for prefix in beside]
    for path in [named] if named else [*installed, "mpiwatch-analyze"]:
        found = shutil.which(path)
        if found:
            return found
    raise FileNotFoundError("mpiwatch-analyze is not in PATH; MPIWATCH_ANALYZE names its place")


def _by_columns(rows: List[Dict[str, str]]) -> List[Row]:
    """Values of a table: a column whose values are all numbers has numbers, as pandas reads it."""
    typed: List[Row] = [{} for _ in rows]
    for name in rows[0] if rows else {}:
        column: List[Value] = [row[name] if row[name] != "" else None for row in rows]
        kinds: Sequence[Callable[[str], Value]] = (int, float)
        for kind in kinds:
            try:
                column = [None if row[name] == "" else kind(row[name]) for row in rows]
                break
            except ValueError:
                continue
        else:
            if set(column) <= {"true", "false", None}:
                column = [None if value is None else value == "true" for value in column]
        for row, value in zip(typed, column):
            row[name] = value
    return typed


def frame(rows: List[Row]) -> Any:
    """A pandas.DataFrame whose columns keep whole numbers whole; rows themselves without pandas."""
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows).convert_dtypes()


class Archive:
    """An archive of mpiwatch-record, or an OTF2 archive of another tool.

    is_complete tells, after something was read, whether something of the run is missing: None
    before. Every function raises MpiwatchError when mpiwatch-analyze refuses.
    """

    def __init__(self, path: Path, analyzer: Optional[Path] = None) -> None:
        self.path = os.fspath(path)
        self.analyzer = os.fspath(analyzer) if analyzer is not None else find_analyzer()
        self.is_complete: Optional[bool] = None

    def _run(self, command: str, *options: str) -> str:
        path = self.path if not self.path.startswith("-") else os.path.join(".", self.path)
        # A program of MPI that asks in each of its processes gets an answer in each.
        done = subprocess.run([self.analyzer, command, "--quiet", "--mpi=off", *options, path],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              encoding="utf-8", errors="replace", check=False)
        if done.returncode not in (_READ, _INCOMPLETE):
            sentence = done.stderr.strip() or f"mpiwatch-analyze: exit status {done.returncode}"
            raise MpiwatchError(sentence, done.returncode)
        self.is_complete = done.returncode == _READ
        return done.stdout

    def document(self, command: str, *options: str) -> Dict[str, Any]:
        """What a command says as JSON: document("waits", "--rank=3")."""
        found = json.loads(self._run(command, "--json", *options))
        if not isinstance(found, dict):
            raise MpiwatchError(f"{command} says no object", _READ)
        return found

    def report(self) -> Dict[str, Any]:
        """The whole report: run, verdict, calls, waits, efficiencies …"""
        return self.document("report")

    def tables(self, *options: str) -> Dict[str, List[Row]]:
        """All tables of sums by name (calls, messages, waits, sites, comms …); options such as
        "--comm=NAME"."""
        return self._exported("--max-rows=0", *options)

    def calls(self, start: Optional[str] = None, end: Optional[str] = None,
              ranks: Optional[str] = None, most: Optional[int] = None) -> List[Row]:
        """A row for each call of MPI; start, end as --from and --to have them ("1.5s"), ranks a
        list ("0-3,8"), most the greatest number of rows (--max-rows)."""
        return self._records("call_records", start, end, ranks, most)

    def messages(self, start: Optional[str] = None, end: Optional[str] = None,
                 ranks: Optional[str] = None, most: Optional[int] = None) -> List[Row]:
        """A row for each message, with its waits; arguments as those of calls."""
        return self._records("message_records", start, end, ranks, most)

    def _records(self, name: str, start: Optional[str], end: Optional[str],
                 ranks: Optional[str], most: Optional[int]) -> List[Row]:
        given = {"from": start, "to": end, "ranks": ranks, "max-rows": most}
        options = [f"--{option}={value}" for option, value in given.items() if value is not None]
        if most == 0:
            return []
        return self._exported(*options, only=name)[name]

    def _exported(self, *options: str, only: Optional[str] = None) -> Dict[str, List[Row]]:
        with tempfile.TemporaryDirectory(prefix="mpiwatch-") as directory:
            self._run("export", f"--csv={directory}", *options)
            found = {}
            for path in sorted(pathlib.Path(directory).glob("*.csv")):
                if only in (None, path.stem):
                    with open(path, encoding="utf-8", newline="") as table:
                        found[path.stem] = _by_columns(list(csv.DictReader(table)))
            return found
