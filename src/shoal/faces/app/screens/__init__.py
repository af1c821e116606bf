# SPDX-License-Identifier: Apache-2.0
"""The screens, one file each: `ROUTES` says where they are and what they answer."""
