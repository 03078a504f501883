#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A tuner that ranks all schedules of a matmul by predicted time, keeps few, and measures only those.

  tune.py 4096 1024 4096 --target a100-bf16                       # the ranking, without a GPU
  tune.py 4096 1024 4096 --target a100-bf16 --keep 8 --run 'python3 bench.py'

`--run` is any program that measures one schedule: it gets BLOCK_M, BLOCK_N, BLOCK_K, num_warps and num_stages as
arguments and prints a time, in any unit; a program that fails cannot run the schedule. With Triton's own autotuner
use `prune_configs_by=gpucost.triton.prune(target, top_k=8)` instead.
"""
import argparse
import itertools
import math
import shlex
import subprocess

import gpucost

TILES, DEPTHS, WARPS, STAGES = (32, 64, 128, 256), (32, 64), (4, 8), (2, 3, 4)


def fields(schedule):
    return [schedule.tile_m, schedule.tile_n, schedule.tile_k, schedule.subgroups, schedule.stages]


def measure(command, schedule):
    done = subprocess.run([*shlex.split(command), *map(str, fields(schedule))], capture_output=True, text=True)
    return float(done.stdout) if done.returncode == 0 else math.inf


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs=3, type=int, metavar=("M", "N", "K"))
    parser.add_argument("--target", default="a100-bf16")
    parser.add_argument("--keep", type=int, default=8, help="schedules to measure at most")
    parser.add_argument("--run", help="program that measures a schedule")
    arguments = parser.parse_args()
    space = [gpucost.Schedule(tile_m=m, tile_n=n, tile_k=k, warps=warps, stages=stages, split_k=1)
             for m, n, k, warps, stages in itertools.product(TILES, TILES, DEPTHS, WARPS, STAGES)]
    ranking = gpucost.rank(space, target=arguments.target, problem=gpucost.Matmul(*arguments.sizes))
    kept = ranking.worth_measuring(at_most=arguments.keep)
    print(f"{len(space)} schedules, {len(ranking.infeasible)} cannot run, {len(ranking.groups[0])} may be the fastest, "
          f"{len(kept)} kept")
    for each in ranking.order[:len(kept)]:
        print(f"{each.cost.time_us:9.2f} us predicted  {each.candidate}")
    if arguments.run:
        found = ranking.measure(lambda schedule: measure(arguments.run, schedule), at_most=arguments.keep)
        print(f"measured {len(found.values)}: best {found.value:g} with {found.best}")


if __name__ == "__main__":
    main()
