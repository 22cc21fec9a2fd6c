"""A browser without a screen, for the tests of pages: Chromium with its driver."""
import shutil
import sys

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service


def start(width=1280, height=900, attempts=3):
    """The driver; on a busy machine the first browser may not be up in time."""
    options = Options()
    options.binary_location = shutil.which("chromium")
    # In a container, as root, with a small /dev/shm.
    for word in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
                 "--no-first-run", "--disable-background-networking",
                 "--window-size=%d,%d" % (width, height)):
        options.add_argument(word)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    for attempt in range(attempts):
        try:
            return webdriver.Chrome(service=Service(shutil.which("chromedriver")),
                                    options=options)
        except WebDriverException as error:
            if attempt == attempts - 1:
                sys.exit("FAILED: no browser: %s" % error.msg)
