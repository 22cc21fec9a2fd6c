"""Keeps mpiwatch-tutorial.md true: its screens and pictures are those of mpiwatch-analyze.

    tutorial.py check|update TUTORIAL.md MPIWATCH-ANALYZE PLANTED.py
    tutorial.py html TUTORIAL.md MPIWATCH-ANALYZE PLANTED.py LOWDOWN DIRECTORY

A screen is a block of code that is marked

    ```screen verdict advice
    $ mpiwatch-analyze imbalance.otf2

with the lines of the report that are shown, by what they begin with: "…" stands for those between.
Without any: all. The run is written by planted.py, whose fault has the archive's name. check says
which lines are not what is printed now; update puts those in; html makes the text a page of
DIRECTORY, by lowdown, with a picture (timeline --svg) for each ![…](FAULT.svg), which leads to the
run's own page (report --html), FAULT.html. Takes python3-otf2."""
import difflib
import os
import re
import subprocess
import sys
import tempfile

WIDTH = "66"  # of a screen in a manual page of 80 columns

STYLE = """<style>
:root { color-scheme: light dark; }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem;
  font: 16px/1.55 system-ui, sans-serif; }
pre { overflow-x: auto; padding: .8rem 1rem; border: 1px solid #8886; border-radius: 8px;
  font: 13px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; }
svg { max-width: 100%; height: auto; background: #fff; }
</style>"""


class Runs:
    """The archives, each written when it is first asked for."""

    def __init__(self, directory, analyze, planted):
        self.directory = directory
        self.analyze = os.path.abspath(analyze)
        self.planted = os.path.abspath(planted)

    def call(self, *words):
        archive = os.path.join(self.directory, words[-1])
        if not os.path.exists(archive):
            fault = words[-1].removesuffix(".otf2")
            subprocess.run([sys.executable, self.planted, archive, fault], check=True)
        done = subprocess.run([self.analyze, *words], cwd=self.directory, text=True, check=False,
                              env={**os.environ, "COLUMNS": WIDTH, "LC_ALL": "C.UTF-8"},
                              capture_output=True)
        if done.returncode not in (0, 4):
            sys.exit("tutorial.py: mpiwatch-analyze %s: %s" % (" ".join(words), done.stderr))
        return done.stdout


def shown(text, wanted):
    """The lines of a report that belong to what is wanted, with an ellipsis for others."""
    if not wanted:
        return text.rstrip("\n").split("\n")
    lines, keeps = [], None
    for line in text.rstrip("\n").split("\n"):
        keeps = line.split(" ")[0] in wanted if line[:1] != " " else keeps
        if keeps:
            lines.append(line)
        elif lines and lines[-1] != "…":
            lines.append("…")
    return lines[:-1] if lines[-1:] == ["…"] else lines


def with_screens(text, runs):
    """The tutorial as it is to be."""
    def screen(match):
        head, command = match.group(1), match.group(2)
        words = command.split()
        if words[0] != "mpiwatch-analyze":
            sys.exit("tutorial.py: a screen of something else: " + command)
        return "\n".join(["```screen" + head, "$ " + command] +
                         shown(runs.call(*words[1:]), head.split()) + ["```"])
    return re.sub(r"```screen([^\n]*)\n\$ ([^\n]*)\n.*?```", screen, text, flags=re.DOTALL)


def page(text, runs, lowdown, directory):
    """A page that needs nothing else; those of the runs are written to directory."""
    body = subprocess.run([lowdown, "-Thtml", "--parse-no-intraemph"], input=text, text=True,
                          check=True, stdout=subprocess.PIPE).stdout

    def picture(match):
        fault = match.group(1)
        report = os.path.abspath(os.path.join(directory, fault + ".html"))
        runs.call("report", "--html=" + report, fault + ".otf2")
        svg = runs.call("timeline", "--title=", "--svg=-", "--output=/dev/null",
                        fault + ".otf2")
        return ('%s<a href="%s.html">the page of this run</a>' %
                (svg[svg.index("<svg"):], fault))
    body, pictures = re.subn(r'<img src="([a-z_]+)\.svg"[^>]*>', picture, body)
    if pictures == 0:
        sys.exit("tutorial.py: the page has no pictures")
    return ('<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width">\n'
            "<title>mpiwatch: a tutorial</title>\n%s\n<body>\n%s</body>\n</html>\n" % (STYLE, body))


def main(what, name, analyze, planted, lowdown="", site=""):
    with open(name, encoding="utf-8") as file:
        text = file.read()
    with tempfile.TemporaryDirectory() as directory:
        runs = Runs(directory, analyze, planted)
        true = with_screens(text, runs)
        if what == "html":
            with open(os.path.join(site, "mpiwatch-tutorial.html"), "w", encoding="utf-8") as file:
                file.write(page(true, runs, lowdown, site))
        elif what == "update":
            with open(name, "w", encoding="utf-8") as file:
                file.write(true)
        else:
            lines = list(difflib.unified_diff(text.split("\n"), true.split("\n"), name,
                                              "what is printed now", lineterm="", n=1))
            print("\n".join(lines))
            return 1 if lines else 0
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
