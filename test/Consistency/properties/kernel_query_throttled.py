# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same under a power limit that lowers the clock."""
from properties import kernel_query


def cases(tool):
    yield from kernel_query.cases(tool, {"0.5 of the limit": ("power", 0.5)})
