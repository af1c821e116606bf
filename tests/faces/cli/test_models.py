# SPDX-License-Identifier: Apache-2.0
"""The flags of the privacy models: understood, written into the plan, judged, refused."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

CLAIMS = [
    ("--l-diversity", "entropy:1.5", "l_diversity", {"kind": "entropy", "l": 1.5}),
    ("--l-diversity", "disease=2", "l_diversity", {"l": 2, "kind": "distinct", "columns": ["disease"]}),
    ("--t-closeness", "0.2", "t_closeness", {"t": 0.2}),
    ("--alpha", "disease=0.5", "alpha_k", {"alpha": 0.5, "columns": ["disease"]}),
    ("--t-closeness", "equal:0.2", "t_closeness", {"kind": "equal", "t": 0.2}),
    ("--alpha", "0.5", "alpha_k", {"alpha": 0.5}),
    ("--beta", "2", "beta_likeness", {"beta": 2}),
    ("--beta", "basic:0.5", "beta_likeness", {"kind": "basic", "beta": 0.5}),
    ("--delta-disclosure", "1.5", "delta_disclosure", {"delta": 1.5}),
    ("--k-map", "5", "k_map", {"k": 5}),
    ("--delta-presence", "0.1:1", "delta_presence", {"delta_min": 0.1, "delta_max": 1}),
    ("--delta-presence", "0.9", "delta_presence", {"delta_max": 0.9}),
    ("--own-k", "disease=flu:60,cold:3", "own_k", {"column": "disease", "values": {"flu": 60, "cold": 3}}),
]


@pytest.fixture
def people(table: Path) -> Path:
    """Everybody of the table twice, in a file of another shape."""
    path = table.parent / "people.csv"
    lines = table.read_text().splitlines()
    path.write_text("\n".join([lines[0], *lines[1:], *lines[1:]]).replace(",", ";") + "\n")
    return path


@pytest.mark.thin(3)
@pytest.mark.parametrize(("flag", "claim", "model", "written"), CLAIMS, ids=[" ".join(one[:2]) for one in CLAIMS])
def test_a_flag_is_a_key_of_the_plan(
    table: Path, people: Path, run, roles, flag: str, claim: str, model: str, written: dict
) -> None:
    """The release holds, its plan says the claim under the model's name, and replays and checks without flags."""
    out = table.parent / "out"
    asked = ("-k", 60, *roles, "--method", "k_member", flag, claim, "--population", people)
    done = run("anonymize", table, "-o", out, *asked)
    assert done.exit_code == 0, done.output
    plan = tomllib.loads((out / "plan.toml").read_text())["privacy"]
    assert plan[model] == written
    assert plan["population"] == "../people.csv"
    checked = run("check", out, "--json")
    assert checked.exit_code == 0, checked.output
    finding = next(one for one in json.loads(checked.stdout)["findings"] if one["model"] == model)
    assert finding["holds"] is True
    again = run("anonymize", table, "-o", table.parent / "again", "--plan", out / "plan.toml")
    assert again.exit_code == 0, again.output
    assert (table.parent / "again" / "table.csv").read_bytes() == (out / "table.csv").read_bytes()


@pytest.mark.parametrize(
    ("flag", "claim"),
    [
        ("--t-closeness", "near:0.2"),
        ("--l-diversity", "disease="),
        ("--l-diversity", "nobody=2"),
        ("--k-map", "disease=3"),
        ("--t-closeness", "equal"),
        ("--t-closeness", "0.2:0.3"),
        ("--t-closeness", "nan"),
        ("--t-closeness", "2"),
        ("--alpha", "half"),
        ("--alpha", "-0.5"),
        ("--beta", "basic:"),
        ("--delta-disclosure", "inf"),
        ("--delta-disclosure", "0"),
        ("--k-map", "2.5"),
        ("--k-map", "0"),
        ("--delta-presence", "0.4:0.1"),
        ("--delta-presence", "0.1:0.2:0.3"),
        ("--population", "0"),
        ("--population", "nowhere.csv"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(table: Path, people: Path, run, roles, flag: str, claim: str) -> None:
    """Exit 2, in five parts, with the flag or the model named."""
    asked = ["--population", people, "--k-map", 2] if flag != "--population" else ["--k-map", 2]
    done = run("anonymize", table, "-o", table.parent / "out", "-k", 5, *roles, *asked, flag, claim)
    assert done.exit_code == 2, done.output
    assert all(word in done.stderr for word in ("where", "allowed", "received", "next"))
    assert not (table.parent / "out").exists()


def test_a_model_about_a_population_needs_one(table: Path, run, roles) -> None:
    """The error names the flag."""
    done = run("anonymize", table, "-o", table.parent / "out", "-k", 5, *roles, "--k-map", 5)
    assert done.exit_code == 2
    assert "--population" in done.stderr


@pytest.mark.parametrize(
    ("claims", "code", "model", "found"),
    [
        (("--t-closeness", "0.2"), 1, "t_closeness", 0.375),
        (("--t-closeness", "0.2", "--hierarchy", "disease={tree}"), 0, "t_closeness", 0.1875),
        (("--t-closeness", "0.38", "--order", "disease=flu<cold"), 0, "t_closeness", 0.375),
        (("--alpha", "0.75"), 1, "alpha_k", 1.0),
        (("--beta", "basic:0.9"), 1, "beta_likeness", 1.0),
        (("--delta-disclosure", "2"), 1, "delta_disclosure", None),
        (("--k-map", "3", "--population", "{people}"), 0, "k_map", 3),
        (("--delta-presence", "0.9", "--population", "{people}"), 1, "delta_presence", None),
    ],
)
def test_a_foreign_table_is_judged(tmp_path: Path, run, claims: tuple, code: int, model: str, found: float) -> None:
    """Figures worked out by hand: the young have 3 flu and 1 cold of 4, all have 3 and 5 of 8."""
    path, tree, people = tmp_path / "theirs.csv", tmp_path / "tree.csv", tmp_path / "people.csv"
    path.write_text("age,disease\n" + "20-29,flu\n" * 3 + "20-29,cold\n" + "30-39,cold\n" * 4)
    tree.write_text("flu;airways;*\ncold;airways;*\nulcer;gut;*\n")
    people.write_text("age\n20\n25\n29\n30\n31\n32\n33\n39\n40\n")
    filled = [one.format(tree=tree, people=people) for one in claims]
    done = run("check", path, "--qi", "age", "--sensitive", "disease", *filled, "--json")
    assert done.exit_code == code, done.output
    finding = next(one for one in json.loads(done.stdout)["findings"] if one["model"] == model)
    if found is not None:
        figure = next(value for name, value in finding["figures"].items() if name.endswith("_found"))
        assert figure == pytest.approx(found, abs=1e-5)


def test_measure_tells_asked_models_and_risks_in_a_population(tmp_path: Path, run) -> None:
    """Models are told below the measurements, whatever their verdict; the population makes the risks smaller."""
    original, released = tmp_path / "original.csv", tmp_path / "released.csv"
    original.write_text("age,disease\n20,flu\n25,cold\n33,flu\n39,flu\n")
    released.write_text('age,disease\n"[20, 25]",flu\n"[20, 25]",cold\n"[33, 39]",flu\n"[33, 39]",flu\n')
    people = tmp_path / "people.csv"
    people.write_text("age\n" + "21\n" * 8 + "35\n" * 4)
    asked = ("measure", original, released, "--qi", "age", "--sensitive", "disease")
    done = run(*asked, "--population", people, "--alpha", "0.5", "--json")
    assert done.exit_code == 1, done.output
    told = {one.get("metric") or one["model"]: one for one in json.loads(done.stdout)}
    assert told["journalist_risk"]["value"] == 1 / 4
    assert told["marketer_risk"]["value"] == pytest.approx((2 / 8 + 2 / 4) / 4)
    assert told["alpha_k"]["holds"] is False
    text = run(*asked, "--population", 1000, "--alpha", "0.5")
    assert text.exit_code == 1, text.output
    assert "DOES NOT HOLD" in text.stdout


def test_what_no_release_can_hold_is_said_at_once(table: Path, run, roles) -> None:
    """Half of the people have the flu, so no class can keep alpha = 0.4: exit 1 with the least alpha."""
    done = run("anonymize", table, "-o", table.parent / "out", "-k", 5, *roles, "--alpha", 0.4)
    assert done.exit_code == 1
    assert "alpha of at least 0.5" in done.stderr
    assert "50 %" in done.stderr
