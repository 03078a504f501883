# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps and prompts as aiconfigurator 0.12 predicts them, through its Python interface alone.

  python peer_aiconfigurator.py < plans.json > answers.json

Runs in an environment in which aiconfigurator is installed (validate.py services --peer). Each
plan has the arguments of `cli_estimate` in `options`, and points of `phase` (static_gen, static_ctx), `batch` and
`tokens`; its answer has a time in ms for each point, or the reason why there is none.
"""
import contextlib
import json
import logging
import sys
import warnings


def estimate(options, point):
    from aiconfigurator.cli.api import cli_estimate
    found = cli_estimate(**options, mode=point["phase"], isl=point["tokens"], osl=2, batch_size=point["batch"])
    time = found.tpot if point["phase"] == "static_gen" else found.ttft
    if not time > 0:
        raise ValueError("no time")
    return time


def answer(plan):
    """{"ms": [time or null], "error": first reason} of a plan."""
    times, error = [], None
    for point in plan["points"]:
        try:
            times.append(estimate(plan["options"], point))
        except Exception as reason:  # the peer raises many kinds
            times.append(None)
            error = error or f"{type(reason).__name__}: {reason}".splitlines()[0]
    return {"ms": times, "error": error}


def main():
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    plans = json.load(sys.stdin)
    with contextlib.redirect_stdout(sys.stderr):
        answers = [answer(plan) for plan in plans]
    json.dump(answers, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
