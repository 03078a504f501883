# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The two C libraries: loaded at first use, called without the GIL, errors as exceptions."""
from __future__ import annotations

import ctypes
import os
import re
import threading
from typing import Any, Dict, Optional, Type, TypeVar

from gpucost import _abi, errors

#: A folder with the libraries, instead of the package: a build tree.
FOLDER_VARIABLE = "GPUCOST_LIBRARY_DIR"

S = TypeVar("S", bound=ctypes.Structure)


class Library:
    """A library whose functions are attributes without the prefix: lib.ModelCreate."""

    def __init__(self, file: str, last_error: str) -> None:
        self._file = file
        self._last_error = last_error
        self._lock = threading.Lock()
        self._loaded: Optional[ctypes.CDLL] = None

    def _load(self) -> ctypes.CDLL:
        with self._lock:
            if self._loaded is None:
                folder = os.environ.get(FOLDER_VARIABLE) or os.path.join(os.path.dirname(__file__), "lib")
                path = os.path.join(folder, self._file)
                try:
                    loaded = ctypes.CDLL(path)
                except OSError as error:
                    hint = (f"install the package (pip install .), or let {FOLDER_VARIABLE} name the folder of a "
                            f"build that holds {self._file}")
                    if not os.path.exists(path) and os.path.exists(os.path.join(folder, "libgpucost.so")):
                        hint = "this package was built without MLIR (GPUCOST_MLIR=OFF): it reads no model files"
                    raise ImportError(f"cannot load {path}: {error}; {hint}") from None
                self._loaded = loaded
            return self._loaded

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        full = "gpucost" + name
        function = getattr(self._load(), full)
        function.restype, function.argtypes = _abi.FUNCTIONS[full]
        setattr(self, name, function)
        return function

    def check(self, status: int) -> None:
        """Raises the exception for a status with the message of the last error."""
        if status != _abi.OK:
            raise self.error(status)

    def error(self, status: int) -> errors.GpuCostError:
        text = (getattr(self, self._last_error)() or b"").decode("utf-8", "replace").rstrip()
        # Drops "error: " or "MODEL: error: ", because the exception already marks an error.
        text = re.sub("^((?:[^:\n]+: )?)error: ", r"\1", text)
        return errors.BY_STATUS.get(status, errors.InternalError)(text or f"status {status}")


#: Without MLIR: kernels, schedules, prepared models, settings.
lib = Library("libgpucost.so", "LastError")
#: With MLIR: model files, target files, the tool.
mlir = Library("libgpucost-mlir.so", "MlirLastError")


def new(kind: Type[S], **fields: Any) -> S:
    """A struct with its size and the given fields; the others select defaults."""
    return kind(size=ctypes.sizeof(kind), **fields)


def address(value: Any) -> Any:
    """A pointer to `value`; None stays a null pointer."""
    return None if value is None else ctypes.byref(value)


def text(value: Optional[str]) -> Optional[bytes]:
    return None if value is None else value.encode()


def take(library: Library, free: str, call: Any, *arguments: Any, messages: bool = False) -> Any:
    """Calls a function whose last results are memory and its size; copies and frees the memory.

    With `messages` the function also returns a message: the result is (bytes, message)."""
    memory, size, notes = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_void_p()
    extra = (ctypes.byref(notes),) if messages else ()
    release = getattr(library, free)
    try:
        library.check(call(*arguments, ctypes.byref(memory), ctypes.byref(size), *extra))
        found = ctypes.string_at(memory, size.value) if memory.value else b""
        if not messages:
            return found
        return found, (ctypes.string_at(notes).decode("utf-8", "replace") if notes.value else "")
    finally:
        release(memory)
        release(notes)


def enum_names(which: int) -> Dict[str, int]:
    """Maps the names of a library enumeration to their values, in order."""
    found = {}
    for value in range(lib.EnumEnd(which)):
        name = lib.EnumName(which, value)
        if name is not None:
            found[name.decode()] = value
    return found


_enums: Dict[int, Dict[str, int]] = {}


def enumeration(which: int) -> Dict[str, int]:
    """enum_names, cached."""
    if which not in _enums:
        _enums[which] = enum_names(which)
    return _enums[which]


def enum_value(which: int, name: Any, what: str) -> int:
    """The value of a name, or an exception that lists the names."""
    key = getattr(name, "value", name)
    names = enumeration(which)
    if key not in names:
        raise errors.NotFoundError(f"unknown {what} '{key}': expected one of {', '.join(names)}")
    return names[key]


def enum_name(which: int, value: int) -> str:
    """The name of a value; its digits if the library is newer."""
    for name, each in enumeration(which).items():
        if each == value:
            return name
    return str(value)


class Handle:
    """Owns an object of a library and frees it. `keep` lives at least as long."""

    __slots__ = ("pointer", "_free", "keep")

    def __init__(self, pointer: Optional[int], free: Any, keep: Any = None) -> None:
        self.pointer = pointer
        self._free = free
        self.keep = keep

    def __del__(self) -> None:
        if self.pointer is not None:
            self._free(self.pointer)
            self.pointer = None


def create(free: str, call: Any, *arguments: Any, keep: Any = None) -> Handle:
    """The handle that a function of `lib` writes to its last argument."""
    pointer = ctypes.c_void_p()
    lib.check(call(*arguments, ctypes.byref(pointer)))
    return Handle(pointer.value, getattr(lib, free), keep)
