# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Versions of the release and its data, and the list of settings."""
from __future__ import annotations

from typing import Any, Dict, List

from gpucost._native import lib, mlir
from gpucost._settings import TABLE, Setting


def data_version() -> str:
    """Identifies the built-in targets and coefficients: equal if all of them are equal."""
    return str(lib.DataVersion().decode())


def versions() -> Dict[str, Any]:
    """Versions of the release, the data, the prepared-model format and the interfaces of the two libraries."""
    return {"gpucost": lib.Version().decode(), "gpucost-mlir": mlir.MlirVersion().decode(),
            "data": data_version(), "prepared": lib.PreparedVersion(), "abi": lib.AbiVersion()}


def settings() -> List[Setting]:
    """Every setting of analyze() and prepare(): name, choices, limits, unit, default, help."""
    return list(TABLE)
