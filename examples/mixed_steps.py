# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the time of a step query: steps that all differ, on a service written by `gpu-cost-opt serve --oracle`. 32
sequences decode; every other step also has a chunk of a prompt. c-library/mixed_steps.c queries the same steps.

  mixed_steps.py SERVICE.gcs TARGET [STEPS]"""
import sys
import time

import gpucost

DECODES, CONTEXT = 32, 4000


class Random:
    """A linear congruential generator with Knuth's constants for MMIX."""

    def __init__(self):
        self.state = 1

    def draw(self, low, high):
        """A number that is at least `low` and below `high`."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return low + (self.state >> 33) % (high - low)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit("usage: mixed_steps.py SERVICE.gcs TARGET [STEPS]")
    steps = int(sys.argv[3]) if len(sys.argv) == 4 else 100000
    service = gpucost.PreparedService.load(sys.argv[1]).service(sys.argv[2])
    random = Random()
    seconds = energy = asked = 0.0
    for i in range(steps):
        sequences = [(1, random.draw(1, CONTEXT)) for _ in range(DECODES)]
        if i % 2:
            sequences.append((random.draw(64, 513), random.draw(0, CONTEXT)))
        begin = time.perf_counter()
        cost = service.step(sequences)
        asked += time.perf_counter() - begin
        seconds += cost.time_ms * 1e-3
        energy += cost.energy_j
    print(f"{steps} steps: {seconds:.3f} s and {energy:.1f} J on the GPU")
    print(f"asked in {asked:.2f} s, {asked * 1e6 / steps:.1f} us per step")


if __name__ == "__main__":
    main()
