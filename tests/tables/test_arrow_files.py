# SPDX-License-Identifier: Apache-2.0
"""Files of Arrow are read without threads, which would outlive the interpreter."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("pyarrow")

READ = """
import io, os, pyarrow as pa, pyarrow.ipc, pyarrow.parquet
from shoal.tables.arrow_files import ALONE, arrow_file, parquet_file

table = pa.table({name: list(range(5000)) for name in "abcdefgh"})
in_parquet, in_arrow = io.BytesIO(), io.BytesIO()
pa.parquet.write_table(table, in_parquet, row_group_size=500)
with pa.ipc.new_file(in_arrow, table.schema) as out:
    out.write_table(table, 500)
before = len(os.listdir("/proc/self/task"))
found = [parquet_file(in_parquet.getvalue()).read(**ALONE), arrow_file(in_arrow.getvalue()).read_all()]
found += [parquet_file(in_parquet.getvalue(), read_dictionary=["a"]).read_row_group(1, columns=["a"], **ALONE)]
assert [len(one) for one in found] == [5000, 5000, 500]
print(len(os.listdir("/proc/self/task")) - before)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="threads are counted by what Linux tells of them")
def test_no_thread_is_started() -> None:
    """PyArrow would start as many as there are processors."""
    done = subprocess.run([sys.executable, "-c", READ], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"
