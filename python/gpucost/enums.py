# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Choices of settings as enumerations: gpucost.analyze(..., mode=gpucost.enums.Mode.TRAINING).

Members are strings, so plain strings are also accepted."""
from gpucost._settings import *  # noqa: F401, F403
from gpucost._settings import __all__ as __all__
