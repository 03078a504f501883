# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the cost of a service by hand: 2 GPUs at 3 per hour, 800 W beside them, PUE 1.25, 400 g/kWh.

usage: check_cost.py SERVICE.json
"""
import json
import math
import sys


def main():
    service = json.load(open(sys.argv[1]))
    seconds = service["answer_ms"] * 1e-3
    tokens = service["sequences"] * service["output_tokens"]
    energy = (service["energy_per_token_j"] * tokens + 800 * seconds) * 1.25
    money = 2 * 3 / 3600 * seconds
    batches = math.ceil(1e9 / tokens)
    expected = {
        "site_energy_per_token_j": energy / tokens, "money_per_token": money / tokens,
        "co2e_per_token_g": energy / 3.6e6 * 400 / tokens, "run_hours": seconds / 3600 * batches,
        "run_energy_kwh": energy / 3.6e6 * batches, "run_money": money * batches,
        "run_co2e_kg": energy / 3.6e6 * 0.4 * batches}
    for key, value in expected.items():
        assert math.isclose(service[key], value, rel_tol=1e-5), (key, service[key], value)


if __name__ == "__main__":
    main()
