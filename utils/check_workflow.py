#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the GitHub workflow has only keys of the format and runs the gate in Debian 12.

Needs PyYAML. The full schema: check-jsonschema --builtin-schema vendor.github-workflows FILE.
"""
import pathlib
import re
import sys

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILE = ROOT / ".github" / "workflows" / "ci.yml"
TOP = {"name", "on", "permissions", "concurrency", "env", "jobs"}
JOB = {"name", "runs-on", "container", "timeout-minutes", "env", "needs", "if", "strategy", "permissions", "steps"}
STEP = {"name", "id", "if", "run", "uses", "with", "env", "shell", "working-directory", "timeout-minutes"}
EVENTS = {"push", "pull_request", "schedule", "workflow_dispatch"}


def unknown(place, keys, allowed):
    return [f"{place}: unknown key '{key}'" for key in keys if key not in allowed]


def problems_of(workflow):
    # YAML 1.1 reads the key `on` as true.
    workflow = {"on" if key is True else key: value for key, value in workflow.items()}
    yield from unknown("workflow", workflow, TOP)
    yield from unknown("on", workflow.get("on") or ["(missing)"], EVENTS)
    gates = []
    for name, job in workflow.get("jobs", {}).items():
        yield from unknown(name, job, JOB)
        if "runs-on" not in job:
            yield f"{name}: expected 'runs-on'"
        for number, step in enumerate(job.get("steps", []), start=1):
            place = f"{name}, step {number}"
            yield from unknown(place, step, STEP)
            if ("run" in step) == ("uses" in step):
                yield f"{place}: expected either 'run' or 'uses'"
            if "uses" in step and not re.fullmatch(r"[\w.-]+/[\w./-]+@[\w.-]+", step["uses"]):
                yield f"{place}: expected owner/repository@version, but got '{step['uses']}'"
            if step.get("run") == ".ci/run":
                gates.append(job.get("container"))
    if gates != ["debian:12"]:
        yield f"expected one step that runs .ci/run, in a container debian:12, but got {gates}"


def main():
    problems = list(problems_of(yaml.safe_load(FILE.read_text())))
    for problem in problems:
        print(f"check_workflow: {FILE.relative_to(ROOT)}: {problem}")
    if not problems:
        print("check_workflow: the gate in debian:12")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
