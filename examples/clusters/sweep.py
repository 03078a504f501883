#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A sweep on the workers of a Dask cluster: slurm.sbatch and kubernetes.yaml start one.

  sweep.py SPACE.json SWEEP.jsonl

SPACE.json has models and settings as for `gpu-cost-opt sweep --space`. Workers read the models, so their paths are on a
file system that all see. The scheduler is that of DASK_SCHEDULER_FILE or DASK_SCHEDULER_ADDRESS. Dask gives the part of a
worker that dies to another one; after the end of the whole job, the same command continues SWEEP.jsonl."""
import json
import os
import sys

import dask.distributed
import gpucost


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: sweep.py SPACE.json SWEEP.jsonl")
    with open(sys.argv[1], encoding="utf-8") as file:
        space = json.load(file)
    scheduler = os.environ.get("DASK_SCHEDULER_FILE")
    place = {"scheduler_file": scheduler} if scheduler else {"address": os.environ["DASK_SCHEDULER_ADDRESS"]}
    with dask.distributed.Client(**place) as client:
        points = gpucost.sweep(None, {"model": space["models"], **space["settings"]}, file=sys.argv[2], errors="keep",
                               executor=client.get_executor())
    print(f"{len(points)} points, {sum(point.error is not None for point in points)} of them refused; "
          f"least energy: {points.best('energy_j')!r}")


if __name__ == "__main__":
    main()
