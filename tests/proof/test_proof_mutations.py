"""No spoilt certificate passes: thousands of mutations, those that pass shown to be true proofs all the same.

Mutations are of the contents, with hashes made to fit, and of the file's bytes. What passes must state a claim
that exhaustive search confirms, and if it rests on a DRAT proof both checkers must have followed it.
"""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest
from proof_truth import is_true, small_certificates

from exact.proof import Claim, ClaimKind, Fault, ProofKind, archive, check_certificate, drat
from problems import Board, InputError, KnightCover, KnightTour, Queens, Rule

MUTATIONS = 2_600
SEEDS = range(8)


@pytest.fixture(scope="module")
def certificates():
    return small_certificates()


def test_the_certificates_to_spoil_are_right(certificates):
    kinds = {certificate.proof for certificate in certificates}
    assert kinds == set(ProofKind)
    for certificate in certificates:
        report = check_certificate(certificate)
        assert report.valid, report.fault
        assert is_true(certificate.problem, certificate.claim)


@pytest.mark.parametrize("seed", SEEDS)
def test_spoilt_certificates_are_refused_or_still_true(seed, certificates):
    rng = random.Random(seed)
    accepted = 0
    for _ in range(MUTATIONS // len(SEEDS)):
        original = rng.choice(certificates)
        try:
            spoilt = mutate(original, rng, certificates)
        except (Fault, InputError):
            continue  # not even a certificate, or no problem
        if spoilt == original:
            continue
        report = check_certificate(spoilt, slow_seconds=float("inf"))
        assert (report.fault is None) == report.valid
        if report.valid:
            accepted += 1
            assert is_true(spoilt.problem, spoilt.claim), (spoilt.problem, spoilt.claim)
            if spoilt.proof in (ProofKind.DRAT, ProofKind.CUTS, ProofKind.LIST):
                assert report.checkers == (drat.FAST, drat.SLOW)
    assert accepted < MUTATIONS // len(SEEDS) // 2


def mutate(certificate, rng, certificates):
    """Return the certificate with one thing changed; `Fault` where it cannot be read any more."""
    kind = rng.choice(("bytes", "problem", "claim", "member", "member", "member", "member", "member", "exchange"))
    if kind == "bytes":
        return archive.from_bytes(changed_bytes(archive.to_bytes(certificate), rng))
    if kind == "problem":
        return replace(certificate, problem=other_problem(certificate.problem, rng))
    if kind == "claim":
        return other_claim(certificate, rng)
    if kind == "exchange":
        return exchanged(certificate, rng.choice(certificates), rng)
    name = rng.choice(sorted(certificate.members))
    return with_member(certificate, name, changed_member(name, certificate.members[name], rng))


def with_member(certificate, name, data):
    # Through bytes and back, so that hashes are made to fit.
    spoilt = replace(certificate, members={**certificate.members, name: data})
    return archive.from_bytes(archive.to_bytes(spoilt))


def changed_bytes(data, rng):
    spoilt = bytearray(data)
    at = rng.randrange(len(spoilt))
    action = rng.randrange(4)
    if action == 0:
        spoilt[at] ^= 1 << rng.randrange(8)
    elif action == 1:
        del spoilt[at:]
    elif action == 2:
        del spoilt[at : at + rng.randrange(1, 40)]
    else:
        spoilt[at:at] = rng.randbytes(rng.randrange(1, 40))
    return bytes(spoilt)


def other_problem(problem, rng):
    if isinstance(problem, Queens):
        n = max(0, problem.n + rng.choice((-1, 0, 1)))
        given = tuple((rng.randrange(max(n, 1)), rng.randrange(max(n, 1))) for _ in range(rng.randrange(2)))
        return Queens(n, given)
    board = problem.board
    rows, cols = max(1, board.rows + rng.choice((-1, 0, 0, 1))), max(1, board.cols + rng.choice((-1, 0, 0, 1)))
    gone = frozenset((rng.randrange(rows), rng.randrange(cols)) for _ in range(rng.choice((0, 0, 1, 2))))
    changed = Board(rows, cols, gone)
    if isinstance(problem, KnightCover):
        rule = rng.choice((problem.rule, *Rule))
        limit = rng.choice((problem.at_most, None, 2, 3, 4, 5, 6))
        return KnightCover(changed, rule, limit)
    square = (rng.randrange(rows), rng.randrange(cols))
    closed = rng.random() < 0.5
    ends = (problem.start, None, square)
    return KnightTour(
        changed, rng.choice(ends), None if closed else rng.choice((problem.end, None, square)), closed
    )


def other_claim(certificate, rng):
    if rng.random() < 0.3:
        return replace(certificate, proof=rng.choice(tuple(ProofKind)))
    kind = rng.choice((certificate.claim.kind, *ClaimKind))
    value = None
    if kind in (ClaimKind.MINIMUM, ClaimKind.AT_LEAST, ClaimKind.ALL):
        value = max(0, (certificate.claim.value or 5) + rng.choice((-2, -1, 0, 1, 2)))
    return replace(certificate, claim=Claim(kind, value))


def exchanged(certificate, other, rng):
    action = rng.randrange(3)
    if action == 0:
        return replace(certificate, members=dict(other.members))
    names = sorted(set(certificate.members) & set(other.members)) or sorted(other.members)
    name = rng.choice(names)
    if action == 1:
        return with_member(certificate, name, other.members[name])
    gone = rng.choice(sorted(certificate.members))
    return replace(certificate, members={k: v for k, v in certificate.members.items() if k != gone})


def changed_member(name, data, rng):
    if name.endswith(".json"):
        value = json.loads(data)
        if rng.random() < 0.2 and name == "bound.json":
            return json.dumps(thousandths(value, rng)).encode()
        return json.dumps(changed_json(value, rng)).encode()
    lines = data.decode().splitlines()
    at = rng.randrange(len(lines))
    action = rng.randrange(6)
    if action == 0:
        del lines[at]
    elif action == 1:
        other = rng.randrange(len(lines))
        lines[at], lines[other] = lines[other], lines[at]
    elif action == 2:
        lines.insert(at, lines[rng.randrange(len(lines))])
    elif action == 3:
        del lines[at:]
    else:
        lines[at] = changed_line(lines[at], rng)
    return ("\n".join(lines) + "\n").encode()


def changed_line(line, rng):
    words = line.split(" ")
    at = rng.randrange(len(words))
    if rng.random() < 0.7:
        words[at] = words[at][1:] if words[at].startswith("-") else f"-{words[at]}"
    elif rng.random() < 0.5:
        del words[at]
    else:
        words[at] = str(rng.randrange(-20, 20))
    return " ".join(words)


def thousandths(value, rng):
    """Make the unit of a weighting a thousandth of what it was and change one weight by one."""
    tree = rng.choice(value["parts"])["tree"]
    while "cases" in tree:
        tree = rng.choice(tree["cases"])
    tree["unit"] *= 1000
    for weight in tree["weights"]:
        weight[2] *= 1000
    if tree["weights"]:
        rng.choice(tree["weights"])[2] += rng.choice((-1, 1))
    return value


def changed_json(value, rng):
    """Change one thing somewhere in JSON data."""
    if isinstance(value, (dict, list)) and value and rng.random() < 0.9:
        keys = sorted(value) if isinstance(value, dict) else range(len(value))
        key = rng.choice(keys)
        action = rng.random()
        if action < 0.75:
            value[key] = changed_json(value[key], rng)
        elif action < 0.85:
            del value[key]
        elif isinstance(value, list) and action < 0.95:
            value.insert(key, json.loads(json.dumps(rng.choice(value))))
        elif isinstance(value, list):
            rng.shuffle(value)
        return value
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 2, -value, 10**30))
    if isinstance(value, str):
        return rng.choice((*archive_words(), value.upper()))
    return rng.choice((None, True, [], {}, 0, "x", [[0, 0]]))


def archive_words():
    from exact.proof.claims import SYMMETRY_NAMES

    return (*SYMMETRY_NAMES, "knight", "empty")
