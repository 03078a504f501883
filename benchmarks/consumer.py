#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times the compilation of passes that query the cost analysis.

  benchmarks/consumer.py [--build build] [--base OTHER] [--runs 7] [--cxx clang++-22] [--llvm /usr/lib/llvm-22]

CPU seconds (user + system, medians) of `CXX -std=c++17 -O2 -fPIC -fno-rtti -c` without a precompiled
header, for consumers that include more and more of MLIR. BUILD has the generated headers. With --base,
the same consumers are compiled in turn against another source tree with a `build` folder, with the pass
of its examples folder, and each line ends with the ratio. "MLIR alone" is the
lower limit of the pass: its MLIR headers without the analysis.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ANALYSIS = '#include "HEADER"\n'
MLIR = '#include "mlir/Pass/Pass.h"\n'
FUNCTIONS = '#include "mlir/Dialect/Func/IR/FuncOps.h"\n'
PASS = """
using namespace mlir;
namespace {
struct Ask : PassWrapper<Ask, OperationPass<ON>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Ask)
  StringRef getArgument() const override { return "ask"; }
  void getDependentDialects(DialectRegistry &registry) const override { DIALECTS }
  void runOnOperation() override {
    getOperation()->walk([&](Operation *op) { QUERY });
  }
};
} // namespace
std::unique_ptr<Pass> makeAsk() { return std::make_unique<Ask>(); }
"""
ASK = PASS.replace("DIALECTS", "gpucost::CostAnalysis::insertDialects(registry);").replace(
    "QUERY", "op->emitRemark() << getAnalysis<gpucost::CostAnalysis>().getCost(op).time.value();")
EMPTY = PASS.replace("DIALECTS", "").replace("QUERY", "op->emitRemark() << 0.0;")


def consumers(tree):
    """Source text of each consumer, for the headers of `tree`."""
    header = next((tree / "include").rglob("CostAnalysis/CostAnalysis.h")).relative_to(tree / "include")
    analysis = ANALYSIS.replace("HEADER", str(header))
    return {
        "CostAnalysis.h": analysis,
        "a pass on any op": analysis + MLIR + ASK.replace("ON>", ">"),
        "the same, MLIR alone": MLIR + EMPTY.replace("ON>", ">"),
        "a pass on functions": analysis + FUNCTIONS + MLIR + ASK.replace("ON>", "func::FuncOp>"),
        "the same pass, MLIR alone": FUNCTIONS + MLIR + EMPTY.replace("ON>", "func::FuncOp>"),
        "examples/fuse-by-cost": (tree / "examples/fuse-by-cost/FuseByCost.cpp").read_text(),
    }


def seconds(arguments, tree, build, source):
    """CPU seconds of one compilation."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "consumer.cpp"
        file.write_text(source)
        command = [arguments.cxx, "-std=c++17", "-O2", "-fPIC", "-fno-rtti", f"-I{tree}/include", f"-I{build}/include",
                   "-isystem", f"{arguments.llvm}/include", "-c", str(file), "-o", f"{folder}/consumer.o"]
        process = subprocess.Popen(command)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{' '.join(command)}: exit code {process.returncode}")
        return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=str(ROOT / "build"))
    parser.add_argument("--base")
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--cxx", default="clang++-22")
    parser.add_argument("--llvm", default="/usr/lib/llvm-22")
    arguments = parser.parse_args()
    if arguments.runs < 1:
        parser.error("--runs must be at least 1")
    trees = [(ROOT, pathlib.Path(arguments.build).resolve())]
    if arguments.base:
        base = pathlib.Path(arguments.base).resolve()
        trees.append((base, base / "build"))
    for _, build in trees:
        if not (build / "include/gpucost").is_dir():
            parser.error(f"{build}: no include/gpucost; expected a build folder")
    texts = [consumers(tree) for tree, _ in trees]
    for name in texts[0]:
        samples = [[] for _ in trees]
        for turn in range(arguments.runs + 1):
            for (tree, build), text, sample in zip(trees, texts, samples):
                measured = seconds(arguments, tree, build, text[name])
                if turn:  # The first run warms the file cache.
                    sample.append(measured)
        medians = [statistics.median(sample) for sample in samples]
        line = f"{name:28}" + "".join(f"  {median:5.2f} s" for median in medians)
        if arguments.base:
            line += f"  ratio {medians[0] / medians[1]:.2f}"
        print(line, flush=True)


if __name__ == "__main__":
    main()
