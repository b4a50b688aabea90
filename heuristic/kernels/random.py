"""A small random generator with explicit state, for kernels: xoshiro256** seeded by splitmix64.

The state is an array of four uint64 that the caller owns; nothing here is global, so that the numbers depend
on the seed alone, whatever the number of threads or processes. Every function takes the state first and
advances it in place. Source: Blackman and Vigna, "Scrambled linear pseudorandom number generators" (2021);
bounded integers by Lemire, "Fast random integer generation in an interval" (2019).

In numba a uint64 with an int64 gives a float64, hence the typed constants.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from heuristic.checks import check_seed

State = NDArray[np.uint64]
"""Four uint64, not all zero."""

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_LOW_32 = np.uint64(0xFFFFFFFF)
_S5, _S7, _S9, _S11 = np.uint64(5), np.uint64(7), np.uint64(9), np.uint64(11)
_S17, _S19, _S27, _S30 = np.uint64(17), np.uint64(19), np.uint64(27), np.uint64(30)
_S31, _S32, _S45, _S57 = np.uint64(31), np.uint64(32), np.uint64(45), np.uint64(57)
_UNIT = 1.0 / (1 << 53)


def seeded(seed: int) -> State:
    """Return a fresh state for a seed of 0..2**64-1; `InputError` for any other seed."""
    check_seed(seed)
    state: State = np.empty(4, np.uint64)
    reseed(state, np.uint64(seed))
    return state


@njit(cache=True, nogil=True)
def reseed(state: State, seed: np.uint64) -> None:
    """Fill the state from a uint64 seed by four steps of splitmix64."""
    word = seed
    for i in range(4):
        word = word + _GOLDEN
        mixed = (word ^ (word >> _S30)) * _MIX_1
        mixed = (mixed ^ (mixed >> _S27)) * _MIX_2
        state[i] = mixed ^ (mixed >> _S31)


@njit(cache=True, nogil=True)
def next64(state: State) -> np.uint64:
    """Return 64 random bits."""
    s1 = state[1]
    scaled = s1 * _S5
    result = ((scaled << _S7) | (scaled >> _S57)) * _S9
    state[2] ^= state[0]
    state[3] ^= s1
    state[1] = s1 ^ state[2]
    state[0] ^= state[3]
    state[2] ^= s1 << _S17
    s3 = state[3]
    state[3] = (s3 << _S45) | (s3 >> _S19)
    return result  # type: ignore[no-any-return]


@njit(cache=True, nogil=True)
def below(state: State, bound: int) -> int:
    """Return a uniform integer of 0..bound-1, without bias; 1 <= bound < 2**32."""
    n = np.uint64(bound)
    product = (next64(state) >> _S32) * n
    low = product & _LOW_32
    if low < n:
        threshold = (_LOW_32 - n + np.uint64(1)) % n
        while low < threshold:
            product = (next64(state) >> _S32) * n
            low = product & _LOW_32
    return np.int64(product >> _S32)  # type: ignore[return-value]


@njit(cache=True, nogil=True)
def uniform(state: State) -> float:
    """Return a uniform float of 0 <= x < 1 with 53 random bits."""
    return np.float64(next64(state) >> _S11) * _UNIT


@njit(cache=True, nogil=True)
def shuffle(state: State, items: NDArray[Any]) -> None:
    """Put a one-dimensional array into uniformly random order, in place."""
    for i in range(items.shape[0] - 1, 0, -1):
        j = below(state, i + 1)
        items[i], items[j] = items[j], items[i]
