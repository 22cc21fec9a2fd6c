/*
 * A thread for each connection: what a page asks is a matter of milliseconds, and there are few
 * pages. What never ends is written by a function that sleeps between two words.
 */
#include "analyzer/view/view_server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/view/view_guard.h"

#define CONNECTIONS   64u
#define IDLE_SECONDS  30u
#define NEWS_MS       250u /* between two looks whether there are any */
#define NEWS_PING_MS  5000u
#define NEWS_BYTES    24576u /* two of MWA_VIEW_WHY_BYTES of which each may be six, and words */

#define POLICY                                                                                     \
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " \
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

struct mwa_view_server {
    struct mwa_view_answerer answerer;
    struct MHD_Daemon *daemon;
    uint16_t port;
    pthread_mutex_t lock; /* of all that follows */
    pthread_cond_t ends;
    struct mwa_view_guard guard;
    bool is_stopping;
    uint32_t pages;     /* that listen to news */
    uint64_t left_at;   /* monotonic ns: when the last one went; 0: none has been */
};

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

const char *mwa_view_argument_text(const struct mwa_view_question *question, const char *name)
{
    return MHD_lookup_connection_value(question->connection, MHD_GET_ARGUMENT_KIND, name);
}

bool mwa_view_argument(const struct mwa_view_question *question, const char *name, uint64_t *value)
{
    const char *text = mwa_view_argument_text(question, name);
    char *end;

    if (!text || *text < '0' || *text > '9') {
        return false;
    }
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno == 0 && *end == '\0';
}

/* --- answers ---------------------------------------------------------------------------------- */

/* No other page may show this one, read it, or learn where it was; and nothing is kept. */
static void add_headers(struct MHD_Response *response, const char *type)
{
    static const char *const headers[][2] = {
        { "Content-Security-Policy", POLICY },
        { "Referrer-Policy", "no-referrer" },
        { "X-Content-Type-Options", "nosniff" },
        { "X-Frame-Options", "DENY" },
        { "Cross-Origin-Opener-Policy", "same-origin" },
        { "Cross-Origin-Resource-Policy", "same-origin" },
        { "Cache-Control", "no-store" },
    };

    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        MHD_add_response_header(response, headers[i][0], headers[i][1]);
    }
    MHD_add_response_header(response, "Content-Type", type);
}

static enum MHD_Result send_answer(struct MHD_Connection *connection, unsigned status,
                                   struct MHD_Response *response, const char *type)
{
    enum MHD_Result result;

    if (!response) {
        return MHD_NO;
    }
    add_headers(response, type);
    if (status == MHD_HTTP_METHOD_NOT_ALLOWED) {
        MHD_add_response_header(response, "Allow", "GET");
    }
    result = MHD_queue_response(connection, status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_text(struct MHD_Connection *connection, unsigned status,
                                 const char *text)
{
    return send_answer(connection, status,
                       MHD_create_response_from_buffer(strlen(text), (void *)text,
                                                       MHD_RESPMEM_PERSISTENT),
                       "text/plain; charset=utf-8");
}

/*
 * The cookie, and a way on: a page of ours asks for the next one then. A redirection would count as
 * asked by the page before it, which is none of ours, and bring no strict cookie.
 */
static enum MHD_Result let_in(struct mwa_view_server *server, struct MHD_Connection *connection)
{
    static const char page[] = "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n"
                               "<meta http-equiv=\"refresh\" content=\"0;url=/\">\n"
                               "<title>mpiwatch-view</title>\n";
    struct MHD_Response *response =
        MHD_create_response_from_buffer(sizeof page - 1, (void *)page, MHD_RESPMEM_PERSISTENT);
    char cookie[256];

    snprintf(cookie, sizeof cookie, "%s=%s; Path=/; HttpOnly; SameSite=Strict",
             server->guard.name, server->guard.cookie);
    if (response) {
        MHD_add_response_header(response, "Set-Cookie", cookie);
    }
    return send_answer(connection, MHD_HTTP_OK, response, "text/html; charset=utf-8");
}

/* --- news --------------------------------------------------------------------------------- */

struct listener {
    struct mwa_view_server *server;
    char told[NEWS_BYTES];
};

static void sleep_unless_stopping(struct mwa_view_server *server)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += NEWS_MS * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&server->ends, &server->lock, &until);
}

/* Waits for what is new, or for some seconds: a word then shows whether the page is there. */
static ssize_t write_news(void *data, uint64_t position, char *buffer, size_t room)
{
    struct listener *listener = data;
    struct mwa_view_server *server = listener->server;
    const uint64_t begin = now_ns();
    char news[NEWS_BYTES] = "";
    bool is_stopping, is_new;

    do {
        server->answerer.news(server->answerer.user, news, sizeof news);
        is_new = strcmp(news, listener->told) != 0;
        pthread_mutex_lock(&server->lock);
        if (!server->is_stopping && !is_new) {
            sleep_unless_stopping(server);
        }
        is_stopping = server->is_stopping;
        pthread_mutex_unlock(&server->lock);
    } while (!is_stopping && !is_new && now_ns() - begin < NEWS_PING_MS * UINT64_C(1000000));
    if (is_stopping) {
        return MHD_CONTENT_READER_END_OF_STREAM;
    }
    snprintf(listener->told, sizeof listener->told, "%s", news);
    return snprintf(buffer, room, is_new ? "data: %s\n\n" : ":\n\n", news);
}

static void end_news(void *data)
{
    struct listener *listener = data;
    struct mwa_view_server *server = listener->server;

    pthread_mutex_lock(&server->lock);
    server->pages--;
    server->left_at = now_ns();
    pthread_mutex_unlock(&server->lock);
    free(listener);
}

static enum MHD_Result tell_news(struct mwa_view_server *server, struct MHD_Connection *connection)
{
    struct listener *listener = calloc(1, sizeof *listener);
    struct MHD_Response *response;

    if (!listener) {
        return MHD_NO;
    }
    listener->server = server;
    response = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 2 * NEWS_BYTES, write_news,
                                                 listener, end_news);
    if (!response) {
        free(listener);
        return MHD_NO;
    }
    pthread_mutex_lock(&server->lock);
    server->pages++;
    pthread_mutex_unlock(&server->lock);
    return send_answer(connection, MHD_HTTP_OK, response, "text/event-stream; charset=utf-8");
}

/* --- requests ------------------------------------------------------------------------------ */

static enum MHD_Result answer(struct mwa_view_server *server, struct MHD_Connection *connection,
                              const char *path)
{
    const struct mwa_view_question question = { path, connection };
    struct mwa_view_answer answer = { .status = 0 };

    if (strcmp(path, MWA_VIEW_NEWS) == 0) {
        return tell_news(server, connection);
    }
    server->answerer.answer(server->answerer.user, &question, &answer);
    if (answer.status == 0) {
        return send_text(connection, MHD_HTTP_NOT_FOUND, "There is nothing here.");
    }
    return send_answer(connection, answer.status,
                       MHD_create_response_from_buffer(answer.bytes, answer.data,
                                                       answer.is_static ? MHD_RESPMEM_PERSISTENT
                                                                        : MHD_RESPMEM_MUST_FREE),
                       answer.type);
}

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

static enum mwa_view_verdict judge(struct mwa_view_server *server,
                                   struct MHD_Connection *connection, const char *method,
                                   const char *path)
{
    const struct mwa_view_request request = {
        .method = method,
        .path = path,
        .host = header(connection, "Host"),
        .cookie = MHD_lookup_connection_value(connection, MHD_COOKIE_KIND, server->guard.name),
        .token = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "token"),
        .fetch_site = header(connection, "Sec-Fetch-Site")
    };
    enum mwa_view_verdict verdict;

    pthread_mutex_lock(&server->lock);
    verdict = mwa_view_guard_judge(&server->guard, &request);
    pthread_mutex_unlock(&server->lock);
    return verdict;
}

static enum MHD_Result take_request(void *user, struct MHD_Connection *connection,
                                    const char *path, const char *method, const char *version,
                                    const char *upload, size_t *upload_bytes, void **state)
{
    struct mwa_view_server *server = user;
    enum mwa_view_verdict verdict;

    /* What is answered before it is through ends the connection: right for what is no GET. */
    if (strcmp(method, "GET") == 0 && (!*state || *upload_bytes > 0)) {
        *state = server;
        *upload_bytes = 0;
        return MHD_YES;
    }
    verdict = judge(server, connection, method, path);
    switch (verdict) {
    case MWA_VIEW_PASS:
        return answer(server, connection, path);
    case MWA_VIEW_ENTERS:
        return let_in(server, connection);
    case MWA_VIEW_WRONG_METHOD:
        return send_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, mwa_view_verdict_text(verdict));
    default:
        return send_text(connection, MHD_HTTP_FORBIDDEN, mwa_view_verdict_text(verdict));
    }
}

/* --- the server ------------------------------------------------------------------------------ */

/* What the library has to say is not for users. */
static void say_nothing(void *user, const char *format, va_list arguments)
{
}

enum mw_status mwa_view_server_start(const struct mwa_view_answerer *answerer,
                                     struct mwa_view_server **out,
                                     struct mw_diagnostic *diagnostic)
{
    struct sockaddr_in address = { .sin_family = AF_INET,
                                   .sin_addr = { htonl(INADDR_LOOPBACK) } };
    struct mwa_view_server *server = calloc(1, sizeof *server);
    const union MHD_DaemonInfo *info;
    enum mw_status status;

    *out = NULL;
    if (!server) {
        return mw_no_memory(diagnostic, NULL, "for the server");
    }
    server->answerer = *answerer;
    pthread_mutex_init(&server->lock, NULL);
    pthread_cond_init(&server->ends, NULL);
    status = mwa_view_guard_init(&server->guard, diagnostic);
    if (status != MW_OK) {
        mwa_view_server_stop(server);
        return status;
    }
    server->daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_ERROR_LOG, 0,
        NULL, NULL, take_request, server, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL,
        MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT, CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, IDLE_SECONDS, MHD_OPTION_END);
    info = server->daemon ? MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
    if (!info || info->port == 0) {
        mwa_view_server_stop(server);
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, "127.0.0.1", MW_DIAGNOSTIC_OFFSET_NONE,
                       "can't listen there");
    }
    server->port = info->port;
    pthread_mutex_lock(&server->lock);
    mwa_view_guard_set_port(&server->guard, server->port);
    pthread_mutex_unlock(&server->lock);
    *out = server;
    return MW_OK;
}

void mwa_view_server_stop(struct mwa_view_server *server)
{
    if (!server) {
        return;
    }
    pthread_mutex_lock(&server->lock);
    server->is_stopping = true;
    pthread_cond_broadcast(&server->ends);
    pthread_mutex_unlock(&server->lock);
    if (server->daemon) {
        MHD_stop_daemon(server->daemon);
    }
    pthread_cond_destroy(&server->ends);
    pthread_mutex_destroy(&server->lock);
    explicit_bzero(&server->guard, sizeof server->guard);
    free(server);
}

uint16_t mwa_view_server_port(const struct mwa_view_server *server)
{
    return server->port;
}

void mwa_view_server_url(const struct mwa_view_server *server, char *text, size_t size)
{
    snprintf(text, size, "http://%s" MWA_VIEW_DOOR "?token=%s", server->guard.hosts[0],
             server->guard.token);
}

bool mwa_view_server_was_entered(struct mwa_view_server *server)
{
    bool was_entered;

    pthread_mutex_lock(&server->lock);
    was_entered = !server->guard.is_open;
    pthread_mutex_unlock(&server->lock);
    return was_entered;
}

uint64_t mwa_view_server_alone(struct mwa_view_server *server)
{
    uint64_t alone;

    pthread_mutex_lock(&server->lock);
    alone = server->pages == 0 && server->left_at > 0 ? now_ns() - server->left_at : 0;
    pthread_mutex_unlock(&server->lock);
    return alone;
}
