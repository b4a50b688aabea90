"""Count Hamiltonian cycles by a frontier: compiled dynamic programming over mate tables.

Vertices are processed one after the other; processing one decides its edges to those not yet processed. What
matters of the decisions so far is the frontier: the slots, that is vertices that are touched and not dropped.
An untouched vertex is its own mate, the two ends of a path are each other's mates, an inner vertex of a path is
done (-1). Partial solutions with the same mates have the same completions, so a table from mates to their
number is enough (Knuth's Simpath, The Art of Computer Programming 4A, 7.1.4, with numbers for the diagram).

A mate table is packed into 64 bits: two bits a slot for its kind, then, for each path that closes from left to
right, which of the open ones it is; 19 slots always fit. Numbers are unsigned, of as many 64-bit limbs as are
needed, the lowest first. The steps come from `exact.search.tours_plan`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

LARGEST = 26
"""Largest table, as a power of two of places: about 3 GiB with the table before it."""

EMPTY = np.uint64(2**64 - 1)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_UNTOUCHED, _INNER, _OPENING, _CLOSING = 0, 1, 2, 3
_EVEN_BITS = np.uint64(0x5555555555555555)


@njit(cache=True, nogil=True)
def advance(
    keys: Any, numbers: Any, mates: Any, here: int, stays: bool, near: Any, left: Any, forced: int, last: bool,
    total: Any, bits: int,
) -> Any:  # fmt: skip
    """Process one vertex, in slot `here`: return the next table (keys, numbers), its size and if all sums fitted.

    `mates[0]` are the slots that were in the table before, in its order, `mates[1]` those that are fresh;
    `near` the slots that the vertex may be joined to, `forced` one that it must be joined to, or -1. `left[j]`
    is how many edges of slot j are decided later. The vertex is dropped, with two edges, unless it `stays`.
    A cycle may close if the step is the `last` one that can close it; such are added to `total`. `bits` is the
    size of the next table to begin with, as a power of two; raises `MemoryError` if it would exceed `LARGEST`.
    """
    kept, fresh = mates
    slots = len(kept) + len(fresh)
    following = np.full(1 << bits, EMPTY, np.uint64)
    sums = np.zeros((1 << bits, numbers.shape[1]), np.uint64)
    states = 0
    fits = True
    mate = np.empty(slots, np.int64)
    trial = np.empty(slots, np.int64)
    opened = np.empty(slots, np.int64)
    dropped = -1 if stays else here
    for source in range(len(keys)):
        if keys[source] == EMPTY:
            continue
        _decode(keys[source], kept, fresh, mate, opened)
        need = 2 if mate[here] == here else 1 if mate[here] >= 0 else 0
        for edges in range(0 if stays else need, need + 1):
            for first in range(len(near) if edges else 1):
                for second in range(first + 1 if edges == 2 else 0, len(near) if edges == 2 else 1):
                    a = near[first] if edges else -1
                    b = near[second] if edges == 2 else -1
                    if (a >= 0 and mate[a] < 0) or (b >= 0 and mate[b] < 0):
                        continue
                    if forced >= 0 and a != forced and b != forced:
                        continue
                    if (edges == 2 and mate[a] == b) or (edges >= 1 and mate[here] == a):
                        if last and _all_inner(mate, here, a, b):
                            fits &= add(total, numbers[source])
                        continue
                    trial[:] = mate
                    if a >= 0:
                        _join(trial, here, a)
                    if b >= 0:
                        _join(trial, here, b)
                    if not _alive(trial, near, left):
                        continue
                    key = _encode(trial, dropped, opened)
                    place = _locate(following, key)
                    if following[place] != EMPTY:
                        fits &= add(sums[place], numbers[source])
                        continue
                    following[place] = key
                    sums[place] = numbers[source]
                    states += 1
                    if 5 * states > 3 * len(following):
                        following, sums = _grown(following, sums)
    return following, sums, states, fits


@njit(cache=True, nogil=True)
def _decode(key: Any, kept: Any, fresh: Any, mate: Any, opened: Any) -> None:
    """Write the mates of the kept slots, from the key, and of the fresh ones."""
    digits = key >> np.uint64(2 * len(kept))
    depth = 0
    for j in range(len(kept)):
        kind = (key >> np.uint64(2 * j)) & np.uint64(3)
        slot = kept[j]
        if kind == _UNTOUCHED:
            mate[slot] = slot
        elif kind == _INNER:
            mate[slot] = -1
        elif kind == _OPENING:
            opened[depth] = slot
            depth += 1
        else:
            bits = _bits(depth)
            place = np.int64(digits & np.uint64((1 << bits) - 1))
            digits >>= np.uint64(bits)
            other = opened[place]
            mate[slot] = other
            mate[other] = slot
            depth -= 1
            opened[place] = opened[depth]
    for slot in fresh:
        mate[slot] = slot


@njit(cache=True, nogil=True)
def _encode(mate: Any, dropped: int, opened: Any) -> Any:
    """Return the packed mates without the slot `dropped` (-1: none)."""
    key = np.uint64(0)
    width = len(mate) - (dropped >= 0)
    shift = 2 * width
    depth = 0
    position = 0
    for slot in range(len(mate)):
        if slot == dropped:
            continue
        other = mate[slot]
        kind = _UNTOUCHED
        if other < 0:
            kind = _INNER
        elif other > slot:
            kind = _OPENING
            opened[depth] = slot
            depth += 1
        elif other < slot:
            kind = _CLOSING
            place = 0
            while opened[place] != other:
                place += 1
            key |= np.uint64(place) << np.uint64(shift)
            shift += _bits(depth)
            depth -= 1
            opened[place] = opened[depth]
        key |= np.uint64(kind) << np.uint64(2 * position)
        position += 1
    return key


@njit(cache=True, nogil=True)
def _bits(depth: int) -> int:
    """Return the number of bits of a number below `depth`."""
    bits = 0
    while (1 << bits) < depth:
        bits += 1
    return bits


@njit(cache=True, nogil=True)
def _join(mate: Any, a: int, b: int) -> None:
    """Join the paths that end at slots a and b, which are not the two ends of one path."""
    end, other = mate[a], mate[b]
    if end != a:
        mate[a] = -1
    if other != b:
        mate[b] = -1
    mate[end] = other
    mate[other] = end


@njit(cache=True, nogil=True)
def _alive(mate: Any, near: Any, left: Any) -> bool:
    """Whether every slot that the vertex could be joined to has as many edges left as it needs."""
    for slot in near:
        other = mate[slot]
        if (other == slot and left[slot] < 2) or (other >= 0 and left[slot] < 1):
            return False
    return True


@njit(cache=True, nogil=True)
def _all_inner(mate: Any, here: int, a: int, b: int) -> bool:
    open_slots = 0
    for slot in range(len(mate)):
        open_slots += mate[slot] >= 0 and slot not in (here, a, b)
    return open_slots == 0


@njit(cache=True, nogil=True)
def _locate(keys: Any, key: Any) -> int:
    """Return the place of a key, or the empty one where it belongs."""
    mask = np.uint64(len(keys) - 1)
    mixed = key * _GOLDEN
    place = (mixed ^ (mixed >> np.uint64(32))) & mask
    while keys[place] != EMPTY and keys[place] != key:
        place = (place + np.uint64(1)) & mask
    return int(place)


@njit(cache=True, nogil=True)
def _grown(keys: Any, numbers: Any) -> Any:
    """Return the table with twice the places."""
    if len(keys) >= 1 << LARGEST:
        raise MemoryError("too many states")
    wider = np.full(2 * len(keys), EMPTY, np.uint64)
    moved = np.zeros((2 * len(keys), numbers.shape[1]), np.uint64)
    for place in range(len(keys)):
        if keys[place] != EMPTY:
            target = _locate(wider, keys[place])
            wider[target] = keys[place]
            moved[target] = numbers[place]
    return wider, moved


@njit(cache=True, nogil=True)
def add(total: Any, number: Any) -> bool:
    """Add `number` to `total`, both limbs of equal length; False if the sum does not fit."""
    carry = np.uint64(0)
    for limb in range(len(total)):
        first = total[limb] + carry
        carry = np.uint64(first < carry)
        second = first + number[limb]
        carry |= np.uint64(second < first)
        total[limb] = second
    return bool(carry == np.uint64(0))


@njit(cache=True, nogil=True)
def patterns(keys: Any, slots: int, swapped: bool) -> Any:
    """Return for each key which slots are untouched (0), inner (1) and ends of paths (2); `swapped`: 1 and 0."""
    out = np.empty(len(keys), np.uint64)
    mask = np.uint64((1 << (2 * slots)) - 1)
    for i in range(len(keys)):
        kinds = keys[i] & mask
        ends = kinds & (mask - (mask & _EVEN_BITS))
        inner = kinds & _EVEN_BITS & ~(ends >> np.uint64(1))
        if swapped:
            inner = (mask & _EVEN_BITS) & ~inner & ~(ends >> np.uint64(1))
        out[i] = ends | inner
    return out


@njit(cache=True, nogil=True)
def meet(
    keys: Any, numbers: Any, groups: Any, other_keys: Any, other_numbers: Any, other_groups: Any, slots: int,
    total: Any,
) -> bool:  # fmt: skip
    """Add to `total` the products of numbers whose mates, put together, form one cycle; False if sums overflow.

    Both tables are sorted by their groups (`patterns`, one of them swapped); `total` is in limbs of 32 bits,
    four times as many as the numbers have of 64, and two for the sum.
    """
    identity = np.arange(slots)
    nothing = np.empty(0, np.int64)
    opened = np.empty(slots, np.int64)
    mate = np.empty(slots, np.int64)
    other_mate = np.empty(slots, np.int64)
    partners = np.empty(numbers.shape[1], np.uint64)
    fits = True
    begin = 0
    for i in range(len(keys)):
        while begin < len(other_keys) and other_groups[begin] < groups[i]:
            begin += 1
        _decode(keys[i], identity, nothing, mate, opened)
        partners[:] = 0
        j = begin
        while j < len(other_keys) and other_groups[j] == groups[i]:
            _decode(other_keys[j], identity, nothing, other_mate, opened)
            if _one_cycle(mate, other_mate):
                fits &= add(partners, other_numbers[j])
            j += 1
        _multiply_add(total, numbers[i], partners)
    return fits


@njit(cache=True, nogil=True)
def _one_cycle(mate: Any, other: Any) -> bool:
    """Whether the paths of both mate tables, which have the same ends, join to one cycle."""
    ends = 0
    start = -1
    for slot in range(len(mate)):
        if mate[slot] >= 0 and mate[slot] != slot:
            ends += 1
            start = slot
    if start < 0:
        return False
    steps = 0
    slot = start
    while True:
        slot = other[mate[slot]]
        steps += 2
        if slot == start:
            return steps == ends


@njit(cache=True, nogil=True)
def _multiply_add(total: Any, x: Any, y: Any) -> None:
    """Add x * y to `total`: x and y in 64-bit limbs, the total in 32-bit ones (held in 64 bits)."""
    half = np.uint64(32)
    low = np.uint64(0xFFFFFFFF)
    for i in range(2 * len(x)):
        digit = (x[i // 2] >> (half * np.uint64(i % 2))) & low
        if digit == 0:
            continue
        carry = np.uint64(0)
        for j in range(2 * len(y)):
            value = digit * ((y[j // 2] >> (half * np.uint64(j % 2))) & low) + total[i + j] + carry
            total[i + j] = value & low
            carry = value >> half
        k = i + 2 * len(y)
        while carry and k < len(total):
            value = total[k] + carry
            total[k] = value & low
            carry = value >> half
            k += 1
