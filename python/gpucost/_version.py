# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which release, data and settings this is."""
from __future__ import annotations

from typing import Any, Dict, List

from gpucost._native import lib, mlir
from gpucost._settings import TABLE, Setting


def data_version() -> str:
    """Identifies targets and coefficients that are built in: equal where all of them are."""
    return str(lib.DataVersion().decode())


def versions() -> Dict[str, Any]:
    """Release, data, format of prepared models and interface of the two libraries."""
    return {"gpucost": lib.Version().decode(), "gpucost-mlir": mlir.MlirVersion().decode(),
            "data": data_version(), "prepared": lib.PreparedVersion(), "abi": lib.AbiVersion()}


def settings() -> List[Setting]:
    """Every setting of analyze() and prepare(): name, choices, limits, unit, default, help."""
    return list(TABLE)
