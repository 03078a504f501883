#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fits the hosts of serving stacks: equations (V12) and (H11), group `serving_hosts`.

  fit_serving_hosts.py --data FOLDER --check|--apply

Rows are the times to the first token of public services (validate_services.py), up to 32 users. `prompt_launch` is one of
LAUNCHES for TensorRT-LLM and the same for SGLang, whose rows do not tell it from `request`; vLLM compiles models and runs
prompts as graphs. `request` then follows from the other times, in which it is almost a constant. Errors count up to 100 %: a
part of the services waited for slots or compiled kernels while they were measured.

`chunk_step` is what steps of Llama 4 in wave3/serving.csv take in addition to the prediction without it, by least squares of
the relative errors (validate_serving.py).
"""
import dataclasses
import pathlib
import re
import statistics
import sys
import tempfile

from coefficient_files import TOOL, block_of, fit_options, read_all, store

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "validate"))
import service_rows  # noqa: E402
import validate_services  # noqa: E402
import validate_serving  # noqa: E402
from kernel_tables import Unmapped  # noqa: E402

GROUP = "serving_hosts"
MANIFEST = pathlib.Path(validate_services.__file__).with_name("manifest.json")
LAUNCHES = (0, 15, 30, 45, 60)
SHORTEST = 1e-3  # ms


def times(rows, tool, launch, jobs):
    """[(measured, predicted without `request`)] in ms."""
    extra = (("request-ms", SHORTEST), *((("host-launch-us", launch),) if launch is not None else ()))
    asked = [dataclasses.replace(one, loop=(*one.loop, *extra)) for one in rows]
    found = tool.loops(asked, jobs)
    pairs = [(one.measured["ttft"], found[one.plan, one.loop][0].get("ttft")) for one in asked]
    return [(measured, time) for measured, time in pairs if time]


def loss(pairs, request):
    return statistics.mean(min(abs((time + request) / measured - 1), 1) for measured, time in pairs)


def fitted(pairs):
    """`request` in ms, to 1 ms."""
    return min(range(0, 151), key=lambda request: loss(pairs, request))


def line_of(product, request, launch, chunk):
    text = f'<software = "{product}", request = {request} ms'
    if launch:
        text += f", prompt_launch = {launch} us"
    return text + (f", chunk_step = {chunk} ms>" if chunk else ">")


def committed_chunk(block):
    found = re.search(r'<software = "vllm", [^>]*chunk_step = ([\d.]+) ms', block)
    return float(found.group(1)) if found else 0.0


def chunk_steps(args, manifest, folder, committed):
    """[(measured, predicted without `chunk_step`)] in ms, of the steps of vLLM whose attention has chunks."""
    tool, pairs = validate_serving.Tables(TOOL, manifest, folder), []
    for row in service_rows.read(args.data / validate_serving.FILE):
        try:
            plan = validate_serving.plan_of(manifest, row)
            chunked = manifest.configuration(plan.model)["model_type"] == "llama4_text"
            if chunked and plan.stack == "vllm" and validate_serving.is_judged(row) and row["decode_step_ms"]:
                pairs.append((float(row["decode_step_ms"]), tool.steps(plan, row)["step"] - committed))
        except Unmapped:
            continue
    return pairs


def fitted_chunk(pairs):
    """`chunk_step` in ms, to 0.1 ms."""
    def loss(tenths, power=1):
        return statistics.mean(abs((time + tenths / 10) / measured - 1)**power for measured, time in pairs)
    best = min(range(0, 201), key=lambda tenths: loss(tenths, 2))
    print(f"vllm: chunk_step {best / 10} ms: {100 * loss(best):.1f} % of {len(pairs)} steps, without {100 * loss(0):.1f} %", flush=True)
    return best / 10


def main():
    args = fit_options(__doc__, actions=("check", "apply"))
    manifest = service_rows.Manifest(MANIFEST)
    services, _ = service_rows.services(manifest, validate_services.read_rows(args.data)[0])
    services = [one for one in services if validate_services.Judged(one, {}, {}).is_prompt]
    text = read_all()["shared"]
    start, end = block_of(text, GROUP)
    block = text[start:end]
    count = 0
    committed = committed_chunk(block)
    with tempfile.TemporaryDirectory() as folder:
        tool = validate_services.Tool(TOOL, manifest, folder)
        pairs = chunk_steps(args, manifest, folder, committed)
        chunk, steps = fitted_chunk(pairs), len(pairs)
        launch = 0  # of the last stack
        for stack, launches in (("vllm", None), ("trtllm", LAUNCHES), ("sglang", None)):
            rows = [one for one in services if one.plan.stack == stack]
            tried = []
            for launch in launches or (launch,):
                pairs = times(rows, tool, launch if stack != "vllm" else None, args.jobs)
                tried.append((loss(pairs, fitted(pairs)), launch, fitted(pairs), len(pairs)))
                print(f"{stack}: prompt_launch {launch} us, request {tried[-1][2]} ms: {100 * tried[-1][0]:.1f} % of {len(pairs)} rows", flush=True)
            _, launch, request, found = min(tried)
            count += found
            product = service_rows.PRODUCTS[stack]
            block = re.sub(rf'<software = "{product}", [^>]*>', line_of(product, request, launch, chunk if stack == "vllm" else 0), block)
    block = re.sub(r'provenance = "[^"]*"', f'provenance = "{count} public services: times to the first token up to 32 users; {steps} steps of Llama 4 in vLLM on H100 (ml-energy)"', block)
    return store(args, {"shared": text[:start] + block + text[end:]})


if __name__ == "__main__":
    sys.exit(main())
