# SPDX-License-Identifier: Apache-2.0
"""What runs in the worker process, one file per task: `run(bench, progress, ...)` gives what the screens show."""
