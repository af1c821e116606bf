# SPDX-License-Identifier: Apache-2.0
"""How little any k-anonymous partition could lose: lower bounds, proved in docs/certificate.md."""
