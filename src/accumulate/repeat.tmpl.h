/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of C that repeat the rows of the period before, by their programs: a tile
   is a load, spread to its lanes, a multiplication and an addition in a
   register. Nothing is looked up any more.

   Parameters: VAL, FN, semiring, LANES. */
#if !defined(VAL) || !defined(FN) || !defined(LANES)
#error "repeat.tmpl.h: define VAL, FN and LANES first"
#endif

/* The products of a tile, which is moved on; Ax is A's row. */
static ALWAYS_INLINE lanes FN(repeat_terms)(repeat_tile *tile, const VAL *Ax)
{
    /* Loaded and permuted: an expanding load does the same, and takes longer.
       Measured, one thread of a Zen 4, ms with it and so: multigrid-AP 210,
       179; 5-point 1000^2 51, 47. */
    lanes b = lanes_set(0);
    if (READS_B) {
        b = lanes_permute(tile->places,
                          lanes_load_some(tile->front, (const VAL *)tile->at));
        tile->at = (const char *)tile->at + tile->stride;
    }
    return FN(terms)(factor_set(FN(value_a)(Ax, tile->entry)), b, tile->lanes);
}

/* One more row of a program. Eight entries at a time are written, the last
   whole. */
static ALWAYS_INLINE void FN(repeat_step)(
    repeat_program *p, int64_t further, const VAL *Ax, int32_t *Cj, VAL *Cx)
{
    int32_t e = 0;
    for (int32_t o = 0; o < p->octets; o++) {
        lanes sum = lanes_set(ZERO);
        for (; e < p->begin[o + 1]; e++)
            sum = FN(add_lanes)(sum, FN(repeat_terms)(&p->tiles[e], Ax));
        lanes_store(Cx + 8 * o, sum);
    }
    const __m512i right = _mm512_set1_epi32((int32_t)further);
    for (int64_t c = 0; c < p->nnz; c += 16)
        _mm512_storeu_si512(
            Cj + c,
            _mm512_add_epi32(_mm512_loadu_si512(p->columns + c), right));
}

/* The rows of all programs in turn, `times` more times; Ax, Cj and Cx are those
   of the first row of these. */
static void FN(repeat_run)(repeat_program *programs,
                           const repetition *by,
                           int64_t times,
                           const VAL *Ax,
                           int32_t *Cj,
                           VAL *Cx)
{
    for (int64_t time = 1; time <= times; time++)
        for (int64_t t = 0; t < by->period; t++) {
            repeat_program *p = &programs[t];
            FN(repeat_step)(p, time * by->b_shift, Ax, Cj, Cx);
            Ax = READS_A ? Ax + p->length : NULL;
            Cj += p->nnz;
            Cx += p->nnz;
        }
}
