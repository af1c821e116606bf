# SPDX-License-Identifier: Apache-2.0
"""Which column has which role, as the READMEs beside the real tables name them.

Columns that a README does not name are left out. Where it names several settings, all columns of all of them are here:

- adult: settings A and B.
- atus: "state or region" are both quasi-identifiers.
- census-income-kdd: "major_occupation_code or detailed_occupation_recode, income or wage_per_hour" are all sensitive.
- casc-eia: the "realistic setting", in which UTILITYID is an identifier; the other one calls it a quasi-identifier.
- lung-cancer: its own README names no roles; that of the whole folder says "56 integer codes" and "class". The file has
  no header; the class comes first.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from shoal.hierarchies.building import spread_rows
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from shoal.tables.table import Table

ADULT = (
    "age workclass fnlwgt education education-num marital-status occupation relationship race sex capital-gain "
    "capital-loss hours-per-week native-country income"
)
LUNG = "class " + " ".join(f"f{number}" for number in range(1, 57))


@dataclass(frozen=True)
class Truth:
    """One table and the roles that its README names."""

    path: str
    identifiers: str = ""
    quasi_identifiers: str = ""
    sensitive: str = ""
    columns: str = ""
    """Names of a file without a header."""

    @property
    def roles(self) -> dict[str, str]:
        """Column to role."""
        named = {
            "identifier": self.identifiers,
            "quasi-identifier": self.quasi_identifiers,
            "sensitive": self.sensitive,
        }
        return {name: role for role, names in named.items() for name in names.split()}

    @property
    def reading(self) -> Reading:
        """How the file is read."""
        return Reading(header=False, columns=tuple(self.columns.split())) if self.columns else Reading()

    def table(self, folder: Path, most: int) -> Table:
        """At most so many rows of the table, spread evenly."""
        table = read_table(folder / self.path, self.reading).table
        return table.take(spread_rows(len(table), most))


TRUTHS = (
    Truth(
        "adult/adult.data",
        quasi_identifiers="age fnlwgt race marital-status sex workclass education",
        sensitive="occupation income",
        columns=ADULT,
    ),
    Truth(
        "acs-gov-census/gov_census.parquet",
        quasi_identifiers="age education_level hours_worked sex race marital nativity citizenship economic_region",
        sensitive="salary occupation",
    ),
    Truth(
        "arx-mach2019/mach2019_int.csv",
        quasi_identifiers="age familysize gender married race religion",
        sensitive=" ".join(f"Q{number}A" for number in range(1, 11)),
    ),
    Truth(
        "atus/atuscps.parquet",
        identifiers="tucaseid",
        quasi_identifiers="age sex race marital edu state region country_born citizen",
        sensitive="famincome",
    ),
    Truth("atus/atusresp.parquet", identifiers="tucaseid", sensitive="weekly_earn occup_code"),
    Truth(
        "casc-census/CASCrefmicrodata.csv",
        quasi_identifiers="AFNLWGT AGI EMCONTRB FEDTAX PTOTVAL STATETAX TAXINC POTHVAL INTVAL PEARNVAL FICA WSALVAL "
        "ERNVAL",
    ),
    Truth(
        "casc-eia/EIA.csv",
        identifiers="UTILITYID UTILNAME",
        quasi_identifiers="STATE MONTH RESREVENUE RESSALES COMREVENUE COMSALES INDREVENUE INDSALES OTHREVENUE "
        "OTHRSALES TOTREVENUE TOTSALES",
    ),
    Truth(
        "casc-tarragona/Tarragona.csv",
        quasi_identifiers="FIXED.ASSETS CURRENT.ASSETS TREASURY UNCOMMITTED.FUNDS PAID.UP.CAPITAL SHORT.TERM.DEBT "
        "SALES LABOR.COSTS DEPRECIATION OPERATING.PROFIT FINANCIAL.OUTCOME GROSS.PROFIT NET.PROFIT",
    ),
    Truth(
        "census-income-kdd/census_income_kdd_train.parquet",
        quasi_identifiers="age sex education marital_stat race class_of_worker country_of_birth_self",
        sensitive="major_occupation_code detailed_occupation_recode income wage_per_hour",
    ),
    Truth(
        "fremtpl2/freMTPL2freq.parquet",
        identifiers="IDpol",
        quasi_identifiers="DrivAge VehAge Density Region Area VehBrand VehGas",
        sensitive="ClaimNb BonusMalus",
    ),
    Truth(
        "lung-cancer/lung-cancer.data",
        quasi_identifiers=LUNG.removeprefix("class "),
        sensitive="class",
        columns=LUNG,
    ),
    Truth(
        "zoo/zoo.csv",
        identifiers="animal_name",
        quasi_identifiers="hair feathers eggs milk airborne aquatic predator toothed backbone breathes venomous fins "
        "legs tail domestic catsize",
        sensitive="type",
    ),
)
