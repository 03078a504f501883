# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What goes wrong: exceptions with the messages of the tool, and its warnings."""
from __future__ import annotations

from gpucost import _abi


class GpuCostError(Exception):
    """Base of all errors of this package. The text is the tool's: file, line, what was
    expected and what to do."""

    def __init__(self, message: str = "", *args: object) -> None:
        super().__init__(message, *args)
        #: The text alone.
        self.message = message

    def __str__(self) -> str:
        return self.message


class InvalidArgumentError(GpuCostError, ValueError):
    """A number out of range, sizes that contradict each other, a bad setting or model."""


class NotFoundError(GpuCostError, LookupError):
    """No target, set of coefficients or enumerator of that name."""


class UnsupportedError(GpuCostError):
    """The GPU or its coefficients lack what was asked for."""


class InfeasibleError(GpuCostError, ValueError):
    """The schedule cannot run."""


class BadDataError(GpuCostError, ValueError):
    """Bytes that are no prepared model or target, damaged, or of another version."""


class FileError(GpuCostError, OSError):
    """A file cannot be read or written."""


class MissingFileError(FileError, FileNotFoundError):
    """No file of that name."""


class OutOfMemoryError(GpuCostError, MemoryError):
    """No memory left."""


class InternalError(GpuCostError, RuntimeError):
    """A defect of gpu-cost-opt."""


class GpuCostWarning(UserWarning):
    """A warning of the tool about a model or its settings."""


BY_STATUS = {
    _abi.INVALID_ARGUMENT: InvalidArgumentError,
    _abi.NOT_FOUND: NotFoundError,
    _abi.UNSUPPORTED: UnsupportedError,
    _abi.INFEASIBLE: InfeasibleError,
    _abi.BAD_DATA: BadDataError,
    _abi.IO: FileError,
    _abi.OUT_OF_MEMORY: OutOfMemoryError,
    _abi.INTERNAL: InternalError,
}
