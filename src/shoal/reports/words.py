# SPDX-License-Identifier: Apache-2.0
"""The words of the report: what is promised, what is not, and what the terms mean."""

from __future__ import annotations

GLOSSARY = {
    "k-anonymity": "Every row looks like at least k − 1 others in all columns that could help recognise someone. "
    "Picking the right one by these columns: at most 1 in k.",
    "identifier": "A column that points to one person by itself. It is removed.",
    "quasi-identifier": "A column that is harmless alone and telling together with others, such as age, sex, postcode. "
    "It is made coarser.",
    "sensitive": "The private fact. It is published as it is.",
    "look-alike group (equivalence class)": "Rows that are equal in all recognisable columns after the change.",
    "information loss": "How much detail was blurred: 0 % none, 100 % all.",
    "hierarchy": "The steps by which a value gets coarser.",
    "generalise": "Replace a value by a coarser one.",
    "suppress": "Replace a value by *, or leave a row out.",
    "prosecutor, journalist, marketer risk": "The attacker knows that the target is in the table; does not know it; "
    "wants many right, not one.",
    "holds": "Measured by a checker that shares no code with the engine that made the table. It is one safeguard, not "
    "legal advice; outside knowledge beyond the listed columns is not covered.",
}

MISSING = {
    "own": "A missing cell is a value of its own: it looks like other missing cells and like nothing else.",
    "refuse": "Missing cells in the recognisable columns were refused; there are none.",
    "wildcard": "A missing cell may match anything. The verdict gives k under both readings.",
}

FINDINGS = {
    "identifiers": "Columns that point to a person by themselves are not in the table.",
}
"""What the checker looks for besides the models."""

ORDER = {
    "shuffled": "Rows were sorted by their released content and shuffled with the seed; their order says nothing about "
    "the input.",
    "kept": "Rows stand in the order of the input. Whoever knows that order knows which row is whose, whatever the "
    "groups: publish it only if the order itself is no secret.",
}

NOT_COVERED = (
    "Private facts that everybody in a group shares. If all rows of a look-alike group have the same diagnosis, it is "
    "disclosed without picking out a row. Ask for a model about the private column as well, such as l-diversity.",
    "Knowledge about columns that were not declared recognisable. Every column published as it is may help someone "
    "who knows it; check that no such column names or describes a person, free text above all.",
    "Several releases of the same people. Two tables that each hold may together single somebody out.",
    "The fact that somebody is in the table at all, where that is itself telling.",
    "This folder. Only the table is made for publication: plan, hierarchies and report describe the data and how they "
    "were made, and the table stays safe only as long as the original does.",
)

NOT_LEGAL = "This report states what was measured. It is one safeguard among others and no legal advice."
