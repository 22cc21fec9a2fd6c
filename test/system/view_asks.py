"""Asks a mpiwatch-view, for tests: with the cookie that enter of view.sh has got."""
import urllib.request


def asker(base, read=bytes):
    """A function of a path, which returns what is answered, read by read (such as json.loads)."""
    with open("jar", encoding="utf-8") as jar:
        words = [line.split("\t") for line in jar if "mpiwatch-view" in line][0]
    cookie = words[5] + "=" + words[6].strip()

    def ask(path):
        request = urllib.request.Request(base + path, headers={"Cookie": cookie})
        with urllib.request.urlopen(request) as answer:
            return read(answer.read())

    return ask
