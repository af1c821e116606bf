# SPDX-License-Identifier: Apache-2.0
"""The local web app: the same plan and the same flow as everywhere, for people who do not program."""
