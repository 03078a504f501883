# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The attributes up to `tiling` are inputs of a prediction, the later ones are results."""
import re
import tempfile

from tool import INPUTS, Case, attribute, quantity

FLAGS = [INPUTS / "one-op.mlir", "--entry=gemm", "--target=a100-bf16", "--runtime=cudagraph"]


def predict(tool, module):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(module)
        file.flush()
        text = tool.run(file.name, "--gpucost-predict=runtime=cudagraph")
    summary, time, power = (attribute(text, name)[0] for name in ("gpucost.summary", "time", "power"))
    return {"time": quantity(summary["time"]), "energy": quantity(summary["energy"]),
            "kernel_time": quantity(time["total"]), "kernel_energy": quantity(power["energy"])}


def cases(tool):
    module = tool.run(*FLAGS, "--emit=ir")
    before = predict(tool, module)
    results = {"unchanged": module,
               "time of a kernel": re.sub(r"(time = #gpucost.time<total = )[^,]+", r"\g<1>999 us", module),
               "power of a kernel": re.sub(r"(power = #gpucost.power<)average = [^,]+, energy = [^,]+",
                                           r"\g<1>average = 10 W, energy = 1 mJ", module)}
    for name, edited in results.items():
        case = Case(name)
        if name != "unchanged":
            case.require("edited", edited != module, "the pattern matches nothing")
        for field, value in predict(tool, edited).items():
            case.require_equal(field, value, before[field])
        yield case
    # An input: a small tile reads its operands more often.
    case = Case("tiling of a kernel")
    after = predict(tool, re.sub(r"tile_m = \d+, tile_n = \d+", "tile_m = 32, tile_n = 32", module))
    case.require("time", after["time"] > 1.05 * before["time"], f"{after['time']} s against {before['time']} s")
    case.require_equal("sum", after["time"], after["kernel_time"])
    yield case
