# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names that only some versions of Python have in `typing`, and types of PyTorch; nothing to install."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Literal, TypedDict

if TYPE_CHECKING:
    from typing import Dict, List, Protocol

    from typing_extensions import Unpack

    class OptimizerObject(Protocol):
        """A torch.optim.Optimizer."""

        param_groups: List[Dict[str, Any]]
else:
    OptimizerObject = Any

    class Unpack:
        """Placeholder for annotations, which are never evaluated."""

        def __class_getitem__(cls, item):
            return item

#: A function or module: of the output of a model, or of output and target.
LossFunction = Callable[..., Any]

__all__ = ["Literal", "LossFunction", "OptimizerObject", "TypedDict", "Unpack"]
