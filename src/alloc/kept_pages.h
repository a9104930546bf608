/* SPDX-License-Identifier: BSD-3-Clause */
/* Pages of the library's own, in whole huge pages from the system, that are kept for
   some time once they are free. */
#ifndef SPGEMM_ALLOC_KEPT_PAGES_H
#define SPGEMM_ALLOC_KEPT_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Bytes of a page: what is taken, grown and kept is made of. */
size_t spgemm_page_bytes(void);

/** Bytes of the pages that so many bytes take. */
size_t spgemm_whole_pages(size_t bytes);

/** Pages side by side; 0: no memory. */
uintptr_t spgemm_pages_take(size_t bytes);

/** Those from `start` on. false: they are not all free. */
bool spgemm_pages_take_at(uintptr_t start, size_t bytes);

/** Free pages, for whoever takes some next. */
void spgemm_pages_keep(uintptr_t start, size_t bytes);

/** Free pages that were kept elsewhere, long enough. */
void spgemm_pages_drop(uintptr_t start, size_t bytes);

/** Those that were free for too long, to the system: to be called now and then. */
void spgemm_pages_tend(void);

/** All that are free, to the system. */
void spgemm_pages_give_back(void);

#endif
