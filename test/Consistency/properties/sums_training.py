# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same of training steps."""
from properties import sums

SETTINGS = [["--mode=training", *flags] for flags in (
    [], ["--gpus=8"], ["--optimizer=sgd"], ["--gpus=4", "--parallel=fsdp", "--grad-accum=4"],
    ["--recompute=full"], ["--runtime=cudagraph"], ["--power-limit=120"], ["--gpus=2", "--parallel=tp"],
    ["--gpus=16", "--nodes=2", "--network=100:5", "--parallel=fsdp"])]


def cases(tool):
    yield from sums.every_model(tool, SETTINGS, 1)
