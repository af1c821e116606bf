# SPDX-License-Identifier: Apache-2.0
"""What was lost, what risk remains: one file per metric.

The wall: nothing here imports the engine. A metric reads
the labels of the released table the way an analyst would.
"""
