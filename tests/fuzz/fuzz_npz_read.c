/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a .npz file, or as the members of one: what is read is well
   formed. */
#include "fuzz_bytes.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "npz_members.h"
#include "npz_read.h"

enum {
    MOST_MEMBER_BYTES = 4096,
    MOST_ARCHIVE_BYTES = 1 << 16,
    MOST_MATRIX_BYTES = 1 << 30
};

typedef struct text {
    size_t size;
    char bytes[MOST_MEMBER_BYTES];
} text;

static void append(text *t, const void *bytes, size_t size)
{
    if (size > sizeof t->bytes - t->size)
        size = sizeof t->bytes - t->size;
    memcpy(t->bytes + t->size, bytes, size);
    t->size += size;
}

/* The header of an array of so many elements, its bytes not in line. */
static void append_header(text *t, fuzz_bytes *in, const char *dtype,
                          int64_t count)
{
    char header[256];
    const uint8_t how = next_byte(in);
    const int used =
        snprintf(header + 10, sizeof header - 10,
                 "{'descr': '%s', 'fortran_order': %s, 'shape': (%lld%s), }\n",
                 dtype, how == 1 ? "True" : "False",
                 (long long)distort(count, how), how == 2 ? "" : ",");
    memcpy(header, "\x93NUMPY\1", 8);
    header[8] = (char)used;
    header[9] = 0;
    append(t, header, (size_t)used + 10);
}

/* An array of indices, mostly below `limit`; or of row pointers. */
static void append_indices(text *t, fuzz_bytes *in, int64_t count,
                           int64_t limit, bool are_pointers)
{
    const uint8_t width = next_byte(in);
    int64_t last = 0;
    append_header(t, in, width % 2 ? "<i8" : "<i4", count);
    for (int64_t k = 0; k < count; k++) {
        const uint8_t byte = next_byte(in);
        int64_t index = limit > 0 ? byte % limit : 0;
        if (are_pointers)
            index = last = k == 0 ? 0 : last + byte % 3;
        index = distort(index, byte);
        append(t, &index, width % 2 ? 8 : 4);
    }
}

static void append_values(text *t, fuzz_bytes *in, int64_t count)
{
    static const char *const dtypes[] = {
        "<f8", "<f4", "<c16", "<c8", "<i8", "<i4", "|b1", "|i1",
        "<i2", "|u1", "<u2",  "<u4", "<u8", ">f8", "|O",  "<f2"};
    static const uint8_t bytes[] = {8, 4, 16, 8, 8, 4, 1, 1,
                                    2, 1, 2,  4, 8, 8, 8, 2};
    const uint8_t k = next_byte(in) % 16;
    append_header(t, in, dtypes[k], count);
    for (int64_t b = 0; b < count * bytes[k]; b++) {
        const uint8_t byte = next_byte(in);
        append(t, &byte, 1);
    }
}

static void put_member(struct archive *archive, fuzz_bytes *in,
                       const char *name, text *t)
{
    struct archive_entry *entry = archive_entry_new();
    for (int changes = next_byte(in) % 4; changes > 1; changes--) {
        const size_t at = (size_t)next_byte(in) + 16u * next_byte(in);
        if (at < t->size)
            t->bytes[at] = (char)next_byte(in);
    }
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_size(entry, (int64_t)t->size);
    archive_write_header(archive, entry);
    archive_write_data(archive, t->bytes, t->size);
    archive_entry_free(entry);
    t->size = 0;
}

static void put_members(struct archive *archive, fuzz_bytes *in)
{
    static const char *const layouts[] = {"csr", "csc", "coo", "dia"};
    text t = {0};
    const uint8_t layout = next_byte(in) % 4;
    const int64_t sizes[] = {next_byte(in) % FUZZ_LARGEST,
                             next_byte(in) % FUZZ_LARGEST};
    const int64_t major = sizes[layout == 1];
    const int64_t minor = sizes[layout != 1];
    const int64_t count = next_byte(in) % 64;
    append(&t, "\x93NUMPY\1\0\66\0", 10);
    append(&t, "{'descr': '|S3', 'fortran_order': False, 'shape': ()}\n", 54);
    append(&t, layouts[layout], 3);
    put_member(archive, in, "format.npy", &t);
    append_header(&t, in, "<i8", 2);
    append(&t, sizes, sizeof sizes);
    put_member(archive, in, "shape.npy", &t);
    append_values(&t, in, count);
    put_member(archive, in, "data.npy", &t);
    append_indices(&t, in, count, minor, false);
    put_member(archive, in, layout == 2 ? "col.npy" : "indices.npy", &t);
    append_indices(&t, in, layout == 2 ? count : major + 1, major, layout != 2);
    put_member(archive, in, layout == 2 ? "row.npy" : "indptr.npy", &t);
}

/* An archive of members made of the input; how many bytes. */
static size_t make_archive(char *bytes, fuzz_bytes *in)
{
    size_t used = 0;
    struct archive *archive = archive_write_new();
    archive_write_set_format_zip(archive);
    archive_write_zip_set_compression_store(archive);
    archive_write_open_memory(archive, bytes, MOST_ARCHIVE_BYTES, &used);
    put_members(archive, in);
    archive_write_close(archive);
    archive_write_free(archive);
    return used;
}

static void check_file(const void *bytes, size_t size)
{
    spgemm_csr A = {0};
    spgemm_mtx_error error = {0};
    int64_t read_bytes;
    const npz_limits limits = {MOST_MATRIX_BYTES, MOST_MATRIX_BYTES};
    int file = memfd_create("npz", MFD_CLOEXEC);
    if (file < 0 || write(file, bytes, size) != (ssize_t)size ||
        lseek(file, 0, SEEK_SET) != 0)
        fail_fuzz("no file", "");
    members *archive = npz_members_open(&file);
    if (!archive)
        fail_fuzz("no memory", "");
    const spgemm_status status =
        npz_read(&A, archive, &limits, &read_bytes, &error);
    archive->close(archive);
    if (status == SPGEMM_SUCCESS &&
        spgemm_csr_check(&A, NULL) != SPGEMM_SUCCESS)
        fail_fuzz("a matrix that was read is malformed", "");
    if (status < 0 && !error.text[0])
        fail_fuzz("no reason was given", spgemm_status_string(status));
    spgemm_csr_destroy(&A);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char bytes[MOST_ARCHIVE_BYTES];
    fuzz_bytes in = {data, size};
    if (size > 2 && memcmp(data, "PK", 2) == 0)
        check_file(data, size);
    else
        check_file(bytes, make_archive(bytes, &in));
    return 0;
}
