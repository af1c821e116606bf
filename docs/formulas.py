# SPDX-License-Identifier: Apache-2.0
"""Says what every sign in the formula of a metric means, below the formula.

Formulas are lines of plain text in the docstring of a metric, so that they read the same everywhere. What a reader of
the page needs beside them is here: signs that mean the same in all formulas, and those that one metric has for itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

FORMULA = re.compile(r"(?:^ {4}.*\n\n?)+", re.MULTILINE)
SIGN = re.compile(r"Σ\w*|max_v|mean_j|\|[CA]\||√|τ|Λ|\b(?<!')(?:hi|lo|[A-Za-z](?:_[a-z])?)\b")
"""What looks like a sign and not like a word; ``a`` is a word."""

COMMON = {
    "Σ_rows": "the sum over all rows",
    "Σ_columns": "the sum over the quasi-identifiers",
    "Σ_classes": "the sum over the classes, the groups of rows that look alike",
    "Σ_numeric": "the sum over the quasi-identifiers on a line: numbers, dates, ordered values",
    "Σ_categorical": "the sum over the quasi-identifiers of names",
    "Σ_pairs": "the sum over pairs of columns",
    "Σ_j": "the sum over the quasi-identifiers j",
    "w": "the weight of the column (`--weight`), 1 unless the plan says otherwise",
    "hi": "the upper end of what the cell publishes",
    "lo": "the lower end of it; a cell that is published as it was has hi = lo",
    "R": "the range of the original column: its largest value less its smallest",
    "Λ": "the node of the column's tree that the cell publishes",
    "leaves(Λ)": "how many values of the tree lie below the node Λ",
    "L": "how many values the whole tree has",
    "|C|": "the number of rows of the class C",
    "n": "the number of rows",
    "k": "the k that was claimed",
    "|before - after|": "by how much it changed how strongly the columns of a pair go together",
}

OWN = {
    "average_class_size": {"C_avg": "the value"},
    "discernibility": {
        "DM": "the value",
        "n": "the number of rows of the original",
        "suppressed": "how many of them were left out",
    },
    "distortion": {
        "Σ_rows": "the sum over the rows of the class",
        "S": "the value",
        "w_j": "the weight of column j",
        "x_j": "what the row has in column j",
        "mean_j": "the mean of column j over the rows of the class",
    },
    "eloss": {
        "h(Λ)": "the height of the node Λ, counted from the root down",
        "levels": "how many levels the tree has, root and leaves included",
    },
    "given_away": {
        "p": "the share of the row's private value among its look-alikes",
        "q": "its share in the whole table",
    },
    "il": {
        "height(Λ)": "the edges from the node Λ down to its deepest leaf",
        "height(root)": "the same of the whole tree",
    },
    "inference_gain": {
        "max_v": "the largest over all private values v",
        "q(v)": "the share of the value v in the whole table",
        "p_C(v)": "its share in the class C",
    },
    "information_kept": {
        "I(x; y)": "the mutual information of two columns: what one tells about the other",
        "H(x)": "the entropy of a column: how much it tells at all; `H(y)` that of the other",
        "√": "the square root",
    },
    "journalist_risk": {"F": "the number of people in the population who look like the row"},
    "marketer_risk": {
        "f": "the number of rows of the class",
        "F": "the number of people in the population who look like it",
    },
    "ncp_ordered": {
        "hi": "the last value of the class in the order of the column",
        "lo": "the first one",
        "|A|": "the number of steps from the first to the last value of the column",
    },
    "pmse": {
        "Σ": "the sum over the rows of both tables",
        "p_i": "how likely the model takes row i for a released one, 0 to 1",
        "c": "the share of released rows among all",
        "N": "the number of rows of both tables",
        "m": "the number of coefficients of the model beside the intercept",
    },
    "records_at_risk": {"τ": "the threshold, a risk of 0.2"},
    "regression_kept": {
        "common": "the length of what both intervals cover",
        "width before": "the length of the interval that the original gives; `width after` that of the release",
    },
    "sse": {
        "Σ_rows": "the sum over the rows of the class",
        "w_j": "the weight of column j (`--weight`), 1 unless the plan says otherwise",
        "x_j": "what the row has in column j, standardised",
        "mean_j": "the mean of that over the rows of the class",
        "SST": "how far all rows lie from the mean of all",
    },
    "typical_width": {
        "Q1": "the quartile below which a quarter of the original values lie",
        "Q3": "the one below which three quarters lie; Q3 - Q1 is the width of the middle half",
    },
}


def explained(name: str, text: str) -> str:
    """The docstring of a metric with a list of signs below each formula; what was told once is not told again."""
    known = {**COMMON, **OWN.get(name, {})}

    def with_signs(found: re.Match[str]) -> str:
        lines = [f"- `{sign}`: {known.pop(sign)}" for sign in told(found[0], list(known))]
        return found[0].rstrip("\n") + "\n\n" + "".join(f"{line}\n" for line in lines) + "\n" * bool(lines)

    return FORMULA.sub(with_signs, text)


def told(formula: str, known: list[str]) -> list[str]:
    """Signs of a formula, in its order."""
    places = {sign: re.search(rf"(?<!\w){re.escape(sign)}(?![A-Za-z_])", formula) for sign in known}
    return sorted((sign for sign, found in places.items() if found), key=lambda sign: places[sign].start())


def unexplained(name: str, text: str) -> Iterator[str]:
    """Signs that stand in a formula of a metric and are told nowhere."""
    known = " ".join([*COMMON, *OWN.get(name, {})])
    for formula in FORMULA.findall(text):
        yield from (sign for sign in SIGN.findall(formula) if sign != "a" and sign not in SIGN.findall(known))
