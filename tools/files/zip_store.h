/* SPDX-License-Identifier: BSD-3-Clause */
/* A ZIP archive of members that are stored as they are. */
#ifndef TOOLS_ZIP_STORE_H
#define TOOLS_ZIP_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ZIP_STORE_MEMBERS = 8 };

typedef struct zip_store_member {
    const char *name;
    uint64_t size;
    uint64_t offset; /* of its header in the archive */
    uint32_t checksum;
} zip_store_member;

/** Writes all of the bytes; false: errno says why not. */
typedef bool zip_store_write_fn(void *context, const void *bytes, size_t size);

/** Begun with write and context, all else zero. */
typedef struct zip_store {
    zip_store_write_fn *write;
    void *context;
    uint64_t written;
    int nmembers;
    zip_store_member members[ZIP_STORE_MEMBERS];
} zip_store;

/** Each false if write() failed. The bytes of a member are its size. */
bool zip_store_begin(zip_store *z, const char *name, uint64_t size);
bool zip_store_put(zip_store *z, const void *bytes, size_t size);
bool zip_store_end(zip_store *z);

/** The table of contents, after the last member. */
bool zip_store_close(zip_store *z);

#endif
