# SPDX-License-Identifier: Apache-2.0
"""All that knows the compiler: how kernels are put together, where they are kept, and what is told meanwhile."""
