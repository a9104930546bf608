/* SPDX-License-Identifier: BSD-3-Clause */
/* Headers, members and the table of contents, in this order, so that the
   archive may go to a pipe: checksums follow the members. All sizes are of 64
   bits, and no member has a date: equal members make equal archives.

   PKWARE, APPNOTE.TXT, .ZIP File Format Specification, version 6.3.9, 2020;
   sections are of it. */
#include "zip_store.h"

#include <string.h>
#include <zlib.h>

enum {
    VERSION = 45,          /* sizes of 64 bits: 4.4.3 */
    MADE_ON_UNIX = 3 << 8, /* 4.4.2 */
    CHECKSUM_FOLLOWS = 8,  /* 4.4.4, bit 3 */
    FIRST_OF_1980 = 0x21,  /* 4.4.6: the earliest date there is */
    LONG_SIZES = 1,        /* 4.5.3: the extra field of sizes of 64 bits */
    RECORD_BYTES = 128
};

#define IN_EXTRA_FIELD 0xffffffffu
#define MODE_0644      (0100644u << 16)

/* A record that grows by numbers, the lowest byte first. */
typedef struct record {
    size_t used;
    unsigned char bytes[RECORD_BYTES];
} record;

static void add(record *r, int nbytes, uint64_t number)
{
    for (int k = 0; k < nbytes; k++)
        r->bytes[r->used++] = (unsigned char)(number >> (8 * k));
}

static bool put(zip_store *z, const void *bytes, size_t size)
{
    z->written += size;
    return z->write(z->context, bytes, size);
}

static bool put_record(zip_store *z, const record *r)
{
    return put(z, r->bytes, r->used);
}

/* What a member's header and its line in the table have in common: from the
   version needed to the length of the name. */
static void add_member(record *r, const zip_store_member *m)
{
    add(r, 2, VERSION);
    add(r, 2, CHECKSUM_FOLLOWS);
    add(r, 2, 0); /* stored */
    add(r, 2, 0);
    add(r, 2, FIRST_OF_1980);
    add(r, 4, m->checksum);
    add(r, 4, IN_EXTRA_FIELD);
    add(r, 4, IN_EXTRA_FIELD);
    add(r, 2, strlen(m->name));
}

bool zip_store_begin(zip_store *z, const char *name, uint64_t size)
{
    zip_store_member *m = &z->members[z->nmembers++];
    record r = {0};
    record extra = {0};
    *m = (zip_store_member){.name = name, .size = size, .offset = z->written};
    add(&r, 4, 0x04034b50); /* 4.3.7 */
    add_member(&r, m);
    add(&r, 2, 20);
    add(&extra, 2, LONG_SIZES);
    add(&extra, 2, 16);
    add(&extra, 8, size);
    add(&extra, 8, size);
    return put_record(z, &r) && put(z, name, strlen(name)) &&
           put_record(z, &extra);
}

bool zip_store_put(zip_store *z, const void *bytes, size_t size)
{
    zip_store_member *m = &z->members[z->nmembers - 1];
    m->checksum = (uint32_t)crc32_z(m->checksum, bytes, size);
    return put(z, bytes, size);
}

bool zip_store_end(zip_store *z)
{
    const zip_store_member *m = &z->members[z->nmembers - 1];
    record r = {0};
    add(&r, 4, 0x08074b50); /* 4.3.9 */
    add(&r, 4, m->checksum);
    add(&r, 8, m->size);
    add(&r, 8, m->size);
    return put_record(z, &r);
}

/* A line of the table: 4.3.12. */
static bool put_line(zip_store *z, const zip_store_member *m)
{
    record r = {0};
    record extra = {0};
    add(&r, 4, 0x02014b50);
    add(&r, 2, MADE_ON_UNIX + VERSION);
    add_member(&r, m);
    add(&r, 2, 28);
    add(&r, 2, 0); /* no comment, on the first disk, binary */
    add(&r, 2, 0);
    add(&r, 2, 0);
    add(&r, 4, MODE_0644);
    add(&r, 4, IN_EXTRA_FIELD);
    add(&extra, 2, LONG_SIZES);
    add(&extra, 2, 24);
    add(&extra, 8, m->size);
    add(&extra, 8, m->size);
    add(&extra, 8, m->offset);
    return put_record(z, &r) && put(z, m->name, strlen(m->name)) &&
           put_record(z, &extra);
}

/* Where the table is: 4.3.14 to 4.3.16. */
static bool put_end(zip_store *z, uint64_t table, uint64_t table_bytes)
{
    const uint64_t end = table + table_bytes;
    const uint64_t count = (uint64_t)z->nmembers;
    record r = {0};
    add(&r, 4, 0x06064b50);
    add(&r, 8, 44); /* bytes of this record that follow */
    add(&r, 2, MADE_ON_UNIX + VERSION);
    add(&r, 2, VERSION);
    add(&r, 8, 0);
    add(&r, 8, count);
    add(&r, 8, count);
    add(&r, 8, table_bytes);
    add(&r, 8, table);
    add(&r, 4, 0x07064b50);
    add(&r, 4, 0);
    add(&r, 8, end);
    add(&r, 4, 1);
    add(&r, 4, 0x06054b50);
    add(&r, 4, 0);
    add(&r, 2, count);
    add(&r, 2, count);
    add(&r, 4, IN_EXTRA_FIELD);
    add(&r, 4, IN_EXTRA_FIELD);
    add(&r, 2, 0);
    return put_record(z, &r);
}

bool zip_store_close(zip_store *z)
{
    const uint64_t table = z->written;
    for (int k = 0; k < z->nmembers; k++)
        if (!put_line(z, &z->members[k]))
            return false;
    return put_end(z, table, z->written - table);
}
