# SPDX-License-Identifier: Apache-2.0
"""What an attacker learns from a release: one file per attack.

The wall: nothing here imports the engine. An attack starts from
what is published and from what the attacker is said to hold; the truth is used for scoring alone.
"""
