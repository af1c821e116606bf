# SPDX-License-Identifier: Apache-2.0
"""Names for the arrays that every room hands on."""

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Codes = NDArray[np.int32]
Words = NDArray[np.uint64]
ShortWords = NDArray[np.uint32]
SmallCodes = NDArray[np.unsignedinteger]
"""Numbers of cells in the smallest type that holds them."""
