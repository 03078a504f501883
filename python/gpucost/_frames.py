# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package pandas, on its first use."""
from __future__ import annotations

try:
    import pandas
except ImportError:
    raise ImportError("to_pandas() needs pandas: pip install pandas") from None

__all__ = ["pandas"]
