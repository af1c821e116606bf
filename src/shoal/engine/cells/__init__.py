# SPDX-License-Identifier: Apache-2.0
"""Tables beyond memory, or beyond one machine: cut into cells that are worked on by themselves."""
