# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that are written as a whole, like those of the tool, and files for the tool."""
from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    from gpucost._inputs import Source


def write_file(path: Union[str, "os.PathLike[str]"], data: bytes) -> None:
    """Writes a file under a temporary name in its folder and renames it, so that an error leaves an
    earlier file as it was. Links are kept; pipes, devices and files with several names are written
    in place."""
    real = os.path.realpath(path)
    try:
        status = os.stat(real)
    except OSError:
        mode = None
    else:
        mode = stat.S_IMODE(status.st_mode)
        if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1 or not os.access(real, os.W_OK):
            return _write_in_place(path, data)
    name = os.path.join(os.path.dirname(real), f".gpucost-{os.urandom(8).hex()}.tmp")
    try:
        descriptor = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    except OSError:
        return _write_in_place(path, data)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        if mode is not None:
            os.chmod(name, mode)
        os.replace(name, real)
    except BaseException:
        os.unlink(name)
        raise


def _write_in_place(path: Union[str, "os.PathLike[str]"], data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


def suffix_of(data: bytes) -> str:
    """The ending of a file with this content, by which the library reads it."""
    try:
        words = data[:4096].decode()
    except UnicodeDecodeError as error:
        if error.start < 4000:
            return ".onnx"
        words = data[:error.start].decode()
    if re.search("[\0-\x08]", words):
        return ".onnx"
    return ".json" if words.lstrip().startswith("{") else ".mlir"


class Inputs:
    """Files for the tool; those made here live as long as this object."""

    def __init__(self) -> None:
        self._folder: Any = None
        self._count = 0

    def file(self, name: str, data: bytes) -> str:
        """The path of a new file."""
        if self._folder is None:
            import tempfile

            self._folder = tempfile.TemporaryDirectory(prefix="gpucost-")
        self._count += 1
        folder = os.path.join(self._folder.name, str(self._count))
        os.mkdir(folder)
        path = os.path.join(folder, re.sub(r"[^\w.-]", "_", os.path.basename(name)))
        with open(path, "wb") as file:
            file.write(data)
        return path

    def model(self, source: "Source", name: str = "model") -> str:
        """The path of a model; `name`: of its file if the model has none."""
        if source.data is None:
            return str(source.path)
        return self.file((os.path.basename(source.path or "") or name) + suffix_of(source.data), source.data)

    def without_folder(self, text: bytes) -> bytes:
        """A text in which files made here have no folder."""
        if self._folder is None:
            return text
        return re.sub(re.escape(os.fsencode(self._folder.name)) + rb"/\d+/", b"", text)

    def close(self) -> None:
        """Removes the files."""
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
