# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples for Slurm and Kubernetes. Slurm's srun is a stub that starts two workers on this machine."""
import json
import os
import subprocess
import sys

import gpucost
import pytest

SRUN = """#!/bin/bash
while [ "${1#--}" != "$1" ]; do shift; done
trap 'kill $(jobs -p)' TERM
for _ in 1 2; do "$@" & done
wait
"""


@pytest.fixture
def space(bert, tmp_path):
    path = tmp_path / "space.json"
    path.write_text(json.dumps({"models": [bert], "settings": {"target": ["a100-bf16", "h100-bf16"], "batch": "1..4x2",
                                                               "seq": 64, "power_limit": [200, 350, 600]}}))
    return path


def test_slurm(space, root, tool, tmp_path):
    pytest.importorskip("distributed")
    commands = tmp_path / "bin"
    commands.mkdir()
    (commands / "srun").write_text(SRUN)
    (commands / "python3").write_text(f'#!/bin/bash\nexec {sys.executable} "$@"\n')
    for command in commands.iterdir():
        command.chmod(0o755)
    file = tmp_path / "sweep.jsonl"
    environment = {**os.environ, "PATH": f"{commands}:{os.environ['PATH']}", "SLURM_SUBMIT_DIR": str(root)}

    def submit():
        return subprocess.run(["bash", root / "examples" / "clusters" / "slurm.sbatch", space, file], env=environment,
                              capture_output=True, text=True, timeout=300, check=False)

    first = submit()
    assert first.returncode == 0, first.stderr
    assert "18 points, 3 of them refused" in first.stdout
    assert not (tmp_path / "sweep.jsonl.scheduler").exists()
    assert tool.run("sweep", f"--space={space}", "-o", tmp_path / "tool.jsonl").returncode == 0
    lines = sorted(file.read_text().splitlines())
    assert lines == sorted((tmp_path / "tool.jsonl").read_text().splitlines())
    # A requeued job continues.
    file.write_text("".join(line + "\n" for line in lines[:7]))
    assert submit().returncode == 0 and sorted(file.read_text().splitlines()) == lines
    assert gpucost.Sweep.load(file).best("time_ms").settings["target"] == "h100-bf16"


def test_kubernetes(root):
    yaml = pytest.importorskip("yaml")
    with open(root / "examples" / "clusters" / "kubernetes.yaml", encoding="utf-8") as file:
        documents = list(yaml.safe_load_all(file))
    named = {(each["kind"], each["metadata"]["name"]): each for each in documents}
    assert len(named) == len(documents) == 5
    for (kind, _), each in named.items():
        if kind not in ("Deployment", "Job"):
            continue
        pod = each["spec"]["template"]
        if kind == "Deployment":
            assert each["spec"]["selector"]["matchLabels"] == pod["metadata"]["labels"]
        volumes = {volume["name"]: volume["persistentVolumeClaim"]["claimName"] for volume in pod["spec"].get("volumes", ())}
        assert all(("PersistentVolumeClaim", claim) in named for claim in volumes.values())
        for container in pod["spec"]["containers"]:
            assert {mount["name"] for mount in container.get("volumeMounts", ())} == set(volumes)
            for text in [*container["command"], *(entry["value"] for entry in container.get("env", ()))]:
                if text.startswith("tcp://"):
                    host, port = text[6:].split(":")
                    assert int(port) in [entry["port"] for entry in named["Service", host]["spec"]["ports"]]
    selector = named["Service", "gpucost-scheduler"]["spec"]["selector"]
    assert selector == named["Deployment", "gpucost-scheduler"]["spec"]["template"]["metadata"]["labels"]
    validate = pytest.importorskip("kubernetes_validate")
    for each in documents:
        validate.validate(each, "1.30", strict=True)
