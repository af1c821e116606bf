# SPDX-License-Identifier: Apache-2.0
"""What is kept between the steps of a run, so that no later step works out an earlier one again.

Three ways, by the user's choice. ``local`` keeps a step on the executors, which needs no place but does not survive the
loss of one of them. ``checkpoint`` keeps it where Spark is told to (``spark.checkpoint.dir``). Anything else is a
folder that all executors can write to, in which every run writes Parquet files under a name of its own; they hold
private values, and whoever named the folder removes them.
"""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import Any

from shoal.ground.errors import OutputError

LOCAL, CHECKPOINT = "local", "checkpoint"
ABOUT_THE_PLACE = ("heckpoint dir", "Mkdirs failed", "ermission denied", "No FileSystem for scheme", "FILE_SYSTEM")
"""Words of Spark that tell of the place and not of the rows."""


@dataclass(frozen=True)
class Keeping:
    """How one run keeps its steps."""

    session: Any
    way: str = LOCAL
    run: str = field(default_factory=lambda: f"shoal-{uuid.uuid4().hex[:8]}")

    def kept(self, frame: Any, step: str, part: int = 0) -> Any:
        """The same rows, worked out once and for all."""
        if self.way == LOCAL:
            return frame.localCheckpoint()
        try:
            if self.way == CHECKPOINT:
                return frame.checkpoint()
            place = f"{self.way.rstrip('/')}/{self.run}/{step}-{part}"
            frame.write.parquet(place)
            return self.session.read.parquet(place)
        except Exception as problem:
            if not any(words in str(problem) for words in ABOUT_THE_PLACE):
                raise
            raise OutputError(
                "Spark has no place to keep the steps of the run.",
                where="keep",
                allowed="'local'; 'checkpoint' where spark.checkpoint.dir is set; or a folder that executors can write",
                received=repr(self.way),
                todo="name a folder that all executors can write to, e.g. keep='/shared/scratch'",
            ) from None
