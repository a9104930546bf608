/* SPDX-License-Identifier: BSD-3-Clause */
/* (column, place) pairs by increasing column, stably: by their digits, the last first,
   or by a merge sort from the bottom up, where there are few for so many digits. */
#include "matrix/column_sort.h"

#include "common/checked.h"

#define INSERTION_LENGTH 16

#define DIGIT_BITS 8
#define DIGITS     (1 << DIGIT_BITS)

/* Entries for each digit from which a sort by digits is faster: it goes through all
   digits, and a merge sort mispredicts where the order tells it nothing. Measured on an
   Emerald Rapids, ns an entry of rows of 64, 256, 1024 and 4096, two digits: 13, 6, 9,
   13; merged 30, 42, 63, 77. Rows in order but for the first entry, 128 and 1024: 9
   and 7; merged 7 and 9. */
#define SHUFFLED_ENTRIES 16
#define ORDERED_ENTRIES  64

static void insertion_sort(column_entry *row, int64_t length)
{
    for (int64_t p = 1; p < length; p++) {
        const column_entry moving = row[p];
        int64_t q = p;
        for (; q > 0 && row[q - 1].column > moving.column; q--)
            row[q] = row[q - 1];
        row[q] = moving;
    }
}

/* out[0 .. n) = the merge of in[0 .. middle) and in[middle .. n); equal columns
   from the left first. */
static void merge(column_entry *out, const column_entry *in, int64_t middle,
                  int64_t n)
{
    int64_t left = 0;
    int64_t right = middle;
    for (int64_t p = 0; p < n; p++) {
        const bool take_left =
            left < middle &&
            (right >= n || in[left].column <= in[right].column);
        out[p] = in[take_left ? left++ : right++];
    }
}

static const column_entry *merge_sort(column_entry *row, column_entry *spare,
                                      int64_t n)
{
    for (int64_t p = 0; p < n; p += INSERTION_LENGTH)
        insertion_sort(row + p, min_i64(INSERTION_LENGTH, n - p));
    for (int64_t width = INSERTION_LENGTH; width < n; width *= 2) {
        for (int64_t p = 0; p < n; p += 2 * width)
            merge(spare + p, row + p, min_i64(width, n - p),
                  min_i64(2 * width, n - p));
        column_entry *swap = row;
        row = spare;
        spare = swap;
    }
    return row;
}

/* The bits in which columns differ. */
static uint64_t differing_bits(const column_entry *row, int64_t n)
{
    uint64_t bits = 0;
    for (int64_t p = 1; p < n; p++)
        bits |= (uint64_t)(row[p].column ^ row[0].column);
    return bits;
}

static int64_t digit_at(uint64_t bits, int shift)
{
    return (int64_t)(bits >> shift & (DIGITS - 1));
}

static int count_digits(uint64_t bits)
{
    int count = 0;
    for (int shift = 0; shift < 64; shift += DIGIT_BITS)
        count += digit_at(bits, shift) != 0;
    return count;
}

/* to = from, by one digit of the column. */
static void place_by_digit(column_entry *to, const column_entry *from,
                           int64_t n, int shift)
{
    int64_t next[DIGITS] = {0};
    for (int64_t p = 0; p < n; p++)
        next[digit_at((uint64_t)from[p].column, shift)]++;
    int64_t begin = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
        const int64_t count = next[digit];
        next[digit] = begin;
        begin += count;
    }
    for (int64_t p = 0; p < n; p++)
        to[next[digit_at((uint64_t)from[p].column, shift)]++] = from[p];
}

static const column_entry *digit_sort(column_entry *row, column_entry *spare,
                                      int64_t n, uint64_t bits)
{
    for (int shift = 0; shift < 64; shift += DIGIT_BITS) {
        if (digit_at(bits, shift) == 0)
            continue;
        place_by_digit(spare, row, n, shift);
        column_entry *swap = row;
        row = spare;
        spare = swap;
    }
    return row;
}

const column_entry *spgemm_sort_columns(column_entry *row, column_entry *spare,
                                        int64_t n, bool is_nearly_sorted)
{
    const uint64_t bits = differing_bits(row, n);
    const int64_t least =
        (int64_t)count_digits(bits) *
        (is_nearly_sorted ? ORDERED_ENTRIES : SHUFFLED_ENTRIES);
    return n >= least ? digit_sort(row, spare, n, bits)
                      : merge_sort(row, spare, n);
}
