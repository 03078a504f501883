#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands of a document and compares the output that it shows.

usage: check_document.py DOCUMENT... [--tool build/bin/gpu-cost-opt] [--plugin build/lib/GpuCostPlugin.so] [--update]

A fenced block without a language is a list of commands: each must exit with 0. If

  <!-- output -->

is before the next block, that block is the beginning of the last command's output;
`--update` rewrites as many lines as it has. Blocks that cannot run here have a reason
before the fence:

  <!-- not run: needs a GPU -->

Everything else has a language (```text). Commands run in a folder with the content of the
repository, the build, and the files that documents expect the reader to have:
model.onnx, model.mlir, kernels.csv, the measurements m, my-gpu-facts.mlir. `...` is replaced
by a target and sizes. `utils/setup` is replaced by its demo after the build.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BLOCK = re.compile(r"^(?:<!-- (?P<marker>.*?) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$", re.M | re.S)
ELLIPSIS = " --target=a100-bf16 --batch=8 --seq=128 "


def prepare(folder, options):
    """Links to the tree, and the reader's files."""
    for entry in ROOT.iterdir():
        if not entry.name.startswith((".", "build")):
            (folder / entry.name).symlink_to(entry)
    build = folder / "build"
    (build / "bin").mkdir(parents=True)
    (build / "bin/gpu-cost-opt").symlink_to(options.tool.absolute())
    (build / "lib").mkdir()
    (build / "lib/GpuCostPlugin.so").symlink_to(options.plugin.absolute())
    for library in options.plugin.absolute().parent.glob("libgpucost*.so*"):
        (build / "lib" / library.name).symlink_to(library)
    (folder / "model.onnx").symlink_to(ROOT / "models/bert-base.onnx")
    for name in ("model.mlir", "kernels.csv"):
        (folder / name).symlink_to(HERE / "Inputs" / name)
    facts = (ROOT / "targets/a100-sxm-80gb.mlir").read_text()
    (folder / "my-gpu-facts.mlir").write_text(re.sub(r',\s*gpucost.coefficients_from = "[^"]*"', "", facts))


def measure(folder, environment):
    """Measurements as measure.py writes them, made by the tool."""
    subprocess.run([sys.executable, ROOT / "test/Calibration/Inputs/synthesize.py",
                    ROOT / "targets/coefficients/a100-sxm-80gb.mlir", "m", "--change",
                    "streaming.dram_efficiency=0.9"], cwd=folder, env=environment, check=True,
                   stdout=subprocess.DEVNULL)


def demo():
    """The demo command of utils/setup."""
    return re.search(r"^ *(build/bin/gpu-cost-opt .*)$", (ROOT / "utils/setup").read_text(), re.M)[1]


def run(command, folder, environment):
    command = command.replace(" ... ", ELLIPSIS)
    if command.strip() == "utils/setup":
        command = demo()
    return subprocess.run(["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True)


def commands_of(block):
    """Lines, joined where a backslash ends one."""
    return [line for line in block.replace("\\\n", " ").splitlines() if line.strip()]


def check(document, options):
    """Errors, and the numbers of commands and outputs."""
    text = document.read_text()
    environment = dict(os.environ, PATH=os.pathsep.join([str(options.tool.absolute().parent), os.environ["PATH"]]))
    wrong, ran, shown, output, pieces, end = [], 0, 0, None, [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        prepare(folder, options)
        if "--measurements m" in text:
            measure(folder, environment)
        for block in BLOCK.finditer(text):
            marker, place = block["marker"] or "", f"{document.name}:{text.count(chr(10), 0, block.start()) + 1}"
            if marker == "output":
                shown += 1
                if output is None:
                    sys.exit(f"{place}: no command before this output")
                lines = output.splitlines()[:len(block["text"].splitlines())]
                now = "".join(f"{line}\n" for line in lines)
                if now != block["text"] and not options.update:
                    wrong.append(f"{place}: expected\n{now}  from check_document.py --update {document.name}")
                pieces += [text[end:block.start("text")], now]
                end = block.end("text")
            elif not block["language"] and not re.fullmatch(r"not run: \S.*", marker):
                for command in commands_of(block["text"]):
                    ran += 1
                    result = run(command, folder, environment)
                    output = result.stdout
                    if result.returncode:
                        wrong.append(f"{place}: {command}: exit {result.returncode}\n{result.stderr}")
    if options.update:
        document.write_text("".join(pieces) + text[end:])
    return wrong, ran, shown


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", type=pathlib.Path, nargs="+", metavar="document")
    parser.add_argument("--tool", type=pathlib.Path, default=ROOT / "build/bin/gpu-cost-opt")
    parser.add_argument("--plugin", type=pathlib.Path, default=ROOT / "build/lib/GpuCostPlugin.so")
    parser.add_argument("--update", action="store_true", help="write the output that the document shows")
    options = parser.parse_args()
    found = [check(document, options) for document in options.documents]
    wrong = [line for lines, _, _ in found for line in lines]
    if wrong:
        print(*wrong, sep="\n")
        sys.exit(f"{len(wrong)} commands or outputs of the documents are wrong")
    print(f"{sum(ran for _, ran, _ in found)} commands, {sum(shown for _, _, shown in found)} outputs")


if __name__ == "__main__":
    main()
