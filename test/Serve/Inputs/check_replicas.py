# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a service with several independent copies of it.

usage: check_replicas.py ONE.json SEVERAL.json COPIES
"""
import json
import math
import sys


def main():
    one, several = (json.load(open(path)) for path in sys.argv[1:3])
    copies = int(sys.argv[3])
    for key in ("gpus", "sequences", "tokens_per_s"):
        assert math.isclose(several[key], copies * one[key], rel_tol=1e-6), (key, one[key], several[key])
    for key in ("ttft_ms", "tpot_ms", "answer_ms", "energy_per_token_j", "tokens_per_s_per_gpu", "batch"):
        assert math.isclose(several[key], one[key], rel_tol=1e-6), (key, one[key], several[key])


if __name__ == "__main__":
    main()
