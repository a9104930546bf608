/* SPDX-License-Identifier: BSD-3-Clause */
/* What the shared library shows: SPGEMM_API marks it, all else is hidden. */
#ifndef SPGEMM_EXPORT_H
#define SPGEMM_EXPORT_H

#if defined(__GNUC__)
#define SPGEMM_API       __attribute__((visibility("default")))
#define SPGEMM_NODISCARD __attribute__((warn_unused_result))
#else
#define SPGEMM_API
#define SPGEMM_NODISCARD
#endif

#endif
