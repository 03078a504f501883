# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `typing` has in some versions of Python alone; nothing to install."""
from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import Unpack
else:
    class Unpack:
        """Stands in annotations, which nobody evaluates."""

        def __class_getitem__(cls, item):
            return item

__all__ = ["Literal", "TypedDict", "Unpack"]
