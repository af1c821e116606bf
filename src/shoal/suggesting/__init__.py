# SPDX-License-Identifier: Apache-2.0
"""What each column seems to be, and why: roles, kinds and hierarchies for a table that nobody has described yet.

Looks at names, at shapes of cells, at how many values there are and how much they tell together. Knows words of
several languages and no data sets. A suggestion is a plan with reasons, for a person to look over.
"""
