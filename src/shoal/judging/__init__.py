# SPDX-License-Identifier: Apache-2.0
"""The judge: all that anybody could run on a released table. Nothing of the engine is imported here (the wall)."""
