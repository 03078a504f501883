# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whoever changes the time or power of a kernel changes the totals."""
import re
import tempfile

from tool import INPUTS, Case, attribute, quantity

FLAGS = [INPUTS / "one-op.mlir", "--entry=gemm", "--target=a100-bf16", "--runtime=cudagraph"]


def summarize(tool, module):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(module)
        file.flush()
        text = tool.run(file.name, "--gpucost-summarize=runtime=cudagraph")
    return attribute(text, "gpucost.summary")[0]


def cases(tool):
    module = tool.run(*FLAGS, "--emit=ir")
    before = summarize(tool, module)
    case = Case("unchanged")
    case.require_equal("time", quantity(before["time"]), quantity(attribute(module, "gpucost.summary")[0]["time"]))
    yield case
    case = Case("time of a kernel")
    edited = summarize(tool, re.sub(r"(time = #gpucost.time<total = )[^,]+", r"\g<1>999 us", module))
    case.require_equal("time", quantity(edited["time"]), 999e-6)
    yield case
    case = Case("power of a kernel")
    edited = summarize(tool, re.sub(r"(power = #gpucost.power<)average = [^,]+, energy = [^,]+",
                                    r"\g<1>average = 10 W, energy = 1 mJ", module))
    case.require_equal("energy", quantity(edited["energy"]), 1e-3)
    yield case
