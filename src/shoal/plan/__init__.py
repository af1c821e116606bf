# SPDX-License-Identifier: Apache-2.0
"""What is asked: the plan, its settings, the roles and kinds of columns."""
