# SPDX-License-Identifier: Apache-2.0
"""Good releases of real tables: strict checking beside the original is silent, or warns of what is true."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.judging.checking import check
from shoal.judging.leak_search import INFORMATION, QUESTION, WARNING

ROWS = 1200


def _adult(data: Path) -> pl.DataFrame:
    names = (
        "age workclass fnlwgt education education_num marital_status occupation relationship race sex capital_gain "
        "capital_loss hours_per_week native_country income"
    )
    table = pl.read_csv(data / "adult" / "adult.data", has_header=False, new_columns=names.split(), n_rows=10_000)
    return table.with_columns(pl.col(pl.String).str.strip_chars()).with_columns(
        pl.col(name).cast(pl.Int64)
        for name in ("fnlwgt", "education_num", "capital_gain", "capital_loss", "hours_per_week")
    )


def _file(*parts: str) -> Callable[[Path], pl.DataFrame]:
    def read(data: Path) -> pl.DataFrame:
        path = data.joinpath(*parts)
        return pl.read_parquet(path) if path.suffix == ".parquet" else pl.read_csv(path)

    return read


@dataclass(frozen=True)
class GoodRelease:
    """How a table is released, and of what the owner should hear."""

    table: Callable[[Path], pl.DataFrame]
    quasi_identifiers: str
    sensitive: str
    method: str
    k: int
    kept: str = ""
    """Insensitive columns; all others are left out."""
    true: tuple[tuple[str, str], ...] = ()
    """Kind and columns of warnings that are right: nothing says that nobody could know these."""
    asked: str = ""
    """Columns of money and survey weights about which the owner is asked."""


CENSUS, TARRAGONA = _file("casc-census", "CASCrefmicrodata.csv"), _file("casc-tarragona", "Tarragona.csv")
KDD = _file("census-income-kdd", "census_income_kdd_train.parquet")
ACS, CPS = _file("acs-gov-census", "gov_census.parquet"), _file("atus", "atuscps.parquet")
TIME_USE, MOTOR = _file("atus", "atusresp.parquet"), _file("fremtpl2", "freMTPL2freq.parquet")

GOOD = {
    "adult": GoodRelease(
        _adult,
        "age sex race marital_status",
        "occupation income",
        "mondrian",
        5,
        "fnlwgt capital_gain",
        asked="fnlwgt",
    ),
    "adult, wide": GoodRelease(
        _adult, "age workclass education marital_status race sex native_country", "occupation", "k_member", 10
    ),
    "adult, a number beside its name": GoodRelease(
        _adult,
        "age sex education",
        "income",
        "hilbert",
        10,
        "education_num",
        (("determining_columns", "education_num education"),),
    ),
    "census, money kept": GoodRelease(
        CENSUS,
        "AGI FEDTAX",
        "PTOTVAL",
        "mdav",
        5,
        "AFNLWGT EMCONTRB STATETAX TAXINC POTHVAL INTVAL PEARNVAL FICA WSALVAL",
        (("insensitive_columns", "EMCONTRB TAXINC POTHVAL INTVAL PEARNVAL FICA WSALVAL"),),
        "AFNLWGT STATETAX",
    ),
    "census, money private": GoodRelease(
        CENSUS,
        "TAXINC PEARNVAL",
        "AGI FEDTAX",
        "mondrian",
        10,
        "EMCONTRB PTOTVAL",
        (("insensitive_columns", "EMCONTRB PTOTVAL"),),
    ),
    "companies": GoodRelease(
        TARRAGONA,
        "FIXED.ASSETS SALES",
        "NET.PROFIT",
        "mdav",
        5,
        "TREASURY SHORT.TERM.DEBT LABOR.COSTS DEPRECIATION",
        asked="TREASURY SHORT.TERM.DEBT LABOR.COSTS DEPRECIATION",
    ),
    "companies, wide": GoodRelease(
        TARRAGONA,
        "FIXED.ASSETS CURRENT.ASSETS TREASURY",
        "GROSS.PROFIT",
        "hilbert",
        20,
        "OPERATING.PROFIT NET.PROFIT",
        asked="OPERATING.PROFIT NET.PROFIT",
    ),
    "utilities": GoodRelease(
        _file("casc-eia", "EIA.csv"),
        "STATE MONTH RESREVENUE",
        "TOTREVENUE",
        "mondrian",
        10,
        "COMSALES INDSALES TOTSALES",
        asked="COMSALES INDSALES TOTSALES",
    ),
    "income": GoodRelease(
        KDD,
        "age sex education race class_of_worker",
        "income wage_per_hour",
        "mondrian",
        5,
        "instance_weight",
        asked="instance_weight",
    ),
    "income, few": GoodRelease(KDD, "age sex race citizenship", "income", "top_down", 20, "dividends_from_stocks"),
    "government": GoodRelease(
        ACS,
        "age education_level sex race marital nativity economic_region",
        "salary",
        "one_pass_k_means",
        5,
        "weeks_worked",
    ),
    "population survey": GoodRelease(CPS, "age sex race marital edu state", "famincome", "mondrian", 5, "home_type"),
    "time use": GoodRelease(
        TIME_USE,
        "tuyear hh_size hh_child",
        "hourly_wage weekly_earn",
        "mondrian",
        10,
        "wt",
        (("insensitive_columns", "wt"),),
    ),
    "motor insurance": GoodRelease(
        MOTOR,
        "DrivAge VehAge Density Region Area VehBrand",
        "ClaimNb BonusMalus",
        "mondrian",
        10,
        "Exposure",
        (("insensitive_columns", "Exposure"),),
    ),
    "government, industry forgotten": GoodRelease(
        ACS, "age sex", "salary", "mondrian", 5, "industry", (("insensitive_columns", "industry"),)
    ),
}


@pytest.mark.thin(3)
@pytest.mark.data
@pytest.mark.parametrize("name", GOOD)
def test_good_releases_of_real_tables_raise_no_false_alarm(name: str, shared_data: Path) -> None:
    """Money that differs in every row is no identifier; each measurement that singles out most rows is told once."""
    good = GOOD[name]
    whole = good.table(shared_data)
    table = whole.sample(min(ROWS, len(whole)), seed=1, shuffle=True)
    made = shoal.anonymize(
        table,
        k=good.k,
        quasi_identifiers=good.quasi_identifiers.split(),
        sensitive=good.sensitive.split(),
        insensitive=good.kept.split(),
        rest="drop",
        method=good.method,
    )
    verdict = check(made.table, plan=made.plan, original=table)
    told = [(leak.severity, leak.kind, " ".join(leak.columns)) for leak in verdict.leaks]
    assert [one for one in told if one[0] not in (QUESTION, INFORMATION)] == [(WARNING, *one) for one in good.true]
    assert [columns for severity, _, columns in told if severity == QUESTION] == [good.asked] * bool(good.asked)
    assert verdict.holds
