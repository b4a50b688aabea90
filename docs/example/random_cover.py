"""An outside program for a study: cover a board with knights by random greedy steps.

Usage: python random_cover.py ROWS COLS KNIGHTS SEED. Prints each better placement as `row,col` pairs, an empty
line between them, and stops when KNIGHTS are enough.
"""

import random
import sys

STEPS = ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))


def main() -> None:
    rows, cols, knights, seed = map(int, sys.argv[1:])
    chance = random.Random(seed)
    squares = [(row, col) for row in range(rows) for col in range(cols)]
    attacks = {
        (row, col): {(row + a, col + b) for a, b in STEPS if 0 <= row + a < rows and 0 <= col + b < cols}
        for row, col in squares
    }
    best = len(squares) + 1
    while best > knights:
        left, placed = set(squares), []
        while left:
            gains = [(len(attacks[square] & left), chance.random(), square) for square in squares]
            square = max(gains)[2]
            placed.append(square)
            left -= attacks[square]
        if len(placed) < best:
            best = len(placed)
            print(" ".join(f"{row},{col}" for row, col in placed), flush=True)
            print(flush=True)


main()
