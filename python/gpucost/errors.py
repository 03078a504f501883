# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exceptions with the messages of the tool, and its warnings."""
from __future__ import annotations

from typing import Dict, Type

from gpucost import _abi


class GpuCostError(Exception):
    """Base of all errors in this package. The message is the tool's, with file, line, expected value
    and remedy."""

    def __init__(self, message: str = "", *args: object) -> None:
        super().__init__(message, *args)
        #: The message only.
        self.message = message

    def __str__(self) -> str:
        return self.message


class InvalidArgumentError(GpuCostError, ValueError):
    """A number out of range, sizes that contradict each other, a bad setting or model."""


class NotFoundError(GpuCostError, LookupError):
    """Unknown name of a target, coefficient set or enumerator."""


class UnsupportedError(GpuCostError):
    """The GPU or its coefficients do not support the query."""


class InfeasibleError(GpuCostError, ValueError):
    """The schedule cannot run."""


class BadDataError(GpuCostError, ValueError):
    """Bytes that are not a prepared model or target, are damaged, or have another version."""


class FileError(GpuCostError, OSError):
    """A file cannot be read or written."""


class MissingFileError(FileError, FileNotFoundError):
    """File not found."""


class OutOfMemoryError(GpuCostError, MemoryError):
    """Out of memory."""


class InternalError(GpuCostError, RuntimeError):
    """A defect of gpu-cost-opt."""


class GpuCostWarning(UserWarning):
    """A warning of the tool about a model or its settings."""


BY_STATUS: Dict[int, Type[GpuCostError]] = {
    _abi.INVALID_ARGUMENT: InvalidArgumentError,
    _abi.NOT_FOUND: NotFoundError,
    _abi.UNSUPPORTED: UnsupportedError,
    _abi.INFEASIBLE: InfeasibleError,
    _abi.BAD_DATA: BadDataError,
    _abi.IO: FileError,
    _abi.OUT_OF_MEMORY: OutOfMemoryError,
    _abi.INTERNAL: InternalError,
}
