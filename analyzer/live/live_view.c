/* The text is that of --once, as many rows of it as the terminal has; keys are those of htop. */
#include "config.h"

#include "analyzer/live/live_view.h"

#ifdef HAVE_NCURSES
#include <curses.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/live/live_screen.h"
#include "analyzer/live/live_why.h"
#include "analyzer/table/layout.h"

#define HEAD_LINES 7u /* around the rows: what is said of the run, titles, keys */

struct view {
    struct mwa_live_screen screen;
    uint32_t row_count;
    bool is_paused;
    bool is_over;
    bool shows_help;
};

static const char help[] = "Keys\n"
                           "  q, F10     end\n"
                           "  P, space   pause, and go on\n"
                           "  Up, Down, PgUp, PgDn, Home, End   other ranks\n"
                           "  r  by rank            m  by share of MPI\n"
                           "  t  by time            c  by calls a second\n"
                           "  b  by bytes a second  w  who waits for whom (--why)\n"
                           "  h, F1      this help, and back\n";

/* --- drawing ---------------------------------------------------------------------------- */

/* Draws text line by line, as far as the terminal goes. */
static void draw_text(char *text)
{
    char *rest = text;
    int y = 0;

    for (char *line; (line = strsep(&rest, "\n")) && y < LINES - 1; y++) {
        move(y, 0);
        clrtoeol(); /* a line before that was too long goes on here */
        addstr(line);
    }
}

static void draw(const struct mwa_live *live, struct view *view)
{
    char *rows = NULL;
    char *text = NULL;
    size_t size = 0;
    size_t text_size = 0;
    FILE *out = open_memstream(&rows, &size);
    FILE *laid = open_memstream(&text, &text_size);

    view->screen.columns = (unsigned)COLS;
    view->screen.rows = LINES > (int)HEAD_LINES ? (uint32_t)LINES - HEAD_LINES : 1;
    if (out && laid && view->shows_help) {
        fputs(help, laid);
    } else if (out && laid) {
        view->row_count = mwa_live_put(live, &view->screen, out);
        fflush(out);
        mwa_lay_out(rows, size, (unsigned)COLS, laid);
    }
    if (out) {
        fclose(out);
    }
    if (laid) {
        fclose(laid);
    }
    erase();
    if (text) {
        draw_text(text);
    }
    attron(A_REVERSE);
    mvaddnstr(LINES - 1, 0,
              view->is_paused ? "paused   P go on   q end" : "h help   P pause   w why   q end",
              COLS);
    attroff(A_REVERSE);
    refresh();
    free(rows);
    free(text);
}

/* --- keys --------------------------------------------------------------------------------- */

static void sort_by(struct view *view, enum mwa_live_sort sort)
{
    view->screen.sort = sort;
    view->screen.first = 0;
}

static void scroll_by(struct view *view, int64_t rows)
{
    const int64_t most =
        view->row_count > view->screen.rows ? view->row_count - view->screen.rows : 0;
    const int64_t first = view->screen.first + rows;

    view->screen.first = (uint32_t)(first < 0 ? 0 : first > most ? most : first);
}

static void show_why(const struct mwa_live *live)
{
    struct mw_diagnostic diagnostic = {0};
    char text[2048];

    def_prog_mode();
    endwin();
    if (mwa_live_why(live, false, &diagnostic) != MW_OK) {
        printf("mpiwatch-top: %s\n", mw_diagnostic_text(&diagnostic, text, sizeof text));
    }
    printf("\nback with Enter\n");
    fflush(stdout);
    for (int got = getchar(); got != '\n' && got != EOF; got = getchar()) {
    }
    reset_prog_mode();
    clearok(stdscr, TRUE);
}

static void take_scroll_key(struct view *view, int key)
{
    switch (key) {
    case KEY_UP:
        scroll_by(view, -1);
        break;
    case KEY_DOWN:
        scroll_by(view, 1);
        break;
    case KEY_PPAGE:
        scroll_by(view, -(int64_t)view->screen.rows);
        break;
    case KEY_NPAGE:
        scroll_by(view, view->screen.rows);
        break;
    case KEY_HOME:
        scroll_by(view, -(int64_t)UINT32_MAX);
        break;
    case KEY_END:
        scroll_by(view, UINT32_MAX);
        break;
    default:
        break;
    }
}

static void take_key(const struct mwa_live *live, struct view *view, int key)
{
    static const struct {
        int key;
        enum mwa_live_sort sort;
    } sorts[] = {{'r', MWA_LIVE_BY_RANK},
                 {'m', MWA_LIVE_BY_SHARE},
                 {'t', MWA_LIVE_BY_SINCE},
                 {'c', MWA_LIVE_BY_CALLS},
                 {'b', MWA_LIVE_BY_BYTES}};

    for (size_t i = 0; i < sizeof sorts / sizeof sorts[0]; i++) {
        if (sorts[i].key == key) {
            sort_by(view, sorts[i].sort);
        }
    }
    if (key == 'q' || key == 'Q' || key == KEY_F(10)) {
        view->is_over = true;
    } else if (key == 'P' || key == 'p' || key == ' ') {
        view->is_paused = !view->is_paused;
    } else if (key == 'h' || key == '?' || key == KEY_F(1)) {
        view->shows_help = !view->shows_help;
    } else if (key == 'w') {
        show_why(live);
    } else {
        take_scroll_key(view, key);
    }
}

static uint64_t milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Takes keys until it is time to look again. */
static void wait_for(const struct mwa_live *live, struct view *view, uint64_t until)
{
    for (uint64_t now = milliseconds(); !view->is_over && now < until; now = milliseconds()) {
        int key;

        timeout((int)(until - now));
        key = getch();
        if (key != ERR) {
            take_key(live, view, key);
            draw(live, view);
        } else if (milliseconds() < until) {
            view->is_over = true; /* the terminal is gone */
        }
    }
}

enum mw_status mwa_live_view(struct mwa_live *live, uint32_t seconds,
                             struct mw_diagnostic *diagnostic)
{
    struct view view = {.screen = {.sort = MWA_LIVE_BY_RANK}};
    enum mw_status status = MW_OK;
    SCREEN *screen;

    /* Text is UTF-8 everywhere in mpiwatch. */
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) {
        setlocale(LC_CTYPE, "C.UTF-8");
    }
    /* The terminal's own size counts, not what was told of another one. */
    unsetenv("COLUMNS");
    unsetenv("LINES");
    screen = newterm(NULL, stdout, stdin);

    if (!screen) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "the terminal can't be used (TERM); --once and --json need none");
    }
    set_term(screen);
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    curs_set(0);
    while (status == MW_OK && !view.is_over) {
        const uint64_t until = milliseconds() + seconds * (uint64_t)1000;

        if (!view.is_paused) {
            status = mwa_live_look(live, diagnostic);
        }
        draw(live, &view);
        wait_for(live, &view, until);
    }
    endwin();
    delscreen(screen);
    return status;
}

#else

enum mw_status mwa_live_view(struct mwa_live *live, uint32_t seconds,
                             struct mw_diagnostic *diagnostic)
{
    (void)live;
    (void)seconds;
    return mw_fail(diagnostic, MW_ERROR_SYSTEM, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                   "mpiwatch was built without ncurses: --once and --json are what there is");
}
#endif
