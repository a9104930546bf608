/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole messages over a socket. */
#include "protocol.h"

#include <errno.h>
#include <sys/socket.h>

bool protocol_send(int socket, const void *message, size_t length)
{
    const char *next = message;
    while (length) {
        const ssize_t sent = send(socket, next, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        next += sent;
        length -= (size_t)sent;
    }
    return true;
}

bool protocol_receive(int socket, void *message, size_t length)
{
    char *next = message;
    while (length) {
        const ssize_t got = recv(socket, next, length, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        next += got;
        length -= (size_t)got;
    }
    return true;
}
