# SPDX-License-Identifier: Apache-2.0
"""What gives people away although every model holds: one file per kind of leak.

The wall: nothing here imports the engine. A leak is looked for in
the released table, the way an outsider meets it; where the custodian gives the original too, in both.
"""
