#ifndef MWA_VIEW_VIEW_SERVER_H
#define MWA_VIEW_VIEW_SERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "formats/base/status.h"

/*
 * Answers one browser on 127.0.0.1, by HTTP, after a look by view_guard.h. What is answered is
 * somebody else's concern: a function that is called by several threads at a time.
 *
 * A page keeps one answer open that never ends (MWA_VIEW_NEWS): by that it learns how far things
 * are, and the server that the page is still there.
 */

#define MWA_VIEW_NEWS "/news"

struct mwa_view_server;

/* What a request asks for. */
struct mwa_view_question {
    const char *path;
    void *connection; /* of mwa_view_argument */
};

/* A number that stands behind ? as name=; false: it is not there, or is none. */
bool mwa_view_argument(const struct mwa_view_question *question, const char *name,
                       uint64_t *value);

/* A text that stands there; null: there is none. It stays until the question is answered. */
const char *mwa_view_argument_text(const struct mwa_view_question *question, const char *name);

struct mwa_view_answer {
    unsigned status;  /* of HTTP; 0: 404 */
    const char *type; /* "application/json" */
    void *data;       /* malloc'd, the server frees it, unless */
    bool is_static;   /* it is there for ever */
    size_t bytes;
};

struct mwa_view_answerer {
    void *user;
    void (*answer)(void *user, const struct mwa_view_question *question,
                   struct mwa_view_answer *answer);
    /* What news tells now, as JSON of at most size bytes. */
    void (*news)(void *user, char *text, size_t size);
};

/*
 * Begins to listen at a port of 127.0.0.1 that is free. The answerer has to stay.
 *
 * \return MW_OK and *server, to be freed with mwa_view_server_stop. MW_ERROR_MEMORY.
 * MW_ERROR_SYSTEM: no port, no threads.
 */
enum mw_status mwa_view_server_start(const struct mwa_view_answerer *answerer,
                                     struct mwa_view_server **server,
                                     struct mw_diagnostic *diagnostic) MW_MUST_CHECK;
void mwa_view_server_stop(struct mwa_view_server *server); /* null is fine */

uint16_t mwa_view_server_port(const struct mwa_view_server *server);

/* The address that opens the view, once: "http://127.0.0.1:1234/enter?token=…". */
void mwa_view_server_url(const struct mwa_view_server *server, char *text, size_t size);

/* Whether the token was used. */
bool mwa_view_server_was_entered(struct mwa_view_server *server);

/* For how many ns no page has been there, after one was; 0: one is, or none has been yet. */
uint64_t mwa_view_server_alone(struct mwa_view_server *server);

#endif
