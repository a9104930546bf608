/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes as UTF-8 (RFC 3629), and those that a terminal must not get. */
#include "plain.h"

#include <stdio.h>
#include <string.h>

int plain_character(const char *text, uint32_t *code)
{
    /* The least that needs so many bytes: less is an overlong form. */
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char first = (unsigned char)text[0];
    const int length = first < 0x80   ? 1
                       : first < 0xc0 ? 0
                       : first < 0xe0 ? 2
                       : first < 0xf0 ? 3
                       : first < 0xf8 ? 4
                                      : 0;
    *code = length < 2 ? first : first & (0x7fu >> length);
    for (int k = 1; k < length; k++) {
        const unsigned char next = (unsigned char)text[k];
        if ((next & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (next & 0x3f);
    }
    const bool is_surrogate = *code >= 0xd800 && *code < 0xe000;
    return *code < least[length] || *code > 0x10ffff || is_surrogate ? 0
                                                                     : length;
}

bool plain_is_control(uint32_t code)
{
    return code < ' ' || (code >= 0x7f && code < 0xa0) ||
           (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

char *plain_text(char *to, size_t room, const char *text)
{
    size_t used = 0;
    while (*text) {
        uint32_t code;
        const int length = plain_character(text, &code);
        const bool is_raw = length > 0 && !plain_is_control(code);
        const size_t bytes = length > 0 ? (size_t)length : 1;
        if (used + (is_raw ? bytes : 4 * bytes) >= room)
            break;
        for (size_t k = 0; k < bytes; k++) {
            if (is_raw)
                to[used++] = text[k];
            else
                used += (size_t)snprintf(to + used, room - used, "\\x%02x",
                                         (unsigned char)text[k]);
        }
        text += bytes;
    }
    to[used] = '\0';
    return to;
}
