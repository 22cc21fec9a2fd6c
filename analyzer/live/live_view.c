/*
 * The text is that of --once, as many rows of it as the terminal has; keys are those of
 * htop.
 */
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

#include "analyzer/live/live_list.h"
#include "analyzer/live/live_why.h"
#include "analyzer/model/text_stream.h"
#include "analyzer/table/layout.h"

#define HEAD_LINES 7u /* around the rows: what is said of the run, titles, keys */

struct view {
    struct mwa_live_watch *watch;
    struct mwa_live_screen screen;
    char search[MWA_LIVE_FILTER_BYTES];
    char *input; /* the text that keys go into: filter or search; null: keys are commands */
    uint32_t row_count;
    bool is_paused;
    bool is_over;
    bool is_hurried; /* what is shown has to be looked for at once */
    bool shows_help;
    struct mw_diagnostic *diagnostic;
    enum mw_status status;
};

static const char help[] = "Keys, those of htop where it has them\n"
                           "  q, F10     end\n"
                           "  Tab, Shift-Tab, 1-5   ranks, calls, comms, messages, variables\n"
                           "  Up, Down, PgUp, PgDn, Home, End   other rows\n"
                           "  /, F3      find a row; F3 again: the next one\n"
                           "  \\, F4      only rows with a word; Escape: all again\n"
                           "  >, F6      sort by the next column\n"
                           "  Z, P, space   pause, and go on\n"
                           "  of ranks: r by rank, m by share of MPI, t by time, c by calls a\n"
                           "  second, b by bytes a second, g those that do the same in one row;\n"
                           "  W how much they wait and a variable, or not, v the next variable\n"
                           "  w          who waits for whom (--why)\n"
                           "  h, F1      this help, and back\n";

/* --- drawing ---------------------------------------------- */

/* Draws text line by line, as far as the terminal goes; lines with what is searched for bold. */
static void draw_text(char *text, const char *search)
{
    char *rest = text;
    int y = 0;

    for (char *line; (line = strsep(&rest, "\n")) && y < LINES - 1; y++) {
        const bool is_found = search[0] && mwa_live_contains(line, search);

        move(y, 0);
        clrtoeol(); /* a line before that was too long goes on here */
        if (is_found) {
            attron(A_BOLD);
        }
        addstr(line);
        attroff(A_BOLD);
    }
}

static void draw_bar(const struct view *view)
{
    char bar[256];

    if (view->input) {
        snprintf(bar, sizeof bar, "%s: %s_", view->input == view->search ? "find" : "filter",
                 view->input);
    } else if (view->is_paused) {
        snprintf(bar, sizeof bar, "paused   P go on   q end");
    } else if (COLS < 78) {
        snprintf(bar, sizeof bar, "h help  Tab %s  P pause  q end",
                 mwa_live_view_name((view->screen.view + 1) % MWA_LIVE_VIEWS));
    } else {
        snprintf(bar, sizeof bar,
                 "h help  Tab %s  / find  \\ filter%s%s  > sort  P pause  w why  q end",
                 mwa_live_view_name((view->screen.view + 1) % MWA_LIVE_VIEWS),
                 view->screen.filter[0] ? "=" : "", view->screen.filter);
    }
    attron(A_REVERSE);
    mvaddnstr(LINES - 1, 0, bar, COLS);
    attroff(A_REVERSE);
}

static void draw(struct view *view)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = mwa_open_text(&text, &size);

    view->screen.columns = (unsigned)COLS;
    view->screen.rows = LINES > (int)HEAD_LINES ? (uint32_t)LINES - HEAD_LINES : 1;
    if (out && view->shows_help) {
        mwa_lay_out(help, sizeof help - 1, (unsigned)COLS, out);
    } else if (out) {
        view->status = mwa_live_watch_print(view->watch, &view->screen, &view->row_count, out,
                                            view->diagnostic);
    }
    if (!out || fclose(out) != 0) {
        view->status = mw_no_memory(view->diagnostic, NULL, "to show the run");
    }
    erase();
    if (text) {
        draw_text(text, view->search);
    }
    draw_bar(view);
    refresh();
    free(text);
}

/* --- keys ---------------------------------------------- */

static void scroll_by(struct view *view, int64_t rows)
{
    const int64_t most =
        view->row_count > view->screen.rows ? view->row_count - view->screen.rows : 0;
    const int64_t first = view->screen.first + rows;

    view->screen.first = (uint32_t)(first < 0 ? 0 : first > most ? most : first);
}

/* Goes to the next row behind the first one that is shown that has what is searched for, or to the
 * first one that has it. */
static void find_next(struct view *view, bool is_again)
{
    struct mwa_live_screen all = view->screen;
    const uint32_t from = view->screen.first + is_again;
    uint32_t found = UINT32_MAX;
    uint32_t row = 0;
    char *text = NULL;
    size_t size = 0;
    FILE *out = mwa_open_text(&text, &size);

    all.is_grouped |= view->watch->live->thread_count > all.rows;
    all.first = 0;
    all.rows = UINT32_MAX;
    if (out) {
        view->status =
            mwa_live_watch_put(view->watch, &all, &view->row_count, out, view->diagnostic);
    }
    if (!out || fclose(out) != 0) {
        view->status = mw_no_memory(view->diagnostic, NULL, "to search the run");
    }
    for (char *rest = text, *line; rest && (line = strsep(&rest, "\n"));) {
        if (strncmp(line, MWA_ROW_CELL, 2) == 0) {
            if (mwa_live_contains(line, view->search) &&
                (found == UINT32_MAX || (found < from && row >= from))) {
                found = row;
            }
            row++;
        }
    }
    if (found != UINT32_MAX) {
        view->screen.first = 0;
        scroll_by(view, found);
    }
    free(text);
}

static void go_to_view(struct view *view, enum mwa_live_table table)
{
    view->screen.view = table;
    view->screen.column = 0;
    view->screen.first = 0;
    view->shows_help = false;
    view->is_hurried = true;
}

static void sort_by(struct view *view, enum mwa_live_sort sort)
{
    view->screen.sort = sort;
    view->screen.first = 0;
}

static void sort_by_next(struct view *view)
{
    if (view->screen.view == MWA_LIVE_RANKS) {
        const enum mwa_live_sort last =
            view->screen.with_events ? MWA_LIVE_BY_VARIABLE : MWA_LIVE_BY_BYTES;

        sort_by(view, view->screen.sort >= last ? MWA_LIVE_BY_RANK : view->screen.sort + 1);
    } else {
        view->screen.column++;
        view->screen.first = 0;
    }
}

/* A key while a text is typed. */
static void take_letter(struct view *view, int key)
{
    const size_t length = strlen(view->input);

    if (key == '\n' || key == '\r' || key == KEY_ENTER || key == 27) {
        if (key == 27) {
            view->input[0] = '\0';
        } else if (view->input == view->search) {
            find_next(view, false);
        }
        view->input = NULL;
    } else if ((key == KEY_BACKSPACE || key == 127 || key == '\b') && length > 0) {
        view->input[length - 1] = '\0';
    } else if (key >= ' ' && key < 127 && length + 1 < MWA_LIVE_FILTER_BYTES) {
        view->input[length] = (char)key;
        view->input[length + 1] = '\0';
    }
    if (view->input == view->screen.filter) {
        view->screen.first = 0;
    }
}

static void show_why(struct mwa_live_watch *watch, unsigned columns)
{
    struct mw_diagnostic diagnostic = {0};
    char text[2048];

    def_prog_mode();
    endwin();
    if (mwa_live_why(watch, false, columns, &diagnostic) != MW_OK) {
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

/* The variable that comes after the one that rows have, by its whole name. */
static void show_next_variable(struct view *view)
{
    const struct mwa_live_detail *detail = view->watch->detail;
    uint32_t count = 0;
    const struct mwa_live_variable *list =
        detail ? mwa_live_variables_list(mwa_live_detail_variables(detail), &count) : NULL;

    if (count > 0 && view->screen.with_events) {
        const uint32_t now = mwa_live_variables_find(mwa_live_detail_variables(detail),
                                                     view->screen.variable);

        snprintf(view->screen.variable, sizeof view->screen.variable, "%.*s",
                 (int)sizeof view->screen.variable - 1,
                 list[now == UINT32_MAX ? 0 : (now + 1) % count].name);
    }
    view->is_hurried |= !view->screen.with_events;
    view->screen.with_events = true;
}

/* Keys of the view of ranks. */
static void take_rank_key(struct view *view, int key)
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
    if (key == 'g') {
        view->screen.is_grouped = !view->screen.is_grouped;
        view->screen.first = 0;
    } else if (key == 'W') {
        view->screen.with_events = !view->screen.with_events;
        view->is_hurried = true;
    } else if (key == 'v') {
        show_next_variable(view);
    }
}

static void take_view_key(struct view *view, int key)
{
    const unsigned table = view->screen.view;

    if (key == '\t') {
        go_to_view(view, (table + 1) % MWA_LIVE_VIEWS);
    } else if (key == KEY_BTAB) {
        go_to_view(view, (table + MWA_LIVE_VIEWS - 1) % MWA_LIVE_VIEWS);
    } else if (key >= '1' && key < '1' + MWA_LIVE_VIEWS) {
        go_to_view(view, (enum mwa_live_table)(key - '1'));
    } else if (table == MWA_LIVE_RANKS) {
        take_rank_key(view, key);
    }
}

static void take_key(struct view *view, int key)
{
    if (view->input) {
        take_letter(view, key);
    } else if (key == 'q' || key == 'Q' || key == KEY_F(10)) {
        view->is_over = true;
    } else if (key == 'Z' || key == 'P' || key == 'p' || key == ' ') {
        view->is_paused = !view->is_paused;
    } else if (key == 'h' || key == '?' || key == KEY_F(1)) {
        view->shows_help = !view->shows_help;
    } else if (key == '/' || (key == KEY_F(3) && !view->search[0])) {
        view->search[0] = '\0';
        view->input = view->search;
    } else if (key == KEY_F(3)) {
        find_next(view, true);
    } else if (key == '\\' || key == KEY_F(4)) {
        view->input = view->screen.filter;
    } else if (key == '>' || key == '.' || key == KEY_F(6)) {
        sort_by_next(view);
    } else if (key == 'w') {
        show_why(view->watch, view->screen.columns);
    } else if (key == 27) {
        view->screen.filter[0] = '\0';
        view->search[0] = '\0';
    } else {
        take_view_key(view, key);
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
static void wait_for(struct view *view, uint64_t until)
{
    for (uint64_t now = milliseconds();
         !view->is_over && !view->is_hurried && view->status == MW_OK && now < until;
         now = milliseconds()) {
        int key;

        timeout((int)(until - now));
        key = getch();
        if (key != ERR) {
            take_key(view, key);
            draw(view);
        } else if (milliseconds() < until) {
            view->is_over = true; /* the terminal is gone */
        }
    }
}

/* --- which run ---------------------------------------------- */

static void draw_list(const struct mwa_live *live, uint32_t chosen)
{
    char *rows = NULL;
    char *text = NULL;
    size_t size = 0;
    size_t text_size = 0;
    FILE *out = mwa_open_text(&rows, &size);
    FILE *laid = mwa_open_text(&text, &text_size);
    const bool is_put = out && mwa_live_list_put(live, chosen, out);

    if (out && fclose(out) == 0 && is_put && laid) {
        mwa_lay_out(rows, size, (unsigned)COLS, laid);
    }
    if (laid) {
        (void)fclose(laid);
    }
    erase();
    if (text) {
        draw_text(text, "");
    }
    attron(A_REVERSE);
    mvaddnstr(LINES - 1, 0, "Up, Down   Enter watch it   q end", COLS);
    attroff(A_REVERSE);
    refresh();
    free(rows);
    free(text);
}

/* Lets the user choose one of those that run. */
static enum mw_status choose_run(struct view *view)
{
    struct mwa_live *live = view->watch->live;
    uint32_t count;
    uint32_t *running = mwa_live_running(live, &count);
    uint32_t chosen = 0;
    enum mw_status status = MW_OK;
    int key = 0;

    timeout(-1);
    while (running && count > 1 && key != '\n' && key != '\r' && key != KEY_ENTER &&
           !view->is_over) {
        draw_list(live, chosen);
        key = getch();
        chosen += key == KEY_DOWN && chosen + 1 < count;
        chosen -= key == KEY_UP && chosen > 0;
        view->is_over = key == 'q' || key == 'Q' || key == KEY_F(10) || key == ERR;
    }
    if (running && count > 1 && !view->is_over) {
        status = mwa_live_switch(live, running[chosen], view->diagnostic);
        live->is_chosen = true;
    }
    free(running);
    return status;
}

/* --- the terminal ---------------------------------------------- */

static SCREEN *begin_screen(void)
{
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
    if (screen) {
        set_term(screen);
        cbreak();
        noecho();
        keypad(stdscr, TRUE);
        set_escdelay(25);
        curs_set(0);
    }
    return screen;
}

enum mw_status mwa_live_view(struct mwa_live_watch *watch, const struct mwa_live_screen *first,
                             uint32_t seconds, struct mw_diagnostic *diagnostic)
{
    struct view view = {.watch = watch, .screen = *first, .diagnostic = diagnostic};
    SCREEN *screen = begin_screen();

    if (!screen) {
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "the terminal can't be used (TERM); --once and --json need none");
    }
    if (watch->live->others > 0 && !watch->live->is_chosen) {
        view.status = choose_run(&view);
    }
    while (view.status == MW_OK && !view.is_over) {
        const uint64_t until = milliseconds() + seconds * (uint64_t)1000;

        if (!view.is_paused || view.is_hurried) {
            view.status = mwa_live_watch_look(watch, false, mwa_live_watch_needs(&view.screen),
                                              seconds, diagnostic);
        }
        view.is_hurried = false;
        if (view.status == MW_OK) {
            draw(&view);
            wait_for(&view, until);
        }
    }
    endwin();
    delscreen(screen);
    return view.status;
}

#else

enum mw_status mwa_live_view(struct mwa_live_watch *watch, const struct mwa_live_screen *screen,
                             uint32_t seconds, struct mw_diagnostic *diagnostic)
{
    (void)watch;
    (void)screen;
    (void)seconds;
    return mw_fail(diagnostic, MW_ERROR_SYSTEM, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                   "mpiwatch was built without ncurses: --once and --json are what there is");
}
#endif
