# SPDX-License-Identifier: Apache-2.0
"""What an attacker can link: known people to released rows, by what the labels say."""
