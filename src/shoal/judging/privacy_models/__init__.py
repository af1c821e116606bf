# SPDX-License-Identifier: Apache-2.0
"""Does the released table hold? One file per privacy model.

The wall: nothing here imports the engine. A model starts
from the released table, the way an outsider meets it. It may also hand the pipeline a
:class:`~shoal.ground.requirements.Requirement`, which algorithms obey without knowing the model.
"""
