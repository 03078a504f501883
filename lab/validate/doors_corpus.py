# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The corpus of the door test: an environment of front ends, and the files that they write.

FOLDER/venv has the packages, FOLDER/corpus one result per module, type and door (lab/doors/export.py). A later run only
adds what is missing; delete a result to repeat it.
"""
import json
import os
import pathlib
import subprocess
import sys

from e2e_rows import ROOT

SCRIPTS = ROOT / "lab" / "doors"
# Versions that are known to work together on Python 3.11; docs/FrontEnds.md has the same table.
PINNED = {"torch": "2.13.0", "torchvision": "0.28.0", "torch-mlir": "20261001", "transformers": "5.24.0",
          "diffusers": "0.42.1", "jax": "0.10.2", "iree-base-compiler": "3.13.0", "onnx": "1.23.2",
          "onnxscript": "0.7.2"}
TYPES = ("bf16", "f32")
# Of modules; networks also have "gpucost" and "reference", once.
DOORS = ("onnx", "torchscript", "linalg", "tosa", "jax")
NETWORK_DOORS = ("onnx", "torchscript", "linalg", "tosa")
COUNTED = ("reference", "gpucost")
# The imports take longer than an export.
JOBS_PER_PROCESS = 20
TIMEOUT = 3600

sys.path.insert(0, str(SCRIPTS))


def names(only=""):
    """(modules, networks), optionally those of a comma-separated list."""
    import modules
    import networks
    chosen = set(filter(None, only.split(",")))
    unknown = chosen - {*modules.MODULES, *networks.NETWORKS}
    if unknown:
        raise SystemExit(f"validate.py: unknown module {', '.join(sorted(unknown))}")
    return ([each for each in modules.MODULES if not chosen or each in chosen],
            [each for each in networks.NETWORKS if not chosen or each in chosen])


def requirements(newest):
    return [name if newest else f"{name}=={version}" for name, version in PINNED.items()]


def environment(folder, python, newest):
    """The Python of FOLDER/venv with the packages; created once."""
    venv, wanted = folder / "venv", " ".join(requirements(newest))
    stamp = venv / "requirements.txt"
    if not stamp.exists() or stamp.read_text() != wanted:
        subprocess.run([python, "-m", "venv", "--clear", venv], check=True)
        subprocess.run([venv / "bin" / "pip", "install", "--quiet", *requirements(newest)], check=True)
        stamp.write_text(wanted)
    return venv / "bin" / "python"


def versions(python):
    """Installed versions by package."""
    listed = subprocess.run([python, "-m", "pip", "list", "--format=freeze"], check=True, capture_output=True, text=True)
    found = dict(line.split("==") for line in listed.stdout.split() if "==" in line)
    return {name: found.get(name, "") for name in PINNED}


def wanted(chosen, doors):
    """All jobs NAME.TYPE.DOOR in order."""
    modules, networks = chosen
    parts = [(modules, TYPES, DOORS), (networks, TYPES[:1], COUNTED)]
    if doors == "all":
        parts.append((networks, TYPES, NETWORK_DOORS))
    return [f"{name}.{kind}.{door}" for names, types, doors in parts for name in names for kind in types for door in doors]


def missing(corpus, jobs):
    return [job for job in jobs if not (corpus / f"{job}.json").exists()]


def write(python, corpus, libraries, jobs):
    """Exports what is missing, one process at a time for some jobs; of a process that crashes, the job at which it does
    has failed, and the others are repeated."""
    corpus.mkdir(parents=True, exist_ok=True)
    variables = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "GPUCOST_LIBRARY_DIR": str(libraries),
                 "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    with open(corpus / "log.txt", "a") as log:
        while left := missing(corpus, jobs):
            print(f"doors: {len(left)} files are missing; next {left[0]}", flush=True)
            left = left[:JOBS_PER_PROCESS]
            try:
                status = subprocess.run([python, str(SCRIPTS / "export.py"), corpus, *left], env=variables, stdout=log,
                                        stderr=log, timeout=TIMEOUT).returncode
            except subprocess.TimeoutExpired:
                status = f"a timeout of {TIMEOUT} s"
            for job in missing(corpus, left)[:1]:
                (corpus / f"{job}.json").write_text(json.dumps({"reason": f"the front end ended with {status}", "seconds": 0}))


def corpus_of(args):
    """(folder of the corpus, names) after the exports."""
    folder = pathlib.Path(args.folder)
    chosen = names(args.only)
    if not args.compare_only:
        python = environment(folder, args.python, args.newest)
        print("doors: " + ", ".join(f"{name} {version}" for name, version in versions(python).items()), flush=True)
        write(python, folder / "corpus", pathlib.Path(args.tool).resolve().parents[1] / "lib", wanted(chosen, args.networks))
    return folder / "corpus", chosen
