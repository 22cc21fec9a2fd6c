# For tests of pages: has_browser says whether there is one for browser.py, and gives it a home.
has_browser() {
    command -v chromium >/dev/null && command -v chromedriver >/dev/null || return 1
    "$python" -c 'import selenium' 2>/dev/null || return 1
    export PYTHONPATH="$TOP_SRCDIR/test/system"
    export HOME=$scratch/home XDG_CONFIG_HOME=$scratch/home XDG_CACHE_HOME=$scratch/home
    mkdir "$HOME"
}
