"""Lower bounds by weights: what the checker accepts and refuses, and that the bounds made are right."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from proof_truth import fewest_knights

from exact.child import Job
from exact.cover import classes, split
from exact.proof import Fault, weights
from exact.proof.branching import grow
from exact.proof.growing import Effort, Grown, growth_job, proved_part
from exact.proof.linear import lower_bound, rounded
from exact.proof.weights import (
    SYMMETRY_NAMES,
    Cases,
    Part,
    Weighting,
    check_bound,
    parts_json,
    read_parts,
    walk,
)
from problems import Board, KnightCover, Rule

IDENTITY = (SYMMETRY_NAMES["identity"],)
BOARD = Board(4, 4)
RING = Board(3, 3, frozenset({(1, 1)}))
PROBLEM = KnightCover(BOARD)
DARK, LIGHT = (tuple(square for square in BOARD.squares() if sum(square) % 2 == colour) for colour in (0, 1))


def part(tree, bound=3, targets=DARK, images=IDENTITY):
    return Part(tuple(targets), images, bound, tree)


def no_report(message):
    """Take no notice."""


def refusal(*parts, problem=PROBLEM):
    with pytest.raises(Fault) as caught:
        check_bound(problem, parts)
    return str(caught.value)


def test_squares_that_no_knight_attacks_two_of_are_a_bound():
    # The knights that attack a4 stand on c3 and b2, those that attack b3 elsewhere.
    assert not set(BOARD.knight_moves((0, 0))) & set(BOARD.knight_moves((1, 1)))
    assert check_bound(PROBLEM, [part(Weighting(1, {(0, 0): 1, (1, 1): 1}), 2)]) == 2
    # A knight on c3 attacks a4 and d1.
    assert "c3" in refusal(part(Weighting(1, {(0, 0): 1, (3, 3): 1}), 2))


@pytest.fixture(scope="module")
def proved():
    """The 4x4 board's two halves as one part and its mirror image."""
    (cls,) = classes(PROBLEM)
    outcome = grow(cls.part, BOARD, 3, Effort(100, 0), no_report)
    assert isinstance(outcome, Grown)
    return proved_part(cls, 3, outcome)


def test_parts_and_their_images_add_up(proved):
    assert check_bound(PROBLEM, [proved]) == 6
    assert check_bound(PROBLEM, [replace(proved, images=IDENTITY)]) == 3
    assert check_bound(PROBLEM, []) == 0


def test_a_weight_too_many_or_too_few_is_refused(proved):
    leaf = proved.tree
    fine = Weighting(leaf.unit * 1000, {target: weight * 1000 for target, weight in leaf.weights.items()})
    assert check_bound(PROBLEM, [replace(proved, tree=fine)]) == 6
    for target, weight in fine.weights.items():
        heavier = Weighting(fine.unit, {**fine.weights, target: weight + 1})
        tight = any(
            sum(heavier.weights.get(t, 0) for t in PROBLEM.covers(site)) > fine.unit
            for site in PROBLEM.covers(target)
        )
        assert tight
        assert "covers squares of weight" in refusal(replace(proved, tree=heavier))
    total = sum(fine.weights.values())
    lighter = Weighting(fine.unit, dict(list(fine.weights.items())[1:]))
    assert total > 2 * fine.unit
    assert "not more than 2" in refusal(replace(proved, tree=lighter))
    assert "not more than 3" in refusal(replace(proved, bound=4))


def test_parts_that_share_a_knight_are_refused(proved):
    assert "covers squares of part" in refusal(proved, replace(proved, images=IDENTITY))
    assert "not all different" in refusal(replace(proved, images=IDENTITY * 2))
    assert "the identity" in refusal(replace(proved, images=(SYMMETRY_NAMES["flip-rows"],)))
    both = (SYMMETRY_NAMES["identity"], SYMMETRY_NAMES["half-turn"])
    assert "covers squares of part" in refusal(replace(proved, images=both))
    assert "the identity" in refusal(replace(proved, images=()))


def test_symmetries_of_another_board_are_refused():
    problem = KnightCover(Board(3, 4))
    tree = Weighting(1, {(0, 0): 1})
    assert check_bound(problem, [part(tree, 1, [(0, 0)])]) == 1
    quarter = (*IDENTITY, SYMMETRY_NAMES["quarter-turn-left"])
    assert "onto itself" in refusal(part(tree, 1, [(0, 0)], quarter), problem=problem)


def test_weights_off_the_part_are_refused():
    assert "no square of the part" in refusal(part(Weighting(1, {(0, 1): 1}), 1))


def test_squares_that_no_knight_covers_carry_any_weight():
    problem = KnightCover(Board(3, 3))
    assert check_bound(problem, [part(Weighting(1, {(1, 1): 9}), 9, [(1, 1)])]) == 9


# Trees of cases


ORDINARY = KnightCover(Board(5, 5), Rule.ORDINARY)


@pytest.fixture(scope="module")
def tree():
    """The 5x5 board needs five knights to be occupied or attacked, which takes a case distinction."""
    (cls,) = classes(ORDINARY)
    outcome = grow(cls.part, ORDINARY.board, 5, Effort(1000, 100), no_report)
    grown = proved_part(cls, 5, outcome)
    assert isinstance(grown.tree, Cases)
    return grown


def test_a_tree_proves_its_bound(tree):
    assert check_bound(ORDINARY, [tree]) == 5 == fewest_knights(ORDINARY.board, Rule.ORDINARY)


def test_cases_must_be_cases(tree):
    cases = tree.tree
    swapped = replace(cases, first=cases.second, second=cases.first)
    assert refusal(replace(tree, tree=swapped), problem=ORDINARY)
    assert refusal(replace(tree, tree=replace(cases, knight=not cases.knight)), problem=ORDINARY)
    again = replace(cases, first=replace(cases, symmetries=()))
    assert "decided already" in refusal(replace(tree, tree=again), problem=ORDINARY)
    assert "no knight on" in refusal(replace(tree, tree=replace(cases, square=(9, 9))), problem=ORDINARY)


def test_a_knight_of_the_case_takes_the_weight_of_what_it_covers(tree):
    leaf = Weighting(1, {(0, 0): 1})
    cases = Cases((0, 0), True, (), leaf, leaf)
    assert "a knight of the case covers it" in refusal(replace(tree, tree=cases, bound=1), problem=ORDINARY)


def test_symmetries_must_leave_the_case_as_it_is():
    half_turn, flip = SYMMETRY_NAMES["half-turn"], SYMMETRY_NAMES["flip-rows"]
    problem = KnightCover(Board(4, 4), Rule.ORDINARY)
    leaf = Weighting(1, {})
    inner = Cases((1, 1), True, (half_turn,), leaf, leaf)
    outer = Cases((0, 0), True, (flip,), inner, leaf)
    whole = part(outer, 0, problem.board.squares())
    assert "half-turn is no symmetry of the case" in refusal(whole, problem=problem)
    assert "no symmetry of the case" in refusal(part(Cases((0, 1), True, (flip,), leaf, leaf), 0))


def test_attacked_squares_are_empty_where_knights_must_not_attack_each_other():
    problem = KnightCover(Board(3, 4), Rule.INDEPENDENT)
    leaf = Weighting(1, {})
    cases = Cases((0, 0), True, (), Cases((1, 2), True, (), leaf, leaf), leaf)
    assert "decided already" in refusal(part(cases, 0, problem.board.squares()), problem=problem)
    orbit = Cases((0, 1), False, (SYMMETRY_NAMES["flip-columns"], SYMMETRY_NAMES["flip-rows"]), leaf, leaf)
    clash = "attack each other"
    assert clash in refusal(part(orbit, 0, problem.board.squares()), problem=problem)


def test_trees_survive_json(tree, proved):
    for problem, each in ((ORDINARY, tree), (PROBLEM, proved)):
        assert read_parts(problem.board, parts_json([each])) == (each,)


LEAF = {"unit": 1, "weights": []}


def branch(symmetries, case=LEAF):
    return {"square": [0, 0], "first": "knight", "symmetries": symmetries, "cases": [case, LEAF]}


def nested(depth):
    return branch([], nested(depth - 1)) if depth else LEAF


def test_only_a_board_without_squares_has_no_parts():
    assert read_parts(Board(1, 1, frozenset({(0, 0)})), {"parts": []}) == ()
    with pytest.raises(Fault, match="no parts"):
        read_parts(BOARD, {"parts": []})


def test_trees_may_be_so_deep_and_no_deeper(proved):
    data = parts_json([proved])
    data["parts"][0]["tree"] = nested(200)
    assert read_parts(BOARD, data)
    data["parts"][0]["tree"] = nested(201)
    with pytest.raises(Fault, match="more than 200 cases"):
        read_parts(BOARD, data)


def test_trees_may_not_decide_too_much(monkeypatch, tree):
    monkeypatch.setattr(weights, "MAX_DECIDED", 3)
    with pytest.raises(Fault, match="more than 3 squares"):
        check_bound(ORDINARY, [tree])


@pytest.mark.parametrize(
    "spoilt",
    [
        lambda d: d.update(extra=1),
        lambda d: d["parts"][0].pop("bound"),
        lambda d: d["parts"][0].update(bound=-1),
        lambda d: d["parts"][0].update(images=["mirror"]),
        lambda d: d["parts"][0]["targets"].append([0, 0]),
        lambda d: d["parts"][0]["targets"].append([7, 0]),
        lambda d: d["parts"][0]["tree"].update(unit=0),
        lambda d: d["parts"][0]["tree"]["weights"].append([0, 0]),
        lambda d: d["parts"][0]["tree"]["weights"].append(d["parts"][0]["tree"]["weights"][0]),
        lambda d: d["parts"][0]["tree"]["weights"][0].__setitem__(2, 0.5),
        lambda d: d["parts"][0].update(tree={"square": [0, 0], "first": "?", "symmetries": [], "cases": []}),
        lambda d: d["parts"][0].update(tree={"square": [0, 0], "first": "empty", "symmetries": [], "cases": []}),
        lambda d: d["parts"][0].update(tree=[]),
        lambda d: d["parts"].clear(),
        lambda d: d["parts"][0].update(images=["identity"] * 2),
        lambda d: d["parts"][0].update(images=["identity"] * 9),
        lambda d: d["parts"][0].update(tree=branch(["identity"] * 2)),
        lambda d: d["parts"][0].update(tree=branch(["identity"] * 9)),
        lambda d: d["parts"][0].update(tree=nested(201)),
    ],
)
def test_json_that_states_no_parts_is_refused(spoilt, proved):
    data = parts_json([proved])
    spoilt(data)
    with pytest.raises(Fault):
        read_parts(BOARD, data)


# The bounds that are made


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize(
    "board", [Board(3, 4), Board(4, 4), Board(4, 5), Board(3, 3, frozenset({(1, 1)}))], ids=str
)
def test_bounds_are_the_true_minima(rule, board):
    problem = KnightCover(board, rule)
    fewest = fewest_knights(board, rule)
    parts = []
    for cls in classes(problem):
        bound = 1
        while True:
            outcome = grow(cls.part, board, bound, Effort(2000, 50), no_report)
            if not isinstance(outcome, Grown):
                break
            grown = proved_part(cls, bound, outcome)
            bound += 1
        parts.append(grown)
        # The cover that ends the search has as many knights as the last bound proved.
        assert len(outcome) == grown.bound
    assert check_bound(problem, parts) == fewest


def test_effort_ends_the_search():
    (cls,) = classes(KnightCover(Board(11, 12)))
    outcome = grow(cls.part, Board(11, 12), 14, Effort(30, 0), no_report)
    assert outcome is None


@pytest.mark.parametrize(
    ("n", "rule", "expected"), [(8, Rule.TOTAL, 7), (8, Rule.ORDINARY, 12), (7, Rule.ORDINARY, 10)]
)
def test_lower_bound_is_an_exact_weighting(n, rule, expected):
    problem = KnightCover(Board(n, n), rule)
    for each in split(problem):
        weights, bound = lower_bound(each)
        if n == 8 or rule is Rule.ORDINARY:
            assert bound == expected
        assert sum(weights.values()) == bound
        assert all(isinstance(weight, Fraction) and weight > 0 for weight in weights.values())
        for targets in each.reach():
            assert sum(weights.get(each.targets[target], 0) for target in targets) <= 1


def test_a_part_that_cannot_be_covered_has_no_bound():
    lone = next(each for each in split(KnightCover(Board(3, 3))) if not each.sites)
    with pytest.raises(ValueError, match="cannot be covered"):
        lower_bound(lone)


def test_rounding_never_overloads():
    reach = [(0, 1), (1, 2), (0, 2)]
    assert rounded([0.5, 0.5, 0.5], reach, 2, 3) == [1, 1, 1]
    weights = rounded([0.6, 0.5, 0.5], reach, 2, 9)
    assert all(sum(weights[t] for t in targets) <= 2 for targets in reach)
    assert rounded([1.0], [(0,)], 1, 1) == [1]


def test_jobs_can_be_sent_to_children():
    assert isinstance(growth_job(split(PROBLEM)[0], BOARD, 3, Effort(1, 1)), Job)


def test_leaves_of_the_tree_are_weightings(tree):
    nodes = {name for name, _, _ in walk(ORDINARY, tree)}
    assert nodes == {(), (1,), (2,)}
