# SPDX-License-Identifier: Apache-2.0
"""Draws the charts of ``docs/gallery.md`` that belong to no other page: a comparison of methods on invented patients.

Run as ``python docs/draw_gallery.py``; times differ from machine to machine, so no test compares the pictures.
"""

from __future__ import annotations

from pathlib import Path

import shoal
from shoal.studies.samples.patients import patient_plan

PLACE = Path(__file__).parent / "gallery"
METHODS = ("shoal", "k_members", "hilbert", "mondrian", "top_down")


def main() -> None:
    """Compare once, save the three plots."""
    PLACE.mkdir(exist_ok=True)
    plan = shoal.Plan.of(**patient_plan(5))
    compared = shoal.compare(shoal.synthetic_patients(300), plan, methods=METHODS, k=[3, 10, 30])
    for name in ("loss_k", "loss_time", "columns"):
        compared.plot(name).save(PLACE / f"{name}.svg")


if __name__ == "__main__":
    main()
