/* SPDX-License-Identifier: BSD-3-Clause */
/* The commit queue of src/spgemm/commit.c and worker.c: finished blocks find
   their place in C, in order, and no thread waits for another.

   -DTHREADS=n -DBLOCKS=n -DMOST_WAITING=n   size
   -DUNLOCK_RELEASE     the unlock is a release store: it may stay in the store
                        buffer while the look that follows it is made
   -DNO_SECOND_LOOK     whoever unlocks does not look again
   -DAFTER_JOIN_ONLY    do not ask that the workers alone place every block:
                        only what holds after the joining thread's commit

   Spin's memory is sequentially consistent, so the one store that may pass a
   later load, the unlock, has its buffer written out below. */

byte next;                  /* block to be taken */
byte frontier;              /* first block without a place */
bit lock;
byte published[BLOCKS + 1]; /* 1 + owner; 0: nobody; the last stays 0 */
bit is_placed[BLOCKS];
byte copied[BLOCKS];
byte used;                  /* entries of C; block b has b + 1 */
byte busy;                  /* threads from publishing to the end of advance */
byte working = THREADS;
bit unlock_buffered[THREADS];
chan fifo[THREADS] = [BLOCKS] of { byte };

inline exchange_lock(me, was_locked)
{
    /* A read-modify-write drains the store buffer of its thread. */
    atomic {
        !unlock_buffered[me];
        was_locked = lock;
        lock = 1
    }
}

inline unlock(me)
{
#ifdef UNLOCK_RELEASE
    unlock_buffered[me] = 1
#else
    lock = 0
#endif
}

/* spgemm_commit_advance() */
inline advance(me, b, is_looking)
{
    is_looking = 1;
    do
    :: !is_looking -> break
    :: is_looking ->
        exchange_lock(me, is_looking);
        if
        :: is_looking -> is_looking = 0
        :: else ->
            b = frontier;
            do
            :: published[b] != 0 ->
                assert(!is_placed[b]);
                assert(used == b * (b + 1) / 2);
                used = used + b + 1;
                is_placed[b] = 1;
                b++;
                frontier = b
            :: else -> break
            od;
            unlock(me);
#ifdef NO_SECOND_LOOK
            is_looking = 0
#else
            is_looking = (published[b] != 0)
#endif
        fi
    od
}

/* spgemm_worker_copy_placed() */
inline copy_placed(me, b)
{
    do
    :: fifo[me] ? [b] ->
        fifo[me] ? <b>;
        if
        :: is_placed[b] ->
            fifo[me] ? b;
            copied[b]++;
            assert(copied[b] == 1)
        :: else -> break
        fi
    :: empty(fifo[me]) -> break
    od
}

/* take_block(): the frontier's own block when too many wait, else the next
   that nobody has finished. b >= BLOCKS: none is left. */
inline take_block(me, b)
{
    b = BLOCKS;
    if
    :: len(fifo[me]) >= MOST_WAITING ->
        b = frontier;
        if
        :: b < BLOCKS && published[b] != 0 -> b = BLOCKS
        :: else
        fi
    :: else
    fi;
    if
    :: b == BLOCKS ->
        do
        :: atomic {
                !unlock_buffered[me];
                b = next;
                next++
            }
            if
            :: b < BLOCKS && published[b] != 0
            :: else -> break
            fi
        od
    :: else
    fi
}

proctype worker(byte me)
{
    byte b;
    bit is_looking;
    do
    ::  take_block(me, b);
        if
        :: b >= BLOCKS -> break
        :: else
        fi;
        /* Compare and swap: one result wins, the other is thrown away. */
        atomic {
            !unlock_buffered[me];
            busy++;
            if
            :: published[b] == 0 ->
                published[b] = 1 + me;
                fifo[me] ! b
            :: else
            fi
        }
        advance(me, b, is_looking);
        atomic {
            busy--;
#ifndef AFTER_JOIN_ONLY
            /* A block at the frontier is somebody's business. */
            assert(busy > 0 || published[frontier] == 0)
#endif
        }
        copy_placed(me, b);
        b = 0 /* a dead value makes no states */
    od;
    working--
}

/* A buffered store reaches memory, some time. */
proctype store_buffer(byte me)
{
end:
    do
    :: atomic {
            unlock_buffered[me] ->
            lock = 0;
            unlock_buffered[me] = 0
        }
    od
}

init
{
    byte t;
    byte b;
    bit is_looking;
    atomic {
        t = 0;
        do
        :: t < THREADS ->
            run worker(t);
#ifdef UNLOCK_RELEASE
            run store_buffer(t);
#endif
            t++
        :: else -> break
        od
    }
    /* The join: all stores are seen. */
    working == 0;
    lock == 0;
#ifndef AFTER_JOIN_ONLY
    assert(frontier == BLOCKS);
#endif
    advance(0, b, is_looking);
    t = 0;
    do
    :: t < THREADS ->
        copy_placed(t, b);
        assert(empty(fifo[t]));
        t++
    :: else -> break
    od;
    assert(frontier == BLOCKS);
    b = 0;
    do
    :: b < BLOCKS ->
        assert(copied[b] == 1);
        b++
    :: else -> break
    od
}
