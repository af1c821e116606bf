# SPDX-License-Identifier: Apache-2.0
"""The words of the report: what is promised, what is not, and what the terms mean."""

NOT_FOR_PUBLICATION = (
    "Not for publication: publish the table and its codebook. This file also tells about the original, of which its "
    "figures rest on the rows that were released; of rows that were left out it tells their number and nothing else."
)
"""Stands first in every file of a release but the table and its codebook."""

GLOSSARY = {
    "k-anonymity": "Every row looks like at least k − 1 others in all columns that could help recognise someone. "
    "Picking the right one by these columns: at most 1 in k.",
    "identifier": "A column that points to one person by itself. It is removed.",
    "quasi-identifier": "A column that is harmless alone and telling together with others, such as age, sex, postcode. "
    "It is made coarser.",
    "sensitive": "The private fact. It is published as it is.",
    "look-alike group (equivalence class)": "Rows that are equal in all recognisable columns after the change.",
    "information loss": "How much detail was blurred: 0 % none, 100 % all.",
    "lower bound": "A loss that no grouping into look-alikes can go below that keeps all rows and shows each group as "
    "its ranges and tree names, at this size of groups and by this measure of the loss. It knows of no other model. "
    "It is proved, not estimated; the smallest loss possible may lie above it.",
    "shape kept": "Of a column: the share of its rows that the distributions before and after have in common.",
    "l-diversity, t-closeness": "Each group holds at least l different private facts; its mix of facts is close to "
    "that of the whole table.",
    "hierarchy": "The steps by which a value gets coarser.",
    "generalise": "Replace a value by a coarser one.",
    "suppress": "Replace a value by *, or leave a row out.",
    "prosecutor, journalist, marketer risk": "The attacker knows that the target is in the table; does not know it; "
    "wants many right, not one.",
    "seed": "The number from which every random choice of a run follows; the same seed gives the same table.",
    "holds": "Measured by a checker that uses no code of the engine that made the table. It is one safeguard, not "
    "legal advice; outside knowledge beyond the listed columns is not covered.",
}

MISSING = {
    "own": "A missing cell is a value of its own: it looks like other missing cells and like nothing else.",
    "refuse": "Missing cells in the recognisable columns were refused; there are none.",
    "wildcard": "A missing cell may match anything. The verdict gives k under both readings.",
}

FINDINGS = {
    "identifiers": "Columns that point to a person by themselves are not in the table.",
    "dropped": "Columns that are not needed are not in the table.",
    "quality": "The release is as good as was required; it would not have been made otherwise.",
}
"""What the checker looks for besides the models; each kind of release adds its own."""

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
    "This folder. Only the table and its codebook are made for publication: plan, hierarchies and report describe the "
    "data and how they were made, and the table stays safe only as long as the original does.",
)

CERTIFICATE = (
    "The smallest loss is not known, but a number below it is, and it is proved: whatever groups of at least k rows "
    "are made, each publishing the ranges and names that span it, they lose at least that much. Further promises can "
    "only make it more."
)
"""What the bound on the loss means."""

ATTACKERS = (
    "Three attackers, all of whom know the recognisable columns. The prosecutor knows that a person is in the table "
    "and looks for that row. The journalist does not know who is in it and wants to name anybody. The marketer names "
    "every row and does not mind some errors. Without a population in the plan, the table is taken for all people "
    "there are, the worst case: then journalist and prosecutor are right equally often."
)

QUESTIONS = {
    "homogeneity": "Is a private fact certain without finding the row?",
    "skewness": "How much better can a private fact be guessed?",
    "minimality": "Do the labels give exact values away?",
    "row_order": "Does the order of the rows tell whose they are?",
}
"""What each attack asks."""

EXPLAINED = {
    "minimality": "Ranges are as narrow as their group allows, so both ends of [35, 39] are the value of somebody in "
    "the group; of whom, the look-alikes hide. That is usual and breaks no promise. Where it matters, --render rounded "
    "publishes one round value per group instead; shoal attack measures it."
}
"""What to say of an attack in place of its figures, which would be misread."""

NOT_LEGAL = "This report states what was measured. It is one safeguard among others and no legal advice."

SECRET_SEED = "drawn by the operating system, kept nowhere"
