# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes files as a whole, like the tool."""
from __future__ import annotations

import os
import stat
from typing import Union


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
