/*
 * The program that is watched accepts nobody: the port is that of a job beside it. A thread that
 * waits for who connects can't be told to stop, and is left in MPI_Comm_accept when MPI is
 * finalised; MPI allows that as little as it offers something else.
 */
#include "recorder/carry/carry_ways.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/carry/port_file.h"
#include "recorder/dispatch/chain.h"
#include "recorder/finalize/transport_mpi.h"

#define CLIENTS 16u /* at a time */

static const char needs_server[] =
    "two mpiruns of Open MPI meet where both are told of the same ompi-server (mpirun "
    "--ompi-server file:FILE) or run in one DVM";

/* Somebody at the other end of a port. */
struct partner {
    MPI_Comm comm;
    struct mwr_incoming incoming;
    struct mwr_posts posts;
    bool is_used;
    bool has_ended; /* said so, or is gone */
    bool was_told;  /* of our end */
};

static void begin_partner(struct partner *partner, MPI_Comm comm)
{
    MWR_PMPI(Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
    *partner = (struct partner){.comm = comm, .incoming = {.comm = comm}, .posts = {.comm = comm}};
    partner->is_used = true;
}

static void tell_end(struct partner *partner)
{
    if (!partner->was_told) {
        mwr_posts_send(&partner->posts, MWR_POST_END, NULL, 0);
        partner->was_told = true;
    }
}

/* How many are at it: counted when a thread for one begins, and when it has ended. */
static atomic_uint disconnecting;

/* Collective with a partner that may have died since it said that it ends. */
static void *disconnect(void *context)
{
    struct partner *partner = context;

    MWR_PMPI(Comm_disconnect)(&partner->comm);
    free(partner);
    disconnecting--;
    return NULL;
}

static void end_partner(struct partner *partner)
{
    const bool is_whole = !partner->posts.failed && !partner->incoming.failed;
    struct partner *left = is_whole ? malloc(sizeof *left) : NULL;
    pthread_t thread;

    mwr_posts_fini(&partner->posts);
    mwr_incoming_fini(&partner->incoming);
    if (left) {
        *left = *partner;
        disconnecting++;
        if (pthread_create(&thread, NULL, disconnect, left) == 0) {
            pthread_detach(thread);
        } else {
            free(left);
            disconnecting--;
        }
    }
    partner->is_used = false;
}

/* Whether all have, after as long as they may take. */
static bool all_are_disconnected(void)
{
    const double until = mwr_carry_seconds() + MWR_CARRY_PATIENCE;

    while (disconnecting > 0 && mwr_carry_seconds() < until) {
        usleep(1000 * MWR_CARRY_LOOK);
    }
    return disconnecting == 0;
}

/* --- serve --------------------------------------------------------------------------------- */

struct service {
    char port[MPI_MAX_PORT_NAME];
    pthread_mutex_t lock; /* of clients' is_used */
    struct partner clients[CLIENTS];
    atomic_bool is_over;
};

/* Filled before there is a thread that accepts, and as long as there is one: to the end. */
static struct service service;

static struct partner *free_place(void)
{
    for (unsigned i = 0; i < CLIENTS; i++) {
        if (!service.clients[i].is_used) {
            return &service.clients[i];
        }
    }
    return NULL;
}

static void *accept_clients(void *unused)
{
    MPI_Comm comm;

    while (!service.is_over &&
           MWR_PMPI(Comm_accept)(service.port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &comm) ==
               MPI_SUCCESS) {
        struct partner *place;

        pthread_mutex_lock(&service.lock);
        place = free_place();
        if (place) {
            begin_partner(place, comm);
        }
        pthread_mutex_unlock(&service.lock);
        if (!place) {
            MWR_PMPI(Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
            MWR_PMPI(Send)(NULL, 0, MPI_BYTE, 0, MWR_POST_END, comm);
        }
    }
    return unused;
}

struct serving {
    struct mwr_packets *packets;
    uint32_t number; /* of the client: behind those of the servers */
    struct partner *client;
};

/* What a client tells is what it wants to see, and that it ends. */
static void take_of_client(void *context, int from, const void *data, size_t bytes)
{
    struct serving *serving = context;

    if (data && from >= 0) {
        mwr_packets_put(serving->packets, MW_CARRY_MESSAGE, serving->number, data, bytes);
    }
    serving->client->has_ended = serving->client->has_ended || !data;
}

/* Looks after all clients, and gives them a message, unless there is none. \return how many. */
static unsigned serve_clients(const struct mwr_company *company, const char *message, size_t bytes,
                              bool is_over)
{
    unsigned count = 0;

    pthread_mutex_lock(&service.lock);
    for (unsigned i = 0; i < CLIENTS; i++) {
        struct partner *client = &service.clients[i];
        struct serving serving = {company->packets, (uint32_t)company->size + i, client};

        if (!client->is_used) {
            continue;
        }
        count++;
        if (bytes > 0 && !client->was_told) {
            mwr_posts_send(&client->posts, MWR_POST_MESSAGE, message, bytes);
        }
        mwr_incoming_look(&client->incoming, take_of_client, &serving);
        if (client->has_ended || is_over) {
            tell_end(client);
        }
        if (client->posts.failed || client->incoming.failed ||
            (client->has_ended && mwr_posts_are_received(&client->posts))) {
            end_partner(client);
        }
    }
    pthread_mutex_unlock(&service.lock);
    return count;
}

static enum mw_status open_port(MPI_Comm comm, const char *place, struct mw_diagnostic *diagnostic)
{
    struct mwr_mpi_transport state;
    struct mw_transport transport;
    enum mw_status worst = MW_OK;
    enum mw_status status = MW_OK;

    mwr_transport_mpi_init(&transport, &state, comm);
    if (MWR_PMPI(Open_port)(MPI_INFO_NULL, service.port) != MPI_SUCCESS) {
        status = mw_fail(diagnostic, MW_ERROR_MPI, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                         "this MPI opens no port");
    }
    (void)!transport.agree(transport.context, status, &worst, NULL);
    if (worst == MW_OK) {
        status = mwr_port_file_write(&transport, place, service.port, diagnostic);
    }
    return status != MW_OK ? status : worst;
}

/* Until mpiwatch-top has nothing more to tell; then clients are told of the end. */
static void serve(struct mwr_company *company, const char *place)
{
    char message[MW_LIVE_BYTES_MAX];
    uint32_t to = 0;
    size_t bytes;
    double until;

    while (mwr_packets_take(company->packets, MWR_CARRY_LOOK, &to, message, &bytes)) {
        const bool is_for_all = to == MW_CARRY_WATCHERS;

        serve_clients(company, message, is_for_all ? bytes : 0, false);
        mwr_company_look(company, to, message, is_for_all ? 0 : bytes);
    }
    service.is_over = true;
    if (company->rank == 0 && strchr(place, '/')) {
        unlink(place);
    }
    until = mwr_carry_seconds() + MWR_CARRY_PATIENCE;
    while (serve_clients(company, NULL, 0, true) > 0 && mwr_carry_seconds() < until) {
        mwr_company_look(company, 0, NULL, 0);
        usleep(1000 * MWR_CARRY_LOOK);
    }
}

/* Ranks of one host may end long before others: what these tell is taken until all have ended. */
static void wait_for_all(struct mwr_company *company, MPI_Comm comm)
{
    MPI_Request request;
    int all_are_here = 0;
    int error = MWR_PMPI(Ibarrier)(comm, &request);

    while (error == MPI_SUCCESS && !all_are_here) {
        mwr_company_look(company, 0, NULL, 0);
        usleep(1000 * MWR_CARRY_LOOK);
        error = MWR_PMPI(Test)(&request, &all_are_here, MPI_STATUS_IGNORE);
    }
}

enum mw_status mwr_carry_serve(struct mwr_packets *packets, MPI_Comm comm, const char *place,
                               bool *may_finalize, struct mw_diagnostic *diagnostic)
{
    struct mwr_company company = {.packets = packets};
    pthread_t thread;
    enum mw_status status = open_port(comm, place, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    pthread_mutex_init(&service.lock, NULL);
    if (!mwr_company_init(&company, comm) ||
        pthread_create(&thread, NULL, accept_clients, NULL) != 0) {
        mwr_company_fini(&company);
        return mw_fail(diagnostic, MW_ERROR_SYSTEM, NULL, MW_DIAGNOSTIC_OFFSET_NONE,
                       "there can be no thread that accepts");
    }
    pthread_detach(thread);
    mwr_carry_hello(packets, comm);
    serve(&company, place);
    wait_for_all(&company, comm);
    *may_finalize = mwr_company_end(&company) && all_are_disconnected();
    mwr_company_fini(&company);
    return MW_OK;
}

/* --- connect ------------------------------------------------------------------------------- */

#define WISH_BYTES 1024u /* of what a client tells */

struct connection {
    pthread_mutex_t lock; /* of the next two */
    char wish[WISH_BYTES]; /* for the server: what mpiwatch-top told last */
    size_t wish_bytes;     /* 0: the server has got it */
    const char *port;
    uint32_t number;
    struct mwr_packets *packets;
    const atomic_bool *is_over; /* mpiwatch-top has seen enough */
    atomic_bool has_met; /* or could not */
    atomic_bool has_ended;
};

struct taking {
    struct connection *connection;
    struct partner *server;
};

static void take_of_server(void *context, int from, const void *data, size_t bytes)
{
    struct taking *taking = context;

    (void)from;
    if (data) {
        mwr_packets_put(taking->connection->packets, MW_CARRY_MESSAGE, taking->connection->number,
                        data, bytes);
    } else {
        taking->server->has_ended = true;
    }
}

/* What was told in between, and not sent, nobody needs any more. */
static void send_wish(struct connection *connection, struct partner *server)
{
    char wish[WISH_BYTES];
    size_t bytes;

    pthread_mutex_lock(&connection->lock);
    bytes = connection->wish_bytes;
    memcpy(wish, connection->wish, bytes);
    connection->wish_bytes = 0;
    pthread_mutex_unlock(&connection->lock);
    if (bytes > 0) {
        mwr_posts_send(&server->posts, MWR_POST_MESSAGE, wish, bytes);
    }
}

static void keep_wish(struct connection *connection, const char *message, size_t bytes)
{
    pthread_mutex_lock(&connection->lock);
    if (bytes > 0 && bytes <= sizeof connection->wish) {
        memcpy(connection->wish, message, bytes);
        connection->wish_bytes = bytes;
    }
    pthread_mutex_unlock(&connection->lock);
}

static void listen_to(struct connection *connection, struct partner *server)
{
    struct taking taking = {connection, server};
    double until = 0;

    while (!server->has_ended && !server->incoming.failed && !server->posts.failed &&
           (until == 0 || mwr_carry_seconds() < until)) {
        mwr_incoming_look(&server->incoming, take_of_server, &taking);
        send_wish(connection, server);
        if (*connection->is_over && until == 0) {
            tell_end(server);
            until = mwr_carry_seconds() + MWR_CARRY_PATIENCE;
        }
        usleep(1000 * MWR_CARRY_LOOK);
    }
    tell_end(server);
    until = mwr_carry_seconds() + MWR_CARRY_PATIENCE;
    while (!mwr_posts_are_received(&server->posts) && mwr_carry_seconds() < until) {
        usleep(1000 * MWR_CARRY_LOOK);
    }
    end_partner(server);
}

static void *run_connection(void *context)
{
    struct connection *connection = context;
    struct partner server;
    char why[MPI_MAX_ERROR_STRING + sizeof needs_server + 64];
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Comm comm;
    int error =
        MWR_PMPI(Comm_connect)(connection->port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &comm);

    if (error == MPI_SUCCESS) {
        begin_partner(&server, comm);
        connection->has_met = true;
        listen_to(connection, &server);
        mwr_packets_put(connection->packets, MW_CARRY_OVER, connection->number, NULL, 0);
    } else {
        MWR_PMPI(Error_string)(error, text, &length);
        snprintf(why, sizeof why, "MPI_Comm_connect: error %d, %s; %s", error, text, needs_server);
        mwr_packets_put(connection->packets, MW_CARRY_OVER, connection->number, why, strlen(why));
    }
    connection->has_ended = true;
    connection->has_met = true;
    return NULL;
}

/* The next one begins when this one has met, or takes long: Open MPI does not survive two threads
 * that say at the same time what is wrong. \return false: mpiwatch-top has seen enough. */
static bool meet(struct mwr_packets *packets, struct connection *connection)
{
    const double until = mwr_carry_seconds() + MWR_CARRY_PATIENCE;
    char message[MW_LIVE_BYTES_MAX];
    bool is_there = true;
    pthread_t thread;
    uint32_t to;
    size_t bytes;

    if (pthread_create(&thread, NULL, run_connection, connection) != 0) {
        connection->has_ended = true;
        mwr_packets_put(packets, MW_CARRY_OVER, connection->number, "no thread for it", 16);
        return true;
    }
    pthread_detach(thread);
    while (is_there && !connection->has_met && mwr_carry_seconds() < until) {
        is_there = mwr_packets_take(packets, MWR_CARRY_LOOK, &to, message, &bytes);
    }
    return is_there;
}

static bool all_have_ended(const struct connection *connections, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!connections[i].has_ended) {
            return false;
        }
    }
    return true;
}

/* \return whether none of them is left in MPI. */
static bool run_connections(struct mwr_packets *packets, struct connection *connections,
                            uint32_t count, atomic_bool *is_over)
{
    char message[MW_LIVE_BYTES_MAX];
    uint32_t begun = 0;
    uint32_t to = 0;
    size_t bytes;
    double until;

    while (begun < count && meet(packets, &connections[begun])) {
        begun++;
    }
    while (begun == count && mwr_packets_take(packets, MWR_CARRY_LOOK, &to, message, &bytes)) {
        if (to < count) {
            keep_wish(&connections[to], message, bytes);
        }
    }
    *is_over = true;
    until = mwr_carry_seconds() + 2.2 * MWR_CARRY_PATIENCE; /* listen_to has it twice */
    while (!all_have_ended(connections, begun) && mwr_carry_seconds() < until) {
        usleep(1000 * MWR_CARRY_LOOK);
    }
    return all_have_ended(connections, begun) && all_are_disconnected();
}

enum mw_status mwr_carry_connect(struct mwr_packets *packets, const char *place,
                                 bool *may_finalize, struct mw_diagnostic *diagnostic)
{
    static struct mwr_ports ports; /* threads that still wait in MPI look at it */
    static atomic_bool is_over;
    static struct connection *connections;
    enum mw_status status = mwr_port_file_read(place, &ports, diagnostic);

    if (status != MW_OK) {
        return status;
    }
    connections = calloc(ports.count, sizeof *connections);
    if (!connections) {
        return mw_no_memory(diagnostic, NULL, "for the servers");
    }
    mwr_packets_put(packets, MW_CARRY_HELLO, ports.count, "0", 1);
    for (uint32_t i = 0; i < ports.count; i++) {
        pthread_mutex_init(&connections[i].lock, NULL);
        connections[i].port = ports.lines[i];
        connections[i].number = i;
        connections[i].packets = packets;
        connections[i].is_over = &is_over;
    }
    *may_finalize = run_connections(packets, connections, ports.count, &is_over);
    return MW_OK;
}
