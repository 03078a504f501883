# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Experts divided among the GPUs and whole experts on them (X28): check_whole_experts.py divided.json whole.json."""
import json
import pathlib
import sys

divided, whole = (json.loads(pathlib.Path(path).read_text()) for path in sys.argv[1:])
# Both have 1/4 of the weights of 2 layers x 8 experts on each GPU, and the same collectives.
assert divided["memory"]["parameter_bytes"] == whole["memory"]["parameter_bytes"], (divided["memory"], whole["memory"])
assert divided["decode"]["floor"]["collectives"] == whole["decode"]["floor"]["collectives"]
# A token reads a fourth of 2 experts of 3 x 512 x 1024 weights in each of 2 layers, or 1.141 experts of the busiest GPU.
expert = 3 * 512 * 1024 * 2
more = whole["decode"]["floor"]["weight_bytes"] - divided["decode"]["floor"]["weight_bytes"]
assert abs(more / (2 * expert * (1.1415 - 2 / 4)) - 1) < 1e-3, more / expert
