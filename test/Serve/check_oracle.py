# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds a step oracle against reports, and the predictor for Vidur against the oracle.

usage: check_oracle.py PREDICTOR.PY SERVICE.GCS BATCH,QUERY,PAST,REPORT.JSON..."""
import abc
import importlib.util
import json
import math
import sys
import types

import gpucost


def check(condition, *what):
    if not condition:
        sys.exit("check_oracle: " + " ".join(map(str, what)))


class Base(abc.ABC):
    """A stub of Vidur's base class: components of a step are abstract."""

    @abc.abstractmethod
    def _get_attention_decode_execution_time(self, batch):
        ...

    def get_execution_time(self, batch, pipeline_stage):
        raise NotImplementedError


def batch_of(sequences):
    """A batch as Vidur schedules it."""
    return types.SimpleNamespace(
        requests=[types.SimpleNamespace(num_processed_tokens=cache) for _, cache in sequences],
        num_q_tokens=[tokens for tokens, _ in sequences])


def main():
    prepared = gpucost.PreparedService.load(sys.argv[2])
    service = prepared.service("h100-bf16")
    for case in sys.argv[3:]:
        batch, query, past, path = case.split(",", 3)
        with open(path) as file:
            report = json.load(file)["iteration"]
        cost = service.step([(int(query), int(past))] * int(batch))
        for mine, theirs in ((cost.time_ms, report["time_ms"]), (cost.energy_j, report["energy_j"])):
            # Reports have seven digits.
            check(math.isclose(mine, theirs, rel_tol=1e-6), case, mine, theirs)

    spec = importlib.util.spec_from_file_location("predictor", sys.argv[1])
    predictor = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(predictor)
    replica = predictor.predictor_class(Base)(prepared, "h100-bf16", host_seconds=0.002)
    check(isinstance(replica, Base), "a subclass")
    energy = 0
    for step in range(20):
        sequences = [(1, 100 + step), (1, 700 + step), (64, 64 * step)]
        cost, answer = service.step(sequences), replica.get_execution_time(batch_of(sequences), 0)
        energy += cost.energy_j
        check(math.isclose(answer.model_time, cost.time_ms * 1e-3), answer, cost)
        check(math.isclose(answer.total_time, cost.time_ms * 1e-3 + 0.002), answer, cost)
        check(math.isclose(answer.model_time_ms, cost.time_ms), answer, cost)
    energy *= service.limits.world_size
    check(math.isclose(replica.energy_j, energy), "energy", replica.energy_j, energy)
    try:
        replica.get_execution_time(batch_of([(1, 5)]), 1)
    except ValueError:
        return
    check(False, "a model in one stage has a second one")


main()
