# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that only some versions of Python have in `typing`; nothing to install."""
from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypedDict

if TYPE_CHECKING:
    from typing_extensions import Unpack
else:
    class Unpack:
        """Placeholder for annotations, which are never evaluated."""

        def __class_getitem__(cls, item):
            return item

__all__ = ["Literal", "TypedDict", "Unpack"]
